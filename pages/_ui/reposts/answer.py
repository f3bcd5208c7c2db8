"""The answer: versions along time, what each changed, which paragraph travels where."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
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

from ..components.lists import Column, Row, Run, draw_list, draw_table
from ..components.lists import Group as Rows
from ..components.pictures import Node, Witnessed, chosen_version, history, who_was_first
from ..shared import session
from ..shared.formatting import esc, number, percent, text_language
from ..shared.session import t
from ..shared.widgets import figure_head, note, write_html
from .state import Answer, correct_dates, date_now, headline, name, original_date, tab

_PICTURE = "repost_history"
MOST_DRAWN = 10  # versions in the picture of both orders
MOST_UNFOLDED = 60  # sentences, old above new
MOST_LISTED = 12  # sentences of a kind, and passages, that are written out
TICKS = 8
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
            note(t("reposts.dashed"))
        note(t("reposts.first_of"))
    place = _place(group)
    figure_head(t("reposts.versions"), t("reposts.versions_note"))
    _table(held, group, place)
    _undo(held)
    _history(held, group, place)
    _of_version(held, _texts(group)[place])
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


def _history(held: Answer, group: Group, place: int) -> None:
    """Draw who took it from whom; a version is chosen there."""
    dated = group.basis == "dates"
    figure_head(
        t("reposts.order"), t("reposts.order_note" if dated else "reposts.order_inferred_note")
    )
    nodes = _nodes(held, group)
    history(
        f"{_PICTURE}_{group.original}",
        nodes,
        ticks=_ticks(group),
        label=t("reposts.picture", n=len(nodes)),
        place=place,
    )
    for link in group.further:
        key = "translation" if link.kind == "translation" else "further"
        names = {"name": name(held.traced, link.version), "source": name(held.traced, link.source)}
        note(t(f"reposts.{key}", **names, share=percent(link.share)))
    if held.traced.folded and held.traced.asked < 2:
        note(t("reposts.folded", n=held.traced.folded))


def _who_was_first(held: Answer, group: Group) -> None:
    """Draw both orders of the versions nearest to the first."""
    versions = group.versions[:MOST_DRAWN]
    rows = [version.row for version in versions]
    orders = [[row for row in one.order if row in rows] for one in (group.dates, group.words)]
    arrived = sorted(
        (find_row_arrival(held, row), row) for row in rows if find_row_arrival(held, row)
    )
    came = [row for _, row in arrived]
    dates, words = orders
    by_words = words if group.words.first is not None else []
    crossing = {
        row
        for row in dates
        for other in dates
        if (dates.index(row) < dates.index(other)) != (words.index(row) < words.index(other))
    } if group.conflict else set()  # fmt: skip
    nodes = [
        Witnessed(
            name(held.traced, version.row),
            _format_date(group, version) if version.moment else "",
            _rank(dates, version.row),
            _rank(by_words, version.row),
            _rank(came, version.row),
            version.row == group.check,
            version.row in crossing,
            group.dates.first == version.row,
            group.words.first == version.row,
        )
        for version in versions
    ]
    figure_head(t("reposts.figure"), t("reposts.figure_note"))
    label = verdict(group, t, lambda row: name(held.traced, row))
    who_was_first(f"repost_first_{group.original}", nodes, label=label)


def _rank(rows: Sequence[int], row: int) -> int:
    return list(rows).index(row) if row in rows else -1


def find_row_arrival(held: Answer, row: int) -> str:
    """Return the day on which the library received a text, "" where it did not."""
    return find_arrival(held.traced.result.documents[row])


def _format_date(group: Group, version: Version) -> str:
    """Return the date of a version; marked where it is in doubt, or only claimed."""
    when = _when(group, version)
    if version.row == group.check:
        return t("reposts.doubtful", date=when)
    return t("reposts.claimed", date=when) if is_claimed(group, version.row) else when


def _place(group: Group) -> int:
    """Return which version is looked at: the one that was chosen, at first the second."""
    place, texts = chosen_version(f"{_PICTURE}_{group.original}"), _texts(group)
    if 0 <= place < len(texts):
        return place
    changed = (at for at, version in enumerate(texts) if version.changes is not None)
    return next(changed, len(texts) - 1)


# --------------------------------------------------------------------------- along time
def _nodes(held: Answer, group: Group) -> list[Node]:
    texts = _texts(group)
    place = {version.row: at for at, version in enumerate(texts)}
    longest = max(version.words for version in texts)
    at = _along(texts)
    depth: list[int] = []
    nodes = []
    for row, version in enumerate(texts):
        source = place[version.link.source] if version.link else -1
        depth.append(depth[source] + 1 if source >= 0 else 0)
        called, when = name(held.traced, version.row), _when(group, version)
        share = percent(version.link.share) if version.link else ""
        tags = _roles(group, version)
        if version.row == group.first:
            by_dates = group.dates.level == "all"
            tags.append(t("reposts.earliest" if by_dates else "reposts.likely_first"))
        if held.traced.compared and version.row < held.traced.asked:
            tags.append(t("reposts.in_question"))
        if is_claimed(group, version.row):
            tags.append(t("reposts.table.date_claimed"))
        document = held.traced.result.documents[version.row]
        if document.meta.get("archive_collection"):
            tags.append(document.meta["archive_collection"])
        tag = t("reposts.change.join").join(tags)
        likely = name(held.traced, version.link.source) if version.link else ""
        label = t("reposts.node_from" if likely else "reposts.node_first",
                  name=called, when=when, source=likely, share=share)  # fmt: skip
        size = version.words / max(longest, 1)
        certain = version.link.certain if version.link else True
        further = [
            (place[one.source], percent(one.share))
            for one in group.further_of(version.row)
            if one.source in place
        ]
        nodes.append(
            Node(
                *(called, when, tag, at[row], size, source, share, certain, depth[row], label),
                further=further,
            )
        )
    return nodes


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


def _starts(texts: Sequence[Version]) -> list[datetime] | None:
    moments = [version.moment for version in texts]
    dated = [moment.start for moment in moments if moment is not None]
    return dated if len(dated) == len(moments) and min(dated) < max(dated) else None


def _along(texts: Sequence[Version]) -> list[float]:
    """Return where each version stands, 0 to 1: in time where dates are known, else in order."""
    starts, n = _starts(texts), len(texts)
    if starts is None:
        return [row / max(n - 1, 1) for row in range(n)]
    span = (max(starts) - min(starts)).total_seconds()
    return [(start - min(starts)).total_seconds() / span for start in starts]


def _ticks(group: Group) -> list[tuple[float, str]]:
    """Return the dates of the axis: years, months, days or hours, few enough to read."""
    starts = _starts(_texts(group))
    if starts is None:
        return []
    first, last = min(starts), max(starts)
    days = (last - first).total_seconds() / 86400
    if days > 900:
        step = max(1, round(days / 365 / TICKS))
        begins = [datetime(y, 1, 1, tzinfo=UTC) for y in range(first.year, last.year + 1, step)]
        form = "%Y"
    elif days > 120:
        months = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
        chosen = months[:: max(1, round(days / 30 / TICKS))]
        begins = [datetime(m // 12, m % 12 + 1, 1, tzinfo=UTC) for m in chosen]
        form = "%Y-%m"
    else:
        hours = 24 * max(1, round(days / TICKS)) if days > 2 else max(1, round(24 * days / TICKS))
        midnight = first.replace(hour=0, minute=0)
        count = int((last - midnight) / timedelta(hours=hours)) + 1
        begins = [midnight + timedelta(hours=hours * at) for at in range(count)]
        form = "%m-%d" if days > 2 else "%m-%d %H:%M"
    span = last - first
    return [((day - first) / span, f"{day:{form}}") for day in begins if day >= first]


# --------------------------------------------------------------------------- the versions
def _table(held: Answer, group: Group, place: int) -> None:
    """Draw the versions; a date that is corrected draws everything anew, and U takes it back."""
    rows = [
        _line(held, group, version, chosen=at == place) for at, version in enumerate(_texts(group))
    ]
    columns = ("version", "when", "from", "received", "length", "against")
    heads = [t(f"reposts.column.{column}") for column in columns]
    described = (
        Column("version", heads[0], "names", "20%", "title"),
        Column("when", heads[1], "", "15%", "plain", draws="field", hint="2025-11-03"),
        Column("from", heads[2], "", "15%", style="dim"),
        Column("received", heads[3], "", "12%"),
        Column("length", heads[4], "num", "8%"),
        Column("against", heads[5], card="plain"),
    )
    act = draw_list(
        "repost_versions",
        [Rows(described, rows)],
        caption=t("reposts.versions"),
        undo=held.before is not None,
    )
    if act.action == "undo" and held.before is not None:
        _show(held.before)
    elif act.action == "when":
        row, date = int(act.row), act.value
        if row not in group.every_row:
            return
        if date and read_date(date) is None:
            note(t("reposts.not_a_date", date=date[:30]))
            return
        _show(correct_dates(held, {row: date}))


def _line(held: Answer, group: Group, version: Version, *, chosen: bool) -> Row:
    """Return the row of a version: who, when and by what, how long, what became of the first."""
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
        "kind": "on" if chosen else "",
        "version": [{"as": "name", "text": called}, title],
        "when": {"text": when, "style": style, "title": hint, "said": f"{called}: {when}. {hint}"},
        "value": moment.shown if moment else "",
        "from": _provenance(held, version),
        "received": find_row_arrival(held, version.row),
        "length": number(version.words),
        "against": against,
    }


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
        if st.button(t("reposts.undo"), key="repost_undo", type="tertiary"):
            _show(held.before)


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
