#!/usr/bin/env python3
"""Makes a table of invented people with as many quasi columns as wanted, and a study for it beside it.

    bench/wide.py 30000 12 wide.csv      # and wide.csv.toml

Columns come in threes: a number with intervals of two widths above it (four levels), an order of eight with groups of two and
four (four levels), and three values without an order (two levels). Rows are of forty kinds, so that columns have to do with
each other. Twelve columns have about 10^6 nodes, sixteen 10^8. The same arguments make the same table.
"""

import pathlib
import random
import sys

KINDS = 40
ORDER = ["lowest", "very low", "low", "below middle", "above middle", "high", "very high", "highest"]
VALUES = ["north", "south", "west"]
SPANS = (60, len(ORDER), len(VALUES))


def cells(number, column):
    return str(number) if column % 3 == 0 else ORDER[number] if column % 3 == 1 else VALUES[number]


def make(rows, columns, path):
    """Writes the table and its study; the number of nodes of its lattice."""
    draw = random.Random(columns)
    typical = [[int(SPANS[column % 3] * draw.random() ** 2) for column in range(columns)] for _ in range(KINDS)]
    with open(path, "w", encoding="ascii") as out:
        out.write(",".join(f"c{column + 1}" for column in range(columns)) + "\n")
        for _ in range(rows):
            kind = typical[int(KINDS * draw.random() ** 2)]
            row = [
                kind[column] if draw.random() < 0.7 else int(SPANS[column % 3] * draw.random() ** 2)
                for column in range(columns)
            ]
            out.write(",".join(cells(number, column) for column, number in enumerate(row)) + "\n")
    path = pathlib.Path(path)
    path.with_name(path.name + ".toml").write_text(study(path.name, columns), encoding="utf-8")
    return 4 ** ((columns + 2) // 3 + (columns + 1) // 3) * 2 ** (columns // 3)


def study(data, columns, eta=0.05, search='optimizer = "exact"', recode="levels"):
    text = f'[data]\npath = "{data}"\n'
    order = ", ".join(f'"{value}"' for value in ORDER)
    levels = recode == "levels"
    for column in range(columns):
        text += f'\n[[columns]]\nname = "c{column + 1}"\nrole = "quasi"\nrecode = "{recode}"\n'
        if column % 3 == 0:
            text += 'kind = "numeric"\n' + ("widths = [5, 20]\n" if levels else "")
        elif column % 3 == 1:
            text += f'kind = "ordinal"\norder = [{order}]\n' + ("groups = [2, 4]\n" if levels else "")
        else:
            text += 'kind = "categorical"\n'
    return text + f'\n[search]\nproblem = "max-suppression"\neta = {eta}\n{search}\nseed = 1\n'


if __name__ == "__main__":
    make(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
