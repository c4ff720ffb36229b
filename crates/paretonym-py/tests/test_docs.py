"""The examples of the documentation run."""

from __future__ import annotations

import doctest
import importlib
from typing import Any

import people as made
import pytest

import paretonym as pn

MODULES = ["paretonym", "_front", "_measures", "_release", "_sklearn", "_study"]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module("paretonym" if name == "paretonym" else f"paretonym.{name}")
    people = made.frame("polars")
    study = pn.draft(people)
    front = study.explore(eta=0.05)
    best = front.choose(min_k=5)
    known: dict[str, Any] = {name: getattr(pn, name) for name in pn.__all__}
    known.update(people=people, study=study, front=front, best=best, release=best.release(), other=front[1].release())
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in finder.find(module, module.__name__):
        test.globs.update(known)
        runner.run(test)
    assert runner.failures == 0
