"""Anonymization as a step of scikit-learn."""

from __future__ import annotations

from typing import Any

import people as made
import pytest

import paretonym as pn

pytest.importorskip("sklearn")


def target(cells: dict[str, list[Any]]) -> list[int]:
    return [int(age > 50) for age in cells["age"]]


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_what_is_learned_is_used_again(kind: str) -> None:
    train, later = made.columns(2000), made.columns(800, seed=9)
    step = pn.Anonymizer(quasi=made.QUASI, k=5, others="drop")
    shown = step.fit_transform(made.frame(kind, train))
    assert made.kind_of(shown) == kind and shown.shape == (2000, 3)
    assert list(step.get_feature_names_out()) == made.QUASI
    assert step.certificate_["k"] >= 5
    assert pn.audit(shown, quasi=made.QUASI, ignore_suppressed=True)["k"] >= 5
    applied = step.transform(made.frame(kind, later))
    assert applied.shape == (800, 3)
    assert pn.audit(applied, quasi=made.QUASI, ignore_suppressed=True)["k"] >= 5


def test_a_pipeline_is_cross_validated() -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    cells = made.columns(1500)
    model = make_pipeline(
        pn.Anonymizer(quasi=made.QUASI, k=5, others="drop"), OneHotEncoder(handle_unknown="ignore"), LogisticRegression()
    )
    scores = cross_val_score(model, made.frame("pandas", cells), target(cells), cv=3)
    assert len(scores) == 3 and min(scores) > 0.7


def test_a_clone_has_the_same_wishes() -> None:
    from sklearn.base import clone

    step = clone(pn.Anonymizer(quasi=["age"], k=7, max_loss=0.5, recode={"age": pn.breaks(width=5)}))
    assert step.k == 7 and step.max_loss == 0.5
    with pytest.raises(pn.StudyError, match="there is no column 'agee'"):
        pn.Anonymizer(quasi=["agee"]).fit(made.frame("pandas"))
