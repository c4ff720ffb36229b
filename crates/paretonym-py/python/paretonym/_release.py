"""Releases: tables that were recoded, measured and certified."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _native
from ._native import StudyError
from ._progress import Bar

if TYPE_CHECKING:
    from ._tables import ArrowStream, Lent


class Release:
    """A table that was recoded, read back, measured and certified.

    >>> release = front.choose(min_k=5).release()
    >>> release.frame.shape[0] == release.certificate["output"]["rows"]
    True
    """

    def __init__(self, done: _native.Released, data: Lent) -> None:
        self._done = done
        self._data = data

    @property
    def path(self) -> str | None:
        """The file of the release; None where it is in memory."""
        return str(self._done.files[-1]) if self._done.files else None

    @property
    def files(self) -> list[str]:
        """All public files: what beside the release may be handed on, and the release last."""
        return [str(path) for path in self._done.files]

    @property
    def frame(self) -> Any:
        """The rows of the release, as a frame of the kind that the table came in."""
        from ._tables import give_back

        frame = self._done.frame
        if frame is None:
            assert self.path is not None
            frame = _native.read_frame(self.path)
        return give_back(frame, self._data.kind)

    @property
    def certificate(self) -> dict[str, Any]:
        """What the release was measured to hold, for everybody: as in the file beside it, and under "measured" the figures."""
        told: dict[str, Any] = json.loads(self._done.certificate)
        figures = ("k", "weighted_k", "l", "t", "t_in_release", "necd", "gl", "sl", "losses", "risk", "group_sizes")
        told["measured"] = {name: told[name] for name in figures if name in told}
        told["measured"]["rows"] = told["output"]["rows"]
        return told

    @property
    def quasi(self) -> list[str]:
        """The columns that are recoded."""
        return list(self._done.quasi)

    def reapply(
        self,
        data: Union[ArrowStream, str, "os.PathLike[str]"],
        path: str | os.PathLike[str] | None = None,
        *,
        k: int | None = None,
        l: float | None = None,  # noqa: E741
        t: float | None = None,
        unknown: Literal["error", "nearest", "suppress"] = "error",
        fresh: bool = False,
        tokens: bool = False,
        suppressed_rows: Literal["drop", "star"] = "drop",
        representative: Literal["label", "median"] = "label",
        keep_order: bool = False,
        seed: int | None = None,
        force: bool = False,
        allow_k1: bool = False,
        progress: bool | None = None,
    ) -> Release:
        """The same recoding on a later table, whose groups below k (by default that of this release) are suppressed.

        `unknown` values are an error, or go where the nearest known number goes, or their rows are suppressed. With `fresh`
        the certificate says how much better a search on the later table would be.

        >>> later = release.reapply(people)
        >>> later.certificate["k"] >= 5
        True
        """
        wish = _wish(
            k, l, t, unknown, fresh, tokens, suppressed_rows, representative, keep_order, seed, force, allow_k1
        )
        return _again(self._done.recoding(), _text(self._done.home), None, data, path, wish, progress)

    def _lent(self) -> Lent:
        """The release as a table that is handed over."""
        from ._tables import Lent

        frame = self._done.lent()
        if frame is not None:
            return Lent(frame.place, frame, self._data.kind)
        assert self.path is not None
        return Lent(self.path, None, self._data.kind)

    def __repr__(self) -> str:
        told = self.certificate
        place = self.path or "in memory"
        return (
            f"<release {place}: {told['output']['rows']} rows, k = {told['k']}, loss = {told['gl'] + told['sl']:.4g}, "
            f"{told['suppressed']} rows suppressed, certified>"
        )


def reapply(
    release: Release | str | os.PathLike[str],
    data: Union[ArrowStream, str, "os.PathLike[str]"],
    path: str | os.PathLike[str] | None = None,
    *,
    front: str | os.PathLike[str] | None = None,
    k: int | None = None,
    l: float | None = None,  # noqa: E741
    t: float | None = None,
    unknown: Literal["error", "nearest", "suppress"] = "error",
    fresh: bool = False,
    tokens: bool = False,
    suppressed_rows: Literal["drop", "star"] = "drop",
    representative: Literal["label", "median"] = "label",
    keep_order: bool = False,
    seed: int | None = None,
    force: bool = False,
    allow_k1: bool = False,
    progress: bool | None = None,
) -> Release:
    """The recoding of a release on a later table: of a `Release`, or of the FILE.recoding.json beside one, whose private part
    is looked for in the folder `front` and around the file.

    >>> later = reapply(release, people)
    """
    wish = _wish(k, l, t, unknown, fresh, tokens, suppressed_rows, representative, keep_order, seed, force, allow_k1)
    if isinstance(release, Release):
        done = release._done  # pyright: ignore[reportPrivateUsage]
        return _again(done.recoding(), _text(done.home), None, data, path, wish, progress)
    place = os.fspath(release)
    return _again(None, None if front is None else os.fspath(front), place, data, path, wish, progress)


def _wish(
    k: int | None,
    l: float | None,  # noqa: E741
    t: float | None,
    unknown: str,
    fresh: bool,
    tokens: bool,
    suppressed_rows: str,
    representative: str,
    keep_order: bool,
    seed: int | None,
    force: bool,
    allow_k1: bool,
) -> str:
    if k is not None and k < 1:
        raise StudyError("k must be at least 1")
    return json.dumps(
        {
            "k": k,
            "l": l,
            "t": t,
            "unknown": unknown,
            "fresh": fresh,
            "tokens": tokens,
            "stars": suppressed_rows == "star",
            "median": representative == "median",
            "keep_order": keep_order,
            "seed": seed,
            "force": force,
            "allow_k1": allow_k1,
        }
    )


def _again(
    recoding: str | None,
    home: str | None,
    file: str | None,
    data: Union[ArrowStream, str, "os.PathLike[str]"],
    path: str | os.PathLike[str] | None,
    wish: str,
    progress: bool | None,
) -> Release:
    from ._tables import lend

    lent = lend(data)
    out = None if path is None else os.fspath(path)
    with Bar(progress) as bar:
        if recoding is not None:
            done = _native.reapply(recoding, home, lent.place, out, wish, bar.told())
        else:
            done = _native.reapply_file(file or "", home, lent.place, out, wish, bar.told())
    return Release(done, lent)


def _text(path: os.PathLike[str] | str | None) -> str | None:
    return None if path is None else os.fspath(path)
