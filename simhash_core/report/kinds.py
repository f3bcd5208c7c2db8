"""What each kind of report says, as blocks; HTML and PDF walk them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Division
from ..notation import UNKNOWN
from . import short
from .blocks import Block, Group, Heading, Paragraph, Piece, Table
from .content import (
    Case,
    ClassReport,
    ClusterEntry,
    ClusterReport,
    ConfirmedReport,
    HeldEntry,
    PairEntry,
    PupilReport,
    SourcesReport,
)
from .words import Words

Story = list[Piece]
WIDTH, NODE = 198.0, 7.0  # of the picture of the clusters
MOST_CLUSTERS, MOST_NODES = 12, 60
_GAP = 20.0  # between two clusters
_THICKEST = 3.0  # line of a pair that is the same throughout
_PAIR = 17.0  # radius of the ring of two circles
_WIDEST_RING = (WIDTH - 2 * NODE - 4) / 2
MOST_IN_CLUSTER = 120  # pairs listed of one cluster
MOST_IN_MATRIX = 24
#: rows of the texts on paper, which is read and not searched; XLSX has every row
MOST_IN_APPENDIX = 100


def story(words: Words) -> Story:
    """Return the whole report below its title; the short kinds define nothing."""
    match words.report.shown:
        case ClassReport() as shown:
            return _class(words, shown)
        case PupilReport() as shown:
            return _person(words, shown)
        case Case() as shown:
            made = _pair(words, shown)
        case ClusterReport() as shown:
            made = _cluster(words, shown)
        case ConfirmedReport() as shown:
            made = _confirmed(words, shown)
        case SourcesReport() as shown:
            made = _sources(words, shown)
    return [*made, _definitions(words)]


# --------------------------------------------------------------------------- what several kinds say
def _limits(words: Words, look: str) -> Paragraph:
    """Return how it was checked, and what that cannot show."""
    return Paragraph(f"{words.settings()} {words.limits()}", look)


def _statement(words: Words) -> Block:
    return Block("stress", words.statement())


def _none_confirmed(words: Words) -> Block:
    return Block("say", [(words.t("report.pairs.none_confirmed"), False)], "none")


def _rest(words: Words, key: str, n: int) -> Story:
    """Return how many rows a list leaves out."""
    more = n - short.MOST_ROWS
    return [Paragraph(words.t(key, n=more))] if more > 0 else []


def _ranked(words: Words, pairs: Sequence[PairEntry]) -> Table:
    """Return pairs with their bars and the decision."""
    heads = ["", *(words.t(f"report.pairs.{x}") for x in ("texts", "overlap", "longest", "review"))]
    lengths = [
        UNKNOWN if pair.only_alike else words.length(pair.longest, pair.unit) for pair in pairs
    ]
    rows = [
        (pair.case, (pair.a, pair.b), pair, length, pair)
        for pair, length in zip(pairs, lengths, strict=True)
    ]
    return Table("ranked", "no names overlap number state", heads, rows)


def _apart(words: Words) -> Story:
    """Return pairs with evidence that is part of no number: the same meaning."""
    rows = [
        (
            (one.pair.a, one.pair.b),
            words.n(one.pair.alike),
            " · ".join(filter(None, (words.verdict(one.pair), words.found_by(one)))),
        )
        for one in words.report.alike
    ]
    keys = ("report.pairs.texts", "report.alike.places", "report.pairs.review")
    table = Table("apart", "names number text", [*map(words.t, keys)], rows)
    return [_heading(words, "report.alike"), table] if rows else []


def _heading(words: Words, key: str) -> Heading:
    """Return the head of a section that has a title and a note."""
    return Heading(words.t(f"{key}.title"), words.t(f"{key}.note"))


def _tell_left_out(words: Words, note: str = "") -> Story:
    """Return what was not compared; `note` says what the shares are of."""
    t, listed = words.t, words.report.facts.left_out
    head = Heading(t("report.out.title"), note or t("report.out.note"))
    if not listed:
        return [head, Paragraph(t("report.set.nothing_left_out"))]
    heads = [t(f"report.out.{name}") for name in ("kind", "texts", "length", "share")]
    rows = [
        (t(f"report.left_out.{row.kind}"), *map(words.n, (row.texts, row.units)),
         words.percent(row.share))
        for row in listed
    ]  # fmt: skip
    return [head, Table("left_out", "text number number number", heads, rows)]


def _text_table(words: Words, rows: Sequence[int]) -> Table:
    """Return the indicators of texts."""
    heads = [
        *("texts.number", "texts.name", "indicator.counted", "indicator.shared"),
        *("indicator.total", "", "indicator.largest", "texts.largest_from"),
        "indicator.longest_run",
    ]
    total = words.write.total
    cells = [
        (row + 1, words.name(row), i, words.n(i.division.shared), total(i.division), i.division,
         total(i.largest), words.largest_from(i), words.n(i.longest_run))
        for row, i in ((row, words.text(row).indicators) for row in rows)
    ]  # fmt: skip
    kinds = "row name counted number number bar number name number"
    return Table("texts", kinds, [words.t(f"report.{key}") if key else "" for key in heads], cells)


def _clusters(words: Words, clusters: Sequence[ClusterEntry]) -> Story:
    t, head = words.t, _heading(words, "report.clusters")
    if not clusters:
        return [head, Paragraph(t("report.clusters.none"))]
    picture = cluster_map(clusters)
    more = [Paragraph(t("report.clusters.more", n=picture.more))] if picture.more else []
    label = t("report.clusters.picture", n=picture.shown)
    return [head, Block("clusters", (picture, label)), *more]


def _confirmed_cases(words: Words, cases: Sequence[Case]) -> Story:
    """Return the confirmed cases, one row each; nothing where there are none."""
    t = words.t
    if not cases:
        return []
    heads = [t(f"report.confirmed.{x}") for x in ("case", "names", "overlap", "what", "note")]
    rows = [
        (case.pair.case, words.names(case.pair), case.pair, short.say_changed(words, case),
         short.note(case.pair) or UNKNOWN)
        for case in cases[: short.MOST_ROWS]
    ]  # fmt: skip
    return [
        Heading(t("report.confirmed.title", n=len(cases)), t("report.confirmed.title_note")),
        Table("confirmed", "case people overlap told note", heads, rows),
        *_rest(words, "report.confirmed.more", len(cases)),
    ]


def _definitions(words: Words) -> Group:
    """Return what each number means, with its value where the report is about one or two texts."""
    t = words.t
    rows = [
        (t(f"report.indicator.{code}"), t(f"report.define.{code}"), words.values(code))
        for code in words.defined()
    ]
    made = Block("definitions", (rows, t("report.define.shares")))
    return Group("section", [Heading(t("report.define.title")), made])


# --------------------------------------------------------------------------- a pair, all cases
def _pair(words: Words, case: Case) -> Story:
    t, pair, sheet, write = words.t, case.pair, case.collation, words.write
    first, second = pair.divisions
    identical = words.length(first.identical, first.unit)
    figures = [
        (t("report.strip.a_in_b"), write.total(first), write.counted(first)),
        (t("report.strip.b_in_a"), write.total(second), write.counted(second)),
        (t("report.strip.same"), write.part(first, "identical"),
         t("report.strip.same_note", length=identical)),
        (t("report.strip.longest"), words.length(pair.longest, pair.unit),
         t("report.strip.longest_note")),
    ]  # fmt: skip
    likely = write.likelihood(pair.likelihood)
    title = t("report.collation.title")
    compared: Story = [
        Heading(title, key="sheet", level=1),
        Paragraph(t("report.collation.nothing"), "plain", 10),
    ]
    if sheet.lines:
        note = t("report.collation.whole" if sheet.whole else "report.collation.part")
        places = (t("report.apparatus.title"), t("report.apparatus.note"))
        compared = [
            Heading(title, note, key="sheet", level=1),
            Block("sheet", case),
            Heading(*places, key="apparatus", level=1, below=True),
            Block("apparatus", case),
        ]
    return [
        Block("parties", pair),
        Block("strip", figures),
        Block("gap", 2),
        Block("sums", ("a", first)),
        Block("sums", ("b", second)),
        *([Paragraph(likely, size=8.4, after=2)] if likely else []),
        Group("paper", _apart(words)),
        _limits(words, "set"),
        _statement(words),
        *compared,
        Group("page", _apart(words)),
        Block("decision", case),
    ]


def _confirmed(words: Words, shown: ConfirmedReport) -> Story:
    """Return the appendix: each confirmed case in its matched paragraphs, then all texts."""
    report, t = words.report, words.t
    rows = [entry.row for entry in report.texts]
    first = sorted(rows, key=lambda row: -words.text(row).indicators.division.total)[
        :MOST_IN_APPENDIX
    ]
    left = len(rows) - len(first)
    more = [Paragraph(t("report.appendix.texts_more", n=left))] if left else []
    head = Heading(t("report.appendix.texts"))
    skipped: Story = []
    if report.facts.skipped:  # files that could not be read
        heads = [t("report.appendix.file"), t("report.appendix.reason")]
        unread = [(f, t(f"notes.{code}", **params)) for f, code, params in report.facts.skipped]
        listed = Table("skipped", "file text", heads, unread)
        skipped = [Group("section", [Heading(t("report.appendix.skipped")), listed])]
    return [
        *(map(_case, shown.cases) if shown.cases else [_none_confirmed(words)]),
        _statement(words),
        _limits(words, "small first"),
        *_tell_left_out(words),
        Block("break", 60),
        *_clusters(words, shown.clusters),
        *skipped,
        Group("page", [Group("section", [head, _text_table(words, rows)])]),
        Group("paper", [head, _text_table(words, sorted(first)), *more]),
    ]


def _case(case: Case) -> Group:
    key = f"c{case.pair.case}"
    names = ("case_heading", "sheet", "apparatus", "judged")
    return Group("case", [Block(name, case, key) for name in names], key)


# --------------------------------------------------------------------------- a text, a cluster
def _sources(words: Words, shown: SourcesReport) -> Story:
    report, t = words.report, words.t
    entry = words.text(report.subject[0])
    i, unit, write = entry.indicators, entry.division.unit, words.write
    whole = words.length(entry.division.whole, unit)

    def figures(nobody: str) -> Block:
        length, total = words.length, write.total
        values = {
            "total": (total(i.division), length(i.division.shared, unit)),
            "identical": (write.part(i.division, "identical"), length(i.division.identical, unit)),
            "largest": (total(i.largest), words.largest_from(i) or nobody),
            "longest_run": (length(i.longest_run, unit), ""),
            "counted": (
                length(i.division.counted, unit),
                t("report.indicator.of_whole", length=whole),
            ),
        }
        return Block("strip", [(t(f"report.indicator.{x}"), *said) for x, said in values.items()])

    made: Story = [
        Block("whose", entry),
        Group("page", [figures(UNKNOWN)]),
        Group("paper", [figures("")]),
        Block("sums", ("", i.division)),
        *_apart(words),
        _limits(words, "set"),
        _statement(words),
    ]
    head = Heading(t("report.person.sources"), t("report.person.sources_note"))
    if not shown.sources:
        none = Paragraph(t("report.pairs.none_person"), "plain", 10)
        bare = Heading(t("report.person.sources"))
        return [*made, Group("page", [bare]), Group("paper", [head]), none]
    text = Heading(t("report.person.text"), t("report.person.text_note"))
    return [
        *made,
        head,
        _source_table(words, shown),
        *_groups(words, shown, i.division),
        Group("page", _tell_left_out(words) if report.facts.left_out else ()),
        Group("section", [text, Block("marks", (shown, unit))]),
    ]


def _source_table(words: Words, shown: SourcesReport) -> Table:
    t, total = words.t, words.write.total
    heads = ("person.sources", "person.share", "person.back", "person.shared", "pairs.longest",
             "pairs.review")  # fmt: skip
    listed = shown.sources
    own = t("report.person.own")
    rows = [
        (one.place, (words.name(one.row), own if one.same_author else ""), total(one.division),
         total(one.back), words.length(one.division.shared, one.division.unit),
         words.n(one.pair.longest), one.pair)
        for one in listed
    ]  # fmt: skip
    kinds, keys = "no source number number number number state", [f"s{one.place}" for one in listed]
    return Table("sources", kinds, ["", *(t(f"report.{key}") for key in heads)], rows, keys)


def _groups(words: Words, shown: SourcesReport, division: Division) -> Story:
    """Return what is shared by how the text says so."""
    t = words.t
    heads = ["groups.kind", "groups.stretches", "indicator.shared", "person.share"]
    rows = [
        (t(f"report.groups.{code}"), words.n(stretches), words.length(units, division.unit),
         words.percent(units / max(division.counted, 1)))
        for code, (stretches, units) in shown.groups.items()
    ]  # fmt: skip
    named = [t(f"report.{key}") for key in heads]
    table = Table("groups", "text number number number", named, rows)
    return [_heading(words, "report.groups"), table]


def _cluster(words: Words, shown: ClusterReport) -> Story:
    report, t, members = words.report, words.t, len(words.report.subject)
    best = report.pairs[0] if report.pairs else None
    first, second = words.names(best) if best else ("", "")

    def figures(names: str) -> Block:
        possible, n = members * (members - 1) // 2, len(report.overlapping)
        share = words.write.total(best.divisions[0]) if best else UNKNOWN
        among = t("report.strip.pairs_note", n=report.facts.documents)
        values = {
            "members": (words.n(members), among),
            "links": (words.n(n), t("report.strip.links_note", n=possible)),
            "strongest": (share, names if best else ""),
        }
        return Block("strip", [(t(f"report.strip.{x}"), *said) for x, said in values.items()])

    matrix: Story = [
        Heading(t("report.cluster.matrix"), t("report.cluster.matrix_note")),
        Block("matrix", report.subject),
    ]
    beside: Story = [
        Group("column", _clusters(words, shown.clusters)),
        Group("column", _tell_left_out(words)),
    ]
    joined = t("report.and", a=first, b=second)
    return [
        Group("page", [figures(f"{first} · {second}"), Group("columns", beside)]),
        Group("paper", [figures(joined), *_clusters(words, shown.clusters)]),
        Heading(t("report.cluster.members")),
        _text_table(words, report.subject),
        Group("page", matrix if members <= MOST_IN_MATRIX else ()),
        _heading(words, "report.pairs"),
        _ranked(words, report.overlapping[:MOST_IN_CLUSTER]),
        Group("paper", [*_tell_left_out(words), _statement(words)]),
        *_apart(words),
        Group("page", [_statement(words)]),
        _limits(words, "small first"),
        *_confirmed_cases(words, shown.cases),
    ]


# --------------------------------------------------------------------------- for parents
def _person(words: Words, one: PupilReport) -> Story:
    """Return the page for parents; its lower half is ruled for the talk."""
    t = words.t
    signs = [t(f"report.sign.{who}") for who in ("pupil", "parent", "teacher", "date")]
    half = [
        Block("say", short.said_of_pupil(words, one)),
        Block("whole", one.division),
        Block("answers", short.rows_of_pupil(words, one)),
        Block("signatures", signs),
    ]
    talk = Block("talk", (t("report.pupil.talk"), t("report.pupil.by_hand")))
    return [Group("half", half), Group("talk", [talk])]


# --------------------------------------------------------------------------- head of department
def _class(words: Words, held: ClassReport) -> Story:
    """Return what is confirmed, the class in one picture, and what else was found."""
    t, shown = words.t, short.seats(held.seats)
    note, rest = t("report.roll.note"), len(held.seats) - len(shown)
    if rest:
        note = t("report.roll.note_some", n=len(shown), rest=rest)
    whole = words.length(held.whole, held.unit)
    signs = [t(f"report.sign.{who}") for who in ("taught", "head", "date")]
    waiting = words.report.waiting
    undecided = (
        Heading(t("report.waiting.title", n=len(waiting)), t("report.confirmed.title_note")),
        _ranked(words, waiting[: short.MOST_ROWS]),
        *_rest(words, "report.waiting.more", len(waiting)),
    )
    rows = short.list_cleared(words)
    cleared = (
        Heading(t("report.cleared.title", n=len(words.report.decided("no_problem")))),
        Table("cleared", "case whole text", (), rows),
    )
    return [
        Block("say", short.sentence_of_class(words, held)),
        Block("strip", short.figures(words, held)),
        *(_confirmed_cases(words, held.cases) or [_none_confirmed(words)]),
        Heading(t(f"report.roll.title.{short.tell_members(words)}"), note),
        Block("seats", (shown, short.keys(words, held))),
        *_tell_left_out(words, t("report.roll.out_note", whole=whole)),
        Block("stress", short.limits(words)),
        *(undecided if waiting else ()),
        *(cleared if rows else ()),
        *_tell_held(words, held.held),
        *_apart(words),
        Heading(t("report.roll.how.title")),
        Paragraph(short.explain_reading(words), leading=12.6),
        Block("signatures", signs, "class"),
    ]


def _tell_held(words: Words, held: Sequence[HeldEntry]) -> Story:
    """Return the passages that several texts hold; nothing where there are none."""
    t = words.t
    shown = held[: short.MOST_ROWS]
    rows = [(one.number, short.said_of_passage(words, one), one.excerpt) for one in shown]
    return [
        Heading(t("report.held.title", n=len(held)), t("report.held.note")),
        Table("held", "case two quote", (), rows),
        *_rest(words, "report.held.rest", len(held)),
    ] if held else []  # fmt: skip


# ----------------------------------------------------------------------- the picture of clusters
@dataclass(frozen=True, slots=True)
class Node:
    x: float
    y: float
    label: str
    centre: bool


@dataclass(frozen=True, slots=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    width: float
    dashed: bool


@dataclass(frozen=True, slots=True)
class Map:
    """Clusters as numbered circles, each on a ring of its own, in rows."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    shown: int
    more: int  # clusters that are not drawn


def cluster_map(clusters: Sequence[ClusterEntry]) -> Map:
    """Lay the clusters of a report out."""
    chosen: list[ClusterEntry] = []
    drawn = 0
    for cluster in clusters[:MOST_CLUSTERS]:
        drawn += len(cluster.members)
        if chosen and drawn > MOST_NODES:
            break
        chosen.append(cluster)
    nodes: list[Node] = []
    lines: list[Line] = []
    x = y = row_height = 0.0
    for cluster in chosen:
        n = len(cluster.members)
        flat = n == 2
        # of the ring on which n circles stand apart
        radius = _PAIR if flat else min(max(_PAIR, n * 18.0 / (2 * math.pi)), _WIDEST_RING)
        width = 2 * radius + 2 * NODE + 2
        height = 2 * NODE + 2 if flat else width
        if x and x + width > WIDTH:
            x, y, row_height = 0.0, y + row_height + 14, 0.0
        places = _ring(cluster, x + width / 2, y + height / 2, radius)
        nodes += [
            Node(*places[row], str(row + 1), row == cluster.centre and not flat)
            for row in cluster.members
        ]
        lines += [
            Line(
                *places[link.a],
                *places[link.b],
                round(max(_THICKEST * link.strength, 0.6), 1),
                link.passages_only,
            )
            for link in cluster.links
        ]
        x, row_height = x + width + _GAP, max(row_height, height)
    more = len(clusters) - len(chosen)
    return Map(WIDTH, round(y + row_height, 1), tuple(nodes), tuple(lines), len(chosen), more)


def _ring(
    cluster: ClusterEntry, x: float, y: float, radius: float
) -> dict[int, tuple[float, float]]:
    n = len(cluster.members)
    first = math.pi if n == 2 else -math.pi / 2
    return {
        row: (
            round(x + radius * math.cos(first + 2 * math.pi * at / n), 1),
            round(y + radius * math.sin(first + 2 * math.pi * at / n), 1),
        )
        for at, row in enumerate(cluster.members)
    }
