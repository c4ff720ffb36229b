#!/usr/bin/env python3
"""Random small nasty tables through the whole program: init, explore, release, audit, reapply. Whatever the table, the
program may refuse it (exit code 2) but must not fail, panic, or find that a release of its own does not hold what it claims.

usage: fuzz/tables.py PROGRAM [--tables N] [--seed S] [--keep DIR]
"""
import argparse, csv, json, os, random, shutil, subprocess, sys, tempfile

NAMES = ["age", "regions", "level", "cut", "breaks", "k", "missing", "a b", "ä", "x\"y", "it's", "a,b", "Größe", "name", "*",
         "recoding", "1", "null", "label", "value", "region", "suppressed", "-", " padded ", "a;b", "#c", "CASE", "`q`", "\u202e"]
WORDS = ["missing", "", "?", "*", "NA", "nan", "inf", "-", "a", "b", "c", "a,b", "x\"y", "it's", "ä", "🙂", "two\nlines", " pad ",
         "(missing)", "[0, 5)", "{a, b}", "0", "00", "true", "null", "#", "a;b", "\ttab", "{}", "*'", "(suppressed set 1)", "missing 2"]
NUMBERS = ["1", "1.0", "01", "1e5", "100000", "-0", "0", "-1", "2.5", "1e-7", "3", "7", "12", "40", "41", "1e15", "999999999999", ".5",
           "5.", "+3", "-9", "-9.0", "1E2"]
DATES = ["2020-01-31", "2020-02-29", "1999-12-31", "2021-07-01", "2021-07-02"]


def column(dice, rows):
    kind = dice.choice(["words", "words", "numbers", "numbers", "few", "dates", "codes", "ages", "mixed"])
    if kind == "words":
        pool = dice.sample(WORDS, dice.randint(2, 8))
    elif kind == "numbers":
        pool = dice.sample(NUMBERS, dice.randint(2, 10))
    elif kind == "few":
        pool = dice.sample(["m", "f", "", "x"], dice.randint(2, 4))
    elif kind == "dates":
        pool = DATES
    elif kind == "codes":
        pool = ["%05d" % dice.randrange(99999) for _ in range(6)] + ["10115", "1011", ""]
    elif kind == "ages":
        pool = [str(n) for n in range(18, 18 + dice.randint(2, 40))]
    else:
        pool = dice.sample(WORDS + NUMBERS, 6)
    return kind, [dice.choice(pool) for _ in range(rows)]


def quoted(text):
    return json.dumps(text, ensure_ascii=False).replace("\u007f", "\\u007F")


def study(dice, names, kinds, columns):
    lines = ["[data]", 'path = "t.csv"', "header = true", 'delimiter = ","']
    if dice.random() < 0.7:
        signs = dice.choice([[""], ["?", ""], ["", "NA", "?"], ["-9"], [], ["missing"], ["*"]])
        lines.append("missing = " + json.dumps(signs))
        lines.append("on_missing = " + quoted(dice.choice(["value", "value", "drop-row"])))
    roles = ["quasi"] * len(names)
    for at in range(1, len(names)):
        roles[at] = dice.choice(["quasi", "quasi", "sensitive", "sensitive", "target", "insensitive", "identifying"])
    local = dice.random() < 0.25
    for at, (name, kind) in enumerate(zip(names, kinds)):
        lines += ["[[columns]]", "name = " + quoted(name), "role = " + quoted(roles[at])]
        values = sorted({cell.strip() for cell in columns[at]})
        if roles[at] in ("quasi", "sensitive", "target"):
            if kind in ("numbers", "ages") and dice.random() < 0.8:
                lines.append('kind = "numeric"')
                extra = dice.choice(["", "", "bins = 3", "groups = [2]", "widths = [10, 100]", "range = [0, 100]\ngranularity = 5"])
                if extra and roles[at] == "quasi":
                    lines.append(extra)
            elif dice.random() < 0.3:
                order = [value for value in values if value]
                dice.shuffle(order)
                lines += ['kind = "ordinal"', "order = [" + ", ".join(map(quoted, order)) + "]"]
            elif kind == "codes" and dice.random() < 0.5:
                lines.append('hierarchy = "prefix"')
            elif kind == "dates" and dice.random() < 0.5:
                lines.append('hierarchy = "dates"')
            elif dice.random() < 0.3 and len([v for v in values if v]) > 2:
                order = [value for value in values if value]
                lines.append("taxonomy = [[" + ", ".join(map(quoted, order[:2])) + "], [" + ", ".join(map(quoted, order[2:])) + "]]")
        if roles[at] == "quasi":
            lines.append("recode = " + quoted(dice.choice(["levels", "cuts", "breaks"])))
    problem = dice.choice(["max-suppression"] * 4 + ["zero-suppression", "any-suppression", "kl-safety"])
    lines += ["[search]", "seed = %d" % dice.randrange(100), "eta = " + dice.choice(["0.01", "0.1", "0.3", "0.0", "1.0"])]
    lines.append("problem = " + quoted(problem))
    if problem == "kl-safety":
        lines.append('privacy = ["k", "frequency-l"]')
    elif "sensitive" in roles and dice.random() < 0.5:
        lines.append("privacy = " + quoted(dice.choice(["frequency-l", "distinct-l", "entropy-l", "recursive-l(c=2)", "t", "alpha"])))
    lines.append("loss = " + quoted(dice.choice(["general", "general", "general(numeric=interval)", "weighted", "discernibility", "entropy"])))
    if local:
        lines += ['optimizer = "regions"'] + dice.choice([[], ['cells = "sets"'], ['cells = "nodes"']])
    else:
        lines += ['optimizer = "nsga2"', "evaluations = 60", "population = 10"]
    return "\n".join(lines) + "\n"


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program")
    options.add_argument("--tables", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--keep", help="a folder for what fails")
    options = options.parse_args()
    program = os.path.abspath(options.program)
    failures = releases = refused = 0
    reasons = {}
    for number in range(options.tables):
        dice = random.Random(f"{options.seed}/{number}")
        folder = tempfile.mkdtemp(prefix="paretonym-tables-")
        log = []

        def run(*arguments):
            try:
                done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, timeout=120)
            except subprocess.TimeoutExpired:
                log.append(("HANG", arguments, ""))
                return None
            log.append((done.returncode, arguments, done.stderr))
            return done

        rows = dice.choice([2, 3, 5, 12, 40, 120])
        width = dice.randint(1, 5)
        names = dice.sample(NAMES, width)
        kinds, columns = zip(*(column(dice, rows) for _ in names))
        with open(os.path.join(folder, "t.csv"), "w", newline="") as file:
            writer = csv.writer(file, lineterminator=dice.choice(["\n", "\r\n"]))
            writer.writerow(names)
            writer.writerows(zip(*columns))
        if dice.random() < 0.3:
            run("init", "t.csv", "-o", "s.toml")
        else:
            text = study(dice, [name.strip() for name in names], kinds, columns)
            with open(os.path.join(folder, "s.toml"), "w") as file:
                file.write(text)
        if os.path.exists(os.path.join(folder, "s.toml")):
            explored = run("explore", "s.toml", "-o", "front", "--quiet", *(["--evaluations", "60"] if dice.random() < 0.5 else []))
            if explored and explored.returncode == 0:
                front = json.load(open(os.path.join(folder, "front", "front.json")))
                ids = [one["id"] for one in front["solutions"]]
                for at, solution in enumerate(dice.sample(ids, min(3, len(ids)))):
                    out = "out%d.%s" % (at, dice.choice(["csv", "csv", "tsv", "parquet"]))
                    style = dice.choice([[], [], ["--suppressed-rows", "star"], ["--representative", "median"], ["--keep-order"]])
                    done = run("release", "front", "--solution", str(solution), "-o", out, "--quiet", "--allow-k1", *style)
                    if done and done.returncode == 0:
                        releases += 1
                        recoding = json.load(open(os.path.join(folder, out + ".recoding.json")))
                        quasi = [column["name"] for column in recoding["columns"]]
                        if not any("," in name for name in quasi):
                            run("audit", out, "--quasi=" + ",".join(quasi), "--ignore-suppressed")
                        run("reapply", out + ".recoding.json", "t.csv", "-o", "again%d.csv" % at, "--quiet", "--k", "1", "--allow-k1",
                            "--unknown", dice.choice(["error", "suppress", "nearest"]))
        bad = [one for one in log if one[0] not in (0, 2) or "panicked" in one[2] or "does not hold" in one[2]]
        for code, arguments, said in log:
            if code == 2:
                refused += 1
                key = arguments[0] + ": " + said.strip().splitlines()[0][:90] if said.strip() else arguments[0]
                reasons[key] = reasons.get(key, 0) + 1
        if bad:
            failures += 1
            print("table %d (seed %d): %s" % (number, options.seed, folder))
            for code, arguments, said in bad:
                print("  exit %s: %s\n    %s" % (code, " ".join(arguments), said.strip()[:400]))
            if options.keep:
                os.makedirs(options.keep, exist_ok=True)
                shutil.copytree(folder, os.path.join(options.keep, "%d-%d" % (options.seed, number)), dirs_exist_ok=True)
        shutil.rmtree(folder)
    print("%d tables, %d releases, %d refusals, %d failures" % (options.tables, releases, refused, failures))
    if os.environ.get("VERBOSE"):
        for key, count in sorted(reasons.items(), key=lambda one: -one[1])[:25]:
            print("%5d %s" % (count, key))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
