"""Adult for the benchmarks: studies made from the preset of the program, and its tuples as codes for a peer.

The data is UCI's adult.data, looked for in ../shared/adult beside the repository, or where --adult says.
"""

import collections
import json
import math
import pathlib
import shutil
import tomllib

PRESET = pathlib.Path(__file__).resolve().parent.parent / "crates/paretonym-cli/src/preset/adult"
DATA = pathlib.Path(__file__).resolve().parent.parent.parent / "shared/adult/adult.data"
ETA = 0.1
QUASI = [
    "age", "education", "workclass", "marital-status", "occupation", "native-country", "race", "sex", "salary-class",
]


def studies(data, folder):
    """Writes the studies that are searched into a folder; their paths by name."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for taxonomy in PRESET.glob("*.csv"):
        shutil.copy(taxonomy, folder)
    levels = (PRESET / "study.toml").read_text(encoding="utf-8").replace("{path}", str(data))
    breaks = (PRESET / "breaks.toml").read_text(encoding="utf-8").replace("{path}", str(data))
    texts = {
        "lattice1": levels,
        "lattice10": levels.replace("eta = 0.01", "eta = 0.1"),
        "breaks": breaks.replace('recode = "cuts"', 'recode = "breaks"'),
        "regions": local(levels),
        "sensitive": sensitive(local(levels)),
    }
    paths = {}
    for name, text in texts.items():
        paths[name] = folder / f"{name}.toml"
        paths[name].write_text(text, encoding="utf-8")
    return paths


def local(levels):
    """Age in whole years and education by order, split anywhere; nothing suppressed, and trees without local search."""
    text = levels.replace('recode = "levels"\nwidths = [5, 10, 20]', 'recode = "breaks"')
    head, tail = text.split('name = "education"')
    tail = tail.replace('recode = "levels"', 'recode = "breaks"', 1).replace('taxonomy = "education.csv"\n', "", 1)
    text = head + 'name = "education"' + tail
    return text.replace("eta = 0.01", "eta = 0.0").replace('optimizer = "exact"', 'optimizer = "regions(improve=false)"')


def sensitive(levels):
    """Occupation as the sensitive column, for l and t; thousands of groups."""
    head, tail = levels.split('name = "occupation"')
    for gone in ('recode = "levels"\n', 'taxonomy = "occupation.csv"\n', "weight = 1.0\n"):
        tail = tail.replace(gone, "", 1)
    return head + 'name = "occupation"' + tail.replace('role = "quasi"', 'role = "sensitive"', 1)


def leaves_of(column):
    """The ordered leaves of a column of the study of breaks; none for a column of numbers."""
    if "order" in column:
        return column["order"]
    taxonomy = column.get("taxonomy")
    if isinstance(taxonomy, str):
        return leaves_of_file(PRESET / taxonomy)
    return list(below(taxonomy)) if taxonomy else None


def leaves_of_file(path):
    """Leaves from left to right; children in the order of their first appearance. A line: value;level 1;...;top."""
    tree = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        node = tree
        for name in reversed([cell.strip() for cell in line.split(";")]):
            node = node.setdefault(name, {})
    return list(below(tree))


def below(node):
    """The leaves of a tree of tables and lists. A table or list without entries is itself a leaf."""
    for name, child in node.items():
        if isinstance(child, list):
            yield from child or [name]
        else:
            yield from below(child) if child else [name]


def codes(study, data, target):
    """Writes the table behind the study of breaks as codes of leaves: what a peer needs to group it."""
    study = tomllib.loads(pathlib.Path(study).read_text(encoding="utf-8"))
    names = study["data"]["columns"]
    columns = [column for column in study["columns"] if column["role"] == "quasi"]
    leaves = [leaves_of(column) for column in columns]
    places = [names.index(column["name"]) for column in columns]
    counts = collections.Counter()
    for line in pathlib.Path(data).read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(names) or any(cells[place] == "?" for place in places):
            continue
        counts[tuple(code(column, known, cells[place]) for column, known, place in zip(columns, leaves, places))] += 1
    sizes = [len(known) if known else bins(column) for column, known in zip(columns, leaves)]
    found = {"leaves": sizes, "tuples": list(counts), "counts": list(counts.values()), "eta": ETA}
    pathlib.Path(target).write_text(json.dumps(found), encoding="utf-8")
    return found


def bins(column):
    low, high = column["range"]
    return int((high - low) / column["granularity"])


def code(column, known, cell):
    if known:
        return known.index(cell)
    return int((float(cell) - column["range"][0]) // column["granularity"])


def hypervolume(front):
    """The area under a front.json over ln k / ln n and 1 - loss, of its points with a loss below 1."""
    area, best = 0.0, 0.0
    points = [(one["k"], one["loss"]) for one in front["solutions"] if one["loss"] < 1]
    for k, loss in sorted(points, reverse=True):
        if 1 - loss > best:
            area, best = area + math.log(k) / math.log(front["rows"]) * (1 - loss - best), 1 - loss
    return area
