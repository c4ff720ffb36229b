"""Studies: a table, what its columns are, and what is searched."""

from __future__ import annotations

import difflib
import html
import json
import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union, cast

from . import _native
from ._native import StudyError
from ._progress import Bar
from ._recode import Recode, Taxonomy, Tree, taxonomy
from ._tables import ArrowStream, Lent, Table, lend

if TYPE_CHECKING:
    from ._front import Front

Role: TypeAlias = Literal["identifying", "drop", "quasi", "sensitive", "target", "insensitive"]
"""What a column is to a release."""

Kind: TypeAlias = Literal["numeric", "ordinal", "categorical"]
"""How the values of a column relate."""

# What makes the levels of a column; setting one of them clears the others.
_LEVELS = ("range", "granularity", "bins", "widths", "groups", "hierarchy", "prefixes", "date_format", "taxonomy", "order")


class Column:
    """A column of a study. What is set here is checked when the study runs, or by `study.check()`."""

    def __init__(self, study: Study, name: str) -> None:
        self._study = study
        self._name = name

    @property
    def _spec(self) -> dict[str, Any]:
        return self._study._column(self._name)  # pyright: ignore[reportPrivateUsage]

    @property
    def name(self) -> str:
        """Its name in the table."""
        return self._name

    @property
    def role(self) -> Role | list[Role]:
        """What it is to a release: identifying, drop, quasi, sensitive, target or insensitive."""
        return cast("Role", self._spec["role"])

    @role.setter
    def role(self, role: Role | Sequence[Role]) -> None:
        self._spec["role"] = role if isinstance(role, str) else list(role)
        if role == "quasi":
            self._spec.setdefault("recode", "levels")

    @property
    def kind(self) -> Kind | None:
        """How its values relate: numeric, ordinal or categorical; guessed where it is None."""
        return cast("Kind | None", self._spec.get("kind"))

    @kind.setter
    def kind(self, kind: Kind) -> None:
        if kind != self.kind:
            self._clear()
        self._spec["kind"] = kind

    @property
    def recode(self) -> str | None:
        """How it may be recoded: levels, cuts or breaks."""
        return cast("str | None", self._spec.get("recode"))

    @recode.setter
    def recode(self, recode: str | Recode) -> None:
        if isinstance(recode, str):
            self._spec["recode"] = recode
            return
        keys = dict(recode._keys)  # pyright: ignore[reportPrivateUsage]
        width = recode._width  # pyright: ignore[reportPrivateUsage]
        if width is not None:
            if not width > 0:
                raise StudyError(f"column {self._name!r}: an interval has a width above 0, such as breaks(width=5)")
            low, high = self._study._extent(self._name)  # pyright: ignore[reportPrivateUsage]
            keys["range"] = [math.floor(low / width) * width, (math.floor(high / width) + 1) * width]
            keys["granularity"] = width
        if keys:
            self._clear()
        self._spec.update(keys)
        self._spec["recode"] = recode._family  # pyright: ignore[reportPrivateUsage]

    @property
    def taxonomy(self) -> object:
        """Where its levels come from: a tree, the path of a file, or None; `prefixes`, `dates` and `flat` make levels too."""
        return self._spec.get("taxonomy")

    @taxonomy.setter
    def taxonomy(self, tree: Taxonomy | Tree | ArrowStream | str | os.PathLike[str]) -> None:
        keys = (tree if isinstance(tree, Taxonomy) else taxonomy(tree))._keys  # pyright: ignore[reportPrivateUsage]
        order, kind = self._spec.get("order"), self._spec.get("kind")
        self._clear()
        self._spec.update(keys)
        if kind == "ordinal" and "taxonomy" in keys and order is not None:
            self._spec.update(kind=kind, order=order)
        elif self._spec.get("kind") == "numeric" and "taxonomy" in keys:
            self._spec["kind"] = "categorical"
        if self._spec.get("recode") == "breaks":
            self._spec["recode"] = "levels"

    @property
    def order(self) -> list[object] | None:
        """All values of an ordinal column in their order."""
        return cast("list[object] | None", self._spec.get("order"))

    @order.setter
    def order(self, order: Sequence[object]) -> None:
        self._clear()
        self._spec["kind"] = "ordinal"
        self._spec["order"] = list(order)

    @property
    def weight(self) -> float | None:
        """Its relative weight in the weighted loss."""
        return cast("float | None", self._spec.get("weight"))

    @weight.setter
    def weight(self, weight: float) -> None:
        self._spec["weight"] = float(weight)

    @property
    def finest(self) -> int | None:
        """The finest level that any recoding shows: nothing finer is searched, or counted by tuple."""
        return cast("int | None", self._spec.get("finest"))

    @finest.setter
    def finest(self, level: int) -> None:
        self._spec["finest"] = int(level)

    def _clear(self) -> None:
        for key in _LEVELS:
            self._spec.pop(key, None)

    def __repr__(self) -> str:
        keys = ", ".join(f"{key}={value!r}" for key, value in self._spec.items() if key not in ("name", "taxonomy", "order"))
        return f"<column {self._name!r}: {keys}>"


class Study:
    """A table, what its columns are, and what is searched: the one description of a run.

    `draft` makes one from a table, `Study.from_toml` from a file; `study["age"]` is a column, which can be corrected.

    >>> study = draft(people)
    >>> study["sex"].role
    'quasi'
    >>> front = study.explore(eta=0.05)
    """

    def __init__(self, spec: dict[str, Any], data: Lent, drafted: Mapping[str, Any] | None = None) -> None:
        self._spec = spec
        self._data = data
        self._drafted = drafted

    @classmethod
    def from_toml(cls, study: str | os.PathLike[str], data: Table | None = None) -> Study:
        """A study from the path of a study.toml, or from its text; `data` is the table, where it is not the one it names."""
        text = os.fspath(study)
        if isinstance(study, str) and "\n" in text:
            spec = json.loads(_native.study_from_toml(text, "the study", os.getcwd()))
        else:
            spec = json.loads(_native.read_study(text))
        named = spec["data"]
        if data is not None:
            lent = lend(data)
            for key in ("path", "database", "table", "query", "frame", "delimiter", "header", "columns", "comment", "decimal"):
                named.pop(key, None)
            named.update(lent.source())
        elif "frame" in named:
            raise StudyError("the table of this study was in memory; give it again: Study.from_toml(text, frame)")
        elif "path" in named:
            lent = Lent(named["path"], None, "")
        else:
            lent = Lent(f"database:{named['database']}/{named.get('table', '')}", None, "")
        return cls(spec, lent)

    def to_toml(self) -> str:
        """The study as a study.toml, for the program and for later."""
        return _native.study_to_toml(json.dumps(self._spec))

    @property
    def columns(self) -> list[str]:
        """The names of its columns."""
        return [column["name"] for column in self._spec["columns"]]

    @property
    def missing(self) -> list[str]:
        """Cells that mean "missing"; a null always does."""
        return list(self._spec["data"].get("missing", [""]))

    @missing.setter
    def missing(self, signs: Iterable[str]) -> None:
        self._spec["data"]["missing"] = list(signs)

    @property
    def on_missing(self) -> str:
        """What happens to a row with a missing value: "drop-row", "value" (a value of its own) or "error"."""
        return str(self._spec["data"].get("on_missing", "drop-row"))

    @on_missing.setter
    def on_missing(self, choice: Literal["drop-row", "value", "error"]) -> None:
        self._spec["data"]["on_missing"] = choice

    def __getitem__(self, name: str) -> Column:
        self._column(name)
        return Column(self, name)

    def __iter__(self) -> Iterator[Column]:
        return (Column(self, name) for name in self.columns)

    def __len__(self) -> int:
        return len(self._spec["columns"])

    def __contains__(self, name: object) -> bool:
        return name in self.columns

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Study) and self._spec == other._spec

    __hash__ = None  # type: ignore[assignment]

    def check(self) -> None:
        """Checks what can be checked before the table is read; raises a StudyError."""
        _native.check_study(json.dumps(self._spec))

    def explore(
        self,
        *,
        privacy: str | Sequence[str] | None = None,
        loss: str | None = None,
        eta: float | None = None,
        problem: str | None = None,
        optimizer: str | None = None,
        at_least: Mapping[str, float] | None = None,
        at_most: Mapping[str, float] | None = None,
        seed: int | None = None,
        evaluations: int | None = None,
        out: str | os.PathLike[str] | None = None,
        max_seconds: float | None = None,
        progress: bool | None = None,
        **parameters: object,
    ) -> Front:
        """Finds the recodings that no other beats in both privacy and information kept.

        The names are those of the catalogue (`catalog()`); what is not given is as the study has it. `out` is a folder to keep
        the run in, as the program does, with what later tables need; without it everything stays in memory. Ctrl-C stops the
        search and gives the best front so far, whose `complete` is False.

        >>> front = study.explore(privacy="k", loss="general", eta=0.02)
        >>> front.complete
        True
        """
        from ._front import Front

        given: dict[str, object | None] = {
            "privacy": privacy if privacy is None or isinstance(privacy, str) else list(privacy),
            "loss": loss,
            "eta": eta,
            "problem": problem,
            "optimizer": optimizer,
            "at_least": None if at_least is None else dict(at_least),
            "at_most": None if at_most is None else dict(at_most),
            "seed": seed,
            "evaluations": evaluations,
            **parameters,
        }
        spec = json.loads(json.dumps(self._spec))
        spec.setdefault("search", {}).update({key: value for key, value in given.items() if value is not None})
        folder = None if out is None else os.fspath(out)
        with Bar(progress) as bar:
            run = _native.explore(json.dumps(spec), folder, max_seconds, bar.told())
        return Front(run, self._data)

    def _column(self, name: str) -> dict[str, Any]:
        for column in self._spec["columns"]:
            if column["name"] == name:
                return cast("dict[str, Any]", column)
        near = difflib.get_close_matches(str(name), self.columns, 1)
        guess = f" (did you mean {near[0]!r}?)" if near else ""
        raise StudyError(f"there is no column {name!r} in the study{guess}; its columns are: {', '.join(self.columns)}")

    def _extent(self, name: str) -> tuple[float, float]:
        """The least and the largest number of a column."""
        if self._drafted is None:
            self._drafted = json.loads(_native.draft(json.dumps(self._spec["data"]), [], None))
        names = [column["name"] for column in self._drafted["study"]["columns"]]
        found = self._drafted["columns"][names.index(name)]
        low, high = found["min"], found["max"]
        if low is None or high is None:
            raise StudyError(f"column {name!r} holds no numbers, so that intervals need their range: breaks(width=5, range=(0, 100))")
        return float(low), float(high)

    def _rows(self) -> list[tuple[str, str, str, str]]:
        try:
            shown = _native.check_study(json.dumps(self._spec))
        except StudyError:
            shown = [""] * len(self)
        reasons: dict[str, str] = {}
        if self._drafted is not None:
            drafted = zip(self._drafted["study"]["columns"], self._drafted["columns"], strict=True)
            reasons = {
                spec["name"]: found["reason"] for spec, found in drafted if self._column(spec["name"]) == spec
            }
        return [
            (
                column["name"],
                column["role"] if isinstance(column["role"], str) else " and ".join(column["role"]),
                shown[at],
                reasons.get(column["name"], "as you said" if self._drafted is not None else ""),
            )
            for at, column in enumerate(self._spec["columns"])
        ]

    def _notes(self) -> list[str]:
        notes: list[str] = []
        if self._drafted is not None:
            notes.append(f"{self._drafted['rows']} rows. All of this was guessed: check the roles before anything is released.")
            if self._drafted.get("missing"):
                notes.append(f"Missing values: {self._drafted['missing']} (on_missing = {self.on_missing!r}).")
        as_is = [name for name, _, shown, _ in self._rows() if shown == "shown as it is"]
        if as_is:
            notes.append(f"Shown as they are: {', '.join(as_is)}.")
        return notes

    def __repr__(self) -> str:
        head = ("column", "role", "a release shows it", "because")
        rows = [head, *self._rows()]
        widths = [max(len(row[at]) for row in rows) for at in range(4)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join(["Study", *lines, *self._notes()])

    def _repr_html_(self) -> str:
        def row(cells: Iterable[str], tag: str) -> str:
            return "<tr>" + "".join(f"<{tag} style='text-align:left'>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

        body = "".join(row(cells, "td") for cells in self._rows())
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return f"<table>{row(('column', 'role', 'a release shows it', 'because'), 'th')}{body}</table>{notes}"


def draft(
    data: Union[ArrowStream, str, "os.PathLike[str]"],
    *,
    keep: Sequence[str] = (),
    connections: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> Study:
    """A first study of a table: roles, kinds and levels are guessed, each with its reason, ready to run and to correct.

    `keep` are columns to release as they are, whatever they hold. `connections` is the file that describes databases.

    >>> study = draft(people)
    >>> study.columns
    ['age', 'sex', 'zip', 'diagnosis']
    """
    lent = lend(data)
    described = None if connections is None else os.path.abspath(os.fspath(connections))
    with Bar(progress) as bar:
        drafted = json.loads(_native.draft(json.dumps(lent.source(described)), list(keep), bar.told()))
    return Study(json.loads(json.dumps(drafted["study"])), lent, drafted)
