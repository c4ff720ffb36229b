#!/usr/bin/env python3
"""Writes docs/python.md, the reference of the package, from its signatures and docstrings."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path

import paretonym as pn

PLACE = Path(__file__).parent.parent.parent / "docs" / "python.md"

HEAD = """# Python

Written from the package by `crates/paretonym-py/reference.py`. A first way through all of it is the
[tutorial](python-tutorial.ipynb).

```sh
pip install ./crates/paretonym-py
```

"""

FUNCTIONS = ["draft", "audit", "compare", "reapply", "catalog"]
COLUMNS = ["breaks", "levels", "cuts", "taxonomy", "prefixes", "dates", "flat"]
CLASSES = ["Study", "Column", "Front", "Solution", "Release", "Anonymizer"]


def main() -> None:
    """Writes the reference, or with --check says whether it is as it should be."""
    text = page()
    if "--check" in sys.argv:
        sys.exit(0 if PLACE.read_text(encoding="utf-8") == text else f"{PLACE} is out of date: run {__file__}")
    PLACE.write_text(text, encoding="utf-8")


def page() -> str:
    """The whole reference."""
    parts = [HEAD, prose(pn.__doc__)]
    for title, names in (("Functions", FUNCTIONS), ("What can be said of a column", COLUMNS)):
        parts.append(f"\n## {title}\n")
        parts += [entry(name, getattr(pn, name), 3) for name in names]
    for name in CLASSES:
        kind = getattr(pn, name)
        parts.append(f"\n## {name}\n\n{prose(kind.__doc__)}")
        if name == "Anonymizer":
            parts.append(f"\n```python\n{signature(name, kind)}\n```\n")
        for member, value in vars(kind).items():
            if member.startswith("_") or not (callable(value) or isinstance(value, (property, classmethod))):
                continue
            parts.append(entry(f"{name}.{member}", value, 3))
    parts.append("\n## Exceptions\n\n")
    errors = [value for value in vars(pn).values() if isinstance(value, type) and issubclass(value, pn.ParetonymError)]
    parts += [f"- `{error.__name__}`: {error.__doc__}\n" for error in errors]
    return "".join(parts)


def entry(name: str, thing: object, depth: int) -> str:
    """A function, a method or a property."""
    head = "#" * depth
    if isinstance(thing, property):
        settable = " (can be set)" if thing.fset else ""
        return f"\n{head} `{name}`{settable}\n\n{prose(thing.__doc__)}"
    own = thing.__func__ if isinstance(thing, classmethod) else thing
    return f"\n{head} `{name}`\n\n```python\n{signature(name, own)}\n```\n\n{prose(own.__doc__)}"


def signature(name: str, thing: object) -> str:
    """A signature, in one line or in one for each parameter."""
    assert callable(thing)
    told = inspect.signature(thing)
    kept = [own for key, own in told.parameters.items() if key not in ("self", "cls")]
    listed = [parameter(own) for own in kept]
    first = next((at for at, own in enumerate(kept) if own.kind is inspect.Parameter.KEYWORD_ONLY), None)
    if first is not None and all(own.kind is not inspect.Parameter.VAR_POSITIONAL for own in kept):
        listed.insert(first, "*")
    ending = f") -> {annotation(told.return_annotation)}" if told.return_annotation is not inspect.Signature.empty else ")"
    text = f"{name}({', '.join(listed)}{ending}"
    return text if len(text) <= 100 else name + "(\n" + "".join(f"    {one},\n" for one in listed) + ending


def parameter(own: inspect.Parameter) -> str:
    """A parameter with its type and its default."""
    star = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(own.kind, "")
    default = "" if own.default is inspect.Parameter.empty else f" = {own.default!r}"
    return f"{star}{own.name}: {annotation(own.annotation)}{default}"


def annotation(told: object) -> str:
    """A type as it is written in the module, without quotes around names of classes."""
    text = told if isinstance(told, str) else getattr(told, "__name__", str(told))
    return text.replace("'os.PathLike[str]'", "os.PathLike[str]")


def prose(doc: str | None) -> str:
    """A docstring, its examples as code."""
    lines, example = [], False
    for line in inspect.cleandoc(doc or "").splitlines():
        starts = line.startswith(">>>")
        if starts and not example:
            lines.append("```python")
        elif example and not line.strip():
            lines.append("```")
            example = False
        example = example or starts
        lines.append(line)
    return "\n".join([*lines, *(["```"] if example else [])]) + "\n"


if __name__ == "__main__":
    main()
