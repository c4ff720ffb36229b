"""Tables in and out, without a copy: whatever speaks the Arrow PyCapsule interface, or a place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union, runtime_checkable

from ._native import DataError, Frame

if TYPE_CHECKING:
    from ._release import Release


@runtime_checkable
class ArrowStream(Protocol):
    """A table that speaks the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream of batches."""


Table: TypeAlias = Union[ArrowStream, str, "os.PathLike[str]", "Release"]
"""A frame, a path, a table in a database ("database:NAME/TABLE"), or a release."""


class Lent:
    """A table that was handed over: where the engine finds it, and how to hand back another one of its kind."""

    def __init__(self, place: str, frame: Frame | None, kind: str) -> None:
        self.place = place
        self.frame = frame
        self.kind = kind

    def source(self, connections: str | None = None) -> dict[str, object]:
        """The table as a study names it."""
        for beginning, key in (("frame:", "frame"), ("database:", "database")):
            if self.place.startswith(beginning):
                name = self.place[len(beginning) :]
                if key == "frame":
                    return {"frame": name}
                database, _, table = name.partition("/")
                named: dict[str, object] = {"database": database, "table": table}
                if connections is not None:
                    named["connections"] = connections
                return named
        return {"path": self.place}


def lend(table: Table) -> Lent:
    """Hands a table over."""
    from ._release import Release

    if isinstance(table, Release):
        return table._lent()  # pyright: ignore[reportPrivateUsage]
    if isinstance(table, (str, os.PathLike)):
        return Lent(os.fspath(table), None, "")
    kind = type(table).__module__.partition(".")[0].lstrip("_")
    if not hasattr(table, "__arrow_c_stream__"):
        advice = "a frame that speaks the Arrow PyCapsule interface (polars, pyarrow, duckdb, pandas from 2.2 on) or a path"
        if kind == "polars":
            advice = "a frame; collect() a lazy one first"
        raise DataError(f"a {type(table).__module__}.{type(table).__qualname__} is no table; give {advice}")
    source: Any = table
    if kind == "pandas" and not _is_counted(source.index):
        # The index would become a column, and a release would show it.
        source = source.set_axis(range(len(source)), axis=0)
    try:
        capsule = source.__arrow_c_stream__()
    except ImportError as error:
        raise DataError(f"{kind} hands its tables over with the help of another package: {error}") from error
    except Exception as error:
        raise DataError(f"the table cannot be read: {error}") from error
    frame = Frame(capsule)
    return Lent(frame.place, frame, kind)


def _is_counted(index: Any) -> bool:
    """Whether a pandas index only counts rows."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1


def give_back(frame: Frame, kind: str) -> Any:
    """A table of the kind that was handed over; Arrow itself where nobody is there to take it."""
    return _makers().get(kind or _available(), _arrow)(frame)


def records(rows: Sequence[Mapping[str, object]], kind: str) -> Any:
    """Rows as a table of the kind that was handed over; a list of dicts where nobody is there to take it."""
    kind = kind or _available()
    if kind == "polars":
        import polars

        return polars.DataFrame(rows, infer_schema_length=None)
    if kind == "pandas":
        import pandas

        return pandas.DataFrame(list(rows))
    if kind in ("pyarrow", "duckdb") and _has("pyarrow"):
        import pyarrow

        table = pyarrow.Table.from_pylist([dict(row) for row in rows])
        if kind == "duckdb":
            import duckdb

            return duckdb.from_arrow(table)
        return table
    return [dict(row) for row in rows]


def _available() -> str:
    """The library whose frames are given back for a table from a path."""
    loaded = [name for name in ("polars", "pandas", "pyarrow") if name in sys.modules]
    return next(iter(loaded), "") or next((name for name in ("polars", "pandas", "pyarrow") if _has(name)), "")


def _has(name: str) -> bool:
    try:
        __import__(name)
    except ImportError:
        return False
    return True


def _arrow(frame: Frame) -> Any:
    return frame


def _polars(frame: Frame) -> Any:
    import polars

    return polars.DataFrame(frame)


def _pandas(frame: Frame) -> Any:
    import pandas

    if hasattr(pandas.DataFrame, "from_arrow"):
        return pandas.DataFrame.from_arrow(frame)
    return _pyarrow(frame).to_pandas()


def _pyarrow(frame: Frame) -> Any:
    import pyarrow

    return pyarrow.table(frame)


def _duckdb(frame: Frame) -> Any:
    import duckdb

    return duckdb.from_arrow(_pyarrow(frame))


def _makers() -> dict[str, Callable[[Frame], Any]]:
    return {"polars": _polars, "pandas": _pandas, "pyarrow": _pyarrow, "duckdb": _duckdb}
