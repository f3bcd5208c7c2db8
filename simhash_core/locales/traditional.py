"""Traditional Chinese as in Taiwan, made of the Chinese catalogues: run it after they change.

python simhash_core/locales/traditional.py      writes locales/zh_Hant

OpenCC's table of Taiwan's words first, then ours, `traditional.tsv`, for what it cuts or names
otherwise. What a language says of itself (`language.po`) is written by hand and left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import opencc

HERE = Path(__file__).parent
SOURCE, TARGET = "zh", "zh_Hant"
BY_HAND = "language.po"
#: a line of a catalogue that is a sentence or more of one; keys are on lines of `msgid`
_SENTENCE = re.compile(r'^(msgstr(?:\[\d\])? )?(".*")$', re.MULTILINE)


def catalogues() -> dict[str, str]:
    """Return the text of each catalogue to write, by its file name."""
    folder = HERE / SOURCE / "LC_MESSAGES"
    return {
        path.name: _catalogue(path.read_text("utf-8"))
        for path in sorted(folder.glob("*.po"))
        if path.name != BY_HAND
    }


def _catalogue(text: str) -> str:
    head, blank, rest = text.partition("\n\n")
    named = head.replace(f'"Language: {SOURCE}\\n"', f'"Language: {TARGET}\\n"')
    return f"{named}{blank}{_SENTENCE.sub(_line, rest)}"


def _line(line: re.Match[str]) -> str:
    return f"{line[1] or ''}{traditional(line[2])}"


def traditional(sentence: str) -> str:
    """Return a sentence in traditional letters and the words of Taiwan."""
    convert, terms, pattern = _tables()
    return pattern.sub(lambda match: terms[match[0]], convert(sentence))


@cache
def _tables() -> tuple[Callable[[str], str], dict[str, str], re.Pattern[str]]:
    lines = (HERE / "traditional.tsv").read_text("utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    terms = {row[0]: row[1] if row[1:] and row[1] else row[0] for row in rows}
    longest_first = sorted(terms, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    return opencc.OpenCC("s2twp").convert, terms, pattern


def write() -> None:
    """Write every catalogue."""
    folder = HERE / TARGET / "LC_MESSAGES"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in catalogues().items():
        (folder / name).write_text(text, "utf-8")


if __name__ == "__main__":
    write()
