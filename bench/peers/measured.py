"""What the peers' scripts share: one line of JSON about a piece of work, without the time that importing takes."""

import json
import resource
import time


def used():
    """Processor seconds of this process, its threads and its children."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measured(work, peer, version, function):
    """Does the work and prints what it took; `function` returns what was found."""
    cpu, wall = used(), time.monotonic()
    result = function()
    cpu, wall = used() - cpu, time.monotonic() - wall
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024
    line = {"work": work, "peer": peer, "version": version, "cpu_seconds": cpu, "wall_seconds": wall, "peak_mib": peak}
    print(json.dumps({**line, "result": result}))
