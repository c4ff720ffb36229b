"""Counts the combinations of the named columns by DataFusion: count_datafusion.py FILE A,B,C"""

import sys

import datafusion
from measured import measured


def count():
    path, names = sys.argv[1], sys.argv[2]
    context = datafusion.SessionContext()
    if path.endswith(".parquet"):
        context.register_parquet("people", path)
    else:
        context.register_csv("people", path)
    inner = f"select {names}, count(*) as n from people group by {names}"
    found = context.sql(f"select count(*) as groups, sum(n) as rows, min(n) as least from ({inner})").to_pylist()[0]
    return {name: int(value) for name, value in found.items()}


measured("count", "DataFusion", datafusion.__version__, count)
