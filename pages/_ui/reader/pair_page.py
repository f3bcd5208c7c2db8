"""Compare: two texts beside each other, what they share, and why their fingerprints agree.

Where they say the same in other words or another language, what answers each other.
Below, one of the passages can be left out of the whole check.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from simhash_core import CheckResult, Comparison
from simhash_core.checking import found_as_templates
from simhash_core.numbers import expected_meanings
from simhash_core.report.collation.reading import Match, matches
from simhash_core.seen import read_lines
from simhash_core.translations import TranslatedPassage, dictionary_fact

from ..components.pictures import bit_board
from ..components.texts import find_tones, prepare, reader
from ..shared import charts, decided, exclusions, session
from ..shared.formatting import esc, notation
from ..shared.pairs import means_of
from ..shared.reports import report_popover
from ..shared.session import t
from ..shared.widgets import (
    caution,
    figure_head,
    note,
    number_strip,
    open_document,
    open_page,
    page_head,
    paragraph,
    whole_bar,
    write_html,
)
from . import meaning, pair
from .way import draw_way


def show(result: CheckResult, a: int, b: int) -> None:
    """Draw one pair."""
    names = session.doc_name(a), session.doc_name(b)
    compared = pair.compare_rows(result, a, b)
    more = pair.find_views(result, compared, (a, b))
    pair.draw_way_of(result, (a, b), alone=more.alone)
    with page_head(t("compare.lead", a=names[0], b=names[1]), announced=True):
        pair.swap_button(result, a, b)
        report_popover(("pair",), (min(a, b), max(a, b)))
    if more.wanted == pair.MEANING:
        _alike(result, compared, names, (a, b), more)
        return
    if answer := pair.say_shared(result, compared, (a, b)):
        write_html(f'<p class="lt-headline">{esc(answer)}</p>')
    _decided(a, b)
    before = exclusions.divide_before(a, b)
    if before is not None:
        shares = {side: notation().total(one) for side, one in zip("ab", before, strict=True)}
        note(t("exclusions.of_pair", **shares))
    for sentence in pair.cautions(compared):
        caution(t("compare.short.lead"), sentence)
    for lead, sentence in pair.say_recognised(compared):
        caution(lead, sentence)
    _scans(compared, (a, b))
    view = pair.views(compared, more)
    prints_view = view == "prints"
    for sentence in pair.say_dominant(compared) if prints_view else ():
        caution(t("compare.dominant.lead"), sentence)
    if prints_view:
        _measures(result, compared, (a, b))
        prints(compared, names)
        return
    texts(result, compared, names, (a, b))
    leave_out(compared, (a, b))
    title = f"**{t('results.complete.title')}**"
    with st.expander(title, key="measured", on_change="rerun") as fold:
        if fold.open:
            _measures(result, compared, (a, b))


def _measures(result: CheckResult, compared: Comparison, rows: tuple[int, int]) -> None:
    """Draw the numbers of a pair: shares, distance, what each text consists of, and chance."""
    number_strip(pair.figures(compared, result))
    for side, division in zip("ab", compared.division, strict=True):
        whole_bar(division, t(f"compare.side.{side}"))
    if likely := pair.likelihood_sentence(result, rows):
        note(likely)


def _alike(
    result: CheckResult,
    compared: Comparison,
    names: tuple[str, str],
    rows: tuple[int, int],
    more: pair.MoreViews,
) -> None:
    """Draw sentences of the same meaning: the caution first, then what is known, both texts."""
    caution(t("compare.meaning.lead"), t("compare.meaning.caution"))
    if by := means_of(result).pairs.get((min(rows), max(rows))):
        note(t("compare.meaning.translated", by=t(f"report.alike.by.{by}")))
    answers = meaning.answers_between(result, *rows)
    passages = meaning.by_words(result, *rows)
    alike = session.memo(
        ("said of alike", *rows, session.language()),
        lambda: (
            meaning.gather_translated(compared, passages)
            if passages
            else meaning.gather_alike(result, compared, answers)
        ),
    )
    number_strip(meaning.figures(compared, alike.answers), leading=0)
    if passages:
        _by_words(result, passages)
    pair.views(compared, more)
    lines = session.doc_line(rows[0]), session.doc_line(rows[1])
    sheet = session.memo(
        ("alike", *rows, *names, session.language()),
        lambda: prepare(compared, names, lines=lines, alike=alike),
    )
    reader(sheet, key="reader_alike", **pair.read_switches())
    _decided(*rows)


def _scans(compared: Comparison, rows: tuple[int, int]) -> None:
    """Lead from each text that was recognised to the line of its scan where both agree most."""
    for side, row in enumerate(rows):
        document = (compared.a, compared.b)[side]
        if not read_lines(document):
            continue
        label = t("compare.recognised.scan", side=t(f"compare.side.{'ab'[side]}"))
        if st.button(label, key=f"scan_{side}", icon=":material/image_search:"):
            at = pair.longest_start(compared, side)
            open_document(row, show="read", at=str(at))


def _decided(a: int, b: int) -> None:
    decision = decided.sentence(a, b)
    with st.container(key="noprint-decided", horizontal=True, vertical_alignment="center"):
        with st.container(width="content"):
            note(decision or t("review.mark.undecided"), lead=t("compare.decided"))
        if st.button(t("compare.decide"), key="decide", type="tertiary"):
            open_page("review", {"a": str(a), "b": str(b)})


def texts(
    result: CheckResult, compared: Comparison, names: tuple[str, str], rows: tuple[int, int]
) -> None:
    """The reading view."""
    nothing = pair.nothing_sentence(compared)
    lines = session.doc_line(rows[0]), session.doc_line(rows[1])
    sheet = session.memo(
        ("sheet", *rows, *names, session.language(), nothing),
        lambda: prepare(
            compared, names, lines=lines, nothing=nothing, held=find_tones(result, *rows)
        ),
    )
    reader(sheet, key="reader", **pair.read_switches())


def prints(compared: Comparison, names: tuple[str, str]) -> None:
    """The fingerprint view: bits, blocks, votes of the chosen bit."""
    figure_head(t("compare.bits.title"), t("compare.bits.note"))
    if compared.explain_a is None or compared.explain_b is None:
        paragraph(t("compare.bits.none"))
        return
    key = f"bits-{compared.a.id[:12]}-{compared.b.id[:12]}"
    bit, _ = bit_board(pair.bits(compared, names), key=key)
    note(pair.evidence_sentence(compared), lead=t("compare.found.label"))
    figure_head(t("compare.votes.title", bit=bit), t("compare.votes.note"))
    sides = st.columns(2, gap="large")
    explained = (compared.explain_a, compared.explain_b)
    for column, explanation, side in zip(sides, explained, "ab", strict=True):
        with column:
            charts.votes(explanation, bit, side=side)


def draw(result: CheckResult) -> None:
    """Draw the pair that the link names, or say that there is none."""
    chosen = pair.find_pair(result)
    if chosen is None:
        draw_way("", None, None)
        paragraph(t("compare.unknown"))
    else:
        show(result, *chosen)


# --------------------------------------------------------------------------- in two languages


def _by_words(result: CheckResult, passages: list[TranslatedPassage]) -> None:
    """Say what words of a dictionary that answer each other mean, and how many there are."""
    source = dictionary_fact()
    said = [t("compare.translated.limits"), *(_facts(result, one) for one in passages)]
    for sentence in (*said, t(f"guarantee.{source.code}", **source.params)):
        note(sentence)


def _facts(result: CheckResult, one: TranslatedPassage) -> str:
    parts = [t("compare.translated.words", n=len(one.words))]
    expected = expected_meanings(result, one.chance)
    if expected is not None:
        pairs = notation().expected_pairs(expected)
        parts.append(t("compare.translated.chance", pairs=pairs))
    return t("check.comma").join(parts)


# --------------------------------------------------------------------------- leaving out a passage

_CHOICE = "leave_out_passage"
_SHOWN = 28  # characters of a passage in the list


def leave_out(compared: Comparison, rows: tuple[int, int]) -> None:
    """Offer to leave one of the passages out wherever it stands; nothing where none can be."""
    texts = compared.a.text, compared.b.text
    numbered = session.memo(("leave_out", *rows), lambda: _offer_matches(compared))
    if not numbered:
        return

    def shown_line(number: int) -> str:
        words = " ".join(texts[0][slice(*numbered[number].a)].split())
        return f"{number}  {words[:_SHOWN]}{'…' if len(words) > _SHOWN else ''}"

    with (
        st.container(key="noprint-leave-out"),
        st.popover(t("compare.leave_out.title"), icon=":material/close:"),
    ):
        chosen = st.selectbox(
            t("compare.leave_out.which"), list(numbered), format_func=shown_line, key=_CHOICE
        )
        note(t("compare.leave_out.note"))
        st.button(
            t("compare.leave_out.do"),
            key="leave_out",
            on_click=_leave_out,
            args=(texts, numbered[chosen]),
        )


def _offer_matches(compared: Comparison) -> dict[int, Match]:
    """Return the passages by their number, without those too short to be found by a rule."""
    documents = compared.a, compared.b
    solid = [one for one in matches(compared.passages, compared.stretches) if one.kind != "weak"]
    recognised = [
        found_as_templates(
            document, [(one.a, one.b)[side] for one in solid], settings=compared.settings
        )
        for side, document in enumerate(documents)
    ]
    return {one.number: one for one, *sides in zip(solid, *recognised, strict=True) if any(sides)}


def _leave_out(texts: tuple[str, str], one: Match) -> None:
    """Add a passage, as both texts have it, to what does not count."""
    now = exclusions.rules()
    sides = texts[0][slice(*one.a)], texts[1][slice(*one.b)]
    fresh = dict.fromkeys(side for side in sides if side not in now.passages)
    exclusions.apply(replace(now, passages=(*now.passages, *fresh)))
    st.session_state.pop(_CHOICE, None)  # another passage may have that number now
