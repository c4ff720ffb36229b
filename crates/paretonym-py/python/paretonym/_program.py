"""The `paretonym` command."""

import signal
import sys

from . import _native


def main() -> int:
    """Runs the program with the arguments of the process; its exit code."""
    # The program stops at Ctrl-C by itself, and keeps what it has.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["paretonym", *sys.argv[1:]])
