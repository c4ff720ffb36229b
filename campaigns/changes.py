#!/usr/bin/env python3
"""A release is made of what was explored, or not at all: after any single change of the table, of the study in the folder, of
a taxonomy or of the boxes, `release` refuses; with everything put back it succeeds."""

import csv
import io
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from common import Wrong, arguments, campaign

CHANGES_PER_CASE = 12
STUDY = """
[data]
path = "people.csv"

[[columns]]
name = "person_id"
role = "identifying"

[[columns]]
name = "age"
role = "quasi"
kind = "numeric"
widths = [5, 10, 20]

[[columns]]
name = "town"
role = "quasi"
kind = "categorical"
taxonomy = "towns.csv"

[[columns]]
name = "disease"
role = "sensitive"

[[columns]]
name = "note"
role = "insensitive"

[search]
eta = 0.05
optimizer = "OPTIMIZER"
"""
TOWNS = "Aix;south;*\nArles;south;*\nBonn;north;*\nBrest;west;*\nCork;west;*\nOslo;north;*\n"
NAMES = [line.split(";")[0] for line in TOWNS.splitlines()]


def table(random, rows):
    made = []
    for row in range(rows):
        note = random.choice(["", "a", "b, c"])
        made.append([f"p{row}", str(random.randrange(20, 70)), random.choice(NAMES[:5]), random.choice(["flu", "cold", "gout"]), note])
    return made


def text(rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["person_id", "age", "town", "disease", "note"])
    writer.writerows(rows)
    return out.getvalue()


def changed_table(random, rows):
    """The table with one thing changed, and what it was."""
    rows = [list(row) for row in rows]
    at = random.randrange(len(rows))
    what = random.choice(["cell"] * 5 + ["removed", "doubled", "swapped", "added", "replaced"])
    if what == "cell":
        column = random.randrange(5)
        old = rows[at][column]
        fresh = [f"q{at}", str(random.randrange(20, 70)), random.choice(NAMES[:5]), random.choice(["flu", "cold", "gout"]),
                 random.choice(["", "a", "b, c", "new"])]
        new = fresh[column] if fresh[column] != old else {1: "71", 2: "Oslo", 3: "rash"}.get(column, old + "x")
        rows[at][column] = new
        return rows, f"cell {at},{column}"
    if what == "removed":
        del rows[at]
    elif what == "doubled":
        rows.insert(at, list(rows[at]))
    elif what == "swapped":
        # Rows differ in their identifiers, so that another order is another table.
        other = (at + 1 + random.randrange(len(rows) - 1)) % len(rows)
        rows[at], rows[other] = rows[other], rows[at]
    elif what == "added":
        rows.append([f"p{len(rows)}", *rows[at][1:]])
    else:
        rows[at] = [f"p{at}", *rows[(at + 1) % len(rows)][1:]] if rows[at][1:] != rows[(at + 1) % len(rows)][1:] else [f"z{at}", *rows[at][1:]]
    return rows, f"row {at} {what}"


def changed_study(random, study):
    """The study in the folder with one key changed."""
    changes = [
        (r'(name = "person_id"\s+role = )"identifying"', r'\1"insensitive"'),
        (r'(name = "disease"\s+role = )"sensitive"', r'\1"insensitive"'),
        (r'(name = "age"\s+role = )"quasi"', r'\1"insensitive"'),
        (r'(name = "note"\s+role = )"insensitive"', r'\1"sensitive"'),
        (r"eta = 0\.05", "eta = 0.5"),
        (r"\b10(\.0)?\b", "15"),
        (r'on_missing = "drop-row"', 'on_missing = "value"'),
        (r'problem = "max-suppression"', 'problem = "any-suppression"'),
    ]
    random.shuffle(changes)
    for pattern, put in changes:
        new, count = re.subn(pattern, put, study, count=1)
        if count and new != study:
            return new, pattern
    raise Wrong("the study in the folder has nothing that could be changed")


def changed_taxonomy(random):
    lines = TOWNS.splitlines()
    at = random.randrange(len(lines))
    what = random.choice(["moved", "added", "renamed"])
    if what == "moved":
        # Towns stand by their branches, so that another branch for the last of one is another tree.
        lines[1] = "Arles;north;*"
        at = 1
    elif what == "added":
        lines.insert(2, "Athens;south;*")
    else:
        lines = [line.replace(";north;", ";arctic;") for line in lines]
    return "\n".join(lines) + "\n", f"taxonomy {what} {at}"


def changed_regions(random, regions):
    places = [found.span() for found in re.finditer(r"\b\d+\b", regions)]
    first, last = random.choice(places)
    number = int(regions[first:last])
    return regions[:first] + str(max(number - 1, 0) if number and random.random() < 0.5 else number + 1) + regions[last:], f"regions at {first}"


def one(program, random, number):
    local = random.random() < 0.4
    program.write("towns.csv", TOWNS)
    rows = table(random, random.choice([60, 150]))
    program.write("people.csv", text(rows))
    program.write("study.toml", STUDY.replace("OPTIMIZER", "regions" if local else "exhaustive"))
    program.must("explore", "study.toml", "-o", "front", "--quiet")
    solutions = program.json("front/front.json")["solutions"]
    counts = {"changes": 0, "unchanged": 0}
    for at in range(CHANGES_PER_CASE):
        kind = random.choice(["table"] * 7 + ["study", "taxonomy"] + ["regions"] * local)
        if kind == "table":
            name = "people.csv"
            changed, what = changed_table(random, rows)
            changed = text(changed)
        elif kind == "study":
            name = "front/study.toml"
            changed, what = changed_study(random, program.read(name).decode())
        elif kind == "taxonomy":
            name = "towns.csv"
            changed, what = changed_taxonomy(random)
        else:
            name = "front/regions.json"
            changed, what = changed_regions(random, program.read(name).decode())
        before = program.read(name)
        if changed.encode() == before:
            continue
        program.write(name, changed)
        solution = random.choice(solutions)["id"]
        code, _, said = program.run("release", "front", "--solution", solution, "-o", f"out{at}.csv", "--quiet")
        if code == 0 or program.exists(f"out{at}.csv"):
            raise Wrong(f"{what} in {name} was changed, and solution {solution} was released")
        if code != 2:
            raise Wrong(f"{what} in {name} was changed, and release ended with {code}: {said.strip()}")
        (program.folder / name).write_bytes(before)
        counts["changes"] += 1
        if random.random() < 0.25:
            program.must("release", "front", "--solution", solution, "-o", f"same{at}.csv", "--quiet")
            counts["unchanged"] += 1
    return counts


if __name__ == "__main__":
    options = arguments(__doc__, 300)
    campaign(options, "changes", one, options.count, goal="changes")
