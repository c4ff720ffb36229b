"""Anonymizes Adult by anjana: anonymize_anjana.py ADULT.csv FOLDER_OF_HIERARCHIES K PERCENT OUT.csv"""

import importlib.metadata
import pathlib
import sys

import pandas
from anjana import anonymity
from measured import measured


def anonymize():
    path, folder, k, percent, out = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
    table = pandas.read_csv(path, dtype=str, keep_default_na=False)
    quasi = sorted(hierarchy.stem for hierarchy in folder.glob("*.csv"))
    hierarchies = {
        name: dict(pandas.read_csv(folder / f"{name}.csv", header=None, sep=";", dtype=str, keep_default_na=False))
        for name in quasi
    }
    shown = anonymity.k_anonymity(table, [], quasi, k, percent, hierarchies)
    shown.to_csv(out, index=False)
    return {"rows": len(shown)}


measured("anonymize", "anjana", importlib.metadata.version("anjana"), anonymize)
