"""Runs programs and tells what they took: processor seconds of all their threads and children, time of day, peak memory."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    """A program ended with an error; what it took until then."""

    def __init__(self, text, took=None):
        super().__init__(text)
        self.took = took


def run(command, threads=None, folder=None, environment=None):
    """Runs a command to its end; what it took, and what it printed."""
    variables = dict(os.environ, **(environment or {}))
    if threads:
        variables["RAYON_NUM_THREADS"] = str(threads)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        started = time.monotonic()
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=said, cwd=folder, env=variables)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.monotonic() - started
        # The child is waited for already; the object must not wait for its number again.
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said.seek(0)
        printed, messages = out.read().decode("utf-8", "replace"), said.read().decode("utf-8", "replace")
    # Linux counts the peak in KiB, macOS in bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    took = {"cpu_seconds": used.ru_utime + used.ru_stime, "wall_seconds": wall, "peak_mib": used.ru_maxrss / unit}
    if process.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} ended with {process.returncode}: {messages.strip()[-600:]}", took)
    return took, printed


def last_json(text):
    """The last line that a peer printed, which holds what it measured of itself."""
    return json.loads(text.strip().splitlines()[-1])


def load():
    """How many programs wanted a core in the last minute, and how many cores there are."""
    return {"load": round(os.getloadavg()[0], 2), "cores": os.cpu_count()}


def summary(samples):
    """Best and median of repeated measurements, and how far apart they lie."""
    found = {}
    for name in ("cpu_seconds", "wall_seconds", "peak_mib"):
        values = [sample[name] for sample in samples]
        found[name] = {"best": min(values), "median": statistics.median(values), "most": max(values)}
    return found


def markdown(head, rows):
    """A table in Markdown."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def figure(number):
    """A number with as many digits as matter."""
    if number is None:
        return "–"
    return f"{number:.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def put(page, name, text):
    """Replaces what stands between the marks of a name in a page."""
    whole = page.read_text(encoding="utf-8")
    first, last = f"<!-- bench: {name} -->\n", f"<!-- end: {name} -->"
    if whole.count(first) != 1 or whole.count(last) != 1:
        raise Failed(f"{page} has no marks for {name}")
    head, rest = whole.split(first)
    page.write_text(head + first + text.rstrip() + "\n" + last + rest.split(last)[1], encoding="utf-8")
