"""Counts the combinations of the named columns by DuckDB: count_duckdb.py FILE A,B,C"""

import sys

import duckdb
from measured import measured


def count():
    path, names = sys.argv[1], sys.argv[2]
    inner = f"select {names}, count(*) as n from '{path}' group by {names}"
    groups, rows, least = duckdb.sql(f"select count(*), sum(n), min(n) from ({inner})").fetchall()[0]
    return {"groups": int(groups), "rows": int(rows), "least": int(least)}


measured("count", "DuckDB", duckdb.__version__, count)
