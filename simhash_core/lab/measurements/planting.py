"""Passages of texts in two languages, planted in others of either language."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from itertools import accumulate

from .bilingual import Bead, aligned_paragraphs, paragraphs
from .bilingual_texts import CHAPTER, HOST, Case, Texts


def beads_of(texts: Texts) -> list[Bead]:
    """Return the aligned paragraphs of a text in both languages."""
    return aligned_paragraphs(paragraphs(texts.chinese), paragraphs(texts.english))


def plant(
    texts: Sequence[Texts],
    beads: Sequence[Sequence[Bead]],
    other: Sequence[str],
    host: str,
    length: tuple[int, int],
    suspicious: int,
    draw: random.Random,
) -> Case | None:
    """Plant one passage; None where no text has one of that length.

    Parameters
    ----------
    beads
        Aligned paragraphs of each text.
    other
        Texts of another subject, in the language of those that are planted in.
    host
        `subject`: plant in one of these; else in a text of another chapter.
    length
        Han characters, at least and at most.
    suspicious
        0: plant Chinese in Chinese, 1: English in English.
    """
    for _ in range(200):
        row = draw.randrange(len(texts))
        run = _run_of(beads[row], length, draw)
        if run is None:
            continue
        spans = run[0].chinese[0], run[-1].chinese[1], run[0].english[0], run[-1].english[1]
        sides = (texts[row].chinese, spans[:2]), (texts[row].english, spans[2:])
        whole = draw.choice(other) if host == "subject" else _another(texts, row, suspicious, draw)
        places = [0, *accumulate(len(part) for part in re.split(r"(?<=\n)", whole))]
        at = draw.choice(places)
        planted = sides[suspicious][0][slice(*sides[suspicious][1])]
        text = f"{whole[:at]}\n\n{planted}\n\n{whole[at:]}"
        source, in_source = sides[1 - suspicious]
        return Case(text, source, (at + 2, at + 2 + len(planted)), in_source)
    return None


def _another(texts: Sequence[Texts], row: int, side: int, draw: random.Random) -> str:
    """Return a text of the same folder on another matter: of another chapter where there are."""
    mine = CHAPTER.search(texts[row].name)
    others = [
        text
        for text in texts
        if text.name != texts[row].name
        and (mine is None or mine[0] != getattr(CHAPTER.search(text.name), "group", str)())
    ]
    chosen = draw.choice(others)
    return chosen.english[: 4 * HOST[1]] if side else chosen.chinese[: HOST[1]]


def _run_of(
    beads: Sequence[Bead], length: tuple[int, int], draw: random.Random
) -> list[Bead] | None:
    """Return neighbouring aligned paragraphs with so many Han together, None for none."""
    starts = list(range(len(beads)))
    draw.shuffle(starts)
    for start in starts:
        run: list[Bead] = []
        for bead in beads[start:]:
            if run and not run[-1].joins(bead):
                break
            run.append(bead)
            han = sum(one.han for one in run)
            if length[0] <= han <= length[1]:
                return run
            if han > length[1]:
                break
    return None
