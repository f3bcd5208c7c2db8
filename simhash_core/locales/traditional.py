"""Traditional Chinese as in Taiwan, made of the Chinese catalogues.

A checkout makes a catalogue when its first sentence is said (`i18n.catalogue_text`), so it always
says what the Chinese one says now. A wheel holds them ready made (hatch_build.py).

OpenCC's table of Taiwan's words first, then ours, `traditional.tsv`, for what it cuts or names
otherwise. What a language says of itself (`language.po`) is written by hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
SOURCE, TARGET = "zh", "zh_Hant"
BY_HAND = "language.po"
#: a line of a catalogue that is a sentence or more of one; keys are on lines of `msgid`
_SENTENCE = r'(?m)^(msgstr(?:\[\d\])? )?(".*")$'


def convert_catalogue(text: str) -> str:
    """Return a Chinese catalogue as one in Traditional Chinese."""
    head, blank, rest = text.partition("\n\n")
    named = head.replace(f'"Language: {SOURCE}\\n"', f'"Language: {TARGET}\\n"')
    converted = re.sub(_SENTENCE, lambda line: f"{line[1] or ''}{write_traditional(line[2])}", rest)
    return f"{named}{blank}{converted}"


def write_traditional(sentence: str) -> str:
    """Return a sentence in traditional letters and the words of Taiwan."""
    convert, terms, pattern = _tables()
    return pattern.sub(lambda match: terms[match[0]], convert(sentence))


@cache
def _tables() -> tuple[Callable[[str], str], dict[str, str], re.Pattern[str]]:
    import opencc  # only here: an installation that has the catalogues does without

    lines = (HERE / "traditional.tsv").read_text("utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    terms = {row[0]: row[1] if row[1:] and row[1] else row[0] for row in rows}
    longest_first = sorted(terms, key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    return opencc.OpenCC("s2twp").convert, terms, pattern


def write_catalogues(folder: Path) -> None:
    """Write every catalogue but the one written by hand into a folder."""
    for path in sorted((HERE / SOURCE / "LC_MESSAGES").glob("*.po")):
        if path.name != BY_HAND:
            (folder / path.name).write_text(convert_catalogue(path.read_text("utf-8")), "utf-8")
