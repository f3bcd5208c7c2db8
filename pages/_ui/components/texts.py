"""Texts as components show them: two beside each other, one with its sources, words that answer."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from simhash_core import CheckResult, Comparison, Document
from simhash_core.cases import own_units, toned_ranges
from simhash_core.i18n import tag
from simhash_core.model import Division, PagePicture, Passages, Stretches
from simhash_core.notation import letters
from simhash_core.numbers import SHARED_CLASSES
from simhash_core.people import Mask
from simhash_core.report.collation import folding, reading
from simhash_core.report.collation.reading import Match, Paragraph, split_passages
from simhash_core.report.collation.sheet import Tone, lay_runs
from simhash_core.result import TONES
from simhash_core.seen import Answer
from simhash_core.text.lengths import Unit, count_units, unit_of

from ..shared.exclusions import reasons
from ..shared.formatting import length, notation, number, text_language
from ..shared.session import language, t
from . import draw

# ------------------------------------------------------------ two texts beside each other


@dataclass(frozen=True, slots=True)
class TwoTexts:
    """Two texts with what they share."""

    a: Document
    b: Document
    passages: Passages
    stretches: Stretches
    division: tuple[Division, Division]


#: what of two texts more texts hold, and their units by `TONES`; () where there is no third text
Held = tuple[tuple[Sequence[Tone], Sequence[Tone]], tuple[int, ...]]
ALONE: Held = ((), ()), ()


def find_tones(result: CheckResult, a: int, b: int) -> Held:
    """Return what of two texts more texts hold, and their units by `TONES`.

    The units are those of the text with fewer that only these two hold; nothing in a check of two.
    """
    pairs, table = result.table.pairs, result.table
    found = np.flatnonzero((pairs.left == min(a, b)) & (pairs.right == max(a, b)))
    if len(result.documents) < 3 or not len(table.tones) or not len(found):
        return ALONE
    row = int(found[0])
    side = int(np.argmin(own_units(result, row)))
    return (toned_ranges(result, a), toned_ranges(result, b)), tuple(
        table.tones[row, side].tolist()
    )


def reader(sheet: dict[str, Any], *, key: str, fold: bool, diff: bool, strike: bool) -> None:
    """Draw a pair that was prepared.

    `fold` hides paragraphs far from any passage, `diff` marks words that differ, `strike` text that
    is not counted.
    """
    shown = {**sheet, "words": reader_words(), "fold": fold, "diff": diff, "strike": strike}
    draw("reader", shown, key=key)


def reader_words() -> dict[str, str]:
    """Return what both components that draw two texts say around them."""
    return {name: t(f"compare.reader.{name}") for name in _WORDS}


def prepare(
    shown: TwoTexts | Comparison,
    names: tuple[str, str],
    *,
    lines: tuple[str, str] = ("", ""),
    nothing: str = "",
    alike: Alike | None = None,
    masks: tuple[Mask, Mask] | None = None,
    held: Held = ALONE,
) -> dict[str, Any]:
    """Lay out a pair for the component, in the language of the page.

    Parameters
    ----------
    names : what the two texts are called on the page now
    lines : number and file of each, for the line below; "" where the name is the file
    nothing : the sentence where no passage is shared
    alike : sentences of the same meaning, where they are shown
    masks : both texts with what may be shown of them
    held : by how many texts it is held, of `find_tones`
    """
    tones, units = held
    masks = masks or (Mask(shown.a.text), Mask(shown.b.text))
    texts = shown.a.text, shown.b.text
    matches = split_passages(reading.matches(shown.passages, shown.stretches), texts)
    if alike is not None:
        matches += reading.match_answers(alike.answers)
    laid = lay_runs(
        masks,
        matches,
        shown.stretches,
        left_out=(reading.find_left_out(shown.a.notes), reading.find_left_out(shown.b.notes)),
        unsure=(reading.list_unsure(shown.a.notes), reading.list_unsure(shown.b.notes)),
        tones=tones,
    )
    blocks = [_find_blocks(*one) for one in zip((shown.a, shown.b), laid, strict=True)]
    reasons_of = [[block.reason or block for block in side] for side in blocks]
    owned = Counter[tuple[int, int]]()  # characters of each passage by tone
    for run in (run for paragraph in laid[0] for run in paragraph):
        owned[run.owner, run.tone] += run.end - run.start
    listed = [
        _match(match, max(range(len(TONES)), key=lambda tone: owned[at, tone]))
        for at, match in enumerate(matches)
    ]
    for one, evidence in zip(
        reversed(listed), reversed(alike.evidence if alike else ()), strict=False
    ):
        one["evidence"] = evidence
    sides = [
        _side(shown, side, names[side], lines[side], laid[side], blocks[side]) for side in (0, 1)
    ]
    drawn = (names, nothing, language(), sides, alike)
    return {
        "pair": f"{shown.a.id[:16]}-{shown.b.id[:16]}",
        "digest": hashlib.sha256(repr(drawn).encode()).hexdigest()[:16],
        "lang": tag(language()),
        "sides": sides,
        "opposite": [(a, b) for a, b in folding.pair_opposite(*reasons_of) if None not in (a, b)],
        "opens": _longest(matches) if alike is None else find_closest(matches),
        "matches": listed,
        "traces": None if alike is None else alike.traces,
        "switches": _switches(matches, shown.division[0], units),
        "kinds": _kinds(listed) if any(units) else [],
        "nothing": nothing,
    }


def _find_blocks(document: Document, laid: Sequence[Paragraph]) -> list[folding.Block]:
    """Return the paragraphs that are one line each: what does not count, and what is far.

    Far is what shares nothing and stands beside no paragraph that does; its reason is "".
    """
    out = folding.blocks(document.text, folding.left_out_ranges(document.notes))
    counted = {at for block in out for at in range(block.first, block.last + 1)}
    matched = [any(run.owner != reading.PLAIN for run in paragraph) for paragraph in laid]
    far = [
        at not in counted and any(matched) and not any(matched[max(at - 1, 0) : at + 2])
        for at in range(len(laid))
    ]
    for is_far, group in groupby(range(len(laid)), key=far.__getitem__):
        rows = list(group)
        if is_far:
            text = "".join(run.text for at in rows for run in laid[at])
            out.append(folding.Block("", rows[0], rows[-1], count_units(text)))
    return sorted(out, key=lambda block: block.first)


def _longest(matches: Sequence[Match]) -> int:
    """Return the place of the longest passage, -1 without any; weak ones come last."""
    order = [(one.kind != "weak", one.a[1] - one.a[0]) for one in matches]
    return max(range(len(order)), key=order.__getitem__, default=-1)


_WORDS = ("label", "filter", "previous", "next", "unsure", "part", "paragraph", "elsewhere", "rest")
#: what a run is, by bits of its third cell
_CHANGED, _AGREES, _UNSURE = 1, 2, 4


def _side(
    shown: TwoTexts | Comparison,
    side: int,
    name: str,
    line: str,
    laid: Sequence[Paragraph],
    blocks: Sequence[folding.Block],
) -> dict[str, Any]:
    document, division = (shown.a, shown.b)[side], shown.division[side]
    text, why = document.text, reasons(document)
    letter = t(f"compare.side.{'ab'[side]}")
    return {
        "letter": letter,
        "title": name,
        "sub": " · ".join(filter(None, (line, notation().fraction(division)))),
        "region": t("compare.reader.region", side=letter, name=name),
        "lang": text_language(text),
        "paragraphs": [[_run(run, why) for run in paragraph] for paragraph in laid],
        "tight": _list_tight(text),
        "blocks": [_block(block, division.unit) for block in blocks],
    }


def _block(block: folding.Block, unit: Unit) -> dict[str, Any]:
    size = length(block.units, unit)
    if not block.reason:
        label = t("compare.fold.nothing", length=size)
        return {"first": block.first, "last": block.last, "label": label, "tag": ""}
    reason = t(f"compare.fold.reason.{block.reason}")
    return {
        "first": block.first,
        "last": block.last,
        "label": t("compare.fold.left_out", reason=reason, length=size),
        "tag": t("compare.fold.not_counted"),
    }


def _run(run: reading.Run, why: dict[int, str]) -> list[Any]:
    """Return one run as the component reads it: text, passage, what it is, why it does not count.

    What is plain is only its text. The fourth cell is 0 where it counts, a sentence where a range
    that does not begins, else 1; the fifth is its tone, where it is not 0.
    """
    flags = _CHANGED * run.changed + _AGREES * run.agrees + _UNSURE * run.unsure
    reason = why.get(run.start, 1) if run.left_out else 0
    if run.owner == reading.PLAIN and not (run.left_out or run.unsure):
        return [run.text]
    cells = [run.text, run.owner, flags, reason, run.tone]
    while len(cells) > 2 and not cells[-1]:
        cells.pop()
    return cells


def _match(match: Match, tone: int) -> dict[str, Any]:
    """Return a passage: its kind and its tone, its number, and whether it stands elsewhere."""
    moved = match.crossed if match.part else match.kind == "moved"
    kind = match.basis if match.kind == "moved" else match.kind
    numbered = reading.label(match)
    named = t(f"compare.kind.{kind}")
    if kind == "weak":
        named = t("compare.kind.also", kind=named, basis=t(f"compare.kind.{match.basis}"))
    if moved:
        named = t("compare.kind.also", kind=named, basis=t("compare.reader.elsewhere"))
    return {
        "kind": kind,
        "tone": tone,
        "moved": moved,
        "chip": f"⇅{numbered}" if moved else f"~{numbered}" if kind == "weak" else numbered,
        "label": t("compare.reader.match", number=numbered, kind=named),
    }


def _switches(
    matches: Sequence[Match], first: Division, units: Sequence[int]
) -> list[dict[str, str]]:
    """Return what can be turned off: tones with their words, or without a third text kinds."""
    if any(units):
        return [
            {"name": f"t{tone}", "label": t(f"compare.tone.{TONES[tone]}"), "total": number(n)}
            for tone, n in enumerate(units)
            if n
        ]
    entries = []
    for kind in ("identical", "reworded", "moved", "summary", "meaning", "weak"):
        n = len({match.number for match in matches if match.kind == kind})
        units_of = getattr(first, kind, 0)
        if not n and not units_of:
            continue
        share = notation().part(first, kind) if kind in SHARED_CLASSES else ""
        key = "total" if n and share else "share" if share else kind
        key = "n" if key == "summary" else key
        total = t(f"compare.legend.{key}", n=n, share=share)
        name = "moved" if kind == "moved" else f"k-{kind}"
        entries.append({"name": name, "label": t(f"compare.kind.{kind}"), "total": total})
    return entries


def _kinds(listed: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return what the lines under the text stand for, of the kinds that occur."""
    kinds = {one["kind"] for one in listed}
    order = ("identical", "reworded", "summary", "meaning", "weak")
    found = [(kind, t(f"compare.drawn.{kind}")) for kind in order if kind in kinds]
    moved = [("moved", t("compare.drawn.moved"))] if any(one["moved"] for one in listed) else []
    return found + moved


# ------------------------------------------------------------ one text against its sources

STYLES = 8  # sources with a separate colour; the rest share one and have letters


@dataclass(frozen=True, slots=True)
class Source:
    """One other text that shares parts of this one."""

    row: int
    name: str
    division: Division  # of this text, by what the other one shares
    facts: str
    spans: tuple[tuple[int, int], ...]  # ranges of this text


def source_view(
    document: Document,
    sources: Sequence[Source],
    *,
    held: Sequence[Tone] = (),
    key: str,
    name: str,
    total: str,
) -> int | None:
    """Draw the text with its sources in rank order; return the row the reader wants to open.

    A pick shows one source alone; double click or Enter on it asks for the comparison. `held` are
    ranges that more than one other text holds (`cases.toned_ranges`); `total` says how much all
    sources hold together.
    """
    words = ("strip", "strip_note", "many", "sources", "sources_note", "hint", "open", "none")
    shown = {
        "document": document.id,
        "words": {
            **{word: t(f"document.view.{word}") for word in (*words, "unsure")},
            "text": t("document.view.text", name=name),
            "total": total,
        },
        **lay_sources(document, sources, held),
    }
    digest = hashlib.sha256(repr((language(), shown)).encode()).hexdigest()[:16]
    wanted: int | None = draw("source_view", {**shown, "digest": digest}, key=key).get("open")
    return wanted


def lay_sources(
    document: Document, sources: Sequence[Source], held: Sequence[Tone] = ()
) -> dict[str, Any]:
    """Return text, lanes and list as the component reads them.

    Notes
    -----
    In the text, where sources overlap the character belongs to the better source of the ranking; in
    the lanes each source has its own.
    """
    text, why = document.text, reasons(document)
    spans = [(span, rank) for rank, source in enumerate(sources) for span in source.spans]
    owner = reading.owners(len(text), [span for span, _ in spans], [-rank for _, rank in spans])
    matches, of = list[Match](), list[int]()
    for start, end in reading.runs(owner, 0, len(text)):
        if owner[start] != reading.PLAIN:
            of.append(spans[owner[start]][1])
            matches.append(Match(of[-1] + 1, "identical", "", (start, end), (start, end), 0.0))
    laid = reading.cut_runs(
        Mask(text),
        matches,
        0,
        left_out=reading.find_left_out(document.notes),
        unsure=reading.list_unsure(document.notes),
    )
    listed = [
        {
            "row": source.row,
            "name": source.name,
            "facts": source.facts,
            "chip": chip(rank),
            "style": f"k-s{min(rank, STYLES) + 1}",
        }
        for rank, source in enumerate(sources)
    ]
    folded = folding.blocks(text, folding.left_out_ranges(document.notes))
    return {
        "text": {
            "lang": text_language(text),
            "paragraphs": [[_run(run, why) for run in paragraph] for paragraph in laid],
            "tight": _list_tight(text),
            "blocks": [_block(block, unit_of(text)) for block in folded],
        },
        "matches": [
            {
                "source": rank,
                "at": match.a[0],
                "kind": str(listed[rank]["style"]).removeprefix("k-"),
                "tone": 0,
                "chip": chip(rank),
                "label": sources[rank].name,
            }
            for match, rank in zip(matches, of, strict=True)
        ],
        "lanes": _lay_lanes(len(text), sources, held),
        "sources": listed,
    }


def _list_tight(text: str) -> list[int]:
    """Return the paragraphs that follow the one before without a gap, by their places."""
    tight = reading.mark_tight(text, reading.paragraphs(text))
    return [at for at, follows in enumerate(tight) if follows]


LANES = 12  # sources that have one of their own
MANY = 2  # tone of what many texts hold
SHORTEST = 5  # characters of a piece: less is the mark behind a passage


def _lay_lanes(size: int, sources: Sequence[Source], held: Sequence[Tone]) -> list[dict[str, Any]]:
    """Return where each source lies, and in the last lane what many texts hold, of any source.

    A piece is its left end and its width in percent, its tone (0 two texts, 1 a few, 2 many) and
    the code point at which it begins.
    """
    tone = np.zeros(size, np.int32)
    for start, end, value in held:
        tone[start:end] = value
    lanes, many = list[dict[str, Any]](), np.zeros(size, np.int32)
    for rank, source in enumerate(sources):
        drawn = np.zeros(size, np.int32)
        for start, end in source.spans:
            drawn[start:end] = tone[start:end] + 1
        many[drawn == MANY + 1] = MANY + 1
        drawn[drawn == MANY + 1] = 0
        if drawn.any() and len(lanes) < LANES:
            lanes.append({"source": rank, "pieces": _lay_pieces(drawn)})
    if many.any():
        lanes.append({"source": -1, "pieces": _lay_pieces(many)})
    return lanes


def _lay_pieces(drawn: NDArray[np.int32]) -> list[tuple[float, float, int, int]]:
    size = len(drawn)
    return [
        (_percent_of(start, size), _percent_of(end - start, size), int(drawn[start]) - 1, start)
        for start, end in reading.runs(drawn, 0, size)
        if drawn[start] and end - start >= SHORTEST
    ]


def chip(rank: int) -> str:
    """Return the mark of a source: 1 to 8 for those with a colour, then a, b, ... z, aa, ab."""
    if rank < STYLES:
        return str(rank + 1)
    return letters(rank - STYLES + 1)


def _percent_of(part: int, whole: int) -> float:
    return round(100 * part / whole, 3)


# --------------------------------------------------------------------------- pages

Marked = list[tuple[str, int]]  # pieces of a text, and whether each is marked


@dataclass(frozen=True, slots=True)
class PageRow:
    """One place on a page. `box` is left, top, right, bottom in thousandths of the page.

    Of two readings `title`, `remark` and `meaning` say how they differ; of a recognised line
    `seen` are its words, the doubtful ones marked, and `share` is its confidence.
    """

    page: int
    box: tuple[int, int, int, int]
    label: str  # what a screen reader says of the box
    seen: Marked
    said: Marked = field(default_factory=list)
    title: str = ""
    remark: str = ""
    meaning: str = ""
    unseen: str = ""  # what stands in a box that shows nothing
    share: int = -1  # per cent
    doubtful: str = ""  # the words that are marked


def shown_page(key: str, pages: Sequence[int], *, first: int) -> int:
    """Return the page that is to be drawn, before it is; one of `pages`, `first` to begin with."""
    page = st.session_state.get(key, {}).get("page")
    return page if page in pages else first


def page_view(
    key: str,
    *,
    rows: Sequence[PageRow],
    picture: PagePicture | None,
    page: int,
    text: str,
    lang: str,
    chosen: int,
    words: Mapping[str, str],
) -> None:
    """Draw a page beside its rows: two readings of places, or recognised lines with their shares.

    Parameters
    ----------
    picture : the page as the eye sees it; None where it was not kept
    page : its number, from 0; rows of other pages are listed too and bring theirs
    lang : of the text, for its fonts
    text : the id of the text: another one begins anew, with the row `chosen`
    """
    source = ""
    if picture is not None:
        source = "data:image/jpeg;base64," + base64.b64encode(picture.jpeg.tobytes()).decode()
    shown: dict[str, Any] = {"lang": lang, "rows": list(rows), "picture": source, "page": page}
    shown |= {"text": text, "chosen": chosen}
    draw("page_view", {**shown, "words": dict(words)}, key=key, default={"page": page})


# --------------------------------------------------------------------------- a box to type into

_WAIT = 300  # milliseconds without a key after which the text is sent


def live_text(
    key: str,
    *,
    label: str,
    value: str,
    version: str,
    limit: int,
    on_change: Callable[[], None],
    marks: Sequence[tuple[int, int]] = (),
) -> None:
    """Draw the box. `value` replaces what is typed only when `version` is another one.

    `marks` are rising ranges of `value`, drawn for as long as this stands in the box.

    `on_change` runs before the next run of the page; it finds the text in the state of `key`,
    under `text`.
    """
    shown = {"label": label, "value": value, "version": version, "wait": _WAIT, "limit": limit,
             "marked": value, "marks": [list(mark) for mark in marks]}  # fmt: skip
    draw("live_text", shown, key=key, default={"text": value}, on=on_change)


# --------------------------------------------------------------------------- the same meaning


@dataclass(frozen=True, slots=True)
class Alike:
    """Sentences of the same meaning, in the order of the first text, and what is said of them.

    `evidence` of each are runs of text, each with whether it is bold; `traces` is said of all.
    """

    answers: tuple[Answer, ...] = ()
    evidence: tuple[tuple[tuple[str, bool], ...], ...] = ()
    traces: str = ""


def find_closest(matches: Sequence[Match]) -> int:
    """Return the place of the closest sentences of the same meaning, -1 without any."""
    order = [one.score if one.kind == "meaning" else -1.0 for one in matches]
    return max(range(len(order)), key=order.__getitem__, default=-1)
