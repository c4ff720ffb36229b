"""What privacy costs: from a data frame to a front, a choice and a certified release.

>>> import paretonym as pn
>>> study = pn.draft(people)
>>> study["age"].recode = pn.breaks(width=10)
>>> front = study.explore(privacy="k", loss="general", eta=0.02)
>>> best = front.choose(min_k=5)
>>> release = best.release()
>>> release.certificate["k"] >= 5
True

Tables are anything that speaks the Arrow PyCapsule interface (polars, pyarrow, duckdb relations, pandas from 2.2 on), a path
(CSV, TSV, Parquet, a folder of such files or a pattern for them), or a table in a database ("database:NAME/TABLE"). What comes
back is what went in. No representation of an object shows a row of a table.
"""

from typing import TYPE_CHECKING

from ._front import Front, Solution
from ._measures import audit, catalog, compare
from ._native import (
    DatabaseError,
    DataError,
    FileError,
    InternalError,
    ParetonymError,
    StudyError,
    VerificationError,
)
from ._native import version as _version
from ._recode import Recode, Taxonomy, breaks, cuts, dates, flat, levels, prefixes, taxonomy
from ._release import Release, reapply
from ._study import Column, Study, draft

if TYPE_CHECKING:
    from ._sklearn import Anonymizer

__version__: str = _version()

__all__ = [
    "Anonymizer",
    "Column",
    "DataError",
    "DatabaseError",
    "FileError",
    "Front",
    "InternalError",
    "ParetonymError",
    "Recode",
    "Release",
    "Solution",
    "Study",
    "StudyError",
    "Taxonomy",
    "VerificationError",
    "audit",
    "breaks",
    "catalog",
    "compare",
    "cuts",
    "dates",
    "draft",
    "flat",
    "levels",
    "prefixes",
    "reapply",
    "taxonomy",
]


def __getattr__(name: str) -> object:
    # scikit-learn takes a second to import, and only the Anonymizer needs it.
    if name == "Anonymizer":
        from ._sklearn import Anonymizer

        return Anonymizer
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
