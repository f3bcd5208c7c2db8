"""Writes docs/reference/python.md, the names of `import leitong`, from their docstrings.

`python docs/build.py` runs this.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import leitong
from simhash_core.i18n import translator
from simhash_core.settings import FROM_PRESET, Settings

PAGE = Path(__file__).with_name("reference") / "python.md"
#: functions first, then what they return, then what they take
ORDER = (
    "check",
    "compare",
    "near_duplicates",
    "fingerprint",
    "hamming",
    "reposts",
    "load",
    "web_log",
    "Library",
    "Result",
    "Table",
    "Comparison",
    "Reposts",
    "WebSearch",
)
ORDER += ("Settings", "Document", "LeitongError")
LINE = 100
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
_ENTRY = re.compile(r"^(\S.*)\n((?:    .*\n|\n)*)", re.MULTILINE)


def written() -> dict[Path, str]:
    """Return the page with its content."""
    return {PAGE: page()}


def page() -> str:
    """Return the page as Markdown."""
    assert sorted(ORDER) == sorted(leitong.__all__), "ORDER has every name of the door"
    parts = [
        "# Leitong in Python\n",
        "Made by `docs/python_reference.py` from the docstrings; the tests run every example.\n",
        "\n".join(f"- [`{name}`](#{_anchor(name)}): {_first(name)}" for name in ORDER) + "\n",
        _body(inspect.getdoc(leitong) or ""),
        *(part for name in ORDER for part in _described(name)),
    ]
    return "\n".join(filter(None, parts)).rstrip() + "\n"


def _heading(name: str) -> str:
    return f"class {name}" if inspect.isclass(getattr(leitong, name)) else name


def _anchor(name: str) -> str:
    return _heading(name).lower().replace(" ", "-")


def _first(name: str) -> str:
    doc = inspect.getdoc(getattr(leitong, name)) or ""
    return " ".join(doc.split("\n\n")[0].split())


def _described(name: str) -> Iterator[str]:
    """Yield a name, and what is public in a class that the door made."""
    thing = getattr(leitong, name)
    doc = inspect.getdoc(thing) or ""
    yield f"## {_heading(name)}\n"
    yield _signature(name, thing) if "Parameters\n---" in doc else ""
    yield _body(doc)
    if thing is Settings:
        yield _settings()
    if inspect.isclass(thing) and thing.__module__.startswith("leitong"):
        for key, member in vars(thing).items():
            if not key.startswith("_") and (callable(member) or isinstance(member, property)):
                yield f"### {name}.{key}\n"
                yield "" if isinstance(member, property) else _signature(key, member)
                yield _body(inspect.getdoc(member) or "")
    elif thing is leitong.Document:
        yield "### Document.from_text\n"
        yield _body(inspect.getdoc(thing.from_text) or "")


def _signature(name: str, thing: Callable[..., Any]) -> str:
    """Return how something is called, one argument a line where one line is too short."""
    signature = inspect.signature(thing)
    arguments, starred = [], False
    for argument in signature.parameters.values():
        if argument.name == "self" or argument.annotation == "Never":  # taken to be refused
            continue
        star = "*" if argument.kind is argument.VAR_POSITIONAL else ""
        starred = starred or bool(star)
        if argument.kind is argument.KEYWORD_ONLY and not starred:
            arguments.append("*")
            starred = True
        default = "" if argument.default is argument.empty else f" = {argument.default!r}"
        arguments.append(f"{star}{argument.name}: {argument.annotation}{default}")
    returned = signature.return_annotation
    end = ")" if returned is signature.empty or inspect.isclass(thing) else f") -> {returned}"
    line = f"{name}({', '.join(arguments)}{end}"
    if len(line) > LINE:
        line = f"{name}(\n" + "".join(f"    {one},\n" for one in arguments) + end
    return f"```py\n{line}\n```\n"


def _body(doc: str) -> str:
    """Return a docstring: its sections under a bold line, entries as a list, examples as code."""
    head, *sections = _SECTION.split(doc + "\n")
    parts = [_examples(head)]
    for title, text in zip(sections[::2], sections[1::2], strict=True):
        entries = title in ("Parameters", "Attributes", "Returns", "Raises")
        parts.append(f"**{title}**\n\n{_entries(text) if entries else _examples(text)}")
    return "\n".join(part for part in parts if part.strip())


def _entries(text: str) -> str:
    lines = []
    for term, about in _ENTRY.findall(text.strip() + "\n"):
        said = " ".join(textwrap.dedent(about).split())
        name, colon, kind = term.partition(" : ")
        shown = f"`{name}` ({kind})" if colon else f"`{name}`"
        lines.append(f"- {shown}: {said}" if said else f"- {shown}")
    return "\n".join(lines) + "\n"


def _examples(text: str) -> str:
    """Fence what runs, and leave what is read."""
    blocks = []
    for block in re.split(r"\n\s*\n", text.strip()):
        fenced = block.lstrip().startswith(">>> ")
        blocks.append(f"```pycon\n{block}\n```" if fenced else block)
    return "\n\n".join(filter(None, blocks)).replace("\n```\n\n```pycon\n", "\n") + "\n"


def _settings() -> str:
    """Return every setting with its bounds."""
    t = translator("en")
    lines = ["| setting | default | allowed | what it does |", "|---|---|---|---|"]
    for spec in dataclasses.fields(Settings):
        bounds, default = spec.metadata, spec.default
        allowed = ", ".join(map(str, bounds["choices"])) if bounds["choices"] else str(spec.type)
        if bounds["low"] is not None:
            allowed = f"{bounds['low']} to {bounds['high']} {bounds['unit']}".strip()
        usual = "of the preset" if default is FROM_PRESET else f"`{default!r}`"
        label = t(f"settings.{spec.name}.label")
        cells = (f"`{spec.name}`", usual, allowed.replace("|", "or"), label)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
