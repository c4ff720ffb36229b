"""What tests share: the table, and the program beside the package."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import people as made
import pytest

Program = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def people() -> Any:
    """The table as polars holds it."""
    return made.frame("polars")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The program, in a folder of its own: that of $PARETONYM, or the one in the package."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        own = os.environ.get("PARETONYM")
        command = [own] if own else [sys.executable, "-m", "paretonym"]
        return subprocess.run([*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)

    return run
