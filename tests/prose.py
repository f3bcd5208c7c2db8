"""Made-up prose with a known seed: words by rank like a language, sentences, paragraphs."""

from __future__ import annotations

import random
from pathlib import Path

_ONSETS = [*"bcdfghjklmnprstvw", "br", "cl", "dr", "fl", "gr", "pl", "st", "tr"]
_VOWELS = ["a", "e", "i", "o", "u", "ea", "ou", "ai"]
_HAN = [chr(code) for code in range(0x4E00, 0x9000, 7)]
_COMMON = ["the", "of", "and", "to", "a", "in", "is", "it", "that", "for", "was", "on", "are"]


def english(seed: int, words: int) -> str:
    """Return sentences of 6 to 18 words, nearly every second one a common word."""
    rng = random.Random(seed)
    text, left = [], 0
    for _ in range(words):
        if left == 0:
            left = rng.randint(6, 18)
        word = rng.choice(_COMMON) if rng.random() < 0.45 else _word(rng)
        left -= 1
        text.append(word + ("." if left == 0 else ""))
    return " ".join(text)


def chinese(seed: int, characters: int) -> str:
    """Return sentences of 8 to 25 Han characters."""
    rng = random.Random(seed)
    pieces: list[str] = []
    while characters > 0:
        length = min(characters, rng.randint(8, 25))
        pieces.append("".join(rng.choices(_HAN, k=length)) + rng.choice("。，。；"))
        characters -= length
    return "".join(pieces)


def replaced(text: str, share: float, seed: int, *, han: bool = False) -> str:
    """Return a text with a share of its words or characters replaced."""
    rng = random.Random(seed)
    if han:
        return "".join(
            rng.choice(_HAN) if c >= "\u4e00" and rng.random() < share else c for c in text
        )
    return " ".join(_word(rng) if rng.random() < share else word for word in text.split(" "))


def _word(rng: random.Random) -> str:
    return "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(rng.randint(2, 3)))


def write(root: Path, name: str, text: str) -> None:
    """Write a text of a corpus, line ends as they are."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
