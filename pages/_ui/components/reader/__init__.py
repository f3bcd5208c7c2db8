"""The reading view of Compare: two texts, numbered passages, lines between them.

The component receives text as runs and puts it into the page through `textContent`; it returns
nothing, so reading never runs the script.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from simhash_core import Comparison, Document
from simhash_core.model import IDENTICAL
from simhash_core.numbers import SHARED_CLASSES
from simhash_core.report.collation import reading, word_diff
from simhash_core.report.collation.reading import Match, in_parts
from simhash_core.text.lengths import unit_of

from ...shared.exclusions import reasons
from ...shared.formatting import length_part, notation, number, text_language
from ...shared.session import language, t
from .. import register

CONTEXT = 60  # characters kept on each side of a passage when the rest is folded

_mount = register("reader", '<div class="reader"></div>')


def reader(sheet: dict[str, Any], *, key: str, fold: bool, diff: bool, strike: bool) -> None:
    """Draw a prepared pair.

    `fold` hides text far from any passage, `diff` marks words that differ, `strike` text that is
    not counted.
    """
    _mount(key=key, data={**sheet, "fold": fold, "diff": diff, "strike": strike})


def prepare(
    compared: Comparison, names: tuple[str, str], *, nothing: str = "", titles: bool = True
) -> dict[str, Any]:
    """Lay out a pair for the component, in the language of the page.

    Parameters
    ----------
    names : what the two texts are called on the page now
    nothing : the sentence where no passage is shared
    titles : bool         show the titles that the files carry; off while names are hidden
    """
    texts = compared.a.text, compared.b.text
    matches = in_parts(reading.matches(compared.passages, compared.stretches), texts)
    changed = _changes(compared, matches)
    documents = (compared.a, compared.b)
    pair = f"{compared.a.id}-{compared.b.id}"
    sides = [
        _side(document, names[side], matches, side, changed[side], compared, titles)
        for side, document in enumerate(documents)
    ]
    why = [reasons(document) for document in documents]
    drawn = (pair, names, titles, nothing, language(), matches, why)
    digest = hashlib.sha256(repr(drawn).encode()).hexdigest()[:16]
    return {
        "pair": pair,
        "digest": digest,
        "lang": {"zh": "zh-CN"}.get(language(), language()),
        "sides": sides,
        "matches": [_match(match, documents, names) for match in matches],
        "legend": _legend(matches, compared),
        "words": {"nothing": nothing, **{name: t(f"compare.reader.{name}") for name in _WORDS}},
    }


_WORDS = ("label", "filter", "previous", "next", "copy", "copied")


def _changes(compared: Comparison, matches: Sequence[Match]) -> tuple[list[Any], list[Any]]:
    """Return the differing words of all counted passages, as ranges into both texts."""
    left: list[tuple[int, int]] = []
    right: list[tuple[int, int]] = []
    for match in matches:
        if match.basis == "summary" or match.kind == "weak":
            continue
        a, b = word_diff.difference(
            compared.a.text[slice(*match.a)],
            compared.b.text[slice(*match.b)],
            additions_only=match.basis == "identical",
        )
        left += [(match.a[0] + start, match.a[0] + end) for start, end in a]
        right += [(match.b[0] + start, match.b[0] + end) for start, end in b]
    return left, right


def _side(
    document: Document,
    name: str,
    matches: Sequence[Match],
    side: int,
    changed: Sequence[tuple[int, int]],
    compared: Comparison,
    titles: bool,
) -> dict[str, Any]:
    text = document.text
    title = document.meta.get("title", "") if titles else ""
    division = compared.division[side]
    length, unit = notation().counted(division), division.unit
    letter = t(f"compare.side.{'ab'[side]}")
    left_out, why = reading.left_out(document.notes), reasons(document)
    same = reading.spans_of(compared.stretches, IDENTICAL, side)
    laid = reading.pieces(
        text, matches, side, changed=changed, left_out=left_out, same=same, context=CONTEXT
    )
    return {
        "letter": letter,
        "title": title or name,
        "sub": t("compare.reader.sub", name=name, length=length) if title else length,
        "region": t("compare.reader.region", side=letter, name=name),
        "lang": text_language(text),
        "paragraphs": [
            [_run(text, piece, why, matches) for piece in paragraph] for paragraph in laid
        ],
        "tight": reading.tight(text, reading.paragraphs(text)),
        "folds": [
            t("compare.reader.folded", length=length_part(hidden, unit))
            for hidden in _hidden(text, laid)
        ],
    }


def _run(
    text: str, piece: reading.Piece, why: dict[int, str], matches: Sequence[Match]
) -> list[Any]:
    """Return one run as the component reads it; what is plain is only its text.

    The cell before the last says why it does not count: 0 where it does, a sentence where a range
    begins. The last is 1 for identical text inside a reworded passage.
    """
    run: list[Any] = [text[piece.start : piece.end]]
    if piece.owner != reading.PLAIN or piece.fold != reading.PLAIN or piece.left_out:
        reason = why.get(piece.start, 1) if piece.left_out else 0
        same = piece.same and piece.owner >= 0 and matches[piece.owner].kind == "reworded"
        changed = piece.changed and not same  # the other text has it word for word
        run += [piece.owner, int(changed), piece.fold, reason, int(same)]
    return run


def _hidden(text: str, laid: Sequence[Sequence[reading.Piece]]) -> list[str]:
    hidden: dict[int, list[str]] = {}
    for paragraph in laid:
        for piece in paragraph:
            if piece.fold != reading.PLAIN:
                hidden.setdefault(piece.fold, []).append(text[piece.start : piece.end])
    return ["".join(hidden.get(fold, ())) for fold in range(max(hidden, default=-1) + 1)]


def _match(
    match: Match, documents: tuple[Document, Document], names: tuple[str, str]
) -> dict[str, Any]:
    quotes, shown = (
        [document.text[slice(*span)] for document, span in zip(documents, spans, strict=True)]
        for spans in (match.spans, (match.a, match.b))
    )
    lengths = [
        _both(
            length_part(quote, unit_of(document.text))
            for quote, document in zip(texts, documents, strict=True)
        )
        for texts in (quotes, shown)
    ]
    kind = kind_name(match)
    places = [
        t(
            "compare.reader.place",
            side=t(f"compare.side.{side}"),
            start=str(span[0]),
            end=str(span[1]),
        )
        for side, span in zip("ab", match.spans, strict=True)
    ]
    numbered = f"{match.number}.{match.part}" if match.part else str(match.number)
    chip = {"moved": f"⇅{numbered}", "weak": f"~{numbered}"}.get(match.kind, numbered)
    label = t("compare.reader.match", number=chip, kind=kind)
    copied = [label]
    for name, place, quote in zip(names, places, quotes, strict=True):
        copied += ["", t("compare.reader.cited", place=place, name=name), quote]
    return {
        "kind": match.kind,
        "chip": chip,
        "label": label,
        "facts": [*places, *_lengths(match, *lengths)],
        "copy": "\n".join(copied),
        "steady": match.kind in ("identical", "reworded"),
    }


def _lengths(match: Match, whole: str, shown: str) -> list[str]:
    """Say how long a passage is, how much of it is in common, and how long the part shown is."""
    if match.basis != "identical":
        shared = _both(map(number, match.shared))
        whole = t("compare.reader.shared", length=whole, shared=shared)
    return [whole, *([t("compare.reader.part", length=shown)] if match.part else [])]


def _both(sides: Iterable[str]) -> str:
    """Return what is said of both sides, once where it is the same."""
    return " / ".join(dict.fromkeys(sides))


def kind_name(match: Match) -> str:
    """Return the word for a kind; a moved passage also says what it is otherwise."""
    name = t(f"compare.kind.{match.kind}")
    if match.kind not in ("moved", "weak"):
        return name
    return t("compare.kind.also", kind=name, basis=t(f"compare.kind.{match.basis}"))


def _legend(matches: Sequence[Match], compared: Comparison) -> list[dict[str, str]]:
    """Return the kinds that occur, each with its count and its share of the first text.

    The shares are those of its division; those of a summary are reworded text.
    """
    first, entries = compared.division[0], []
    for kind in ("identical", "reworded", "moved", "summary", "weak"):
        n = len({match.number for match in matches if match.kind == kind})
        units = getattr(first, kind, 0)
        if not n and not units:
            continue
        share = notation().part(first, kind) if kind in SHARED_CLASSES else ""
        key = "total" if n and share else "share" if share else "weak" if kind == "weak" else "n"
        entries.append(
            {
                "kind": kind,
                "label": t(f"compare.kind.{kind}"),
                "total": t(f"compare.legend.{key}", n=n, share=share),
            }
        )
    return entries
