"""What a report says, as data: computed once, written by every format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime

from ..cases import PassageCase
from ..model import Decision, Decisions, Division
from ..numbers import Likelihood, has_few_counted
from ..people.masking import Place
from ..people.roster import CLASS_LIST_KEY, Member, members_from_data
from ..result import CheckResult
from ..seen.exclusion_view import ExclusionView
from ..seen.stored import CaseNumbers, LostCase, kept_cases, list_answered_cases
from ..seen.thresholds import view_at_threshold
from ..storage import COURSE_KEY, Damage, Project
from ..text.lengths import Unit
from .collation.sheet import Collation

KINDS = ("class", "person", "pair", "cluster", "confirmed", "sources")
OF_ONE_TEXT = ("person", "sources")  # kinds about one text and its pairs
MOST_TYPED = 80  # characters of each field of a `Course`


@dataclass(frozen=True, slots=True)
class Course:
    """Where the texts come from, for titles and names of files; what is not known is ""."""

    group: str = ""  # the class
    task: str = ""
    teacher: str = ""

    @classmethod
    def from_data(cls, data: object) -> Course:
        """Return what a project keeps; anything else in its place is nothing."""
        given = data if isinstance(data, Mapping) else {}
        return cls(*(str(given.get(spec.name, ""))[:MOST_TYPED] for spec in fields(cls)))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text of one kind that counts nowhere."""

    kind: str  # template, quotation, references, ...: `report.left_out.<kind>`
    texts: int
    units: int  # characters of Han and kana, words of other scripts
    share: float  # of all text of the check


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report is asked to show. Rows are rows of the check.

    Attributes
    ----------
    kind : str                     one of `KINDS`
    rows : tuple of int            the text of a person or of its sources, the two texts of a pair,
                                   the members of a cluster; empty for the other kinds
    title : str                    what the check is called
    course : Course                class, task and teacher, as far as they were given
    anonymous : bool               names of files, authors and names inside the texts are replaced
    overruled : set of Place       places in texts where the reader wants the opposite
    members : tuple of Member      the class list, where there is one
    made, checked : datetime       when the report and the check were made
    decisions : Decisions          what readers decided so far
    numbers : CaseNumbers          the numbers that cases keep; without one it is the place
    lost : tuple of LostCase       what was decided about cases that the check does not list
    exclusions : ExclusionView     what was excluded; its `result` is the one to report on
    damage : tuple of Damage       what is damaged in the file of the check
    passages : list of PassageCase what several texts hold, with what was answered; without one as
                                   the check has it
    """

    kind: str
    made: datetime
    rows: tuple[int, ...] = ()
    title: str = ""
    course: Course = Course()
    anonymous: bool = False
    overruled: frozenset[Place] = frozenset()
    members: tuple[Member, ...] = ()
    checked: datetime | None = None
    decisions: Decisions = field(default_factory=dict)
    numbers: CaseNumbers = field(default_factory=dict)
    lost: tuple[LostCase, ...] = ()
    exclusions: ExclusionView | None = None
    damage: tuple[Damage, ...] = ()
    passages: Sequence[PassageCase] | None = None

    @classmethod
    def of_project(
        cls, project: Project, result: CheckResult, view: ExclusionView | None, *, kind: str
    ) -> Wanted:
        """Return what a report on a stored check begins with: everything that people said of it.

        `result` is the stored one, and `view` is it without what does not count.
        """
        shown = view.result if view else result
        numbers, lost = kept_cases(project, shown, view_at_threshold(shown, shown.threshold))
        return cls(
            kind=kind,
            made=datetime.now().astimezone(),
            checked=project.summary().checked,
            title=project.name,
            course=Course.from_data(project.get(COURSE_KEY)),
            members=members_from_data(project.get(CLASS_LIST_KEY)),
            decisions=project.pair_decisions(),
            numbers=numbers,
            lost=lost,
            passages=list_answered_cases(view.before if view else result, project),
            exclusions=view,
            damage=project.damage,
        )

    @property
    def others(self) -> list[str]:
        """Names and numbers of the class list: hidden in texts like those of writers."""
        return [name for one in self.members for name in (one.person, one.number) if name]


@dataclass(frozen=True, slots=True)
class Indicators:
    """The customary numbers of one text; shares are of what counts, lengths in its unit."""

    division: Division
    largest: Division  # by what the one text shares that gives most
    largest_row: int  # that text, -1 for none
    longest_run: int  # units without any change
    passages: int
    sources: int  # texts that share a passage
    without_own: float | None  # total without texts of the same author; None: author not given
    without_quoted: float | None  # total without quotations and references; None: not told apart
    before: Division | None = None  # before exclusions; None where nothing was excluded

    def value(self, code: str) -> float | None:
        """Return an indicator by its code (`report.indicator.<code>`), lengths in units."""
        if code in ("total", "shared", "counted"):
            return getattr(self.division, code)  # type: ignore[no-any-return]
        if code == "identical":
            return self.division.share(code)
        if code == "length":
            return self.division.whole
        held: float | None = self.largest.total if code == "largest" else getattr(self, code)
        return held


@dataclass(frozen=True, slots=True)
class TextEntry:
    """One text of the check as the report calls it."""

    row: int
    name: str  # short, for tables; a number where names are hidden
    file: str  # "" where names are hidden
    id: str  # sha-256 of the text
    encoding: str
    reference: bool  # only compared against
    division: Division  # by what all the others share
    ocr: float | None  # confidence of its recognition, per cent; None: it was typed
    measure: Callable[[], Indicators] = field(compare=False, repr=False)
    title: str = ""
    author: str = ""
    class_name: str = ""
    group: str = ""

    @property
    def indicators(self) -> Indicators:
        """Its customary numbers, measured at the first question: no page of a class shows them."""
        return self.measure()


@dataclass(frozen=True, slots=True)
class PairEntry:
    """One pair of texts. `a` is the left text of the check."""

    place: int  # in the list of all pairs, strongest first, from 1; 0: not listed
    case: int  # its number at the desk, from 1; 0: not listed
    table_row: int  # -1: without evidence
    a: int
    b: int
    divisions: tuple[Division, Division]  # of both texts, by what the other one shares
    longest: int
    unit: Unit
    passages: int
    distance: int | None  # bits
    chance: float | None  # unrelated pairs of this batch expected to be as strong
    likelihood: Likelihood | None  # the same in words
    decision: Decision | None
    note: str  # of the decision, as it may be shown
    cluster: int  # index into the clusters of the check, -1 outside
    alike: int = 0  # places of the same meaning; part of no number

    @property
    def only_alike(self) -> bool:
        """Whether the same meaning is the only evidence."""
        return self.alike > 0 and not self.place

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """Of each text, what the other one shares; None where too little of it counts."""
        a, b = (None if has_few_counted(one) else one.total for one in self.divisions)
        return a, b

    @property
    def identical(self) -> float:
        """Share of what both sides share that is identical."""
        shared = sum(one.shared for one in self.divisions)
        return sum(one.identical for one in self.divisions) / shared if shared else 0.0


@dataclass(frozen=True, slots=True)
class Link:
    """A pair inside a cluster. `strength` is the larger share of a text, 0..1."""

    a: int
    b: int
    strength: float
    passages_only: bool


@dataclass(frozen=True, slots=True)
class ClusterEntry:
    """A group of texts; rows of the check."""

    index: int
    members: tuple[int, ...]
    centre: int
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """One pair with its texts set side by side; alone it is what a report on a pair shows."""

    pair: PairEntry
    collation: Collation
    cluster: ClusterEntry | None = None  # that both texts are in


@dataclass(frozen=True, slots=True)
class PassageEntry:
    """One passage of a pair of the report; ranges are code points into the texts."""

    table_row: int
    kind: str
    weak: bool
    a: tuple[int, int]
    b: tuple[int, int]
    units_a: int
    units_b: int
    excerpt: str  # the beginning of it in the first text


@dataclass(frozen=True, slots=True)
class HeldEntry:
    """One passage that several texts hold: one case, whatever pairs share it."""

    number: int
    rows: tuple[int, ...]  # texts that hold it
    units: int  # its length in the text that has most of it
    unit: Unit
    answer: str  # one of `ANSWERS`, "" where nobody answered
    automatic: bool  # nobody answered; nearly all hold it
    excerpt: str


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    """A sentence and the one that says the same in other words; ranges are code points.

    `closeness` and `next_best` are None where too few unrelated sentences stand beside them, and
    where the words of a dictionary found two passages.
    """

    letter: str
    a: tuple[int, int]
    b: tuple[int, int]
    closeness: float | None
    next_best: float | None
    words: tuple[str, ...]  # names, numbers and rare words that both have
    excerpt_a: str
    excerpt_b: str


@dataclass(frozen=True, slots=True)
class AlikeEntry:
    """A pair of the report whose texts say the same in other words."""

    pair: PairEntry
    answers: tuple[AnswerEntry, ...]
    unrelated: float | None  # closeness of the closest unrelated sentences of this batch
    found_by: str  # `words` or `sentences` where the passages are in two languages, else ""


@dataclass(frozen=True, slots=True)
class Marked:
    """A run of the text of a person; `source` is the place of a source in its list, 0 outside."""

    text: str
    source: int
    left_out: bool
    opens: bool  # the first run of a passage


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One text that a person's text shares passages with."""

    place: int  # from 1, largest share first
    pair: PairEntry
    row: int
    division: Division  # of the person's text, by what the source shares
    back: Division  # of the source
    same_author: bool


@dataclass(frozen=True, slots=True)
class Seat:
    """One member of the class in its picture, or one text where nobody is named.

    `state` is `read`, `unread` (something was handed in; `reason` is the code of the note) or
    `missing`. What is shown of somebody with several texts is the one that overlaps most.
    """

    name: str
    rows: tuple[int, ...]
    state: str
    reason: str = ""
    division: Division | None = None
    cases: tuple[int, ...] = ()  # numbers of the confirmed cases
    alike: bool = False  # some text says the same as another one in other words
    nameless: bool = False  # a text of a class that names nobody: no pupil
    shares: bool = False  # some text shares what only a few have

    @property
    def weak(self) -> bool:
        """Whether there is nothing but the same meaning."""
        return self.alike and not self.shares


# --------------------------------------------------------------------------- what each kind shows
@dataclass(frozen=True, slots=True)
class ClassReport:
    """The class: who handed in, how much of it overlaps, what does not count, what was decided."""

    seats: tuple[Seat, ...]
    counted: int  # units of the texts of the class
    whole: int
    unit: Unit
    passages: int  # that three texts or more hold
    held: tuple[HeldEntry, ...]  # what several texts hold, most of them first
    cases: tuple[Case, ...]  # confirmed

    def count(self, state: str) -> int:
        """Return how many members are in a state."""
        return sum(seat.state == state for seat in self.members)

    @property
    def members(self) -> list[Seat]:
        """The pupils of a class; elsewhere the texts."""
        return [seat for seat in self.seats if not seat.nameless]

    @property
    def nameless(self) -> list[Seat]:
        """Texts of a class that name nobody."""
        return [seat for seat in self.seats if seat.nameless]

    @property
    def confirmed(self) -> int:
        """Members with a confirmed case."""
        return sum(bool(seat.cases) for seat in self.members)


@dataclass(frozen=True, slots=True)
class PupilReport:
    """What the confirmed cases say of one text, to be read by whoever wrote it.

    Nobody else is named in it: not in the quotation, and not in the notes.
    """

    division: Division  # by what the confirmed cases share
    cases: tuple[PairEntry, ...]
    sources: tuple[tuple[str, int], ...]  # `report.pupil.source.<kind>`, how many
    paragraphs: tuple[int, ...]  # that share something, from 1, of those that count
    left_out: tuple[tuple[str, int], ...]  # kind, units: the most first
    quote: str
    cut: bool  # the passage goes on
    notes: tuple[str, ...]  # one a case, those of `alike` last
    alike: tuple[PairEntry, ...]  # cases that rest on the same meaning alone
    places: int  # of the same meaning in all confirmed cases


@dataclass(frozen=True, slots=True)
class SourcesReport:
    """One text against all the others."""

    sources: tuple[SourceEntry, ...]
    groups: Mapping[str, tuple[int, int]]  # (stretches, units) by `report.groups.<code>`
    paragraphs: tuple[tuple[Marked, ...], ...]


@dataclass(frozen=True, slots=True)
class ClusterReport:
    """A group of texts, each with each, and its confirmed cases."""

    clusters: tuple[ClusterEntry, ...]  # the one that holds the texts; none at another threshold
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class ConfirmedReport:
    """Every confirmed case, both texts side by side, and the groups that their texts are in."""

    cases: tuple[Case, ...]
    clusters: tuple[ClusterEntry, ...]


Shown = ClassReport | PupilReport | Case | ClusterReport | ConfirmedReport | SourcesReport


@dataclass(frozen=True, slots=True)
class Facts:
    """What was compared, how, and when: enough to repeat it."""

    made: datetime
    checked: datetime | None
    version: str
    recipe: str
    bits: int
    threshold: int
    settings: tuple[tuple[str, object], ...]
    documents: int
    references: int
    pairs: int  # compared
    guarantees: tuple[tuple[str, Mapping[str, object]], ...]
    skipped: tuple[tuple[str, str, Mapping[str, object]], ...]  # name, code, params
    unread: int  # files of these whose text is missing
    gaps: tuple[tuple[str, Mapping[str, int]], ...]  # what was not looked for
    usual: tuple[int, int] | None  # bits: where 95 of 100 unrelated pairs of this batch lie
    expected: float  # pairs as close by chance
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """What stands at the top of a report, and in the name of its file."""

    title: str
    course: Course
    anonymous: bool
    pupils: bool  # of a short report: the texts are those of a class (`seen.Headline`)
    damage: tuple[Damage, ...]  # in the file of the check
    lost: tuple[LostCase, ...]  # decided before, not in this check


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that any format writes: what all kinds have, and what this one shows."""

    kind: str
    number: str  # names this content: same content, same number
    cover: Cover
    facts: Facts
    texts: tuple[TextEntry, ...]  # every text of the check, by row
    subject: tuple[int, ...]  # rows that the report is about; all for a class
    pairs: tuple[PairEntry, ...]
    alike: tuple[AlikeEntry, ...]  # the strongest first; part of no number
    shown: Shown
    list_passages: Callable[[], tuple[PassageEntry, ...]] = field(compare=False, repr=False)

    @property
    def passages(self) -> tuple[PassageEntry, ...]:
        """The passages of the pairs, read at the first question: only tables list them."""
        return self.list_passages()

    @property
    def overlapping(self) -> tuple[PairEntry, ...]:
        """The pairs of this report but those that rest on the same meaning alone."""
        return tuple(pair for pair in self.pairs if not pair.only_alike)

    def alike_of(self, pair: PairEntry) -> AlikeEntry | None:
        """Return what is the same in other words in a pair, None for nothing."""
        return next((one for one in self.alike if one.pair == pair), None)

    def decided(self, verdict: str) -> list[PairEntry]:
        """Return the pairs of this report with a decision, in the order of their cases."""
        chosen = [p for p in self.pairs if (p.decision.verdict if p.decision else "") == verdict]
        return sorted(chosen, key=lambda pair: pair.case)

    @property
    def waiting(self) -> list[PairEntry]:
        """The pairs of this report without a decision, or put off."""
        open_ = self.decided("") + self.decided("later")
        return sorted(open_, key=lambda pair: pair.case)
