"""What is measured of any release, and the catalogue of measures, problems and optimizers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from typing import Any

from . import _native
from ._progress import Bar
from ._tables import Table, lend


def audit(
    data: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    *,
    population: Table | None = None,
    below: int | None = None,
    threshold: float = 0.2,
    combinations: int = 3,
    ignore_suppressed: bool = False,
    progress: bool | None = None,
) -> dict[str, Any]:
    """Measures any table, whoever made it: k, l, t, risks, and which columns drive them.

    `quasi` are the columns by which a person can be found, `sensitive` those that must not be learned. `population` is a table
    about everybody, recoded the same way; `below` lists the rows in smaller groups by number.

    >>> audit(release, quasi=["age", "sex", "zip"])["k"] >= 5
    True
    """
    lent = lend(data)
    everybody = None if population is None else lend(population)
    wish = {
        "population": None if everybody is None else everybody.place,
        "below": below,
        "threshold": threshold,
        "combinations": combinations,
        "ignore_suppressed": ignore_suppressed,
    }
    with Bar(progress) as bar:
        told = _native.audit(lent.place, list(quasi), list(sensitive), json.dumps(wish), bar.told())
    measured: dict[str, Any] = json.loads(told)
    return measured


def compare(
    original: Table,
    *releases: Table,
    quasi: Sequence[str],
    sensitive: Sequence[str] = (),
    id: str | None = None,
    front: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> dict[str, Any]:
    """Which release is better, and for whom: compares releases of one table row by row.

    Rows are matched by the column `id`, by what a release of ours remembers, or by their order. "verdict" says it in words.

    >>> compare(people, release, other, quasi=["age", "sex", "zip"])["releases"]
    ['release 1', 'release 2']
    """
    table, others = lend(original), [lend(release) for release in releases]
    with Bar(progress) as bar:
        told = _native.compare(
            table.place,
            [other.place for other in others],
            list(quasi),
            list(sensitive),
            id,
            None if front is None else os.fspath(front),
            bar.told(),
        )
    # What a table in memory is called inside is of no use to anybody.
    names = {other.place: f"release {at + 1}" for at, other in enumerate(others) if other.frame is not None}
    told = re.sub(r"frame:\d+", lambda place: names.get(place[0], "the original"), told)
    compared: dict[str, Any] = json.loads(told)
    return compared


def catalog(name: str | None = None) -> dict[str, Any]:
    """Every measure, problem and optimizer with parameters and reference; or all that is known of one.

    >>> catalog("k")["name"]
    'k'
    """
    told: dict[str, Any] = json.loads(_native.catalog(name))
    return told
