#!/usr/bin/env python3
"""Random tables, random studies, random solutions: every release is counted again from the written file, by code that
shares nothing with the program. Whatever front, certificate and labels say must be so."""

import collections
import csv
import io
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import measures
from common import Wrong, arguments, campaign, consistent, sha256
from labels import Reader, Unreadable
from tables import Case

NEAR = 1e-9
RELEASES_PER_CASE = 6


def near(one, other):
    return abs(one - other) <= NEAR * max(1.0, abs(one), abs(other))


def rounded_up(value):
    """To two decimals, to the safe side."""
    return math.ceil(value * 100 - 1e-9) / 100


class Original:
    """The rows that a study keeps of a table, missing cells by their label."""

    def __init__(self, case, rows):
        self.case = case
        self.names = [column.name for column in case.columns]
        self.at = {name: place for place, name in enumerate(self.names)}
        self.quasi = [self.at[column.name] for column in case.quasi]
        used = self.quasi + [self.at[column.name] for column in case.sensitive]
        self.missing_label = case.missing or "missing"
        missing = lambda cell: cell.strip() == case.missing.strip()
        self.rows, self.dropped = [], 0
        for row in rows:
            if case.on_missing == "drop-row" and any(missing(row[place]) for place in used):
                self.dropped += 1
                continue
            row = [cell.strip() if place in used else cell for place, cell in enumerate(row)]
            for place in used:
                row[place] = self.missing_label if missing(row[place]) else row[place]
            self.rows.append(row)
        self.readers = [Reader(column, {row[place] for row in self.rows}, self.missing_label)
                        for column, place in zip(case.quasi, self.quasi)]


def parse(data, delimiter):
    return list(csv.reader(io.StringIO(data.decode("utf-8"), newline=""), delimiter=delimiter))


class Release:
    """A written file, counted."""

    def __init__(self, case, original, data, delimiter):
        table = parse(data, delimiter)
        self.names, self.rows = table[0], table[1:]
        self.at = {name: place for place, name in enumerate(self.names)}
        self.quasi = [self.at[column.name] for column in case.quasi]
        star = lambda row: all(row[place] == "*" for place in self.quasi)
        self.starred = [row for row in self.rows if star(row)]
        self.case, self.original = case, original

    def keep(self, stars_are_suppressed):
        starred = set(map(id, self.starred)) if stars_are_suppressed else set()
        self.kept = [row for row in self.rows if id(row) not in starred]
        self.groups = measures.groups_of(self.kept, self.quasi)
        self.suppressed = len(self.original.rows) - len(self.kept)

    def counters(self, column):
        place = self.at[column.name]
        return [collections.Counter(self.plain(column, row[place]) for row in rows) for rows in self.groups.values()]

    def plain(self, column, cell):
        """Numbers in one spelling; missing by its label."""
        return spelled(column, cell, self.original.missing_label)

    def least(self, measure):
        """The least over groups and sensitive columns."""
        levels = [measure(list(counter.values())) for column in self.case.sensitive for counter in self.counters(column)]
        return min(levels)

    def table_counter(self, column):
        place = self.original.at[column.name]
        return collections.Counter(self.plain(column, row[place]) for row in self.original.rows)

    def t(self, column):
        table = self.table_counter(column)
        return max(measures.distance(column, counter, table) for counter in self.counters(column))


def spelled(column, cell, missing_label):
    cell = cell.strip()
    if column.kind == "number" and column.order:
        for value in column.order:
            if cell == value or (cell != missing_label and _equal(cell, value)):
                return value
    return cell


def _equal(one, other):
    try:
        return float(one) == float(other)
    except ValueError:
        return False


def recursive_c(case):
    """The c that the study's own model has, else the usual one."""
    models = case.search["privacy"] if isinstance(case.search["privacy"], list) else [case.search["privacy"]]
    return 3 if "recursive-l(c=3)" in models else 2


def check_rows(case, original, release, local, medians):
    """Every released row can be one of the table's, each of which is used once; and where a recoding holds for the whole
    table, a group has all rows that its labels cover."""
    kept_names = [name for name in release.names if name in original.at and name not in {c.name for c in case.quasi}]
    kept_names = [name for name in kept_names if name != "person"]
    facts_of = lambda row, at: tuple(row[at[name]] for name in kept_names)
    sensitive = {column.name: column for column in case.sensitive}

    def facts(row, at):
        cells = []
        for name in kept_names:
            cell = row[at[name]]
            # A missing cell of a column that the study uses is shown as the table has it, or by its label.
            if name in sensitive and cell.strip() in ("", case.missing, original.missing_label):
                cell = original.missing_label
            cells.append(cell)
        return tuple(cells)

    checked = [place for place, column in enumerate(case.quasi) if not (medians and column.kind == "number")]

    def covered(labels, row):
        return all(original.readers[at].covers(labels[at], row[original.quasi[at]]) for at in checked)

    sources = original.rows
    tuples = collections.defaultdict(list)
    for number, row in enumerate(sources):
        tuples[tuple(row[place] for place in original.quasi)].append(number)
    candidates = {}
    for labels in release.groups:
        found = [number for values, numbers in tuples.items() for number in numbers
                 if all(original.readers[at].covers(labels[at], values[at]) for at in checked)]
        candidates[labels] = found
    if not local and not medians:
        for labels, rows in release.groups.items():
            expected = collections.Counter(facts(sources[number], original.at) for number in candidates[labels])
            found = collections.Counter(facts(row, release.at) for row in rows)
            if expected != found:
                raise Wrong(f"group {labels}: {len(rows)} rows are released and {len(candidates[labels])} rows fit its labels")
        return
    # Each released row to a row of the table, by augmenting paths.
    taken = {}
    demand = [(labels, facts(row, release.at)) for labels, rows in release.groups.items() for row in rows]
    by_facts = {}
    for labels, numbers in candidates.items():
        for number in numbers:
            by_facts.setdefault((labels, facts(sources[number], original.at)), []).append(number)
    sys.setrecursionlimit(10_000)

    def place(at, seen):
        for number in by_facts.get(demand[at], ()):
            if number not in seen:
                seen.add(number)
                if number not in taken or place(taken[number], seen):
                    taken[number] = at
                    return True
        return False

    for at in range(len(demand)):
        if not place(at, set()):
            raise Wrong(f"a released row {demand[at]} is no row of the table")


def check_release(program, case, original, name, delimiter, stars, medians, solution=None, limits=None, local=False):
    """Counts a release and holds it against what is said of it."""
    consistent(program, name)
    data = program.read(name)
    certificate = program.json(name + ".certificate.json")
    if certificate["output"]["sha256"] != sha256(data):
        raise Wrong("the certificate's hash is not the file's")
    release = Release(case, original, data, delimiter)
    release.keep(stars)
    if len(release.rows) != certificate["output"]["rows"]:
        raise Wrong(f"{len(release.rows)} rows, certified {certificate['output']['rows']}")
    if "person" in release.at and any("person " in row[release.at["person"]] for row in release.rows):
        raise Wrong("an identifying value is released")
    if not release.kept:
        raise Wrong("nothing is released")
    sizes = [len(rows) for rows in release.groups.values()]
    k = min(sizes)
    said = {"k": k}
    if certificate["k"] != k:
        raise Wrong(f"k is {k}, certified {certificate['k']}")
    n = len(original.rows)
    for column in case.sensitive:
        counters = [list(counter.values()) for counter in release.counters(column)]
        own = {"frequency": min(map(measures.frequency_l, counters)), "distinct": min(map(measures.distinct_l, counters)),
               "entropy": min(map(measures.entropy_l, counters)),
               "recursive": min(measures.recursive_l(counts, recursive_c(case)) for counts in counters)}
        for form, value in certificate["l"][column.name].items():
            if form in own and not near(value, own[form]):
                raise Wrong(f"l ({form}) of {column.name} is {own[form]}, certified {value}")
        t, certified = release.t(column), certificate["t"][column.name]
        if not near(certified, rounded_up(t)):
            raise Wrong(f"t of {column.name} is {t}, which rounds up to {rounded_up(t)}, certified {certified}")
        said["t"] = max(said.get("t", 0.0), t)
        said["frequency"] = min(said.get("frequency", math.inf), own["frequency"])
    if solution is not None:
        check_solution(case, release, solution, k, sizes, n, said)
    if limits is not None:
        check_limits(release, limits, said)
    for loss in ("gl", "sl"):
        value = certificate.get(loss)
        if value is not None and not near(value * 100, round(value * 100)):
            raise Wrong(f"the certified {loss} {value} is not rounded")
    try:
        check_rows(case, original, release, local, medians)
    except Unreadable as error:
        raise Wrong(str(error))
    return release


def check_solution(case, release, solution, k, sizes, n, said):
    """What front.json says of a solution is exact."""
    for key, value in (("k", k), ("groups", len(sizes)), ("suppressed", release.suppressed)):
        if solution[key] != value:
            raise Wrong(f"{key} is {value}, the front says {solution[key]}")
    if not near(solution["sl"], release.suppressed / n):
        raise Wrong(f"sl is {release.suppressed / n}, the front says {solution['sl']}")
    search = case.search
    budget = min(math.floor(search["eta"] * n + 1e-9), n - 1)
    if search["problem"] in ("zero-suppression", "preference"):
        budget = 0
    if search["problem"] not in ("any-suppression", "single") and release.suppressed > budget:
        raise Wrong(f"{release.suppressed} rows are suppressed, {budget} may be")
    if not case.sensitive:
        return
    if not near(solution["t"], said["t"]):
        raise Wrong(f"t is {said['t']}, the front says {solution['t']}")
    models = search["privacy"] if isinstance(search["privacy"], list) else [search["privacy"]]
    form = next((model for model in models if model.split("(")[0].endswith("-l")), "frequency-l")
    measure = {"frequency-l": measures.frequency_l, "distinct-l": measures.distinct_l, "entropy-l": measures.entropy_l,
               "recursive-l(c=2)": lambda counts: measures.recursive_l(counts, 2),
               "recursive-l(c=3)": lambda counts: measures.recursive_l(counts, 3)}[form]
    l = release.least(measure)
    if not near(solution["l"], l):
        raise Wrong(f"l ({form}) is {l}, the front says {solution['l']}")


def check_limits(release, limits, said):
    """What `reapply` was told to enforce."""
    if said["k"] < limits["k"]:
        raise Wrong(f"k is {said['k']}, enforced {limits['k']}")
    if "l" in limits and said["frequency"] < limits["l"]:
        raise Wrong(f"l is {said['frequency']}, enforced {limits['l']}")
    if "t" in limits and said["t"] > limits["t"] + NEAR:
        raise Wrong(f"t is {said['t']}, enforced {limits['t']}")


def check_losses(case, original, release, solution):
    """The general loss from the labels alone, where every domain is declared or in the table."""
    if "interval" in case.search["loss"]:
        return False
    total = 0.0
    for at, column in enumerate(case.quasi):
        if "bins" in column.keys or column.kind == "number" and column.range:
            return False
        values = {row[original.quasi[at]] for row in original.rows}
        if column.kind == "number":
            values = {str(float(value)) if value != original.missing_label else value for value in values}
        domain = set(column.order) | values if column.kind in ("ordinal", "tree") else values
        reader = original.readers[at]
        sizes = {}
        for labels, rows in release.groups.items():
            label = labels[at]
            if label not in sizes:
                sizes[label] = sum(reader.covers(label, value) for value in domain)
            total += len(rows) * (sizes[label] - 1) / max(len(domain) - 1, 1)
    gl = total / len(original.rows) / len(case.quasi)
    # A label does not tell values that only suppressed rows have, though the front counts them.
    less = release.suppressed > 0 and gl < solution["gl"]
    if not less and not near(gl, solution["gl"]):
        raise Wrong(f"gl is {gl} by the labels, the front says {solution['gl']}")
    return True


def one(program, random, number):
    case = Case(random, program)
    code, _, said = program.run("explore", "study.toml", "-o", "front", "--quiet")
    if code == 2:
        # A study that contradicts itself, or has no solution.
        return {"studies refused": 1}
    if code != 0:
        raise Wrong(f"explore ended with {code}: {said.strip()}")
    front = program.json("front/front.json")
    original = Original(case, case.rows)
    if front["rows"] != len(original.rows):
        raise Wrong(f"{len(original.rows)} rows are complete, the front says {front['rows']}")
    counts = collections.Counter({"explored": 1})
    solutions = front["solutions"]
    chosen = random.sample(solutions, min(RELEASES_PER_CASE, len(solutions)))
    local = case.search["optimizer"].split("(")[0] in ("regions", "mondrian")
    for at, solution in enumerate(chosen):
        extension = random.choice(["csv", "csv", "tsv"])
        name = f"out{at}.{extension}"
        stars, medians, tokens = random.random() < 0.25, random.random() < 0.15, random.random() < 0.2
        words = ["--suppressed-rows", "star"] * stars + ["--representative", "median"] * medians + ["--tokens"] * tokens
        words += ["--keep-order"] * (random.random() < 0.2)
        code, _, said = program.run("release", "front", "--solution", solution["id"], "-o", name, "--quiet", *words)
        if code == 2 and (stars or medians or tokens):
            counts["styles refused"] += 1
            continue
        if code != 0:
            raise Wrong(f"release {solution['id']} {words} ended with {code}: {said.strip()}")
        delimiter = "\t" if extension == "tsv" else case.delimiter
        release = check_release(program, case, original, name, delimiter, stars, medians, solution=solution, local=local)
        counts["releases"] += 1
        if not medians and not local:
            try:
                counts["losses recounted"] += check_losses(case, original, release, solution)
            except Unreadable as error:
                raise Wrong(str(error))
        if random.random() < 0.4 and not tokens:
            again(program, random, case, name, at, medians, counts)
    return counts


def again(program, random, case, name, at, medians, counts):
    """The recoding on a later table."""
    later = case.draw(random.choice([30, 100, 300]))
    if random.random() < 0.5:
        later += case.rows
    table = "later" + case.table[6:]
    program.write(table, case.text(later))
    limits = {"k": random.choice([1, 2, 3, 5])}
    words = ["--k", limits["k"]]
    if case.sensitive and random.random() < 0.4:
        limits["l"] = random.choice([1, 2])
        words += ["--l", limits["l"]]
    if case.sensitive and random.random() < 0.4:
        limits["t"] = random.choice([0.2, 0.4, 0.7])
        words += ["--t", limits["t"]]
    words += ["--unknown", random.choice(["suppress", "suppress", "nearest"])]
    result = f"again{at}{pathlib.Path(name).suffix}"
    code, _, said = program.run("reapply", name + ".recoding.json", table, "-o", result, "--no-fresh", "--quiet", *words)
    if code == 2:
        counts["reapplications refused"] += 1
        return
    if code != 0:
        raise Wrong(f"reapply {words} ended with {code}: {said.strip()}")
    original = Original(case, later)
    delimiter = "\t" if result.endswith("tsv") else case.delimiter
    nearest = "nearest" in words
    consistent(program, result)
    release = Release(case, original, program.read(result), delimiter)
    release.keep(False)
    sizes = [len(rows) for rows in release.groups.values()]
    said = {"k": min(sizes)}
    for column in case.sensitive:
        counters = [list(counter.values()) for counter in release.counters(column)]
        said["frequency"] = min(said.get("frequency", math.inf), min(map(measures.frequency_l, counters)))
        said["t"] = max(said.get("t", 0.0), release.t(column))
    check_limits(release, limits, said)
    if not nearest:
        try:
            # Values that the recoding does not know are suppressed, so that a group need not have all rows it covers.
            check_rows(case, original, release, True, medians)
        except Unreadable as error:
            raise Wrong(str(error))
    counts["reapplications"] += 1


if __name__ == "__main__":
    options = arguments(__doc__, 3000)
    campaign(options, "recount", one, 10 * options.count, goal="releases")
