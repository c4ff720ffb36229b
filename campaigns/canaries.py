#!/usr/bin/env python3
"""Canaries: rare values that end up in suppressed rows, in every kind of column and under every family. No public file and no
output of a command may hold what the release hides, where the tables lie, or a plain hash of them."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from common import Wrong, arguments, campaign, sha256
from tables import toml

ROWS = 160

# Kind of column: what the study says, ordinary values, the canary, and whether the study declares it.
KINDS = {
    "number": ({"kind": "numeric"}, lambda r: str(r.randrange(20, 60)), "7777.777777", False),
    "bins": ({"kind": "numeric", "bins": 32}, lambda r: f"{r.random() * 50:.6f}", "7777.777777", False),
    "few bins": ({"kind": "numeric", "bins": 4}, lambda r: f"{r.random() * 50:.6f}", "-4321.987654", False),
    "widths": ({"kind": "numeric", "widths": [5, 10, 50]}, lambda r: str(r.randrange(20, 60)), "7777.777777", False),
    "groups": ({"kind": "numeric", "groups": [2, 4, 8]}, lambda r: str(r.randrange(20, 60)), "7777.777777", False),
    "range": ({"kind": "numeric", "range": [0, 10000], "granularity": 100}, lambda r: str(r.randrange(20, 600)), "7777.777777", False),
    "date": ({"kind": "categorical", "hierarchy": "dates"}, lambda r: f"19{r.randrange(60, 64)}-0{r.randrange(1, 9)}-1{r.randrange(9)}", "1887-11-23", False),
    "ordered date": ({"kind": "ordinal", "hierarchy": "dates"}, lambda r: f"19{r.randrange(60, 64)}-0{r.randrange(1, 9)}-1{r.randrange(9)}", "1887-11-23", False),
    "code": ({"kind": "categorical", "hierarchy": "prefix"}, lambda r: f"130{r.randrange(10, 60)}", "98765", False),
    "flat": ({"kind": "categorical"}, lambda r: r.choice(["Aix", "Bonn", "Cork"]), "Qvxian", False),
    "tree": ({"kind": "categorical", "taxonomy": "towns.csv"}, lambda r: r.choice(["Aix", "Bonn", "Cork", "Oslo"]), "Qvxian", True),
    "order": ({"kind": "ordinal", "order": ["low", "mid", "high", "Qvxian"]}, lambda r: r.choice(["low", "mid", "high"]), "Qvxian", True),
}
FAMILIES = {
    "levels": {"recode": "levels", "optimizer": "exhaustive"},
    "cuts": {"recode": "cuts", "optimizer": "nsga2", "evaluations": 600},
    "breaks": {"recode": "breaks", "optimizer": "nsga2", "evaluations": 600},
    "nodes": {"recode": "levels", "optimizer": "regions", "cells": "nodes"},
    "sets": {"recode": "levels", "optimizer": "regions", "cells": "sets"},
    "mondrian": {"recode": "levels", "optimizer": "mondrian"},
}
STYLES = [[], ["--suppressed-rows", "star"], ["--representative", "median"], ["--tokens"]]
TOWNS = "Aix;south;*\nBonn;north;*\nQvxian;north;*\nCork;north;*\nOslo;north;*\n"
CELLS = [(kind, family) for kind in KINDS for family in FAMILIES]


def forms(canary):
    """A value as it might be written."""
    found = {canary}
    try:
        value = float(canary)
        found |= {repr(value), f"{value:.5f}", f"{value:.4f}", f"{value:.3f}", f"{value:e}"}
    except ValueError:
        pass
    return found


def found(form, text):
    """Whether a text holds a value that is not part of a longer number."""
    return form in text and re.search(rf"(?<![0-9.]){re.escape(form)}(?![0-9])", text) is not None


def public(program, name):
    """The files beside a release, by name; folders with all that is in them."""
    for path in sorted(program.folder.glob(name + "*")):
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.is_file():
                yield str(file.relative_to(program.folder)), file.read_text(encoding="utf-8", errors="replace")


def check(program, place, text, hidden, secrets, shown):
    for value in hidden:
        for form in forms(value):
            if found(form, text) and not found(form, shown):
                raise Wrong(f"{place} holds {form}, which the release hides")
    for what, secret in secrets.items():
        if secret in text:
            raise Wrong(f"{place} holds {what}")


def one(program, random, number):
    kind, family = CELLS[number % len(CELLS)]
    keys, draw, canary, declared = KINDS[kind]
    settings = dict(FAMILIES[family])
    recode = settings.pop("recode")
    if recode == "breaks" and keys.get("hierarchy"):
        recode = "cuts"
    program.write("towns.csv", TOWNS)
    rows = [[f"person {row}", draw(random), random.choice(["m", "f"]), random.choice(["flu", "cold", "gout"]), f"n{random.randrange(3)}"]
            for row in range(ROWS)]
    at = random.randrange(ROWS)
    # All that is odd about this row: its quasi value, its sensitive value, its note and its name.
    rows[at] = ["Zzyzx Canary", canary, "Qsex", "Qkuru", "Qnote-55521"]
    hidden = [canary, "Qsex", "Qkuru", "Qnote-55521", "Zzyzx"]
    text = "name,x,sex,disease,note\n" + "".join(",".join(row) + "\n" for row in rows)
    program.write("people.csv", text)
    column = keys | {"recode": recode}
    study = ["[data]", 'path = "people.csv"', "[[columns]]", 'name = "name"', 'role = "identifying"', "[[columns]]", 'name = "x"',
             'role = "quasi"', *(f"{key} = {toml(value)}" for key, value in column.items()), "[[columns]]", 'name = "sex"', 'role = "quasi"',
             "[[columns]]", 'name = "disease"', 'role = "sensitive"', "[[columns]]", 'name = "note"', 'role = "insensitive"',
             "[search]", "eta = 0.1", *(f"{key} = {toml(value)}" for key, value in settings.items())]
    program.write("study.toml", "\n".join(study) + "\n")
    code, _, said = program.run("explore", "study.toml", "-o", "front", "--quiet")
    if code == 2:
        return {"studies refused": 1}
    if code != 0:
        raise Wrong(f"explore of {kind} by {family} ended with {code}: {said.strip()}")
    secrets = {"the path of the table": str(program.folder), "a plain hash of the table": sha256(program.read("people.csv")),
               "a plain hash of the study": sha256(program.read("study.toml")),
               "a plain hash of the study in the folder": sha256(program.read("front/study.toml"))}
    counts = {"releases": 0, "that suppress the canary": 0, "files": 0}
    solutions = program.json("front/front.json")["solutions"]
    chosen = [one for one in solutions if one["suppressed"]]
    chosen = random.sample(chosen, min(8, len(chosen))) + random.sample(solutions, min(2, len(solutions)))
    for place, solution in enumerate(chosen):
        style = random.choice(STYLES)
        name = f"out{place}.csv"
        code, out, _ = program.run("release", "front", "--solution", solution["id"], "-o", name, *style)
        if code != 0:
            continue
        counts["releases"] += 1
        released = program.read(name).decode()
        is_hidden = "Qnote-55521" not in released
        # What the study declares may be the end of an interval that is shown; nothing else may say more than the release.
        shown = released if declared or not is_hidden else ""
        own = hidden if is_hidden else ["Zzyzx"]
        texts = [*public(program, name), ("the output of release", out)]
        counts["that suppress the canary"] += is_hidden
        if place < 3:
            _, audited, _ = program.run("audit", name, "--quasi", "x,sex", "--sensitive", "disease")
            texts.append(("the output of audit", audited))
            again = f"again{place}.csv"
            code, out, _ = program.run("reapply", name + ".recoding.json", "people.csv", "-o", again, "--k", max(solution["k"], 2), "--unknown", "suppress", "--no-fresh")
            if code == 0 and "Qnote-55521" not in program.read(again).decode():
                texts += [*public(program, again), ("the output of reapply", out)]
        for place_of, said in texts:
            check(program, f"{kind} by {family}, solution {solution['id']}: {place_of}", said, own, secrets, shown)
            counts["files"] += 1
    return counts


if __name__ == "__main__":
    options = arguments(__doc__, 3 * len(CELLS))
    campaign(options, "canaries", one, options.count)
