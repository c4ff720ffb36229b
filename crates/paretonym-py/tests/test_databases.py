"""Tables in databases, through ADBC: the same front and release as from a frame, and mistakes that are told."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import people as made
import pytest

import paretonym as pn

KINDS = ["SQLITE", "DUCKDB"]


@pytest.fixture(params=KINDS)
def connections(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database with the people in it, as databases/set-up has installed its driver; skipped where it has not."""
    kind = request.param
    installed = Path(os.environ.get("PARETONYM_DATABASES", "nowhere")) / "drivers.env"
    lines = installed.read_text().splitlines() if installed.is_file() else []
    drivers = dict(line.split("=", 1) for line in lines)
    if kind not in drivers:
        pytest.skip(f"no driver of {kind} here")
    cells = made.columns()
    names, rows = list(cells), list(zip(*cells.values()))
    described = tmp_path / "connections.toml"
    table = "create table people (age integer, sex text, zip text, diagnosis text)"
    if kind == "SQLITE":
        with sqlite3.connect(tmp_path / "people.db") as connection:
            connection.execute(table)
            connection.executemany(f"insert into people ({', '.join(names)}) values (?, ?, ?, ?)", rows)
        connection.close()
        entry, option = "", "uri"
    else:
        import duckdb

        frame: Any = made.frame("pyarrow", cells)  # noqa: F841  (named in the statement)
        filled = duckdb.connect(str(tmp_path / "people.db"), config={"storage_compatibility_version": "v1.0.0"})
        filled.execute(table)
        filled.execute("insert into people select * from frame")
        filled.close()
        entry, option = 'entrypoint = "duckdb_adbc_init"\n', "path"
    place = str(tmp_path / "people.db")
    described.write_text(f'[warehouse]\ndriver = "{drivers[kind]}"\n{entry}options = {{ {option} = "{place}" }}\n')
    return described


def described(study: pn.Study) -> pn.Study:
    """What is to be found out about the people."""
    study["age"].recode = pn.breaks(width=5)
    study["zip"].taxonomy = pn.prefixes(5, 3, 1)
    study["diagnosis"].role = "sensitive"
    return study


def test_a_database_gives_the_front_and_the_release_of_a_frame(connections: Path, people: Any, tmp_path: Path) -> None:
    theirs = described(pn.draft("database:warehouse/people", connections=connections)).explore(eta=0.02)
    ours = described(pn.draft(people)).explore(eta=0.02)
    points = [(one.k, one.loss) for one in theirs]
    assert points == [(one.k, one.loss) for one in ours] and len(points) > 3
    best = theirs.choose(max_loss=0.5)
    released = best.release(tmp_path / "public.csv", seed=7)
    assert released.certificate["measured"]["k"] == best.k
    audit = pn.audit(tmp_path / "public.csv", quasi=made.QUASI, sensitive=["diagnosis"])
    assert audit["k"] == best.k and audit["rows"] == released.certificate["output"]["rows"]
    same = next(one for one in ours if (one.k, one.loss) == (best.k, best.loss))
    assert made.texts(released.frame) == made.texts(same.release().frame)


def test_mistakes_in_databases_are_told_and_nothing_is_written(connections: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(pn.ParetonymError, match="there is no such table"):
        pn.draft("database:warehouse/poeple", connections=connections)
    with pytest.raises(pn.ParetonymError, match='did you mean "warehouse"'):
        pn.draft("database:warehous/people", connections=connections)
    with pytest.raises(pn.ParetonymError, match="connections.toml"):
        pn.draft("database:warehouse/people", connections=tmp_path / "no" / "connections.toml")
    assert sorted(tmp_path.iterdir()) == before


def test_a_table_that_changed_is_not_released(connections: Path, tmp_path: Path) -> None:
    front = described(pn.draft("database:warehouse/people", connections=connections)).explore(eta=0.02, out=tmp_path / "front")
    if "duckdb" in connections.read_text():
        import duckdb

        changed: Any = duckdb.connect(str(tmp_path / "people.db"))
    else:
        changed = sqlite3.connect(tmp_path / "people.db")
    changed.execute("delete from people where age < 30")
    changed.commit()
    changed.close()
    with pytest.raises(pn.ParetonymError, match="the table has changed"):
        front.choose(min_k=2).release(tmp_path / "public.csv")
    assert not (tmp_path / "public.csv").exists()
