"""Bad input: the exception, its text, and nothing written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import people as made
import polars
import pytest

import paretonym as pn


def test_unknown_columns_and_names(people: Any, tmp_path: Path) -> None:
    study = pn.draft(people)
    with pytest.raises(pn.StudyError, match="there is no column 'agee' in the study .did you mean 'age'"):
        study["agee"]
    with pytest.raises(pn.StudyError, match='there is no column "zipp" .*did you mean "zip"'):
        pn.audit(people, quasi=["zipp"])
    with pytest.raises(pn.StudyError, match='did you mean "general"'):
        study.explore(loss="generel", out=tmp_path / "out")
    with pytest.raises(pn.StudyError):
        study.explore(populatoin=5, out=tmp_path / "out")
    with pytest.raises(pn.StudyError, match="no quasi column"):
        for column in study:
            column.role = "insensitive"
        study.explore(out=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_tables_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(pn.DataError, match="builtins.dict is no table"):
        pn.draft({"a": [1]})  # type: ignore[arg-type]
    with pytest.raises(pn.DataError, match="collect"):
        pn.draft(made.frame("polars").lazy())
    with pytest.raises(pn.DataError, match="holds no rows"):
        pn.draft(made.frame("polars")[:0])
    with pytest.raises(pn.DataError, match="two columns are called"):
        import pyarrow

        pn.draft(pyarrow.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(pn.FileError, match=r"nowhere\.csv"):
        pn.draft(tmp_path / "nowhere.csv")


def test_nested_columns_are_refused_or_kept(people: Any) -> None:
    table = people.with_columns(polars.Series("visits", [[1, 2]] * people.shape[0]))
    study = pn.draft(table)
    study["visits"].role = "quasi"
    with pytest.raises(pn.DataError, match='column "visits" holds .*List'):
        study.explore()
    study["visits"].role = "drop"
    assert study.explore(eta=0.1).choose(min_k=3).release().frame.columns == list(people.columns)
    study["visits"].role = "insensitive"
    assert study.explore(eta=0.1).choose(min_k=3).release().frame["visits"].to_list()[0] == [1, 2]


def test_a_closed_database() -> None:
    import duckdb

    connection = duckdb.connect()
    relation = connection.sql("select range % 50 as age, range % 2 as sex from range(1000)")
    assert pn.draft(relation).columns == ["age", "sex"]
    connection.close()
    with pytest.raises(pn.DataError, match="the table cannot be read"):
        pn.draft(relation)


def test_a_release_is_refused_before_anything_is_written(people: Any, tmp_path: Path) -> None:
    front = pn.draft(people).explore(eta=0.05)
    with pytest.raises(pn.StudyError, match="the extension decides the format"):
        front[1].release(tmp_path / "public.xlsx")
    with pytest.raises(pn.StudyError, match="there is no folder"):
        front[1].release(tmp_path / "no" / "public.csv")
    with pytest.raises(pn.StudyError, match="suppressed_rows"):
        front[1].release(suppressed_rows="hide")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
    front[1].release(tmp_path / "public.csv")
    with pytest.raises(pn.StudyError, match="exists"):
        front[1].release(tmp_path / "public.csv")


def test_a_table_that_changes_is_found_out() -> None:
    # Numbers of pandas are not copied: whoever changes them changes the table of the study.
    import numpy
    import pandas

    ages = numpy.arange(2000) % 60
    table = pandas.DataFrame({"age": ages, "sex": ["f", "m"] * 1000}, copy=False)
    front = pn.draft(table).explore(eta=0.0)
    solution = front[len(front) - 1]
    ages[:] = numpy.arange(2000) % 1000
    try:
        certificate = solution.release(allow_k1=True).certificate
    except pn.ParetonymError:
        return
    # It was copied on the way, and is what it was.
    assert certificate["k"] == solution.k


def test_one_class_for_all_errors() -> None:
    for error in (pn.StudyError, pn.DataError, pn.FileError, pn.DatabaseError, pn.VerificationError, pn.InternalError):
        assert issubclass(error, pn.ParetonymError)
