"""Releases the table of people by DuckDB: recodes the quasi columns, leaves out groups of fewer than k rows, shuffles, writes.

    release_duckdb.py PEOPLE.parquet RECODING.json RELEASE.parquet

RECODING.json holds k and an SQL expression for each quasi column; the driver takes both from the solution that ours releases.
"""

import json
import sys

import duckdb
from measured import measured


def release():
    source, recoding, target = sys.argv[1:]
    with open(recoding, encoding="utf-8") as text:
        plan = json.load(text)
    shown = ", ".join(f"{expression} as {name}" for name, expression in plan["quasi"].items())
    quasi, kept = ", ".join(plan["quasi"]), ", ".join(plan["kept"])
    database = duckdb.connect()
    database.execute(
        f"copy (with shown as (select {shown}, {kept} from '{source}'), "
        f"sizes as (select {quasi}, count(*) as n from shown group by {quasi} having n >= {plan['k']}) "
        f"select {quasi}, {kept} from shown join sizes using ({quasi}) order by random()) "
        f"to '{target}' (format parquet, compression snappy)"
    )
    rows = database.execute(f"select count(*) from '{target}'").fetchall()[0][0]
    return {"rows": int(rows)}


measured("release", "DuckDB", duckdb.__version__, release)
