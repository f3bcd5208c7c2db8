"""Writes every command and option from the parser, in both languages.

The pages reference/command-line.md include what is written; what else stands there is written by
hand. `python docs/build.py` runs this.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from simhash_core.cli.parser import build
from simhash_core.i18n import translator

DOCS = Path(__file__).resolve().parent
FOLDERS = {"en": DOCS / "reference", "zh": DOCS / "zh" / "reference"}
#: what ends a sentence
_STOP = {"en": ".", "zh": "。"}


def written() -> dict[Path, str]:
    """Return every file that this script writes, with its content."""
    return {folder / "commands.inc": commands(language) for language, folder in FOLDERS.items()}


def commands(language: str) -> str:
    """Return a section for each command, as Markdown."""
    stop = _STOP[language]
    found = _commands(build(translator(language), whole=True))
    return "\n".join(_section(*command, stop) for command in found)


def _commands(
    parser: argparse.ArgumentParser, description: str = "", depth: int = 1
) -> Iterator[tuple[argparse.ArgumentParser, str, int]]:
    """Yield a parser and those of its commands, each with what it does."""
    yield parser, description or parser.description or "", depth
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            notes = {choice.dest: choice.help or "" for choice in action._get_subactions()}
            for name, inner in action.choices.items():
                yield from _commands(inner, notes[name], depth + 1)


def _section(parser: argparse.ArgumentParser, description: str, depth: int, stop: str) -> str:
    """Return the heading of a command and a table of what it takes, group by group."""
    lines = [
        f"{'#' * min(depth + 1, 4)} `{_synopsis(parser)}`",
        "",
        _sentence(description, stop),
        "",
    ]
    for group in parser._action_groups:
        rows = [
            (_names(action), _cell(action, stop))
            for action in group._group_actions
            if not isinstance(action, argparse._SubParsersAction | argparse._HelpAction)
        ]
        if not rows or (depth > 1 and all(names in _EVERYWHERE for names, _ in rows)):
            continue
        shown = [row for row in rows if depth == 1 or row[0] not in _EVERYWHERE]
        lines += [f"| {group.title} | |", "|--|--|", *(f"| {a} | {b} |" for a, b in shown), ""]
    return "\n".join(lines).rstrip() + "\n"


_EVERYWHERE = ("`--lang zh\\|en`", "`-q`, `--quiet`")


def _synopsis(parser: argparse.ArgumentParser) -> str:
    words = [parser.prog]
    for action in parser._actions:
        if not action.option_strings:
            name = _value(action)
            words.append({"*": f"[{name}...]", "+": f"{name}...", "?": f"[{name}]"}.get(
                str(action.nargs), name))  # fmt: skip
        elif action.required:
            words.append(f"{action.option_strings[-1]} {_value(action)}")
    return " ".join(words)


def _names(action: argparse.Action) -> str:
    names = action.option_strings
    if not names:
        return f"`{_value(action)}`"
    if action.nargs == 0:
        return ", ".join(f"`{name}`" for name in names)
    *short, last = names
    return ", ".join([*(f"`{name}`" for name in short), f"`{last} {_value(action)}`"])


def _value(action: argparse.Action) -> str:
    """Return what stands for the value of an option."""
    if isinstance(action.metavar, str):
        return action.metavar.replace("|", "\\|") if action.option_strings else action.metavar
    choices = action.choices
    if choices is not None and not isinstance(action, argparse._SubParsersAction):
        return "\\|".join(map(str, choices))
    return action.dest.upper()


def _cell(action: argparse.Action, stop: str) -> str:
    note = _sentence((action.help or "").replace("%%", "%").replace("|", "\\|"), stop)
    default = action.default
    plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    known = default in ("", 0, argparse.SUPPRESS) or str(default) in note
    if known or not (action.option_strings and plain):
        return note
    return f"{note}默认：`{default}`。" if stop == "。" else f"{note} Default: `{default}`."


def _sentence(text: str, stop: str) -> str:
    """Return a help text as a sentence of its own."""
    text = re.sub(r"\s+", " ", text).strip()
    text = text.replace("[^", "\\[^")  # no footnote
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(stop) or not text else stop}"
