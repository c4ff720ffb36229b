"""People who do not exist, as a table of every kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

KINDS = ["polars", "pandas", "pyarrow", "duckdb"]
QUASI = ["age", "sex", "zip"]


def columns(rows: int = 3000, seed: int = 7) -> dict[str, list[Any]]:
    """Cells by column."""
    dice = random.Random(seed)
    zips = ["13053", "13068", "14850", "14853", "15001", "15213"]
    return {
        "age": [dice.randint(18, 90) for _ in range(rows)],
        "sex": [dice.choice("fm") for _ in range(rows)],
        "zip": [dice.choice(zips) for _ in range(rows)],
        "diagnosis": [dice.choice(["cancer", "cold", "flu", "ulcer", "a long name of an illness"]) for _ in range(rows)],
    }


def frame(kind: str, cells: dict[str, list[Any]] | None = None) -> Any:
    """The people as a frame."""
    return _makers()[kind](columns() if cells is None else cells)


def texts(table: Any) -> list[list[str]]:
    """The rows of a frame of any kind as sorted texts, for comparing."""
    import polars

    if type(table).__module__.partition(".")[0].lstrip("_") == "pandas":
        rows = table.itertuples(index=False, name=None)
    elif type(table).__module__.partition(".")[0].lstrip("_") == "duckdb":
        rows = table.fetchall()
    else:
        rows = polars.DataFrame(table).iter_rows()
    return sorted([str(cell) for cell in row] for row in rows)


def kind_of(table: Any) -> str:
    """The library that a frame is of."""
    return type(table).__module__.partition(".")[0].lstrip("_")


def _polars(cells: dict[str, list[Any]]) -> Any:
    import polars

    return polars.DataFrame(cells)


def _pandas(cells: dict[str, list[Any]]) -> Any:
    import pandas

    return pandas.DataFrame(cells)


def _pyarrow(cells: dict[str, list[Any]]) -> Any:
    import pyarrow

    return pyarrow.table(cells)


def _duckdb(cells: dict[str, list[Any]]) -> Any:
    import duckdb

    return duckdb.from_arrow(_pyarrow(cells))


def _makers() -> dict[str, Callable[[dict[str, list[Any]]], Any]]:
    return {"polars": _polars, "pandas": _pandas, "pyarrow": _pyarrow, "duckdb": _duckdb}
