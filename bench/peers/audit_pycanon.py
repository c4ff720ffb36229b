"""Measures k, l and t of a release by pycanon: audit_pycanon.py FILE.csv A,B,C SENSITIVE"""

import importlib.metadata
import sys

import pandas
from measured import measured
from pycanon import anonymity


def audit():
    path, quasi, sensitive = sys.argv[1], sys.argv[2].split(","), [sys.argv[3]]
    table = pandas.read_csv(path, dtype=str, keep_default_na=False)
    return {
        "k": int(anonymity.k_anonymity(table, quasi)),
        "l": int(anonymity.l_diversity(table, quasi, sensitive)),
        "t": float(anonymity.t_closeness(table, quasi, sensitive)),
    }


measured("audit", "pycanon", importlib.metadata.version("pycanon"), audit)
