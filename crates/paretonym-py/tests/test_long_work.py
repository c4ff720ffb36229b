"""Long work: other threads go on, and Ctrl-C gives the best front so far."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import people as made

import paretonym as pn

LONG = {"optimizer": "nsga2", "population": 200, "generations": 1_000_000}

INTERRUPTED = """
import os, signal, sys, threading, time
import people as made
import paretonym as pn
from test_long_work import described, LONG

study = described(made.columns(20_000))
def interrupt():
    time.sleep(1.5)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
front = study.explore(max_seconds=30, **LONG)
assert not front.complete and len(front) > 0
print(len(front), front.to_dict()["seconds"])
"""


def described(cells: dict[str, list[Any]]) -> pn.Study:
    study = pn.draft(made.frame("polars", cells))
    study["age"].recode = pn.breaks(width=1)
    return study


def test_ctrl_c_gives_the_best_front_so_far() -> None:
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], cwd=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    solutions, seconds = done.stdout.split()
    assert int(solutions) > 0 and float(seconds) < 30


def test_another_thread_goes_on() -> None:
    study = described(made.columns(20_000))
    steps = 0
    over = threading.Event()

    def count() -> None:
        nonlocal steps
        while not over.is_set():
            steps += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = steps
    front = study.explore(max_seconds=1, **LONG)  # type: ignore[arg-type]
    gone = steps - before
    over.set()
    counter.join()
    # Without the interpreter it would have stood still.
    assert gone > 10_000 and not front.complete


def test_a_bar_hears_of_the_work(monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setattr("paretonym._progress.WAIT", 0.0)
    described(made.columns(20_000)).explore(max_seconds=0.5, progress=True, **LONG)  # type: ignore[arg-type]
    shown = capsys.readouterr().err
    assert "\r" in shown and shown.endswith("\r\x1b[K")


def test_the_command_is_in_the_package() -> None:
    done = subprocess.run([sys.executable, "-m", "paretonym", "catalog"], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "max-suppression" in done.stdout
    wrong = subprocess.run([sys.executable, "-m", "paretonym", "audit", "no.csv"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "--quasi" in wrong.stderr
