"""Studies: what can be said of columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import people as made
import polars
import pytest

import paretonym as pn


def test_a_study_goes_through_toml(people: Any, tmp_path: Path) -> None:
    study = pn.draft(people)
    study["age"].recode = pn.levels(5, 10, 20)
    study["zip"].taxonomy = pn.prefixes(3, 1)
    study.on_missing = "value"
    text = study.to_toml()
    again = pn.Study.from_toml(text, people)
    assert again.explore(eta=0.02) == study.explore(eta=0.02)
    (tmp_path / "study.toml").write_text(text)
    assert pn.Study.from_toml(tmp_path / "study.toml", people).columns == study.columns
    with pytest.raises(pn.StudyError, match="in memory"):
        pn.Study.from_toml(text)


def test_taxonomies_from_dicts_frames_and_files(people: Any, tmp_path: Path) -> None:
    tree = {"13": ["13053", "13068"], "14": ["14850", "14853"], "15": ["15001", "15213"]}
    leaves = [zip for group in tree.values() for zip in group]
    frame = polars.DataFrame({"zip": leaves, "region": [zip[:2] for zip in leaves], "all": ["*"] * len(leaves)})
    lines = "".join(f"{zip};{zip[:2]};*\n" for zip in leaves)
    (tmp_path / "zip.csv").write_text(lines)
    fronts: list[pn.Front] = []
    for given in (tree, frame, tmp_path / "zip.csv", pn.taxonomy(tree)):
        study = pn.draft(people)
        study["zip"].taxonomy = given
        fronts.append(study.explore(eta=0.02))
    assert all(front.to_dict()["solutions"] == fronts[0].to_dict()["solutions"] for front in fronts)
    short = polars.DataFrame({"leaf": ["a", "b", "c"], "level": ["ab", "ab", "c"], "top": ["*"] * 3})
    assert repr(pn.taxonomy(short)) == "<taxonomy: 3 values>"


def test_breaks_take_their_range_from_the_table(people: Any) -> None:
    study = pn.draft(people)
    study["age"].recode = pn.breaks(width=5)
    assert 'recode = "breaks"' in study.to_toml()
    assert study["age"].kind == "numeric"
    bound = pn.Study.from_toml(study.to_toml(), people)
    bound["age"].recode = pn.breaks(width=10)
    assert bound.explore(eta=0.1).complete
    with pytest.raises(pn.StudyError, match="no numbers"):
        study["sex"].recode = pn.breaks(width=5)
    with pytest.raises(pn.StudyError, match="above 0"):
        study["age"].recode = pn.breaks(width=0)


def test_no_representation_shows_a_row() -> None:
    cells = made.columns(500)
    cells["name"] = [f"Zaphod the {row}th" for row in range(500)]
    study = pn.draft(made.frame("polars", cells))
    front = study.explore(eta=0.1)
    release = front.choose(min_k=2).release()
    for thing in (study, study["zip"], front, front[1], release, pn.prefixes(3), pn.breaks(width=5)):
        shown = repr(thing) + (thing._repr_html_() if hasattr(thing, "_repr_html_") else "")  # pyright: ignore
        assert "Zaphod" not in shown and "a long name of an illness" not in shown


def test_the_catalogue() -> None:
    assert any(section for section in pn.catalog())
    with pytest.raises(pn.StudyError, match="did you mean"):
        pn.catalog("nsga3")
