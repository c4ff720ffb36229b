"""How far long work is: a bar in terminals and notebooks, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

Told = Callable[[str, int, "int | None"], None]

WAIT = 0.3
"""Seconds before a bar appears: most work is done by then."""


class Bar:
    """A bar that appears after a while and goes away with the work."""

    def __init__(self, wanted: bool | None) -> None:
        self._start = time.monotonic()
        self._last = 0.0
        self._shown: Any = None
        self._notebook = wanted is not False and _in_notebook()
        self._terminal = not self._notebook and (wanted is True or (wanted is None and sys.stderr.isatty()))

    def told(self) -> Told | None:
        """The function that hears how far the work is; none where nobody looks."""
        return self._hear if self._notebook or self._terminal else None

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown is None:
            return
        if self._notebook:
            self._shown.update(_html(""))
        else:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _hear(self, phase: str, done: int, steps: int | None) -> None:
        now = time.monotonic()
        if now - self._start < WAIT or now - self._last < 0.1:
            return
        self._last = now
        share = min(1.0, done / steps) if steps else None
        if self._notebook:
            value = "" if share is None else f' value="{share:.3f}"'
            page = _html(f"<progress{value}></progress> <code>{phase}</code>")
            if self._shown is None:
                self._shown = _display(page)
            else:
                self._shown.update(page)
            return
        self._shown = True
        bar = f"{done}" if share is None else f"[{'#' * int(30 * share):<30}] {share:.0%}"
        sys.stderr.write(f"\r\x1b[K{phase} {bar}")
        sys.stderr.flush()


def _in_notebook() -> bool:
    """Whether somebody looks through a notebook."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _html(text: str) -> Any:
    from IPython.display import HTML

    return HTML(text)


def _display(page: Any) -> Any:
    from IPython.display import display

    return display(page, display_id=True)
