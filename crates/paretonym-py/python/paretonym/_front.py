"""Fronts: the recodings that no other beats in both privacy and information kept."""

from __future__ import annotations

import html
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from typing import Any, Literal, cast, overload

from . import _native
from ._native import StudyError
from ._progress import Bar
from ._release import Release
from ._tables import Lent, Table, lend, records

SHOWN = 20
"""At most so many solutions are in the text of a front."""


class Solution:
    """A recoding of a front: what it costs, what it shows, and its release.

    >>> best = front.choose(min_k=5)
    >>> best.k >= 5
    True
    """

    def __init__(self, front: Front, told: Mapping[str, Any]) -> None:
        self._front = front
        self._told = told

    @property
    def id(self) -> int:
        """Its number in the front, from 1."""
        return int(self._told["id"])

    @property
    def objectives(self) -> dict[str, float]:
        """The values of what was traded, by name."""
        return dict(zip(self._front.objectives, self._told["objectives"], strict=True))

    @property
    def k(self) -> int | None:
        """The size of the smallest group; None where the work was stopped before it was measured."""
        return cast("int | None", self._told["k"])

    @property
    def loss(self) -> float | None:
        """The study's loss."""
        return cast("float | None", self._told["loss"])

    @property
    def gl(self) -> float | None:
        """The general loss of the kept rows."""
        return cast("float | None", self._told["gl"])

    @property
    def sl(self) -> float | None:
        """The share of suppressed rows."""
        return cast("float | None", self._told["sl"])

    @property
    def l(self) -> float | None:  # noqa: E743
        """The least l over the sensitive columns."""
        return cast("float | None", self._told["l"])

    @property
    def t(self) -> float | None:
        """The largest t over the sensitive columns."""
        return cast("float | None", self._told["t"])

    @property
    def groups(self) -> int | None:
        """How many groups there are."""
        return cast("int | None", self._told["groups"])

    @property
    def suppressed(self) -> int | None:
        """How many rows are suppressed."""
        return cast("int | None", self._told["suppressed"])

    @property
    def recoding(self) -> dict[str, Any]:
        """What each column shows: a level, nodes of its taxonomy, or intervals."""
        return dict(self._told["recoding"])

    def to_dict(self) -> dict[str, Any]:
        """All that front.json says of it."""
        return cast("dict[str, Any]", json.loads(json.dumps(self._told)))

    def release(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        tokens: bool = False,
        suppressed_rows: Literal["drop", "star"] = "drop",
        representative: Literal["label", "median"] = "label",
        keep_order: bool = False,
        seed: int | None = None,
        threshold: float = 0.2,
        force: bool = False,
        allow_k1: bool = False,
        progress: bool | None = None,
    ) -> Release:
        """Recodes the table, reads what was written back, measures it and certifies it; raises where it does not hold what it
        claims, and nothing is written then.

        `path` is a .csv, .tsv or .parquet file, with its certificate beside it; without one the release stays in memory.

        >>> release = best.release()
        >>> release.certificate["measured"]["k"] >= 5
        True
        """
        wish = {
            "tokens": tokens,
            "stars": _one_of("suppressed_rows", suppressed_rows, ("drop", "star")) == "star",
            "median": _one_of("representative", representative, ("label", "median")) == "median",
            "keep_order": keep_order,
            "seed": seed,
            "threshold": threshold,
            "force": force,
            "allow_k1": allow_k1,
        }
        return self._front._release(self.id, path, json.dumps(wish), progress)  # pyright: ignore[reportPrivateUsage]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._told == other._told

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        numbers = ", ".join(f"{name} = {_number(value)}" for name, value in self._numbers().items())
        return f"<solution {self.id}: {numbers}; {_recoding(self._told['recoding'])}>"

    def _numbers(self) -> dict[str, float]:
        named = {**self.objectives, "k": self.k, "loss": self.loss, "suppressed": self.sl}
        return {name: value for name, value in named.items() if value is not None}


class Front:
    """The recodings that no other beats, the most private first. In a notebook it is shown as an interactive picture.

    `front[12]` is the solution with the number 12, `front[:10]` are the first ten; a front can be iterated, compared and pickled.

    >>> front = study.explore(eta=0.05)
    >>> front[1].id, len(front) == len(front.solutions)
    (1, True)
    """

    def __init__(self, run: _native.Run, data: Lent) -> None:
        self._run = run
        self._data = data
        self._told: dict[str, Any] = json.loads(run.front)

    @classmethod
    def load(cls, dir: str | os.PathLike[str], data: Table | None = None) -> Front:
        """The front that the program, or `explore(out=dir)`, left in a folder; `data` is its table, where that was in memory."""
        lent = None if data is None else lend(data)
        run = _native.load(os.fspath(dir), "" if lent is None else lent.place)
        named = json.loads(run.study)["data"]
        return cls(run, lent if lent is not None else Lent(named.get("path", ""), None, ""))

    def save(self, dir: str | os.PathLike[str]) -> Front:
        """Keeps the front in a folder, with its study, its report and what is private of later releases; the front there."""
        return Front(self._run.save(os.fspath(dir)), self._data)

    @property
    def solutions(self) -> list[Solution]:
        """All solutions, the most private first."""
        return [Solution(self, told) for told in self._told["solutions"]]

    @property
    def objectives(self) -> list[str]:
        """What is traded."""
        return [objective["name"] for objective in self._told["objectives"]]

    @property
    def complete(self) -> bool:
        """Whether the search came to its end and all solutions were measured."""
        return bool(self._told["complete"]) and all(told.get("described", True) for told in self._told["solutions"])

    @property
    def exact(self) -> bool:
        """Whether this is proven to be the whole front."""
        return bool(self._told["exact"])

    @property
    def rows(self) -> int:
        """The rows of the table, without those dropped for missing values."""
        return int(self._told["rows"])

    @property
    def notes(self) -> list[str]:
        """What the search has to say."""
        return list(self._told.get("notes", []))

    @property
    def warnings(self) -> list[str]:
        """What there is to warn of in the table."""
        return list(self._told.get("warnings", []))

    def to_dict(self) -> dict[str, Any]:
        """front.json."""
        return cast("dict[str, Any]", json.loads(self._run.front))

    @overload
    def __getitem__(self, id: int) -> Solution: ...
    @overload
    def __getitem__(self, id: slice) -> list[Solution]: ...

    def __getitem__(self, id: int | slice) -> Solution | list[Solution]:
        if isinstance(id, slice):
            return self.solutions[id]
        for told in self._told["solutions"]:
            if told["id"] == id:
                return Solution(self, told)
        raise StudyError(f"the front has no solution {id}; it has solutions 1 to {len(self)}")

    def __len__(self) -> int:
        return len(self._told["solutions"])

    def __iter__(self) -> Iterator[Solution]:
        return iter(self.solutions)

    def __eq__(self, other: object) -> bool:
        # How long it took is no part of what was found.
        def found(front: Front) -> dict[str, Any]:
            return {key: value for key, value in front._told.items() if key not in ("seconds", "moved")}

        return isinstance(other, Front) and found(self) == found(other)

    __hash__ = None  # type: ignore[assignment]

    def choose(
        self,
        *,
        max_loss: float | None = None,
        max_suppression: float | None = None,
        min_k: float | None = None,
        min_l: float | None = None,
        max_t: float | None = None,
    ) -> Solution:
        """The best solution within limits; raises a StudyError where none holds them, with what would help.

        >>> front.choose(min_k=2).k >= 2
        True
        """
        limits = {
            "max_loss": max_loss,
            "max_suppression": max_suppression,
            "min_k": min_k,
            "min_l": min_l,
            "max_t": max_t,
        }
        given = {name: value for name, value in limits.items() if value is not None}
        choice = json.loads(self._run.choose(json.dumps(given)))
        if choice["best"]:
            return self[int(choice["best"][0]["id"])]
        near = [
            f"{step['limit']} {_number(step['to'])} instead of {_number(step['from'])} (solution {step['solution']['id']})"
            for step in choice["relaxations"]
        ]
        advice = f"; nearest: {', '.join(near)}" if near else ""
        raise StudyError(f"none of the {len(self)} solutions holds these limits{advice}")

    def describe(self, progress: bool | None = None) -> Front:
        """The same front with all its solutions measured, where a stop came before that."""
        with Bar(progress) as bar:
            return Front(self._run.describe(bar.told()), self._data)

    def to_frame(self) -> Any:
        """Every solution as a row of a frame, of the kind that the table came in.

        >>> front.to_frame().shape[0] == len(front)
        True
        """
        return records(self._rows(), self._data.kind)

    def _rows(self) -> list[dict[str, object]]:
        names = ("k", "loss", "gl", "sl", "l", "t", "suppressed", "groups", "weighted_k", "necd", "loss_bound", "alternatives")
        rows: list[dict[str, object]] = []
        for told in self._told["solutions"]:
            row: dict[str, object] = {"id": told["id"]}
            row.update(zip(self.objectives, told["objectives"], strict=True))
            row.update({name: told.get(name) for name in names})
            row["recoding"] = _recoding(told["recoding"])
            rows.append(row)
        return rows

    def plot(self) -> Any:
        """An Altair chart of the front (`pip install altair`).

        >>> chart = front.plot()
        """
        try:
            import altair
        except ImportError as error:
            raise StudyError("a plot needs Altair: pip install altair") from error
        x, y = self.objectives[0], "loss" if "loss" in self.objectives else self.objectives[-1]
        rows = [{key: value for key, value in row.items() if value is not None} for row in self._rows()]
        scale = altair.Scale(type="log") if all(cast(float, row.get(x, 0)) > 0 for row in rows) else altair.Scale()
        percent = altair.Axis(format="%") if y == "loss" and self._told["loss"] != "discernibility" else altair.Axis()
        chart = altair.Chart(altair.Data(values=rows)).encode(
            x=altair.X(f"{x}:Q", scale=scale, title=f"privacy ({x})"),
            y=altair.Y(f"{y}:Q", axis=percent, title=y),
            tooltip=[altair.Tooltip("id:N", title="solution"), f"{x}:Q", f"{y}:Q", "suppressed:Q", "groups:Q", "recoding:N"],
        )
        title = "proven to be the whole front" if self.exact else "not proven to be the whole front"
        return (chart.mark_line(interpolate="step-before", opacity=0.4) + chart.mark_circle(size=60)).properties(title=title)

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The interactive report as a page that needs no network, written to a file where one is named. It is private: it tells
        values of the table, though no row."""
        page = self._run.report()
        if path is not None:
            with open(path, "x", encoding="utf-8") as file:
                file.write(page)
        return page

    def bind(self, data: Table) -> Front:
        """The same front with its table at hand again, as after unpickling. Raises where it is another table."""
        lent = lend(data)
        study, front, regions, dir = self._run.state()
        check = self._seal
        if check is not None and (lent.frame is None or lent.frame.digest(check[0]) != check[1]):
            raise StudyError("this is not the table that the front was found for; explore again")
        return Front(_native.restore(study, front, regions, dir, lent.place), lent)

    _seal: tuple[str, str] | None = None

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # The table stays where it is; a digest tells it from others when it is bound again.
        seal = self._seal
        if self._data.frame is not None:
            key = secrets.token_hex(32)
            seal = (key, self._data.frame.digest(key))
        return _unpickled, (*self._run.state(), self._data.kind, seal)

    def _release(self, id: int, path: str | os.PathLike[str] | None, wish: str, progress: bool | None) -> Release:
        if self._seal is not None:
            raise StudyError("the table of this front was in memory; give it again: front.bind(frame)")
        out = None if path is None else os.fspath(path)
        with Bar(progress) as bar:
            done = self._run.release(id, out, wish, bar.told())
        return Release(done, self._data)

    def _summary(self) -> list[str]:
        told = self._told
        space = told["space"] if told["space"] is not None else "more than 2^63"
        proven = "proven to be the whole front" if self.exact else "not proven to be the whole front"
        lines = [
            f"{told['rows']} rows, {told['distinct']} distinct tuples"
            + (f"; {told['dropped']} rows left out for missing values" if told["dropped"] else ""),
            f"{told['optimizer']}: {told['evaluated']} of {space} recodings evaluated, {len(self)} "
            f"solution{'' if len(self) == 1 else 's'}, {proven}",
        ]
        if not self.complete:
            lines.append("The search was stopped early: this is the best front so far.")
        return [*lines, *self.notes, *(f"WARNING: {warning}" for warning in self.warnings)]

    def __repr__(self) -> str:
        step = -(-len(self) // SHOWN) or 1
        shown = [repr(solution)[1:-1] for solution in self.solutions[::step]]
        more = [f"One in {step} of {len(self)} solutions is shown."] if step > 1 else []
        return "\n".join(["Front", *self._summary(), *shown, *more])

    def _repr_html_(self) -> str:
        page = html.escape(self._run.report(), quote=True)
        notes = "".join(f"<p>{html.escape(line)}</p>" for line in self._summary())
        return (
            f'{notes}<iframe sandbox="allow-scripts" srcdoc="{page}" title="Pareto front" '
            'style="width:100%;height:720px;border:0"></iframe>'
        )


def _unpickled(
    study: str, front: str, regions: str | None, dir: str | None, kind: str, seal: tuple[str, str] | None
) -> Front:
    restored = Front(_native.restore(study, front, regions, dir, ""), Lent("", None, kind))
    restored._seal = seal  # pyright: ignore[reportPrivateUsage]
    return restored


def _one_of(name: str, value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise StudyError(f"there is no {name} {value!r}; choose one of: {', '.join(known)}")
    return value


def _number(value: float) -> str:
    return f"{value:.6g}"


def _recoding(recoding: Mapping[str, Any]) -> str:
    """A recoding in one line: the levels, or how many sets each column shows."""
    if isinstance(recoding.get("regions"), int):
        return f"{recoding['regions']} regions"
    parts: list[str] = []
    for name, shown in recoding.items():
        if "level" in shown:
            parts.append(f"{name} {shown['level']}")
        else:
            sets = len(shown.get("cut") or shown.get("breaks") or [])
            parts.append(f"{name} {sets} {'set' if sets == 1 else 'sets'}")
    return ", ".join(parts)
