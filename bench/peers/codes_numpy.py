"""No peer but a limit: reads the codes of all tuples once for each evaluation, and does nothing with them.

    codes_numpy.py CODES.json EVALUATIONS
"""

import json
import sys

import numpy
from measured import measured

with open(sys.argv[1], encoding="utf-8") as text:
    TUPLES = json.load(text)["tuples"]
CODES = numpy.array(TUPLES, dtype=numpy.uint8).T.ravel()
WORDS = numpy.resize(CODES, (len(CODES) + 7) // 8 * 8).view(numpy.uint64)


def passes():
    found = 0
    for _ in range(int(sys.argv[2])):
        found ^= int(numpy.bitwise_xor.reduce(WORDS))
    return {"bytes": len(CODES)}


measured("search", "one pass over the codes", numpy.__version__, passes)
