#!/usr/bin/env python3
"""Kills the program at random moments while it replaces a release, or a front. Whatever is there afterwards belongs together,
and the next run succeeds."""

import json
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from common import Wrong, arguments, campaign, consistent

KILLS_PER_CASE = 20
ROWS = 4000


def kill(program, random, words, seconds):
    """Runs the program and kills it; whether it was still running."""
    process = program.start(*words)
    # Names are given at the end, so that this is where most can go wrong.
    share = random.random() * 1.1 if random.random() < 0.5 else 0.75 + 0.35 * random.random()
    time.sleep(seconds * share)
    running = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    if not running and process.returncode != 0:
        raise Wrong(f"{' '.join(map(str, words))} ended with {process.returncode}")
    return running


def timed(program, *words):
    start = time.monotonic()
    program.must(*words)
    return time.monotonic() - start


def k_of(program, name, quasi):
    return json.loads(program.must("audit", name, "--quasi", quasi, "--json"))["k"]


def one(program, random, number):
    program.must("demo", "--rows", ROWS, "--seed", random.randrange(1, 1000), "-o", "front", "--quiet")
    front = program.json("front/front.json")
    ids = [solution["id"] for solution in front["solutions"]]
    k_by_id = {solution["id"]: solution["k"] for solution in front["solutions"]}
    quasi = ",".join(front["solutions"][0]["recoding"])
    counts = {"kills": 0, "too late": 0}
    program.must("release", "front", "--solution", ids[0], "-o", "out.csv", "--quiet")
    program.must("release", "front", "--solution", ids[len(ids) // 2], "-o", "base.csv", "--quiet")
    for at in range(KILLS_PER_CASE):
        what = random.choice(["release", "release", "reapply", "explore"])
        if what == "explore":
            words = ["explore", "front/census.toml", "-o", "other", "--eta", random.choice(["0.01", "0.1"]), "--quiet"]
        elif what == "release":
            words = ["release", "front", "--solution", random.choice(ids), "-o", "out.csv", "--force", "--quiet"]
        else:
            words = ["reapply", "base.csv.recoding.json", "front/census.csv", "-o", "out.csv", "--force", "--quiet", "--no-fresh", "--unknown", "suppress"]
        seconds = timed(program, *words)
        if what == "release":
            # Over the release of another solution.
            words[3] = random.choice(ids)
        counts["kills" if kill(program, random, words, seconds) else "too late"] += 1
        consistent(program, "out.csv")
        if what == "explore":
            after_explore(program, quasi)
        program.must(*words)
        consistent(program, "out.csv")
        if what == "release" and k_of(program, "out.csv", quasi) != k_by_id[words[3]]:
            raise Wrong("a second run released something else")
    return counts


def after_explore(program, quasi):
    """A front that was being replaced is still released as it says, or refused."""
    if not program.exists("other/front.json"):
        return
    solution = program.json("other/front.json")["solutions"][0]
    code, _, said = program.run("release", "other", "--solution", solution["id"], "-o", "check.csv", "--force", "--quiet")
    if code not in (0, 2):
        raise Wrong(f"release after a killed explore ended with {code}: {said.strip()}")
    if code == 0 and k_of(program, "check.csv", quasi) != solution["k"]:
        raise Wrong("a front whose successor was killed is not what it says")


if __name__ == "__main__":
    options = arguments(__doc__, 300)
    campaign(options, "kills", one, options.count, goal="kills")
