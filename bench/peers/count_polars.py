"""Counts the combinations of the named columns by polars, streaming: count_polars.py FILE A,B,C"""

import sys

import polars
from measured import measured


def count():
    path, names = sys.argv[1], sys.argv[2].split(",")
    table = polars.scan_parquet(path) if path.endswith(".parquet") else polars.scan_csv(path)
    groups = table.group_by(names).agg(polars.len().alias("n"))
    column = polars.col("n")
    found = groups.select(column.len().alias("groups"), column.sum().alias("rows"), column.min().alias("least"))
    row = found.collect(engine="streaming").row(0)
    return dict(zip(("groups", "rows", "least"), map(int, row)))


measured("count", "polars", polars.__version__, count)
