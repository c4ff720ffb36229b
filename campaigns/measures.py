"""k, l, t and the rest, counted from rows of text with nothing but dictionaries."""

import collections
import math


def groups_of(rows, places):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[tuple(row[place] for place in places)].append(row)
    return groups


def frequency_l(counts):
    return sum(counts) // max(counts)


def distinct_l(counts):
    return len(counts)


def entropy_l(counts):
    total = sum(counts)
    return math.exp(-sum(count / total * math.log(count / total) for count in counts))


def recursive_l(counts, c):
    counts = sorted(counts, reverse=True)
    best = 0
    for l in range(1, len(counts) + 1):
        if counts[0] < c * sum(counts[l - 1 :]):
            best = l
    return best


def alpha(counts):
    return max(counts) / sum(counts)


def distance(column, group, table):
    """Earth mover's distance of two counters of values."""
    group_rows, table_rows = sum(group.values()), sum(table.values())
    extra = lambda value: group[value] / group_rows - table[value] / table_rows
    if column.kind == "tree":
        lines = column.levels
        height = len(lines[0]) - 1
        work, below = 0.0, {line[0]: extra(line[0]) for line in lines}
        for level in range(1, height + 1):
            nodes = collections.defaultdict(dict)
            for line in lines:
                nodes[line[level]][line[level - 1]] = below[line[level - 1]]
            below = {}
            for node, children in nodes.items():
                surplus = sum(max(value, 0.0) for value in children.values())
                shortage = sum(max(-value, 0.0) for value in children.values())
                work += level / height * min(surplus, shortage)
                below[node] = surplus - shortage
        return work
    if column.order is None:
        return sum(abs(extra(value)) for value in set(group) | set(table)) / 2
    # Numbers that nobody has are no step on the way; declared values are.
    order = column.order if column.kind == "ordinal" else [value for value in column.order if table[value]]
    carried = work = 0.0
    for value in order[:-1]:
        carried += extra(value)
        work += abs(carried)
    return work / (len(order) - 1) if len(order) > 1 else 0.0
