"""Random tables and studies: columns of every kind, described in every way that a study knows."""

import csv
import datetime
import io
import json

# Texts that tables of people hold, and that break programs.
WORDS = ["Aix", "Bonn", "Cork", "Łódź", "São Paulo", "東京", "O'Hara", 'the "old" town', "Stoke, upper", "a;b", "x=1", "naïve",
         "Ünter den Linden", "two  blanks", "<b>", "#1", "-", "null", "0", "NaN", "Ω", "{brace}", "[1, 2]", "a…z"]


class Column:
    """A column: how its cells are made, and what the study says of it."""

    def __init__(self, name, role, draw, keys=None, **facts):
        self.name, self.role, self.draw, self.keys = name, role, draw, keys or {}
        # What a reader of the release may know: kind, order, tree, whether the values are declared.
        self.kind = facts.get("kind", "text")
        self.order = facts.get("order")
        self.tree = facts.get("tree")
        self.range = facts.get("range")
        self.levels = facts.get("levels", False)


def toml(value):
    """A value as TOML; JSON strings, numbers and lists are TOML too."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(key, ensure_ascii=False)} = {toml(one)}" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def number_text(value):
    text = f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return text if text not in ("-0", "") else "0"


def names(random, count):
    words = random.sample(WORDS, min(count, len(WORDS)))
    return words + [f"v{at}" for at in range(count - len(words))]


def number_column(random, name, family):
    whole = random.random() < 0.5
    low, high = random.choice([(0, 10), (18, 90), (-50, 50), (0, 1000)])
    distinct = random.choice([4, 12, 40, 400])
    steps = [low + (high - low) * at / distinct for at in range(distinct)]
    steps = sorted({round(step) if whole else round(step, random.choice([1, 3])) for step in steps})
    outlier = random.random() < 0.3

    def draw(random):
        if outlier and random.random() < 0.01:
            return number_text(high * 10 + random.randrange(1000) if whole else high * 10 + random.random() * 1000)
        value = random.choice(steps)
        text = number_text(value)
        # One number in several spellings.
        return text + ".0" if whole and random.random() < 0.02 and "." not in text else text

    way = random.choice(["plain", "range", "bins", "widths", "groups"])
    keys, facts = {"kind": "numeric"}, {"kind": "number"}
    if way == "range":
        span = (min(low, -100), high * 10 + 2000)
        keys["range"], keys["granularity"] = list(span), random.choice([25, 100, 7.5])
        facts["range"] = span
        if random.random() < 0.5:
            keys["groups"] = random.choice([[2, 4], [3, 9], [5]])
    elif way == "bins":
        keys["bins"] = random.choice([3, 8, 32])
    elif way == "widths":
        keys["widths"] = random.choice([[5, 10, 20], [1, 10], [2.5, 5, 50]])
    elif way == "groups":
        keys["groups"] = random.choice([[2, 4], [3, 6, 12]])
    return Column(name, "quasi", draw, keys | recode(random, family, ["levels", "cuts", "breaks"]), **facts)


def recode(random, family, able):
    """The column's own family, or that of the study where it is able to."""
    if family == "mixed":
        return {"recode": random.choice(able)}
    if family in able:
        return {"recode": family}
    return {"recode": able[0]} if family else {}


def ordinal_column(random, name, family):
    order = names(random, random.choice([3, 5, 9]))
    weights = [random.random() ** 2 + 0.02 for _ in order]
    keys = {"kind": "ordinal", "order": order}
    if random.random() < 0.5:
        keys["groups"] = random.choice([[2], [2, 4]])
    draw = lambda random: random.choices(order, weights)[0]
    return Column(name, "quasi", draw, keys | recode(random, family, ["breaks", "levels", "cuts"]), kind="ordinal", order=order)


def tree_column(random, name, family, files, role="quasi"):
    leaves = names(random, random.choice([3, 6, 12, 20]))
    branches = [f"{name} branch {at}" for at in range(random.choice([2, 3, 4]))]
    areas = [f"{name} area {at}" for at in range(2)]
    deep = random.random() < 0.5
    # Leaves of a branch are neighbours, and branches of an area.
    at_branch = sorted(random.randrange(len(branches)) for _ in leaves)
    lines, tree = [], {}
    for leaf, branch in zip(leaves, at_branch):
        path = [branches[branch]] + ([areas[branch * 2 // len(branches)]] if deep else []) + ["*"]
        lines.append([leaf, *path])
        for node in path:
            tree.setdefault(node, set()).add(leaf)
    text = io.StringIO()
    csv.writer(text, delimiter=";", lineterminator="\n").writerows(lines)
    files[f"{name}.tree.csv"] = text.getvalue()
    weights = [random.random() ** 2 for _ in leaves]
    weights[0] += 0.1
    draw = lambda random: random.choices(leaves, weights)[0]
    keys = {"kind": "categorical", "taxonomy": f"{name}.tree.csv"}
    keys |= recode(random, family, ["levels", "cuts", "breaks"]) if role == "quasi" else {}
    return Column(name, role, draw, keys, kind="tree", tree=tree, order=leaves, levels=lines)


def date_column(random, name, family):
    first = datetime.date(1950, 1, 1)
    days = random.choice([30, 400, 20_000])
    draw = lambda random: str(first + datetime.timedelta(days=random.randrange(days)))
    keys = {"kind": random.choice(["categorical", "ordinal"]), "hierarchy": "dates"}
    return Column(name, "quasi", draw, keys | recode(random, family, ["levels", "cuts"]), kind="date")


def code_column(random, name, family):
    digits = random.choice([3, 5])
    stems = [str(random.randrange(10 ** (digits - 1), 10**digits)) for _ in range(random.choice([5, 40]))]
    draw = lambda random: random.choice(stems) if random.random() < 0.97 else stems[0][:-1]
    keys = {"kind": "categorical", "hierarchy": "prefix"}
    return Column(name, "quasi", draw, keys | recode(random, family, ["levels", "cuts"]), kind="code")


def flat_column(random, name, family):
    words = names(random, random.choice([2, 5]))
    draw = lambda random: random.choice(words)
    return Column(name, "quasi", draw, {"kind": "categorical"} | recode(random, family, ["levels", "cuts", "breaks"]), kind="flat")


QUASI = [number_column, number_column, ordinal_column, tree_column, date_column, code_column, flat_column]


def sensitive_column(random, name, files):
    kind = random.choice(["nominal", "number", "ordinal", "tree"])
    if kind == "tree":
        return tree_column(random, name, None, files, role="sensitive")
    values = {"nominal": ["flu", "cold", "gout", "HIV", 'a "b", c'][: random.choice([2, 3, 5])],
              "number": [number_text(value) for value in random.sample([1, 2, 3.5, 8, 20, 100], random.choice([2, 4]))],
              "ordinal": ["mild", "moderate", "grave"]}[kind]
    weights = [random.random() + 0.1 for _ in values]
    keys = {"nominal": {}, "number": {"kind": "numeric"}, "ordinal": {"kind": "ordinal", "order": values}}[kind]
    draw = lambda random: random.choices(values, weights)[0]
    order = sorted(values, key=float) if kind == "number" else values if kind == "ordinal" else None
    return Column(name, "sensitive", draw, keys, kind=kind, order=order)


class Case:
    """A table with its study."""

    def __init__(self, random, program):
        self.random, self.program = random, program
        files = {}
        family = random.choice(["levels", "levels", "cuts", "breaks", "mixed", "mixed", "regions", "mondrian"])
        own = {"regions": random.choice(["levels", "mixed"]), "mondrian": "mixed"}.get(family, family)
        makers = [random.choice(QUASI) for _ in range(random.choice([1, 2, 2, 3, 3, 4]))]
        self.quasi = []
        for at, make in enumerate(makers):
            more = (files,) if make is tree_column else ()
            self.quasi.append(make(random, f"q{at}", own, *more))
        self.sensitive = [sensitive_column(random, f"s{at}", files) for at in range(random.choice([0, 1, 1, 1, 2]))]
        self.others = [Column("note", "insensitive", lambda random: random.choice(WORDS + ["", "plain"]), kind="text")]
        if random.random() < 0.5:
            counter = iter(range(10**9))
            self.others.append(Column("person", "identifying", lambda random: f"person {next(counter)}", kind="text"))
        self.target = random.choice([None, None, None, "classification", "regression"])
        if self.target == "classification":
            self.others.append(Column("class", "target", lambda random: random.choice(["yes", "no", "may, be"]), kind="text"))
        elif self.target == "regression":
            self.others.append(Column("income", "target", lambda random: str(random.randrange(40) * 25), {"kind": "numeric"}, kind="text"))
        self.missing = random.choice(["", "?"])
        self.on_missing = random.choice(["drop-row", "drop-row", "value"])
        self.with_missing = random.random() < 0.4
        self.columns = self.quasi + self.sensitive + self.others
        random.shuffle(self.columns)
        self.delimiter = random.choice([",", ",", ";", "\t"])
        self.table = "people.tsv" if self.delimiter == "\t" else "people.csv"
        self.rows = self.draw(random.choice([20, 40, 80, 150, 400]))
        self.search = self.draw_search(family)
        for name, text in files.items():
            program.write(name, text)
        program.write(self.table, self.text(self.rows))
        program.write("study.toml", self.study())

    def draw(self, count):
        """Rows of cells."""
        rows = []
        for _ in range(count):
            row = [column.draw(self.random) for column in self.columns]
            if self.with_missing and self.random.random() < 0.1:
                at = self.random.randrange(len(row))
                # A missing number as a value is an order of its own, which the recount of t leaves to others.
                if self.columns[at].role == "quasi":
                    row[at] = self.missing
            rows.append(row)
        # Rows come in crowds, as in life.
        return [self.random.choice(rows[: count // 2]) if self.random.random() < 0.4 else row for row in rows]

    def text(self, rows):
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.delimiter, lineterminator=self.random.choice(["\n", "\r\n"]))
        writer.writerow([column.name for column in self.columns])
        writer.writerows(rows)
        return out.getvalue()

    def draw_search(self, family):
        random, has_sensitive = self.random, bool(self.sensitive)
        search = {"seed": random.randrange(1000), "eta": random.choice([0, 0.01, 0.05, 0.1, 0.3])}
        levels = all(column.keys.get("recode", "levels") == "levels" for column in self.quasi)
        models = ["k"] + (["frequency-l", "distinct-l", "entropy-l", "recursive-l(c=2)", "recursive-l(c=3)", "t", "alpha",
                           "alpha(k=3)", "p-sensitive(k=2)"] if has_sensitive else [])
        search["privacy"] = random.choice(models)
        losses = ["general", "general", "general(numeric=interval)", "weighted", "discernibility", "entropy"]
        search["loss"] = random.choice(losses + (["precision"] if levels else []) + ["average-class"])
        if self.target and random.random() < 0.8:
            search["loss"] = self.target
        problem = random.choice(["max-suppression"] * 4 + ["zero-suppression", "any-suppression", "kl-safety", "preference", "single"])
        if problem == "kl-safety" and not has_sensitive:
            problem = "max-suppression"
        if problem == "kl-safety":
            search["privacy"] = ["k", random.choice(["frequency-l", "distinct-l", "t"])]
            search["form"] = random.choice(["joint", "ordered"])
        if problem in ("preference", "single"):
            search["privacy"] = "k"
        if problem == "single":
            search["k"] = random.choice([2, 3, 5])
        if problem == "max-suppression":
            search["cutoffs"] = random.choice(["all", "all", "budget"])
        if family == "regions":
            search["optimizer"] = "regions"
            search["cells"] = random.choice(["nodes", "sets", "sets(most=8)"])
        elif family == "mondrian":
            search["optimizer"] = random.choice(["mondrian", "mondrian(form=relaxed)"])
        elif problem == "single":
            search["optimizer"] = "genitor"
        elif problem == "preference":
            search["optimizer"] = "nsga2"
        elif levels:
            search["optimizer"] = random.choice(["exhaustive", "exact", "poka", "nsga2", "datafly", "samarati", "incognito"])
        else:
            search["optimizer"] = random.choice(["nsga2", "nsga2", "exact"])
        if search["optimizer"] in ("nsga2", "genitor"):
            search["evaluations"] = random.choice([200, 1000])
        search["problem"] = problem
        return search

    def study(self):
        data = {"path": self.table, "delimiter": self.delimiter, "missing": [self.missing], "on_missing": self.on_missing}
        lines = ["[data]"] + [f"{key} = {toml(value)}" for key, value in data.items()]
        for column in self.columns:
            lines += ["", "[[columns]]", f"name = {toml(column.name)}", f"role = {toml(column.role)}"]
            lines += [f"{key} = {toml(value)}" for key, value in column.keys.items()]
        lines += ["", "[search]"] + [f"{key} = {toml(value)}" for key, value in self.search.items()]
        return "\n".join(lines) + "\n"
