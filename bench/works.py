"""The works that are measured, each as commands of ours: what they read, what they run, what they found.

A `Place` knows the program, the folder of the tables and how large they are; `Work.prepare` makes what is not there yet.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import adult
import measure
import people


class Place:
    """Where the program and the tables are."""

    def __init__(self, program, data, rows=10_000_000, adult_data=None, python=sys.executable, evaluations=50_000, side=""):
        self.program, self.data = pathlib.Path(program).resolve(), pathlib.Path(data).resolve()
        self.rows, self.python, self.evaluations = rows, python, evaluations
        # What this program writes is told apart from what another one writes into the same folder.
        self.side = f"{side}{os.getpid()}"
        self.adult_data = pathlib.Path(adult_data or adult.DATA).resolve()
        self.data.mkdir(parents=True, exist_ok=True)

    def people(self, ending, rows=None, tuples=60_000):
        """The table of people with an ending, made where it is not there; a peer's Python is needed for Parquet."""
        rows = rows or self.rows
        name = f"people{short(rows)}" + ("" if tuples == 60_000 else f"-{short(tuples)}")
        path = self.data / f"{name}.{ending}"
        if not path.exists():
            draft = path.with_name(f"draft-{path.name}")
            maker = pathlib.Path(people.__file__)
            measure.run([self.python, maker, rows, draft, "--tuples", tuples])
            draft.with_name(draft.name + ".toml").unlink()
            draft.rename(path)
        study = path.with_name(path.name + ".toml")
        study.write_text(people.study(path.name), encoding="utf-8")
        return path

    def scratch(self, name):
        """A path in the folder of the tables that nothing is at, nor are companions of it."""
        path = self.data / f"scratch-{self.side}-{name}"
        for left in self.data.glob(path.name + "*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        return path

    def clean(self):
        """Removes all that was written beside the tables."""
        self.scratch("")

    def adult(self):
        """The studies of Adult by name."""
        return adult.studies(self.adult_data, self.data / "adult")

    def has_adult(self):
        return self.adult_data.exists()


def short(number):
    """10000000 as 10m."""
    for size, letter in ((1_000_000, "m"), (1_000, "k")):
        if number % size == 0:
            return f"{number // size}{letter}"
    return str(number)


def front(folder):
    """The front in the folder of a run."""
    return json.loads((folder / "front.json").read_text(encoding="utf-8"))


def explore(place, study, *more, threads=None):
    """Runs a study; what it took, and what was found."""
    out = place.scratch("front")
    took, _ = measure.run([place.program, "explore", study, "-o", out, "--quiet", *more], threads)
    found = front(out)
    result = {name: found[name] for name in ("rows", "distinct", "evaluated", "exact")}
    result["points"] = len(found["solutions"])
    result["hypervolume"] = adult.hypervolume(found)
    shutil.rmtree(out)
    return {**took, "result": result}


def audit(place, path, quasi, sensitive, threads=None):
    """Audits a file; what it took, and k, l and t."""
    command = [place.program, "audit", path, "--quasi", ",".join(quasi), "--sensitive", sensitive, "--json", "--quiet"]
    took, text = measure.run(command, threads)
    found = json.loads(text)
    result = {"rows": found["rows"], "groups": found["groups"], "k": found["k"], "t": found["t"][sensitive]}
    result["l"] = found["l"][sensitive]["distinct"]
    return {**took, "result": result}


def count_by_audit(place, ending, threads=None):
    return audit(place, place.people(ending), people.QUASI, people.SENSITIVE, threads)


def count_by_explore(place, ending, threads=None):
    """A search of a few nodes, so that reading and counting the eight columns are nearly all of it."""
    path = place.people(ending)
    study = path.with_name(f"{path.name}.count.toml")
    study.write_text(people.study(path.name, 0.0, 'optimizer = "datafly"', others=False), encoding="utf-8")
    return explore(place, study, threads=threads)


def ready_to_release(place, path):
    """The folder of a run of the table, and a solution of it: the least loss at a k of 100 or more."""
    folder = place.scratch(f"run-{path.name}")
    measure.run([place.program, "explore", path.with_name(path.name + ".toml"), "-o", folder, "--quiet"])
    solutions = front(folder)["solutions"]
    return folder, min([one for one in solutions if one["k"] >= 100] or solutions, key=lambda one: (one["loss"], one["k"]))


def release(place, folder, solution, ending, threads=None):
    """Releases a solution; what it took, and how many rows there are."""
    out = place.scratch(f"release.{ending}")
    command = [place.program, "release", folder, "--solution", solution["id"], "-o", out, "--json", "--quiet", "--allow-k1"]
    took, text = measure.run(command, threads)
    certificate = json.loads(text)
    place.scratch(f"release.{ending}")
    return {**took, "result": {"rows": certificate["output"]["rows"], "k": solution["k"]}}


def recoding_for_sql(solution, target):
    """What a peer needs to release the same: an expression for each quasi column, and k."""
    levels = {name: one["level"] for name, one in solution["recoding"].items()}
    groups = {}
    for name in people.QUASI:
        groups[name] = SHOWN[name](levels[name]) if name in SHOWN else (name if levels[name] == 0 else "'*'")
    kept = [name for name in people.NAMES if name not in people.QUASI and name != "person"]
    plan = {"k": solution["k"], "quasi": groups, "kept": kept}
    pathlib.Path(target).write_text(json.dumps(plan), encoding="utf-8")


def shown_age(level):
    if level in (1, 2, 3):
        width = {1: 5, 2: 10, 3: 20}[level]
        return f"'[' || (age // {width} * {width}) || ', ' || (age // {width} * {width} + {width}) || ')'"
    return "age" if level == 0 else "'*'"


def shown_postcode(level):
    return "postcode" if level == 0 else "'*'" if level >= 5 else f"postcode[:{5 - level}] || '{'*' * level}'"


def shown_education(level):
    if level in (1, 2):
        size = {1: 2, 2: 4}[level]
        cases = ""
        for first in range(0, len(people.EDUCATIONS), size):
            run = people.EDUCATIONS[first : first + size]
            values = ", ".join(f"'{value}'" for value in run)
            cases += f" when education in ({values}) then '{run[0]} … {run[-1]}'"
        return f"case{cases} end"
    return "education" if level == 0 else "'*'"


SHOWN = {"age": shown_age, "postcode": shown_postcode, "education": shown_education}


def demo(place, threads=None):
    out = place.scratch("demo")
    took, _ = measure.run([place.program, "demo", "--out", out, "--quiet"], threads)
    result = {"points": len(front(out)["solutions"])}
    shutil.rmtree(out)
    return {**took, "result": result}


def census(place, rows, threads=None):
    """The synthetic census of the program, whose postcodes make many rows tuples of their own."""
    out = place.data / f"census-{short(rows)}"
    if not (out / "census.csv").exists():
        measure.run([place.program, "demo", "--rows", rows, "--out", out, "--quiet"])
    return explore(place, out / "census.toml", threads=threads)


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
