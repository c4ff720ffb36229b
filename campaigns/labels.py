"""What a cell of a release says of the value behind it, read as a stranger would read it."""

import re


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None


def same(one, other):
    if one == other:
        return True
    left, right = number(one), number(other)
    return left is not None and left == right


INTERVAL = re.compile(r"^([\[\(])(.*), (.*)([\]\)])$", re.S)
OPEN = re.compile(r"^(<=|<|>=|>|≤|≥) ?(.*)$", re.S)


class Unreadable(Exception):
    """A label that nobody understands."""


class Reader:
    """Reads the cells of one column. `values` are all values that the column has, missing ones by their label."""

    def __init__(self, column, values, missing_label):
        self.column, self.values, self.missing_label = column, set(values), missing_label
        known = set(values) | set(column.order or [])
        # The longest first, so that a value which begins like another is read whole.
        self.known = sorted(known, key=len, reverse=True)
        self.memo = {}

    def covers(self, label, value):
        key = (label, value)
        if key not in self.memo:
            self.memo[key] = self._covers(label, value)
        return self.memo[key]

    def _covers(self, label, value):
        column = self.column
        if label == "*" or same(label, value):
            return True
        if column.tree and label in column.tree:
            return value in column.tree[label]
        # A value that the study declares is one whether or not somebody has it.
        if label in self.values or any(label in leaves for leaves in (column.tree or {}).values()):
            return False
        if label == "any number":
            return number(value) is not None
        or_missing = f" or {self.missing_label}"
        if self.missing_label and label.endswith(or_missing):
            return value == self.missing_label or self.covers(label[: -len(or_missing)], value)
        if number(label) is not None and column.kind == "number":
            return False
        if label.startswith("{") and label.endswith("}"):
            return any(same(item, value) for item in self.items(label[1:-1]))
        interval = self.interval(label)
        if interval is not None:
            return self.inside(interval, value)
        if column.kind == "code" and label.endswith("*"):
            return self.masked(label, value)
        if column.kind == "date":
            found = self.period(label, value)
            if found is not None:
                return found
        # A set with its name, where two sets have one name.
        named = re.match(r"^(.*) \{(.*)\}'*$", label, re.S)
        if named:
            return any(same(item, value) for item in self.items(named.group(2)))
        raise Unreadable(f"nobody can tell what {label!r} in column {column.name} ({column.kind}) stands for")

    def items(self, text):
        """The values of a list; values may have commas of their own."""
        items, at = [], 0
        while at < len(text):
            for value in self.known:
                end = at + len(value)
                if value and text.startswith(value, at) and (end == len(text) or text.startswith(", ", end)):
                    items.append(value)
                    at = end + 2
                    break
            else:
                end = text.find(", ", at)
                end = len(text) if end < 0 else end
                items.append(text[at:end])
                at = end + 2
        return items

    def interval(self, label):
        """Low, whether it belongs, high, whether it belongs; None where open."""
        opened = OPEN.match(label)
        if opened and self.place(opened.group(2)) is not None:
            sign, end = opened.groups()
            if sign in ("<", "<=", "≤"):
                return None, False, end, sign != "<"
            return end, sign != ">", None, False
        closed = INTERVAL.match(label)
        if closed:
            # The ends of ordered texts may have commas.
            body = label[1:-1]
            for at in [found.start() for found in re.finditer(", ", body)]:
                low, high = body[:at], body[at + 2 :]
                if self.place(low) is not None and self.place(high) is not None:
                    return low, label[0] == "[", high, label[-1] == "]"
        # Ordered texts from one to another, both included.
        for at in [found.start() for found in re.finditer(" … ", label)]:
            low, high = label[:at], label[at + 3 :]
            if self.place(low) is not None and self.place(high) is not None:
                return low, True, high, True
        return None

    def place(self, text):
        """Where a value lies in the order of its column."""
        column = self.column
        if column.kind == "number":
            return number(text)
        if column.kind == "date":
            return text if re.match(r"^\d{4}-\d\d(-\d\d)?", text) else None
        if column.order and text in column.order:
            return column.order.index(text)
        if column.kind in ("code", "flat"):
            return text if text in self.values else None
        return None

    def inside(self, interval, value):
        low, with_low, high, with_high = interval
        place = self.place(value)
        if value == self.missing_label or place is None:
            return False
        # An interval of months holds all their days.
        as_exact = lambda end: place[: len(end)] if self.column.kind == "date" else place
        if low is not None:
            start = self.place(low)
            if not (start < as_exact(low) or (with_low and start == as_exact(low))):
                return False
        if high is not None:
            end = self.place(high)
            if not (as_exact(high) < end or (with_high and as_exact(high) == end)):
                return False
        return True

    def masked(self, label, value):
        stem = label.rstrip("*")
        return value.ljust(len(label), "*")[: len(stem)] == stem

    def period(self, label, value):
        if re.fullmatch(r"\d{4}-\d\d(-\d\d)?|\d{4}", label):
            return value.startswith(label)
        if re.fullmatch(r"\d{4}-Q[1-4]", label):
            return value[:4] == label[:4] and (int(value[5:7]) + 2) // 3 == int(label[6]) if value[4:5] == "-" else False
        if re.fullmatch(r"\d{3}0s", label):
            return value[:3] == label[:3] and re.match(r"^\d{4}-", value) is not None
        return None
