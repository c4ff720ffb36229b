"""Searches the 105 breaks of Adult by pymoo's NSGA-II with binary variables: search_pymoo.py CODES.json EVALUATIONS SEED

CODES.json holds the number of leaves of each column and the distinct tuples with their rows (see adult.py). A recoding is judged
as ours judges it: the largest cut-off within the budget is what NSGA-II ranks, and every cut-off that fits joins the front.
"""

import json
import math
import sys

import numpy
import pymoo
from measured import measured
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.operators.crossover.ux import UniformCrossover
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.optimize import minimize

POPULATION = 200


class Breaks(Problem):
    """Most k, least general loss, at most a share of the rows suppressed."""

    def __init__(self, data):
        self.leaves = data["leaves"]
        self.codes = numpy.array(data["tuples"], dtype=numpy.int32).T.copy()
        self.counts = numpy.array(data["counts"], dtype=numpy.int64)
        self.rows = int(self.counts.sum())
        self.budget = int(data["eta"] * self.rows)
        self.front = {}
        super().__init__(n_var=sum(self.leaves) - len(self.leaves), n_obj=2, vtype=bool)

    def _evaluate(self, population, out, *_, **__):
        out["F"] = numpy.array([self.judge(bits) for bits in population])

    def judge(self, bits):
        """The costs of the outcome that spends the budget; all outcomes are put into the front."""
        first = 0
        keys, loss = numpy.zeros(len(self.counts), dtype=numpy.int64), numpy.zeros(len(self.counts))
        for column, leaves in enumerate(self.leaves):
            sets = numpy.zeros(leaves, dtype=numpy.int64)
            numpy.cumsum(bits[first : first + leaves - 1], out=sets[1:])
            first += leaves - 1
            widths = numpy.bincount(sets)
            cost = (widths - 1) / (leaves - 1)
            shown = sets[self.codes[column]]
            keys *= len(widths)
            keys += shown
            loss += cost[shown]
        _, group = numpy.unique(keys, return_inverse=True)
        sizes = numpy.bincount(group, weights=self.counts).astype(numpy.int64)
        lost = numpy.bincount(group, weights=self.counts * loss) / (self.rows * len(self.leaves))
        order = numpy.argsort(sizes, kind="stable")
        return self.outcomes(sizes[order], lost[order])

    def outcomes(self, sizes, lost):
        """One outcome for each number of smallest sizes whose rows fit the budget."""
        gone = numpy.concatenate(([0], numpy.cumsum(sizes)))
        left = lost.sum() - numpy.concatenate(([0], numpy.cumsum(lost)))
        starts = numpy.concatenate(([0], numpy.flatnonzero(numpy.diff(sizes)) + 1))
        starts = starts[gone[starts] <= min(self.budget, self.rows - 1)]
        costs = left[starts] + gone[starts] / self.rows
        for k, cost in zip(sizes[starts].tolist(), costs.tolist()):
            if cost < self.front.get(k, 2.0):
                self.front[k] = cost
        return -math.log(sizes[starts[-1]]), costs[-1]


class Densities(Sampling):
    """First recodings from few breaks to many, which serves better than half of all breaks in each."""

    def _do(self, problem, n_samples, *_, random_state=None, **__):
        random = random_state or numpy.random
        share = numpy.linspace(0.01, 0.5, n_samples)[:, None]
        return random.random((n_samples, problem.n_var)) < share


def hypervolume(front, rows):
    """The area under the front over ln k / ln n and 1 - loss."""
    area, best = 0.0, 0.0
    for k, loss in sorted(front, reverse=True):
        width, height = math.log(k) / math.log(rows), 1 - loss
        if height > best:
            area, best = area + width * (height - best), height
    return area


def search():
    path, evaluations, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open(path, encoding="utf-8") as text:
        problem = Breaks(json.load(text))
    mutation = BitflipMutation(prob=1.0, prob_var=1.0 / problem.n_var)
    algorithm = NSGA2(POPULATION, sampling=Densities(), crossover=UniformCrossover(), mutation=mutation, eliminate_duplicates=True)
    found = minimize(problem, algorithm, ("n_eval", evaluations), seed=seed)
    area = hypervolume([(k, loss) for k, loss in problem.front.items() if loss < 1], problem.rows)
    return {"hypervolume": area, "evaluated": int(found.algorithm.evaluator.n_eval), "seed": seed}


measured("search", "pymoo", pymoo.__version__, search)
