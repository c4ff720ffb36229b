"""How a column may be recoded, and where its levels come from."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from . import _native
from ._tables import ArrowStream, lend

Tree: TypeAlias = "Mapping[str, Tree] | Sequence[object]"
"""A taxonomy as nested dicts and lists: a key is a node over what it holds, a text is a value."""


class Recode:
    """How a column may be recoded; `breaks`, `levels` and `cuts` make one."""

    def __init__(self, family: str, keys: Mapping[str, object], width: float | None = None) -> None:
        self._family = family
        self._keys = dict(keys)
        self._width = width

    def __repr__(self) -> str:
        return f"<{self._family} {self._keys}>" if self._keys else f"<{self._family}>"


class Taxonomy:
    """Where the levels of a column come from; `taxonomy`, `prefixes`, `dates` and `flat` make one."""

    def __init__(self, keys: Mapping[str, object], words: str) -> None:
        self._keys = dict(keys)
        self._words = words

    def __repr__(self) -> str:
        return f"<taxonomy: {self._words}>"


def breaks(width: float | None = None, range: tuple[float, float] | None = None, bins: int | None = None) -> Recode:
    """Intervals with borders wherever they are best: of a numeric or ordinal column.

    `width` is that of the smallest interval; `range` the domain, from the table where it is not given. Or `bins`: at most so
    many intervals of equally many rows.

    >>> breaks(width=5)
    <breaks {'kind': 'numeric'}>
    """
    if bins is not None:
        return Recode("breaks", {"kind": "numeric", "bins": bins})
    if range is not None:
        step = width if width is not None else 1
        return Recode("breaks", {"kind": "numeric", "range": [float(range[0]), float(range[1])], "granularity": float(step)})
    if width is not None:
        return Recode("breaks", {"kind": "numeric"}, width)
    return Recode("breaks", {})


def levels(*widths: float) -> Recode:
    """Whole levels of a hierarchy; with `widths`, intervals of these widths, each nested in the next.

    >>> levels(5, 10, 20)
    <levels {'kind': 'numeric', 'widths': [5.0, 10.0, 20.0]}>
    """
    return Recode("levels", {"kind": "numeric", "widths": [float(width) for width in widths]} if widths else {})


def cuts() -> Recode:
    """Any nodes of the column's taxonomy that cover all values, rather than whole levels."""
    return Recode("cuts", {})


def prefixes(*lengths: int) -> Taxonomy:
    """Codes that lose characters from the right: levels that show so many of them.

    >>> prefixes(5, 3, 1)
    <taxonomy: the first 5, 3, 1 characters>
    """
    keys: dict[str, object] = {"kind": "categorical", "hierarchy": "prefix"}
    if lengths:
        keys["prefixes"] = list(lengths)
    return Taxonomy(keys, f"the first {', '.join(map(str, lengths))} characters" if lengths else "prefixes")


def dates(format: str | None = None) -> Taxonomy:
    """Day, month, quarter, year, decade; `format` such as "dd.mm.yyyy" where it cannot be guessed."""
    keys: dict[str, object] = {"kind": "categorical", "hierarchy": "dates"}
    if format is not None:
        keys["date_format"] = format
    return Taxonomy(keys, "dates")


def flat() -> Taxonomy:
    """Values are shown or hidden, and nothing in between."""
    return Taxonomy({"kind": "categorical", "hierarchy": "flat"}, "shown or hidden")


def taxonomy(tree: Tree | ArrowStream | str | os.PathLike[str]) -> Taxonomy:
    """A taxonomy from nested dicts and lists, from a frame, or from a file as ARX writes it (leaf;level 1;…;top).

    A frame has one row per value: the value in its first column, and what it becomes in the next ones.

    >>> taxonomy({"north": ["Aachen", "Bonn"], "south": ["Constance", "Dachau"]})
    <taxonomy: 4 values>
    """
    if isinstance(tree, Taxonomy):
        return tree
    if isinstance(tree, (str, os.PathLike)):
        path = os.path.abspath(os.fspath(tree))
        return Taxonomy({"taxonomy": path}, f"the file {os.path.basename(path)}")
    if hasattr(tree, "__arrow_c_stream__"):
        lent = lend(cast(ArrowStream, tree))
        nested: object = _from_lines(_native.texts(lent.place))
    else:
        nested = _plain(tree)
    return Taxonomy({"taxonomy": nested}, f"{_leaves(nested)} values")


def _plain(tree: object) -> object:
    """Nested dicts and lists as the study writes them."""
    if isinstance(tree, Mapping):
        return {str(name): _plain(below) for name, below in cast("Mapping[object, object]", tree).items()}
    if isinstance(tree, (list, tuple, set, frozenset)):
        items = cast("Iterable[object]", tree)
        return [_plain(item) for item in (sorted(items, key=str) if isinstance(tree, (set, frozenset)) else items)]
    return tree if isinstance(tree, (int, float, bool)) else str(tree)


def _leaves(tree: object) -> int:
    if isinstance(tree, Mapping):
        nodes = cast("Mapping[str, object]", tree).values()
        return sum(_leaves(below) or 1 for below in nodes)
    if isinstance(tree, list):
        return sum(_leaves(item) for item in cast("list[object]", tree))
    return 1


def _from_lines(columns: list[list[str]]) -> object:
    """Leaf lines (one list per column, the leaf first) as a nested tree."""
    lines = list(zip(*columns, strict=True))
    if len(columns) > 1 and len({line[-1] for line in lines}) == 1:
        # The top is implied.
        lines = [line[:-1] for line in lines]

    def nested(lines: list[tuple[str, ...]]) -> object:
        if len(lines[0]) == 1:
            return [line[0] for line in lines]
        groups: dict[str, list[tuple[str, ...]]] = {}
        for line in lines:
            groups.setdefault(line[-1], []).append(line[:-1])
        tree: dict[str, object] = {}
        for name, below in groups.items():
            # A short branch repeats its value up to where it joins.
            alone = len(below) == 1 and all(cell == name for cell in below[0])
            tree[name] = [] if alone else nested(below)
        return tree

    return nested(lines)
