"""Anonymization as a step of scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._native import DataError, StudyError
from ._recode import Recode, Taxonomy
from ._release import Release
from ._study import draft
from ._tables import lend


class Anonymizer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a recoding on a training table and shows others through it, so that a model is trained and tested on what a
    release would show.

    `fit` finds the recoding of the `quasi` columns that loses least at `k` (and at most `max_loss`); `transform` applies it to
    any table. There, too, every group that is shown has `k` rows: those of smaller groups are suppressed, as in a release of
    that table, and stay as rows of stars (nulls where numbers are), so that no row is lost. Unknown numbers go where the
    nearest known one goes. Columns that are not named stay as they are, or are left out with `others="drop"`.

    Frames in, frames of the same kind out; `certificate_` is that of the training table.

    >>> shown = Anonymizer(quasi=["age", "sex", "zip"], k=5).fit_transform(people)
    >>> shown.shape[0] == people.shape[0]
    True
    """

    def __init__(
        self,
        quasi: Sequence[str] = (),
        *,
        k: int = 5,
        max_loss: float | None = None,
        sensitive: Sequence[str] = (),
        eta: float = 0.05,
        loss: str = "general",
        recode: Mapping[str, str | Recode] | None = None,
        taxonomy: Mapping[str, Any] | None = None,
        representative: Literal["label", "median"] = "label",
        unknown: Literal["error", "nearest", "suppress"] = "nearest",
        others: Literal["keep", "drop"] = "keep",
        optimizer: str | None = None,
        seed: int | None = None,
    ) -> None:
        self.quasi = quasi
        self.k = k
        self.max_loss = max_loss
        self.sensitive = sensitive
        self.eta = eta
        self.loss = loss
        self.recode = recode
        self.taxonomy = taxonomy
        self.representative = representative
        self.unknown = unknown
        self.others = others
        self.optimizer = optimizer
        self.seed = seed

    def fit(self, X: Any, y: Any = None) -> Anonymizer:  # noqa: N803
        """Learns the recoding."""
        self._learn(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Any:  # noqa: N803
        """Learns the recoding, and shows the same table through it."""
        return self._learn(X).frame

    def transform(self, X: Any) -> Any:  # noqa: N803
        """Shows a table through the recoding; groups of fewer than k of its rows are suppressed."""
        check_is_fitted(self, "release_")
        shown: Release = self.release_.reapply(
            _frame(X),
            k=self.k,
            unknown=self.unknown,
            suppressed_rows="star",
            representative=self.representative,
            keep_order=True,
        )
        return shown.frame

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of what `transform` gives."""
        import numpy

        check_is_fitted(self, "release_")
        shown = [column["name"] for column in self.certificate_["columns"] if column["fate"] != "dropped"]
        return numpy.asarray(shown, dtype=object)

    def _learn(self, table: Any) -> Release:
        frame = _frame(table)
        study = draft(frame, progress=False)
        absent = [name for name in (*self.quasi, *self.sensitive) if name not in study]
        if absent or not self.quasi:
            problem = f"there is no column {absent[0]!r}" if absent else "no quasi column is named"
            raise StudyError(f"{problem}; the columns are: {', '.join(study.columns)}")
        for column in study:
            if column.name in self.quasi:
                column.role = "quasi"
            elif column.name in self.sensitive:
                column.role = "sensitive"
            else:
                column.role = "insensitive" if self.others == "keep" else "drop"
            if column.name in (self.taxonomy or {}):
                tree = (self.taxonomy or {})[column.name]
                column.taxonomy = tree if not isinstance(tree, Taxonomy) else tree
            if column.name in (self.recode or {}):
                column.recode = (self.recode or {})[column.name]
        # Whatever is missing, no row may be lost.
        study.on_missing = "value"
        front = study.explore(
            privacy="k",
            loss=self.loss,
            eta=self.eta,
            at_least={"k": self.k},
            optimizer=self.optimizer,
            seed=self.seed,
            progress=False,
        )
        if not front.complete:
            raise KeyboardInterrupt
        limits = {} if self.max_loss is None else {"max_loss": self.max_loss}
        # Of all that hold the limits, what loses least.
        front.choose(min_k=self.k, **limits)
        within = [one for one in front if (one.k or 0) >= self.k and one.loss is not None]
        best = min(within, key=lambda one: one.loss if one.loss is not None else 1.0)
        self.release_: Release = best.release(
            suppressed_rows="star", representative=self.representative, keep_order=True, progress=False
        )
        self.certificate_: dict[str, Any] = self.release_.certificate
        self.n_features_in_: int = len(study.columns)
        return self.release_


def _frame(table: Any) -> Any:
    if hasattr(table, "__arrow_c_stream__"):
        return table
    if type(table).__module__ == "numpy":
        raise DataError("an array has no names for its columns; give a frame (pandas, polars, pyarrow)")
    return lend(table).frame
