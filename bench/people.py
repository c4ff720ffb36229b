#!/usr/bin/env python3
"""Makes a table of invented people, as CSV or Parquet, and a study for it beside it.

    bench/people.py 10000000 people.csv people.parquet            # both from one pass, people.toml for each beside them
    bench/people.py 10000000 people.parquet --tuples 5000000      # with many combinations of values

Eleven columns, about 108 bytes a line. Eight of them are used: seven quasi columns, two of which hold numbers, and one
sensitive column. The other three are a number for each person, an income and a remark. The same arguments make the same
table. Each row takes one of so many tuples of the eight columns, the first ones more often, so that the number of distinct
tuples does not depend on the number of rows. CSV needs nothing but Python; Parquet needs pyarrow.
"""

import argparse
import io
import itertools
import pathlib
import random

NAMES = ["person", "age", "sex", "postcode", "education", "status", "occupation", "origin", "diagnosis", "income", "remark"]
QUASI = NAMES[1:8]
SENSITIVE = "diagnosis"
USED = NAMES[1:9]

SEXES = ["female", "male"]
EDUCATIONS = [
    "no schooling", "primary", "lower secondary", "upper secondary", "vocational", "some college", "associate", "bachelor",
    "master", "doctorate",
]
STATUSES = ["never married", "married", "separated", "divorced", "widowed", "partnership"]
OCCUPATIONS = [
    "administration", "agriculture", "construction", "craft", "education", "engineering", "finance", "health care",
    "hospitality", "management", "manufacturing", "public service", "sales", "transport",
]
ORIGINS = [
    "born here", "northern region", "southern region", "eastern region", "western region", "islands", "neighbouring land",
    "other continent", "overseas", "not stated",
]
DIAGNOSES = [
    "allergy", "anaemia", "arthritis", "asthma", "back pain", "bronchitis", "cataract", "depression", "diabetes", "eczema",
    "fracture", "gastritis", "gout", "hepatitis", "hypertension", "hypothyroidism", "influenza", "insomnia", "kidney stones",
    "migraine", "obesity", "osteoporosis", "pneumonia", "sinusitis",
]
POSTCODES = [str(10000 + 173 * number) for number in range(60)]

# Rows that are made, and written as one row group, at a time.
CHUNK = 1 << 18


def skewed(values, chance):
    """One of the values, the first ones more often."""
    return values[int(len(values) * chance * chance)]


def tuples(count, seed):
    """So many different tuples of the eight used columns, each as a piece of a line."""
    draw = random.Random(seed).random
    made = {}
    while len(made) < count:
        age = 18 + int(40 * draw()) + int(33 * draw())
        piece = (
            f"{age},{SEXES[int(2 * draw())]},{skewed(POSTCODES, draw())},{skewed(EDUCATIONS[::-1], draw())},"
            f"{skewed(STATUSES, draw())},{OCCUPATIONS[int(14 * draw())]},{skewed(ORIGINS, draw())},{skewed(DIAGNOSES, draw())}"
        )
        made[piece] = None
    return list(made)


def chunks(rows, count, seed):
    """The lines of the table without the line of names, as texts of many lines each."""
    pieces = tuples(min(count, max(rows, 2)), seed)
    # Half of the rows have one of the first sixth of the tuples.
    weights = list(itertools.accumulate(1 / (1 + 6 * rank / len(pieces)) ** 2 for rank in range(len(pieces))))
    draws = random.Random(seed + 1)
    for first in range(0, rows, CHUNK):
        size = min(CHUNK, rows - first)
        chosen = draws.choices(pieces, cum_weights=weights, k=size)
        # One number gives a row both its income and its remark.
        numbers = draws.choices(range(90_000), k=size)
        numbered = zip(range(10_000_000 + first, 10_000_000 + first + size), chosen, numbers)
        yield "".join(
            f"{person},{piece},{number + 8000},visit {number % 997} of the year\n" for person, piece, number in numbered
        )


def columnar(path):
    """Takes texts of lines and writes each as a row group of a Parquet file."""
    import pyarrow
    from pyarrow import csv, parquet

    types = {name: pyarrow.string() for name in NAMES}
    types.update({"person": pyarrow.int64(), "age": pyarrow.int32(), "income": pyarrow.int64()})
    schema = pyarrow.schema([(name, types[name]) for name in NAMES])
    reading = csv.ReadOptions(column_names=NAMES)
    with parquet.ParquetWriter(path, schema, compression="snappy") as writer:
        while True:
            text = yield
            table = csv.read_csv(io.BytesIO(text.encode()), read_options=reading, convert_options=csv.ConvertOptions(column_types=types))
            writer.write_table(table.cast(schema), row_group_size=CHUNK)


def plain(path):
    """Takes texts of lines and writes them behind a line of names."""
    with open(path, "w", encoding="ascii", newline="") as out:
        out.write(",".join(NAMES) + "\n")
        while True:
            text = yield
            out.write(text)


def study(data, eta=0.01, search='optimizer = "exact"', others=True):
    """A study of the table: levels for the quasi columns. Without the others, columns that are not used are left out."""
    how = {
        "age": 'kind = "numeric"\nrecode = "levels"\nwidths = [5, 10, 20]\n',
        "postcode": 'kind = "categorical"\nrecode = "levels"\nhierarchy = "prefix"\n',
        "education": 'kind = "ordinal"\nrecode = "levels"\norder = [%s]\ngroups = [2, 4]\n'
        % ", ".join(f'"{value}"' for value in EDUCATIONS),
    }
    text = f'[data]\npath = "{data}"\n' + ("" if others else 'other_columns = "drop"\n')
    for name in NAMES if others else USED:
        text += f'\n[[columns]]\nname = "{name}"\n'
        if name == "person":
            text += 'role = "identifying"\n'
        elif name == SENSITIVE:
            text += 'role = "sensitive"\n'
        elif name in QUASI:
            text += 'role = "quasi"\n' + how.get(name, 'kind = "categorical"\nrecode = "levels"\n')
        else:
            text += 'role = "insensitive"\n'
    return text + f'\n[search]\nproblem = "max-suppression"\neta = {eta}\n{search}\nseed = 1\n'


def make(rows, paths, count=60_000, seed=1):
    """Writes the table to each of the paths, by the ending of its name, and a study beside each."""
    writers = [columnar(path) if str(path).endswith(".parquet") else plain(path) for path in paths]
    for writer in writers:
        next(writer)
    for text in chunks(rows, count, seed):
        for writer in writers:
            writer.send(text)
    for writer, path in zip(writers, paths):
        # Ends the writer at its yield, which closes its file.
        writer.close()
        path = pathlib.Path(path)
        path.with_name(path.name + ".toml").write_text(study(path.name), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--tuples", type=int, default=60_000, help="distinct combinations of the eight used columns")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    make(options.rows, options.files, options.tuples, options.seed)


if __name__ == "__main__":
    main()
