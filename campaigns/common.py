"""What the campaigns share: running the program, and closing with a line of counts."""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

# A run that takes longer hangs.
LONGEST = 300


class Wrong(Exception):
    """Something does not hold."""


def arguments(description, count):
    """The options of every campaign."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("program", nargs="?", default=os.environ.get("PARETONYM", "paretonym"))
    parser.add_argument("--count", type=int, default=count, help="how many checks to make")
    parser.add_argument("--seed", type=int, default=1, help="same seed, same campaign")
    parser.add_argument("--workers", type=int, default=2, help="processes at once")
    parser.add_argument("--only", type=int, help="one case alone, by its number")
    parser.add_argument("--keep", action="store_true", help="keep the folder of a case that fails")
    options = parser.parse_args()
    program = shutil.which(options.program)
    if program is None:
        sys.exit(f"there is no program {options.program}; name it, or set $PARETONYM")
    options.program = str(pathlib.Path(program).resolve())
    return options


class Program:
    """The program in a folder."""

    def __init__(self, path, folder):
        self.path, self.folder = path, pathlib.Path(folder)

    def start(self, *words, **more):
        words = [str(word) for word in words]
        if words[0] in ("release", "reapply"):
            # Rows that are alone in their group are asked for; what is measured here does not depend on k.
            words.append("--allow-k1")
        pipe = subprocess.PIPE
        return subprocess.Popen([self.path, *words], cwd=self.folder, stdout=pipe, stderr=pipe, **more)

    def run(self, *words):
        """Exit code, output, messages."""
        process = self.start(*words)
        try:
            out, said = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Wrong(f"{' '.join(map(str, words))} hangs")
        out, said = out.decode("utf-8", "replace"), said.decode("utf-8", "replace")
        if process.returncode < 0 or process.returncode == 101 or "panicked" in said:
            raise Wrong(f"{' '.join(map(str, words))} broke down: {said[-400:]}")
        return process.returncode, out, said

    def must(self, *words):
        """Runs the program, which must succeed; its output."""
        code, out, said = self.run(*words)
        if code != 0:
            raise Wrong(f"{' '.join(map(str, words))} ended with {code}: {said.strip()[-400:]}")
        return out

    def read(self, name):
        return (self.folder / name).read_bytes()

    def json(self, name):
        return json.loads((self.folder / name).read_text(encoding="utf-8"))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def exists(self, name):
        return (self.folder / name).exists()


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def consistent(program, name):
    """The release and its companions belong together, or there is no release."""
    if not program.exists(name):
        return
    if not program.exists(name + ".certificate.json"):
        raise Wrong(f"{name} has no certificate")
    if not program.exists(name + ".recoding.json"):
        raise Wrong(f"{name} has no recoding")
    certificate, recoding = program.json(name + ".certificate.json"), program.json(name + ".recoding.json")
    if certificate["output"]["sha256"] != sha256(program.read(name)):
        raise Wrong(f"the certificate beside {name} is of another file")
    if certificate.get("id") != recoding.get("id"):
        raise Wrong(f"certificate and recoding beside {name} have different ids")
    if certificate.get("solution") != recoding.get("solution") and "solution" in recoding:
        raise Wrong(f"certificate and recoding beside {name} are of different solutions")


def _case(job):
    function, options, number = job
    folder = pathlib.Path(tempfile.mkdtemp(prefix="campaign-"))
    counts, failure = {}, None
    try:
        counts = function(Program(options.program, folder), random.Random(options.seed * 1_000_003 + number), number) or {}
    except Wrong as wrong:
        failure = str(wrong)
    except Exception as error:  # a fault of the campaign itself is a failure too
        import traceback

        failure = f"{type(error).__name__}: {error}\n{traceback.format_exc()[-1500:]}"
    kept = failure is not None and options.keep
    if not kept:
        shutil.rmtree(folder, ignore_errors=True)
    return number, counts, failure, str(folder) if kept else None


def campaign(options, name, function, cases, goal=None):
    """Runs cases side by side; `goal` is a count that ends the campaign once `options.count` of it is reached. Each case gets
    the program in a folder of its own, its own source of chance and its number, and gives counts or raises `Wrong`."""
    totals, failures, done = {}, [], 0
    numbers = [options.only] if options.only is not None else range(cases)
    jobs = ((function, options, number) for number in numbers)
    with concurrent.futures.ProcessPoolExecutor(max_workers=max(1, options.workers)) as pool:
        waiting = set()
        enough = False
        while True:
            while not enough and len(waiting) < 2 * options.workers:
                job = next(jobs, None)
                if job is None:
                    break
                waiting.add(pool.submit(_case, job))
            if not waiting:
                break
            finished, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in finished:
                number, counts, failure, folder = future.result()
                done += 1
                for key, value in counts.items():
                    totals[key] = totals.get(key, 0) + value
                if failure is not None:
                    failures.append(number)
                    print(f"{name}: case {number} fails: {failure}" + (f" (kept in {folder})" if folder else ""), flush=True)
            enough = enough or (goal is not None and totals.get(goal, 0) >= options.count) or len(failures) >= 50
    numbers = ", ".join(f"{value} {key}" for key, value in totals.items())
    print(f"{name}: {done} cases, {numbers}; {len(failures)} failed (seed {options.seed})", flush=True)
    short = goal is not None and options.only is None and totals.get(goal, 0) < options.count
    if short:
        print(f"{name}: only {totals.get(goal, 0)} of {options.count} {goal}", flush=True)
    sys.exit(1 if failures or short else 0)
