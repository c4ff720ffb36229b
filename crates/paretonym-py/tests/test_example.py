"""The example of the documentation, on every kind of frame, beside the program on the same table."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import people as made
import polars
import pytest
from conftest import Program

import paretonym as pn


def described(table: Any) -> pn.Study:
    study = pn.draft(table)
    study["age"].recode = pn.breaks(width=5)
    study["zip"].taxonomy = pn.prefixes(5, 3, 1)
    study["diagnosis"].role = "sensitive"
    return study


def solutions(front: Path) -> str:
    """The solutions of a front.json as they stand there."""
    text = (front / "front.json").read_text()
    return text[text.index('"solutions": [') :]


@pytest.mark.parametrize("kind", made.KINDS)
def test_the_example_is_what_the_program_does(kind: str, tmp_path: Path, program: Program) -> None:
    table = made.frame(kind)
    study = described(table)
    front = study.explore(privacy="k", loss="general", eta=0.02)
    assert front.complete and front.exact
    assert made.kind_of(front.to_frame()) == kind
    best = front.choose(max_loss=0.25, min_k=10)
    assert (best.k or 0) >= 10 and (best.loss or 0) <= 0.25
    release = best.release(tmp_path / "public.csv", seed=7)
    assert made.kind_of(release.frame) == kind
    in_memory = best.release(seed=7)
    assert made.kind_of(in_memory.frame) == kind
    assert made.texts(in_memory.frame) == made.texts(release.frame)
    assert release.certificate["measured"]["k"] == best.k
    audit = pn.audit(release.frame, quasi=made.QUASI, sensitive=["diagnosis"])
    assert audit["k"] == best.k and audit["rows"] == release.certificate["output"]["rows"]
    other = front[1].release()
    compared = pn.compare(table, release, other, in_memory, quasi=made.QUASI)
    assert compared["matched"] == ["row-key"] * 3 and compared["verdict"]

    polars.DataFrame(made.columns()).write_parquet(tmp_path / "people.parquet")
    text = study.to_toml()
    frame = text.splitlines()[1]
    assert frame.startswith("frame = ")
    (tmp_path / "study.toml").write_text(text.replace(frame, 'path = "people.parquet"'))
    done = program("explore", "study.toml", "--privacy", "k", "--loss", "general", "--eta", "0.02", "-o", "front", "--quiet")
    assert done.returncode == 0, done.stderr
    kept = study.explore(privacy="k", loss="general", eta=0.02, out=tmp_path / "kept")
    assert kept == front
    assert solutions(tmp_path / "kept") == solutions(tmp_path / "front")
    released = program("release", "front", "--solution", str(best.id), "-o", "program.csv", "--seed", "7", "--quiet")
    assert released.returncode == 0, released.stderr
    assert (tmp_path / "program.csv").read_bytes() == (tmp_path / "public.csv").read_bytes()
    parquet = program("release", "front", "--solution", str(best.id), "-o", "program.parquet", "--seed", "7", "--quiet")
    assert parquet.returncode == 0, parquet.stderr
    ours = kept[best.id].release(tmp_path / "ours.parquet", seed=7)
    theirs = polars.read_parquet(tmp_path / "program.parquet")
    assert polars.read_parquet(tmp_path / "ours.parquet").rows() == theirs.rows()
    assert made.texts(ours.frame) == made.texts(theirs)


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import people as made
import paretonym as pn
from test_example import described

front = described(made.frame("polars")).explore(privacy="k", loss="general", eta=0.02)
release = front.choose(max_loss=0.25, min_k=10).release()
assert release.frame.shape[0] == release.certificate["output"]["rows"]
assert front.to_frame().shape[0] == len(front)
print(front.to_dict()["solutions"])
"""


def test_nothing_but_the_standard_library_is_needed() -> None:
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    front = described(made.frame("polars")).explore(privacy="k", loss="general", eta=0.02)
    assert done.stdout.strip() == str(front.to_dict()["solutions"])


def test_a_path_is_a_table(tmp_path: Path) -> None:
    polars.DataFrame(made.columns()).write_parquet(tmp_path / "people.parquet")
    of_file = described(tmp_path / "people.parquet").explore(eta=0.02)
    of_frame = described(made.frame("polars")).explore(eta=0.02)
    assert of_file == of_frame
    assert of_file.choose(min_k=10).release().frame.shape[0] > 0


def test_the_columns_of_pandas_are_no_index() -> None:
    table = made.frame("pandas")
    assert pn.draft(table[table["age"] > 30]).columns == list(table.columns)


def test_dictionaries_nulls_and_other_types_read_like_those_of_a_file(tmp_path: Path) -> None:
    cells = made.columns()
    table = polars.DataFrame(cells).with_columns(
        polars.col("zip").cast(polars.Categorical),
        polars.when(polars.col("age") > 80).then(None).otherwise(polars.col("age")).alias("age"),
        polars.Series("day", [row % 40 for row in range(3000)], dtype=polars.Int32).cast(polars.Date),
        polars.Series("size", [row % 5 / 10 for row in range(3000)], dtype=polars.Float32),
        polars.Series("yes", [row % 2 == 0 for row in range(3000)]),
    )
    table.write_parquet(tmp_path / "people.parquet")
    drafts = [pn.draft(table), pn.draft(tmp_path / "people.parquet")]
    specs = [json.loads(json.dumps(study._spec)) for study in drafts]  # pyright: ignore[reportPrivateUsage]
    assert specs[0]["columns"] == specs[1]["columns"]
    fronts = [study.explore(eta=0.05) for study in drafts]
    assert fronts[0] == fronts[1]
    released = [front[len(front) // 2].release(seed=3) for front in fronts]
    assert made.texts(released[0].frame) == made.texts(released[1].frame)
