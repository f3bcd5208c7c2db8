"""The answer: versions along time, what each changed, which paragraph travels where."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import streamlit as st

from simhash_core.reposts import (
    MEASURED,
    Clue,
    Group,
    LikelySource,
    Part,
    Rewordings,
    Travel,
    Version,
    answer_sentence,
    changes_of,
    date_from,
    find_arrival,
    is_claimed,
    likely_sources,
    list_texts,
    read_date,
    rewordings,
    travels,
    verdict,
)

from ..components.lists import Act, Column, Row, Run, draw_list, draw_table
from ..components.lists import Group as Rows
from ..shared import session
from ..shared.formatting import esc, number, percent, text_language
from ..shared.session import t
from ..shared.widgets import figure_head, note, write_html
from .state import Answer, correct_dates, date_now, headline, name, original_date, tab

_CHOSEN = "lt.repost_version"  # the row that is looked at
MOST_DRAWN = 10  # versions in the picture of both orders
MOST_UNFOLDED = 60  # sentences, old above new
MOST_LISTED = 12  # sentences of a kind, and passages, that are written out
EXCERPT = 64  # characters of a passage


def draw(held: Answer, group: Group) -> None:
    """Draw one group of versions."""
    sentence = verdict(group, t, lambda row: f"<b>{esc(name(held.traced, row))}</b>")
    say_answer(held)
    write_html(f'<p class="lt-headline">{sentence}</p>')
    left, right = st.columns([7, 3], gap="large")
    with left:
        _who_was_first(held, group)
    with right:
        figure_head(t("reposts.reading"))
        level, measured = group.words.level, MEASURED[group.words.level]
        rate = t(f"reposts.level.{level}.rate", right=measured.right, n=measured.groups)
        note(rate, lead=t(f"reposts.level.{level}.lead"))
        _of_dates(held, group)
        _why(held, group)
        if any(not link.certain for link in group.links):
            note(t("reposts.open_source"))
        note(t("reposts.first_of"))
    figure_head(t("reposts.versions"), t("reposts.versions_note"))
    chosen = _table(held, group)
    _undo(held)
    _say_more(held, group)
    _of_version(held, chosen)
    listed = travels(held.traced.result, group.rows)
    if not listed:
        return
    figure_head(t("reposts.travels"), t("reposts.travels_note"))
    heads = [(t(f"reposts.column.{name}"), "") for name in ("passage", "first_in", "then_in")]
    rows = [_travel(held, one) for one in listed[:MOST_LISTED]]
    draw_table("repost_travels", t("reposts.travels"), heads, rows)
    if len(listed) > MOST_LISTED:
        note(t("reposts.more_passages", n=len(listed) - MOST_LISTED))


def say_answer(held: Answer) -> None:
    """Say what a single text in question is nearest to; of several there is a list."""
    if held.traced.asked > 1:
        return
    for one in likely_sources(held.traced):
        hidden = session.hide_names()
        sentence = answer_sentence(held.traced, one, t, anonymous=hidden, mark=_bold)
        write_html(f'<p class="lt-headline">{sentence}</p>')


def _bold(text: str) -> str:
    return f"<b>{esc(text)}</b>"


def _texts(group: Group) -> list[Version]:
    """Return the versions, each behind its further sources, as picture and table show them."""
    return [version for version, _ in list_texts(group)]


def list_likely(held: Answer) -> None:
    """List the texts that were asked about, one line each: where each likely is from."""
    traced = held.traced
    if traced.asked < 2:
        return
    lines = likely_sources(traced)
    figure_head(t("reposts.likely"), t("reposts.likely_note"))
    columns = ("asked", "source", "share", "order", "others")
    numeric = ("share", "others")
    heads = [(t(f"reposts.likely.{name}"), "num" if name in numeric else "") for name in columns]
    rows = [_likely_line(held, one) for one in lines]
    draw_table("repost_likely", t("reposts.likely"), heads, rows)
    rest = traced.asked - len(lines)
    parts = [t("reposts.likely_rest", n=rest)] if rest else []
    parts += [t("reposts.folded", n=traced.folded)] if traced.folded else []
    for part in parts:
        note(part)


def _likely_line(held: Answer, one: LikelySource) -> list[Run]:
    order = {True: "earlier", False: "later", None: "open"}[one.earlier]
    order = one.kind if one.kind in ("translation", "common") else order
    source = {"text": name(held.traced, one.other), "style": "named"}
    said = (percent(one.share), t(f"reposts.likely.{order}"), number(one.others))
    return [name(held.traced, one.row), source, *said]


def _say_more(held: Answer, group: Group) -> None:
    """Say what the table of versions does not: what the order rests on, further sources."""
    if group.basis != "dates":
        note(t("reposts.order_inferred"))
    for link in group.further:
        key = "translation" if link.kind == "translation" else "further"
        names = {"name": name(held.traced, link.version), "source": name(held.traced, link.source)}
        note(t(f"reposts.{key}", **names, share=percent(link.share)))
    if held.traced.folded and held.traced.asked < 2:
        note(t("reposts.folded", n=held.traced.folded))


def _who_was_first(held: Answer, group: Group) -> None:
    """Draw both orders of the versions nearest to the first, and when the library had them."""
    versions = {version.row: version for version in group.versions[:MOST_DRAWN]}
    dates, words = (
        [row for row in one.order if row in versions] for one in (group.dates, group.words)
    )
    arrived = {row: day for row in versions if (day := find_row_arrival(held, row))}
    told = group.words.first is not None
    rows = [
        ("dates", dates, group.dates.first, "no_dates"),
        ("words", words if told else [], group.words.first, "no_telling"),
        ("received", sorted(arrived, key=lambda row: (arrived[row], row)), None, ""),
    ]
    parts = []
    for kind, order, first, silent in rows:
        if not order and not silent:
            continue
        cells = []
        for row in order:
            when = _format_date(group, versions[row]) if kind == "dates" else ""
            style = " named" * (row == first) + " doubt" * (row == group.check and kind == "dates")
            cells.append(f'<li class="{style}"><b>{esc(name(held.traced, row))}</b>'
                         f"<small>{esc(when)}</small><i></i></li>")  # fmt: skip
        said = "".join(cells) or f"<small>{esc(t(f'reposts.row.{silent}'))}</small>"
        shown = f'<ol class="{kind}">{said}</ol>' if cells else said
        parts.append(f"<span>{esc(t(f'reposts.row.{kind}'))}</span>{shown}")
    if told and dates:
        parts.insert(1, _join_orders(dates, words, len(versions), conflict=group.conflict))
    figure_head(t("reposts.figure"), t("reposts.figure_note"))
    label = esc(verdict(group, t, lambda row: name(held.traced, row)))
    write_html(
        f'<div class="lt-first" role="img" aria-label="{label}" style="--n:{len(versions)}">'
        f"{''.join(parts)}</div>"
    )


def _join_orders(dates: Sequence[int], words: Sequence[int], slots: int, *, conflict: bool) -> str:
    """Return the lines from each version by its date to the same one by the words."""
    lines = []
    for row in (one for one in dates if one in words):
        top, bottom = dates.index(row), words.index(row)
        crosses = conflict and any(
            (top < dates.index(other)) != (bottom < words.index(other))
            for other in dates
            if other in words and other != row
        )
        left, width = (min(top, bottom) + 0.5) / slots, abs(top - bottom) / slots
        style = f"left:{left:.2%};width:{width:.2%};--to:top {'right' if top <= bottom else 'left'}"
        lines.append((crosses, f'<i class="{"crosses" * crosses}" style="{style}"></i>'))
    drawn = "".join(line for _, line in sorted(lines))  # what crosses lies above
    return f'<div class="joins">{drawn}</div>'


def find_row_arrival(held: Answer, row: int) -> str:
    """Return the day on which the library received a text, "" where it did not."""
    return find_arrival(held.traced.result.documents[row])


def _format_date(group: Group, version: Version) -> str:
    """Return the date of a version; marked where it is in doubt, or only claimed."""
    when = _when(group, version)
    if version.row == group.check:
        return t("reposts.doubtful", date=when)
    return t("reposts.claimed", date=when) if is_claimed(group, version.row) else when


# --------------------------------------------------------------------------- the versions
def _roles(group: Group, version: Version) -> list[str]:
    """Return what a text is that is no version, in words; nothing of a version."""
    roles = [role for one, role in list_texts(group) if one.row == version.row]
    return [t(f"reposts.role.{role}") for role in roles if role != "version"]


def _when(group: Group, version: Version) -> str:
    """Return the date of a version; without the year where all are days of one year."""
    if version.moment is None:
        last = date_from(group, version) == "asked"
        return t("reposts.received_today" if last else "reposts.no_date")
    shown = [one.moment.shown for one in group.versions if one.moment]
    same = len({date[:4] for date in shown}) == 1 and min(map(len, shown)) >= len("2025-11-03")
    return version.moment.shown[5:] if same and len(shown) > 1 else version.moment.shown


def _table(held: Answer, group: Group) -> Version:
    """Draw the versions and return the one that is looked at: a row opens what it changed.

    A date that is corrected draws everything anew, and U takes it back.
    """
    texts = {version.row: version for version, _ in list_texts(group)}
    changed = [row for row, version in texts.items() if version.changes is not None]
    chosen = st.session_state.get(_CHOSEN)
    if chosen not in texts:
        chosen = next(iter(changed), next(reversed(texts)))
    columns = ("version", "when", "from", "received", "length", "source", "against")
    heads = [t(f"reposts.column.{column}") for column in columns]
    described = (
        Column("version", heads[0], "names", "20%", "title"),
        Column("when", heads[1], "", "12%", "plain", draws="field", hint="2025-11-03"),
        Column("from", heads[2], "", "12%", style="dim"),
        Column("received", heads[3], "", "10%"),
        Column("length", heads[4], "num", "7%"),
        Column("source", heads[5], "names", "15%", "plain"),
        Column("against", heads[6], card="plain"),
    )
    act = draw_list(
        "repost_versions",
        [Rows(described, [_line(held, group, row, chosen=chosen) for row in texts.values()])],
        caption=t("reposts.versions"),
        opens=True,
        undo=held.before is not None,
    )
    _follow(held, group, act)
    return texts[chosen]


def _follow(held: Answer, group: Group, act: Act) -> None:
    """Do what was asked for in the table of versions."""
    if act.action == "open":
        st.session_state[_CHOSEN] = int(act.row)
        st.rerun()
    elif act.action == "undo" and held.before is not None:
        _show(held.before)
    elif act.action == "when":
        row, date = int(act.row), act.value
        if row not in group.every_row:
            return
        if date and read_date(date) is None:
            note(t("reposts.not_a_date", date=date[:30]))
            return
        _show(correct_dates(held, {row: date}))


def _line(held: Answer, group: Group, version: Version, *, chosen: int) -> Row:
    """Return the row of a version: who, when and by what, how long, from whom, what it changed."""
    moment = version.moment
    against = t("reposts.change.join").join(_against(held, group, version)) or "—"
    hint = t("reposts.edit")
    if version.row in held.dates:
        first = original_date(held, version.row) or t("reposts.no_date")
        hint = f"{hint}\n{t('reposts.was', date=first)}"
    called, when = name(held.traced, version.row), _format_date(group, version)
    title = {"text": headline(held.traced, version), "style": "dim"}
    style = "warn" if version.row == group.check else ""
    return {
        "id": str(version.row),
        "kind": "on" if version.row == chosen else "",
        "version": [{"as": "name", "text": called}, *_tags(held, group, version), title],
        "when": {"text": when, "style": style, "title": hint, "said": f"{called}: {when}. {hint}"},
        "value": moment.shown if moment else "",
        "from": _provenance(held, version),
        "received": find_row_arrival(held, version.row),
        "length": number(version.words),
        "source": _likely_source(held, version),
        "against": against,
    }


def _tags(held: Answer, group: Group, version: Version) -> list[Run]:
    """Return what a version is: the first, one that was asked about, of a collection."""
    tags = []
    if version.row == group.first:
        by_dates = group.dates.level == "all"
        tags.append(t("reposts.earliest" if by_dates else "reposts.likely_first"))
    if held.traced.compared and version.row < held.traced.asked:
        tags.append(t("reposts.in_question"))
    document = held.traced.result.documents[version.row]
    tags.append(document.meta.get("archive_collection", ""))
    return [{"as": "tag", "text": tag} for tag in tags if tag]


def _likely_source(held: Answer, version: Version) -> list[Run]:
    """Return where a version likely is from and how much of it; with a mark where that is open."""
    link = version.link
    if link is None:
        return ["—"]
    share = t("reposts.reused", share=percent(link.share)) + "?" * (not link.certain)
    return [{"as": "name", "text": name(held.traced, link.source)}, {"text": share, "style": "dim"}]


def _provenance(held: Answer, version: Version) -> str:
    """Return where the date of a version is from; of the name of a file, with that."""
    moment = version.moment
    if moment is None:
        return ""
    where = t(f"reposts.date_from.{moment.source}")
    file = PurePosixPath(held.traced.result.documents[version.row].name).name
    by_name = moment.source == "name" and not session.hide_names()
    return f"{where} {file}" if by_name else where


def _show(answer: Answer) -> None:
    tab.reposts_answer = answer
    st.rerun()


def _take_back() -> None:
    if tab.reposts_answer is not None:
        tab.reposts_answer = tab.reposts_answer.before


def _undo(held: Answer) -> None:
    """Say which date was corrected last, and offer to take it back."""
    if held.before is None:
        return
    changed = {row: date for row, date in held.dates.items() if held.before.dates.get(row) != date}
    ((row, date),) = list(changed.items())[:1] or [(0, "")]
    before = date_now(held.before, row) or t("reposts.no_date")
    with st.container(key="repost-undo", horizontal=True, vertical_alignment="center"):
        with st.container(width="content"):
            after = date or t("reposts.no_date")
            note(t("reposts.corrected", name=name(held.traced, row), before=before, after=after))
        st.button(t("reposts.undo"), key="repost_undo", type="tertiary", on_click=_take_back)


def _against(held: Answer, group: Group, version: Version) -> list[str]:
    """Return what a version keeps of the one that it is compared with, and what it changed."""
    made = version.changes
    if made is None or version.compared is None:
        through = version.link is not None
        return _roles(group, version) + ([t("reposts.change.through")] if through else [])
    nearest = version.compared != group.original
    before = [t("reposts.against", name=name(held.traced, version.compared))] if nearest else []
    if made.excerpt is not None:
        excerpt = made.excerpt
        return [*before, t("reposts.excerpt.of", share=percent(excerpt.shared / excerpt.whole))]
    kept = t("reposts.kept", share=percent(version.from_compared))
    return [*before, kept, *changes_of(version, t, hidden=session.hide_names())]


def _why(held: Answer, group: Group) -> None:
    """Say why the first version stands first; with a conflict, what the words rest on."""
    join = t("reposts.change.join")
    if group.first is not None:
        first = name(held.traced, group.first)
        note(t("reposts.first", name=first, reasons=join.join(reasons(group))))
        return
    listed = [clue(one) for one in group.reasons if one.code != "date"]
    if group.conflict and group.words.first == group.original and listed:
        first = name(held.traced, group.original)
        note(t("reposts.why_words", name=first, reasons=join.join(listed)))


def _of_dates(held: Answer, group: Group) -> None:
    """Say what the dates say, or which of them is in doubt and what it rests on."""
    checked = next((one for one in group.versions if one.row == group.check), None)
    if checked is not None and checked.moment is not None:
        source = t(f"reposts.date_from.{checked.moment.source}")
        day = find_row_arrival(held, checked.row)
        text = t("reposts.dates.doubt." + ("received" if day else "text"),
                 date=_when(group, checked), source=source, received=day)  # fmt: skip
        note(text, lead=t("reposts.dates.doubt.lead"))
    elif group.dates.first is not None:
        dated = sum(version.moment is not None for version in group.versions)
        lead = {"name": name(held.traced, group.dates.first), "n": dated}
        level = "claimed" if is_claimed(group, group.dates.first) else group.dates.level
        note("", lead=t(f"reposts.dates.{level}.lead", **lead))
    else:
        note(t("reposts.dates.none.text"), lead=t("reposts.dates.none.lead"))


# --------------------------------------------------------------------------- sentences
def _of_version(held: Answer, version: Version) -> None:
    """Write out what one version added, dropped and reworded; of an excerpt what it kept."""
    made, documents = version.changes, held.traced.result.documents
    if made is None or made.unchanged or version.compared is None:
        return
    first, later = documents[version.compared], documents[version.row]
    called, of_first = name(held.traced, version.row), name(held.traced, version.compared)
    excerpt = made.excerpt
    if excerpt is not None:
        figure_head(t("reposts.excerpt.title", name=called))
        parts = "".join(
            f'<i style="left:{100 * start:.2f}%;width:{100 * (end - start):.2f}%"></i>'
            for start, end in excerpt.stretches
        )
        write_html(f'<div class="lt-kept" aria-hidden="true">{parts}</div>')
        share = percent(excerpt.shared / excerpt.whole)
        facts = {"kept": number(excerpt.shared), "whole": number(excerpt.whole), "share": share}
        note(t("reposts.excerpt.kept", n=len(excerpt.stretches), **facts))
    if excerpt is None or made.reworded or made.added:
        title = t("reposts.sentences", name=called)
        figure_head(title, t("reposts.substituted_note", name=of_first))
    if made.headline.what == "changed" and not session.hide_names():
        note(t("reposts.headlines", before=made.headline.before, after=made.headline.after))
    if made.reworded:
        _draw_rewordings(rewordings(first, later, made), text_language(later.text))
    kinds = [("added", later.text, made.added)]
    if excerpt is None:  # what an excerpt leaves out was not removed
        kinds.insert(0, ("removed", first.text, made.removed))
    for column, (kind, of_text, places) in zip(
        st.columns(len(kinds), gap="large"), kinds, strict=True
    ):
        with column:
            figure_head(t(f"reposts.kind.{kind}"), number(len(places)), level=3)
            write_html(_mark_places(of_text, places))


def _draw_rewordings(made: Rewordings, language: str) -> None:
    """Write equal substitutions with their counts, then one sentence, old above new."""
    listed = [
        t("reposts.substitution", before=one.before, after=one.after, n=one.count)
        for one in made.substitutions[:MOST_LISTED]
    ]
    if made.others:
        listed.append(t("reposts.other_sentences", n=made.others))
    items = "".join(f"<li>{esc(one)}</li>" for one in listed)
    write_html(f'<ul class="lt-changes">{items}</ul>')
    first, *rest = made.sentences
    write_html(_old_and_new(first, language))
    if rest:
        with st.expander(t("reposts.more", n=len(rest))):
            write_html("".join(_old_and_new(one, language) for one in rest[:MOST_UNFOLDED]))


def _old_and_new(parts: Sequence[Part], language: str) -> str:
    """Return a sentence old above new: what went is struck, what came is underlined."""
    old = "".join(_mark_words("del", one.before, plain=one.equal) for one in parts)
    new = "".join(_mark_words("ins", one.after, plain=one.equal) for one in parts)
    return (
        f'<dl class="lt-old-new" lang="{language}"><dt>{esc(t("reposts.old"))}</dt><dd>{old}</dd>'
        f"<dt>{esc(t('reposts.new'))}</dt><dd>{new}</dd></dl>"
    )


def _mark_words(tag: str, text: str, *, plain: bool) -> str:
    return esc(text) if plain or not text.strip() else f"<{tag}>{esc(text)}</{tag}>"


def _mark_places(text: str, places: Sequence[tuple[int, int]]) -> str:
    if not places:
        return f'<p class="lt-note">{esc(t("reposts.no_sentence"))}</p>'
    items = "".join(f"<li>{esc(text[start:end])}</li>" for start, end in places[:MOST_LISTED])
    more = len(places) - MOST_LISTED
    tail = f'<p class="lt-note">{esc(t("reposts.more", n=more))}</p>' if more > 0 else ""
    return f'<ul class="lt-sentences" lang="{text_language(text)}">{items}</ul>{tail}'


# --------------------------------------------------------------------------- passages


def _travel(held: Answer, one: Travel) -> list[Run]:
    text = held.traced.result.documents[one.rows[0]].text
    start, end = one.places[0]
    words = " ".join(text[start:end].split())
    shown = words if len(words) <= EXCERPT else f"{words[:EXCERPT]}…"
    names = [name(held.traced, row) for row in one.rows]
    marked = [
        t("reposts.in_part", name=called) if part else called
        for called, part in zip(names, one.parts, strict=True)
    ]
    quoted = {"text": shown, "style": "prose", "whole": words[:400], "lang": text_language(text)}
    return [quoted, marked[0], t("reposts.change.join").join(marked[1:])]


# --------------------------------------------------------------------------- reasons
def reasons(group: Group) -> list[str]:
    """Return why the first version stands first."""
    listed = [clue(one) for one in group.reasons]
    return listed or [t("reposts.why.length")]


def clue(one: Clue) -> str:
    """Return the sentence of one clue."""
    params = {"date": "", "name": "", "year": "", "n": 0, **one.params}
    if one.code == "date" and not params["date"]:
        return t("reposts.why.earlier")
    return t(f"reposts.why.{one.code}", **params)
