"""Fronts: choosing, keeping, comparing and pickling them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import people as made
import polars
import pytest
from conftest import Program

import paretonym as pn


@pytest.fixture
def front(people: Any) -> pn.Front:
    return pn.draft(people).explore(eta=0.05)


def test_a_front_is_a_list_of_solutions(front: pn.Front) -> None:
    assert [solution.id for solution in front] == list(range(1, len(front) + 1))
    assert front[2].id == 2 and [one.id for one in front[:2]] == [1, 2]
    assert front[2] == front.solutions[1] and front[1] != front[2]
    with pytest.raises(pn.StudyError, match="the front has no solution 1000"):
        front[1000]
    assert front.to_frame()["id"].to_list() == [one.id for one in front]
    assert "proven to be the whole front" in repr(front)
    assert front[1].recoding and front[1].objectives["k"] == front[1].k


def test_limits_that_nothing_holds(front: pn.Front) -> None:
    with pytest.raises(pn.StudyError, match="none of the .* solutions holds these limits; nearest: "):
        front.choose(max_loss=0.0001, min_k=100)


def test_pictures(front: pn.Front, tmp_path: Path) -> None:
    altair = pytest.importorskip("altair")
    assert isinstance(front.plot(), altair.LayerChart)
    page = front._repr_html_()  # pyright: ignore[reportPrivateUsage]
    assert "<iframe" in page and "srcdoc" in page and "http://" not in page.replace("http://www.w3.org", "")
    front.report(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text().startswith("<!")


def test_a_front_is_pickled_without_its_table(front: pn.Front, people: Any) -> None:
    again: pn.Front = pickle.loads(pickle.dumps(front))
    assert again == front and again[1] == front[1]
    with pytest.raises(pn.StudyError, match="bind"):
        again[1].release()
    bound = again.bind(people)
    assert bound.choose(min_k=5).release().certificate["k"] >= 5
    with pytest.raises(pn.StudyError, match="not the table"):
        again.bind(people[:100])
    twice: pn.Front = pickle.loads(pickle.dumps(again))
    assert twice.bind(people) == front


def test_a_folder_is_that_of_the_program(people: Any, tmp_path: Path, program: Program) -> None:
    people.write_parquet(tmp_path / "people.parquet")
    assert program("init", "people.parquet", "--quiet").returncode == 0
    done = program("explore", "study.toml", "-o", "front", "--quiet")
    assert done.returncode == 0, done.stderr
    front = pn.Front.load(tmp_path / "front")
    assert front == pn.draft(people).explore()
    release = front.choose(min_k=5).release(tmp_path / "public.csv")
    audited = program("audit", "public.csv", "--quasi", "age,sex,zip", "--json")
    assert f'"k": {release.certificate["k"]},' in audited.stdout

    kept = pn.draft(people).explore(out=tmp_path / "kept")
    loaded = pn.Front.load(tmp_path / "kept", people)
    assert loaded == kept
    assert loaded.choose(min_k=5).release().certificate["k"] >= 5
    with pytest.raises(pn.StudyError, match="the table has changed"):
        pn.Front.load(tmp_path / "kept", people[:100])[1].release()
    saved = pn.draft(people).explore().save(tmp_path / "saved")
    assert pn.Front.load(tmp_path / "saved", people) == saved


def test_a_recoding_is_used_again(people: Any, tmp_path: Path) -> None:
    kept = pn.draft(people).explore(out=tmp_path / "kept")
    release = kept.choose(min_k=5).release(tmp_path / "public.parquet")
    later = polars.DataFrame(made.columns(4000, seed=8))
    again = release.reapply(later, k=3)
    assert again.certificate["k"] >= 3 and again.certificate["reapplied"]["enforced_k"] == 3
    of_file = pn.reapply(f"{release.path}.recoding.json", later, tmp_path / "later.csv", k=3, front=tmp_path / "kept")
    assert of_file.certificate["k"] == again.certificate["k"]
    in_memory = pn.draft(people).explore().choose(min_k=5).release()
    assert pn.reapply(in_memory, later, k=3).certificate["k"] >= 3


def test_rows_are_matched_and_stars_stay(people: Any) -> None:
    study = pn.draft(people)
    front = study.explore(eta=0.2)
    one = front.choose(min_k=8).release(suppressed_rows="star", keep_order=True)
    assert one.frame.shape[0] == people.shape[0]
    other = front.choose(min_k=3).release()
    compared = pn.compare(people, one, other, quasi=made.QUASI, sensitive=["diagnosis"])
    assert compared["releases"] == ["release 1", "release 2"] and compared["matched"] == ["row-key", "row-key"]
    assert pn.audit(one, quasi=made.QUASI, ignore_suppressed=True)["k"] >= 8


def test_rows_of_a_long_file_are_matched(tmp_path: Path) -> None:
    import polars

    few = polars.DataFrame(made.columns(1 << 12))
    many = polars.concat([few] * 257)
    assert many.height > 1 << 20
    release = pn.draft(many).explore(eta=0.02).choose(min_k=300).release(tmp_path / "public.parquet")
    other = pn.draft(many).explore(eta=0.02).choose(min_k=1000).release()
    assert pn.compare(many, release, other, quasi=made.QUASI)["matched"] == ["row-key", "row-key"]
