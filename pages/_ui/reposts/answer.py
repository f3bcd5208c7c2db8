"""The answer: versions along time, what each changed, which paragraph travels where."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import streamlit as st

from simhash_core.reposts import Changes, Clue, Group, Named, Travel, Version, read_date, travels

from ..components.pictures import Node, chosen_version, history
from ..shared import session
from ..shared.formatting import esc, number, percent, text_language
from ..shared.session import t
from ..shared.widgets import caution, figure_head, note, write_html
from .state import Answer, name, show, with_dates

_PICTURE = "repost_history"
MOST_LISTED = 12  # sentences of a kind, and passages, that are written out
TICKS = 8
EXCERPT = 64  # characters of a passage


def draw(held: Answer, group: Group) -> None:
    """Draw one group of versions."""
    dated = group.basis == "dates"
    figure_head(
        t("reposts.order"), t("reposts.order_note" if dated else "reposts.order_inferred_note")
    )
    place = _place(group)
    nodes = _nodes(held, group)
    history(
        f"{_PICTURE}_{group.original}",
        nodes,
        ticks=_ticks(group),
        label=t("reposts.picture", n=len(nodes)),
        place=place,
    )
    _further(held, group)
    left, right = st.columns([7, 4], gap="large")
    with left:
        figure_head(t("reposts.versions"), t("reposts.versions_note"))
        write_html(_table(held, group, place))
    with right:
        figure_head(t("reposts.reading"))
        _how_to_read(held, group)
    _of_version(held, group, group.versions[place])
    _travels(held, group)


def _place(group: Group) -> int:
    """Return which version is looked at: the one that was chosen, at first the second."""
    place = chosen_version(f"{_PICTURE}_{group.original}")
    return place if 0 <= place < len(group.versions) else min(1, len(group.versions) - 1)


# --------------------------------------------------------------------------- along time
def _nodes(held: Answer, group: Group) -> list[Node]:
    place = {version.row: at for at, version in enumerate(group.versions)}
    longest = max(version.words for version in group.versions)
    at = _along(group)
    depth: list[int] = []
    nodes = []
    for row, version in enumerate(group.versions):
        source = place[version.link.source] if version.link else -1
        depth.append(depth[source] + 1 if source >= 0 else 0)
        called, when = name(held.traced, version.row), _when(group, version)
        share = percent(version.link.share) if version.link else ""
        tag = _tag(held, group, row)
        likely = name(held.traced, version.link.source) if version.link else ""
        label = t("reposts.node_from" if likely else "reposts.node_first",
                  name=called, when=when, source=likely, share=share)  # fmt: skip
        size = version.words / max(longest, 1)
        certain = version.link.certain if version.link else True
        nodes.append(
            Node(called, when, tag, at[row], size, source, share, certain, depth[row], label)
        )
    return nodes


def _tag(held: Answer, group: Group, place: int) -> str:
    tags = []
    if place == 0:
        tags.append(t("reposts.earliest" if group.basis == "dates" else "reposts.likely_first"))
    if held.traced.compared and group.versions[place].row < held.traced.asked:
        tags.append(t("reposts.in_question"))
    document = held.traced.result.documents[group.versions[place].row]
    if document.meta.get("archive_collection"):
        tags.append(document.meta["archive_collection"])
    return t("reposts.change.join").join(tags)


def _when(group: Group, version: Version) -> str:
    """Return the date of a version; without the year where all are days of one year."""
    if version.moment is None:
        return t("reposts.no_date")
    shown = [one.moment.shown for one in group.versions if one.moment]
    same = len({date[:4] for date in shown}) == 1 and min(map(len, shown)) >= len("2025-11-03")
    return version.moment.shown[5:] if same and len(shown) > 1 else version.moment.shown


def _starts(group: Group) -> list[datetime] | None:
    moments = [version.moment for version in group.versions]
    dated = [moment.start for moment in moments if moment is not None]
    return dated if len(dated) == len(moments) and dated[0] < dated[-1] else None


def _along(group: Group) -> list[float]:
    """Return where each version stands, 0 to 1: in time where dates are known, else in order."""
    starts, n = _starts(group), len(group.versions)
    if starts is None:
        return [row / max(n - 1, 1) for row in range(n)]
    span = (max(starts) - starts[0]).total_seconds()
    return [max(0.0, (start - starts[0]).total_seconds()) / span for start in starts]


def _ticks(group: Group) -> list[tuple[float, str]]:
    """Return the dates of the axis: years, months, days or hours, few enough to read."""
    starts = _starts(group)
    if starts is None:
        return []
    first, last = starts[0], max(starts)
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


def _further(held: Answer, group: Group) -> None:
    """Name the versions that took a passage from here but more from elsewhere."""
    for link in group.further:
        note(t("reposts.further", name=name(held.traced, link.version), share=percent(link.share)))


# --------------------------------------------------------------------------- the versions
def _table(held: Answer, group: Group, place: int) -> str:
    heads = "".join(
        f'<th scope="col"{css}>{esc(t(f"reposts.column.{column}"))}</th>'
        for column, css in (
            *(("version", ""), ("when", ""), ("share", ' class="num"')),
            *(("changes", ""), ("length", ' class="num"')),
        )
    )
    rows = []
    for at, version in enumerate(group.versions):
        share = percent(version.of_first) if at else "—"
        rows.append(
            f'<tr{" class=on" if at == place else ""}><th scope="row">'
            f"<b>{esc(name(held.traced, version.row))}</b></th>"
            f"<td>{esc(_when(group, version))}</td>"
            f'<td class="num">{esc(share)}</td>'
            f'<td class="dim">{esc(changed(version))}</td>'
            f'<td class="num">{esc(number(version.words))}</td></tr>'
        )
    return (
        '<div class="lt-scroll lt-versions" tabindex="0" role="region" '
        f'aria-label="{esc(t("reposts.versions"))}">'
        f'<table class="lt-table"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _how_to_read(held: Answer, group: Group) -> None:
    """Say why the first stands first, and what that does not mean."""
    first = name(held.traced, group.original)
    note(
        t(
            "reposts.first",
            name=first,
            reasons=t("reposts.change.join").join(reasons(group)),
        )
    )
    if not group.certain:
        caution(t("reposts.open.lead"), t("reposts.open.text"))
    if any(not link.certain for link in group.links):
        note(t("reposts.dashed"))
    note(t("reposts.meaning"))
    sources = sorted({version.moment.source for version in group.versions if version.moment})
    if sources:
        listed = t("reposts.change.join").join(t(f"reposts.date_from.{code}") for code in sources)
        note(t("reposts.dates_from", sources=listed))
    with st.popover(t("reposts.correct"), icon=":material/edit_calendar:", key="repost_dates"):
        _correct(held, group)


def _correct(held: Answer, group: Group) -> None:
    """Offer a field for the date of every version."""
    note(t("reposts.correct_note"))
    given: dict[int, str] = {}
    for version in group.versions[:40]:
        before = version.moment.shown if version.moment else ""
        after = st.text_input(
            name(held.traced, version.row), value=before, key=f"repost_date_{version.row}"
        ).strip()
        if after != before:
            given[version.row] = after
    wrong = [date for date in given.values() if date and read_date(date) is None]
    if wrong:
        note(t("reposts.not_a_date", date=wrong[0]))
    if st.button(
        t("reposts.correct_apply"), key="repost_dates_apply", disabled=not given or bool(wrong)
    ):
        show(with_dates(held, given))
        st.rerun()


# --------------------------------------------------------------------------- sentences
def _of_version(held: Answer, group: Group, version: Version) -> None:
    """Write out what one version added, dropped and reworded."""
    made = version.changes
    if made is None or made.unchanged:
        return
    first = held.traced.result.documents[group.original].text
    text = held.traced.result.documents[version.row].text
    figure_head(
        t("reposts.sentences", name=name(held.traced, version.row)), t("reposts.sentences_note")
    )
    if made.headline.what == "changed" and not session.hide_names():
        note(t("reposts.headlines", before=made.headline.before, after=made.headline.after))
    columns = st.columns(3, gap="large")
    kinds = (
        ("removed", first, made.removed),
        ("added", text, made.added),
        ("reworded", text, made.reworded),
    )
    for column, (kind, of_text, places) in zip(columns, kinds, strict=True):
        with column:
            figure_head(t(f"reposts.kind.{kind}"), number(len(places)), level=3)
            write_html(_listed(of_text, places))


def _listed(text: str, places: Sequence[tuple[int, int]]) -> str:
    if not places:
        return f'<p class="lt-note">{esc(t("reposts.no_sentence"))}</p>'
    items = "".join(f"<li>{esc(text[start:end])}</li>" for start, end in places[:MOST_LISTED])
    more = len(places) - MOST_LISTED
    tail = f'<p class="lt-note">{esc(t("reposts.more", n=more))}</p>' if more > 0 else ""
    return f'<ul class="lt-sentences" lang="{text_language(text)}">{items}</ul>{tail}'


# --------------------------------------------------------------------------- passages
def _travels(held: Answer, group: Group) -> None:
    """List the paragraphs and the versions that have each."""
    listed = travels(held.traced.result, group.rows)
    if not listed:
        return
    figure_head(t("reposts.travels"), t("reposts.travels_note"))
    rows = "".join(_travel(held, one) for one in listed[:MOST_LISTED])
    heads = "".join(
        f'<th scope="col">{esc(t(f"reposts.column.{column}"))}</th>'
        for column in ("passage", "first_in", "then_in")
    )
    write_html(
        '<div class="lt-scroll" tabindex="0" role="region" '
        f'aria-label="{esc(t("reposts.travels"))}"><table class="lt-table lt-travels">'
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
    if len(listed) > MOST_LISTED:
        note(t("reposts.more_passages", n=len(listed) - MOST_LISTED))


def _travel(held: Answer, one: Travel) -> str:
    text = held.traced.result.documents[one.rows[0]].text
    start, end = one.places[0]
    words = " ".join(text[start:end].split())
    shown = words if len(words) <= EXCERPT else f"{words[:EXCERPT]}…"
    names = [name(held.traced, row) for row in one.rows]
    marked = [
        t("reposts.in_part", name=called) if part else called
        for called, part in zip(names, one.parts, strict=True)
    ]
    return (
        f'<tr><td lang="{text_language(text)}" title="{esc(words[:400])}">{esc(shown)}</td>'
        f"<td>{esc(marked[0])}</td><td>{esc(t('reposts.change.join').join(marked[1:]))}</td></tr>"
    )


# --------------------------------------------------------------------------- sentences

_EXCERPT = (0.8, 0.6)  # the first version has so much of an excerpt, which has less of that


def changed(version: Version) -> str:
    """Return what a version changed against the first one, in one line."""
    made = version.changes
    if made is None:
        return t("reposts.change.first") if version.link is None else t("reposts.change.through")
    if made.unchanged:
        return t("reposts.change.none")
    parts = [
        *_heads(made),
        *([t("reposts.change.excerpt")] if _is_excerpt(version) else []),
        *_sentence_counts(made),
        *([t("reposts.change.order")] if made.reordered else []),
    ]
    return t("reposts.change.join").join(parts)


def _is_excerpt(version: Version) -> bool:
    return version.of_first >= _EXCERPT[0] and version.from_first < _EXCERPT[1]


def _heads(made: Changes) -> list[str]:
    """Return what became of headline, writer and source."""
    listed: tuple[tuple[str, Named], ...] = (
        ("headline", made.headline),
        ("writer", made.writer),
        ("source", made.source),
    )
    hidden = session.hide_names()
    return [
        t(f"reposts.change.{kind}_{named.what}" + ("_hidden" if hidden else ""),
          before=named.before, after=named.after)
        for kind, named in listed
        if named.what != "same"
    ]  # fmt: skip


def _sentence_counts(made: Changes) -> list[str]:
    counts = (
        ("removed", len(made.removed), made.removed_words),
        ("added", len(made.added), made.added_words),
        ("reworded", len(made.reworded), 0),
    )
    return [t(f"reposts.change.{kind}", n=n, words=words) for kind, n, words in counts if n]


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
