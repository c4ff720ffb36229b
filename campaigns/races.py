#!/usr/bin/env python3
"""Several releases of one new name at once: one of them succeeds, the others are refused, and what is there belongs together."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from common import Wrong, arguments, campaign, consistent

RACES_PER_CASE = 20


def one(program, random, number):
    program.must("demo", "--rows", 1500, "--seed", random.randrange(1, 1000), "-o", "front", "--quiet")
    ids = [solution["id"] for solution in program.json("front/front.json")["solutions"]]
    counts = {"races": 0}
    for at in range(RACES_PER_CASE):
        name = f"out{at}.csv"
        runners = random.sample(ids, min(len(ids), random.choice([2, 3])))
        processes = [program.start("release", "front", "--solution", solution, "-o", name, "--quiet") for solution in runners]
        said = [process.communicate()[1].decode("utf-8", "replace").strip() for process in processes]
        codes = [process.returncode for process in processes]
        if codes.count(0) != 1 or codes.count(2) != len(codes) - 1:
            raise Wrong(f"{len(codes)} releases of one name ended with {codes}: {said}")
        if not program.exists(name):
            raise Wrong("a release succeeded and is not there")
        consistent(program, name)
        winner = runners[codes.index(0)]
        if program.json(name + ".certificate.json")["solution"] != winner:
            raise Wrong("the certificate is of a release that was refused")
        counts["races"] += 1
    return counts


if __name__ == "__main__":
    options = arguments(__doc__, 200)
    campaign(options, "races", one, options.count, goal="races")
