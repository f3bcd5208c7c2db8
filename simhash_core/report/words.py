"""Numbers, dates and names of a report as its reader writes them; sentences are in the locales.

And what is damaged in the file of a check, in words: on pages, in reports, on a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ..i18n import Translate, in_chinese, tag, translator
from ..model import FETCHED_KEY, Division
from ..notation import Notation
from ..numbers import has_few_counted
from ..policy import FEW_COUNTED, FEW_COUNTED_SHARE
from ..result import CheckResult
from ..seen.stored import LostCase
from ..storage import Damage
from ..text.lengths import Unit
from .names import NARROW, cut_middle, one_line

if TYPE_CHECKING:
    from .collation.folding import Part
    from .content import AlikeEntry, Indicators, LeftOut, PairEntry, Report, TextEntry

#: indicators in the order of the appendix
DEFINED = (
    *("total", "before", "without_quoted", "without_own", "largest", "identical"),
    *("shared", "counted", "length", "longest_run", "passages", "sources"),
    "a_in_b",
)
SHARES = frozenset({"total", "without_quoted", "without_own", "largest", "identical"})
LENGTHS = frozenset({"shared", "counted", "length", "longest_run"})
_NOT_IN_FILES = str.maketrans("", "", "（）()《》“”‘’")  # left out of names of files
_FILE_COLUMNS = 90  # of the name of a file, far below what any system takes
_BRIEF = 26  # characters of a quotation in the apparatus

MOST = 4  # sentences; the rest is counted
#: codes of `seen.find_gaps`, with their numbers
Gaps = Sequence[tuple[str, Mapping[str, int]]]
_OF_DECISIONS = ("event", "missing", "events")


def name_file(parts: Iterable[str], ending: str) -> str:
    """Return the name of a file of some parts, without what no file may be called."""
    stem = "-".join(filter(None, (part.translate(_NOT_IN_FILES) for part in parts)))
    safe = re.sub(r'[\s\x00-\x1f\\/:*?"<>|\[\]]+', " ", stem).strip(" .")
    return f"{cut_middle(safe, _FILE_COLUMNS)}.{ending}"


@dataclass(frozen=True, slots=True)
class Words:
    """What one report says in one language."""

    report: Report
    language: str
    t: Translate

    @classmethod
    def of(cls, report: Report, language: str) -> Words:
        """Return the words of a report in a language."""
        return cls(report, language, translator(language))

    @property
    def lang(self) -> str:
        """The language as HTML names it."""
        return tag(self.language)

    # ----------------------------------------------------------------- numbers
    @property
    def write(self) -> Notation:
        """What writes the numbers of this report."""
        return Notation.of(self.language)

    def n(self, value: int) -> str:
        """Write a count with its thousands apart."""
        return self.write.count(value)

    def percent(self, share: float) -> str:
        """Write a share in whole percents; a part of a whole never reads as all or nothing."""
        return self.write.percent(share)

    def length(self, units: int, unit: Unit) -> str:
        """Write a length with its unit."""
        return self.write.length(units, unit)

    def unit(self, unit: Unit) -> str:
        """Return what a unit is called in a table."""
        return self.t(f"report.table.{unit}")

    def largest_from(self, indicators: Indicators) -> str:
        """Return what the text is called that gives most of another one, "" for none."""
        return self.name(indicators.largest_row) if indicators.largest_row >= 0 else ""

    def date(self, moment: datetime | None, *, time: bool = False) -> str:
        """Write a date, with its time where wanted."""
        if moment is None:
            return ""
        if in_chinese(self.language):
            day = f"{moment.year} 年 {moment.month} 月 {moment.day} 日"
        else:
            day = f"{moment.day} {moment:%B %Y}"
        return f"{day}{' ' if in_chinese(self.language) else ', '}{moment:%H:%M}" if time else day

    # ----------------------------------------------------------------- names
    def text(self, row: int) -> TextEntry:
        """Return a text of the check."""
        return self.report.texts[row]

    def name(self, row: int) -> str:
        """Return what a text is called: by who wrote it, else by its file."""
        return self.text(row).name

    def names(self, pair: PairEntry) -> tuple[str, str]:
        """Return what both texts are called."""
        return self.name(pair.a), self.name(pair.b)

    def cluster(self, index: int, *, title: bool = False) -> str:
        """Return what a cluster is called; `title` for a heading."""
        return self.write.cluster(index, title=title)

    def fingerprint(self, row: int) -> str:
        """Return the first 32 digits of the hash of a text, in fours."""
        digits = self.text(row).id[:32]
        return " ".join(digits[i : i + 4] for i in range(0, 32, 4))

    def recognised(self, entry: TextEntry) -> str:
        """Say how sure recognition was of a text, "" of one that was typed."""
        return "" if entry.ocr is None else self.t("report.party.ocr", percent=f"{entry.ocr:.0f}")

    def join(self, parts: Sequence[str]) -> str:
        """Join the members of a list."""
        return ("、" if in_chinese(self.language) else ", ").join(parts)

    def join_sentences(self, sentences: Iterable[str]) -> str:
        """Return sentences one behind the other."""
        return ("" if in_chinese(self.language) else " ").join(filter(None, sentences))

    def file_name(self, ending: str) -> str:
        """Return what a file of this report is called: class, task, reader."""
        report, course = self.report, self.report.cover.course
        heads = [course.group, course.task] if course.group or course.task else [report.cover.title]
        hidden = self.t("report.file.without_names") if report.cover.anonymous else ""
        heads = heads if any(heads) else [self.t("report.brand")]
        return name_file([*heads, self.reader(), hidden], ending)

    def reader(self) -> str:
        """Return for whom a report is, or what it is about, in the name of its file."""
        report = self.report
        kind = "texts" if report.kind == "class" and not report.cover.pupils else report.kind
        parts = [] if kind == "person" else [self.t(f"report.file.{kind}")]
        if kind in ("person", "sources"):
            name = self.name(report.subject[0])
            short = report.cover.anonymous and in_chinese(self.language)  # 第 031 篇
            parts.insert(0, name.replace(" ", "") if short else name)
        if report.kind == "pair":
            case = report.pairs[0].case
            both = [f"{row + 1:03d}" for row in report.subject]
            parts = [*parts, f"{case:02d}"] if case else [*parts, *both]
        return "-".join(filter(None, parts))

    # ----------------------------------------------------------------- sentences
    def kind_title(self) -> str:
        """Return what this report is, or for whom; and that names are hidden."""
        report = self.report
        short = report.kind in ("class", "person") and not report.cover.pupils
        title = self.t(f"report.kind.{report.kind}{'_texts' if short else ''}")
        hidden = self.t("report.file.without_names") if report.cover.anonymous else ""
        return " · ".join(filter(None, (title, hidden)))

    def heading(self) -> str:
        """Return the title of the report."""
        from .content import ClusterReport

        report = self.report
        if report.kind == "pair":
            a, b = self.names(report.pairs[0])
            return self.t("report.and", a=a, b=b)
        if report.kind in ("person", "sources"):
            return self.name(report.subject[0])
        if isinstance(report.shown, ClusterReport) and report.shown.clusters:
            return self.cluster(report.shown.clusters[0].index, title=True)
        return self._check_title() or self.kind_title()

    def _check_title(self) -> str:
        """Return the class and the task; where neither is known, what the check is called."""
        cover = self.report.cover
        return " · ".join(filter(None, (cover.course.group, cover.course.task))) or cover.title

    def subtitle(self) -> str:
        """Return the line below the title: class, task, teacher, when, and what is not decided."""
        report, facts, course = self.report, self.report.facts, self.report.cover.course
        title = self._check_title()
        parts = ["" if title == self.heading() else title, course.teacher]
        if report.kind != "person":
            parts.append(self.t("report.texts", n=facts.documents))
        if facts.checked:
            parts.append(self.t("report.checked", date=self.date(facts.checked)))
        if report.kind == "pair" and report.pairs[0].case:
            parts.append(self.t("report.case_number", place=report.pairs[0].case))
        if report.kind in ("class", "cluster", "sources") and report.waiting:
            parts.append(self.t("report.interim", n=len(report.waiting)))
        return " · ".join(filter(None, parts))

    def decided_by(self, pair: PairEntry) -> str:
        """Return who decided about a pair, and when, as far as that is known."""
        decision = pair.decision
        if decision is None or not (decision.reviewer or decision.time):
            return ""
        code = "_".join(name for name in ("reviewer", "time") if getattr(decision, name))
        return self.t(
            f"report.decided_by.{code}", reviewer=decision.reviewer, date=self.date(decision.time)
        )

    def hiding(self) -> str:
        """Return that names are replaced and nothing else is, "" where none is."""
        return self.t("report.hiding") if self.report.cover.anonymous else ""

    def damage(self) -> str:
        """Return what is damaged in the file of the check, "" where nothing is."""
        text = damage_text(self.report.cover.damage, self.t, self.language)
        return self.t("error.damage_whole", what=text) if text else ""

    def lost(self) -> list[str]:
        """Return a sentence for each case that was decided before and is not in this check."""
        hidden = self.report.cover.anonymous
        return [lost_text(one, self.t, hidden=hidden) for one in self.report.cover.lost]

    def statement(self) -> str:
        """Return the sentence that numbers are evidence for a person."""
        return self.t(f"report.statement.{'pair' if self.report.kind == 'pair' else 'many'}")

    def found_by(self, one: AlikeEntry) -> str:
        """Say by which means passages in two languages were found, "" of those in one."""
        return self.t(f"report.alike.by.{one.found_by}") if one.found_by else ""

    def verdict(self, pair: PairEntry) -> str:
        """Return what was decided about a pair, with the reason."""
        decision = pair.decision
        if decision is None:
            return self.t("report.verdict.none")
        alone = pair.only_alike and decision.verdict == "confirmed"
        verdict = self.t(f"report.verdict.{decision.verdict}{'_alike' if alone else ''}")
        if decision.together:
            verdict = self.t("report.verdict.together", verdict=verdict)
        if not decision.reason:
            return verdict
        reason = self.t(f"review.reason.{decision.reason}")
        return self.t("report.verdict.with_reason", verdict=verdict, reason=reason)

    def settings(self) -> str:
        """Return the paragraph that lets somebody else repeat the check."""
        facts, report = self.report.facts, self.report
        parts = [self.t("report.set.compared", n=facts.documents, pairs=facts.pairs)]
        if facts.checked:
            parts[0] = self.t(
                "report.set.compared_at",
                date=self.date(facts.checked, time=True),
                n=facts.documents,
                pairs=facts.pairs,
            )
        if facts.unread:
            parts.append(self.t("report.set.skipped", n=facts.unread))
        parts.append(self.left_out(facts.left_out))
        parts.append(self.t("report.set.prints", bits=facts.bits, k=facts.threshold))
        if report.kind == "pair" and report.pairs[0].distance is not None:
            parts.append(self.t("report.set.distance", d=report.pairs[0].distance))
        if facts.usual:
            low, high = facts.usual
            parts.append(self.t("report.set.usual", low=low, high=high))
        parts.append(self.t("report.set.version", version=facts.version, recipe=facts.recipe[:8]))
        return self.join_sentences(parts)

    def limits(self) -> str:
        """Return what the search covered, and how much of it chance alone would give."""
        report = self.report
        parts = [self.t("report.limits.scope", n=report.facts.documents), *self.gaps()]
        parts += [self.t(f"guarantee.{code}", **params) for code, params in report.facts.guarantees]
        return self.join_sentences(parts)

    def gaps(self) -> list[str]:
        """Return what was not looked for, beside that these texts alone were, and not counted."""
        gaps = [gap for gap in self.report.facts.gaps if gap[0] != "alone"]
        subject = self.report.subject
        few = sum(has_few_counted(self.text(row).division) for row in subject)
        return [*say_not_looked_for(gaps, self.t), *few_note(few, self.t, self.write)]

    def left_out(self, rows: Sequence[LeftOut]) -> str:
        """Say what was not compared."""
        if not rows:
            return self.t("report.set.nothing_left_out")
        kinds = [
            self.t(
                "report.set.left_out_kind",
                kind=self.t(f"report.left_out.{row.kind}"),
                length=self.n(row.units),
            )
            for row in rows
        ]
        return self.t("report.set.left_out", kinds=self.join(kinds))

    def brief(self, quote: str) -> str:
        """Return the beginning and the end of a quotation."""
        if len(quote) <= 2 * _BRIEF:
            return quote
        return f"{quote[:_BRIEF].rstrip()}……{quote[-_BRIEF:].lstrip()}"

    def folded(self, part: Part | None, unit: Unit) -> str:
        """Return what stands in the place of folded paragraphs, "" where this text has none."""
        if part is None:
            return ""
        length = self.length(part.units, unit)
        if not part.reason:
            return self.t("report.collation.gap", length=length)
        kind = self.t(f"report.left_out.{part.reason}")
        return self.t("report.collation.left_out", kind=kind, length=length)

    # ----------------------------------------------------------------- counts
    def share(self, row: int, other: int) -> Division | None:
        """Return one text divided by what another one shares, None for a pair not listed."""
        for pair in self.report.pairs:
            if (pair.a, pair.b) in ((row, other), (other, row)):
                return pair.divisions[pair.a != row]
        return None

    # ----------------------------------------------------------------- heads, feet, definitions
    def running_left(self) -> str:
        """Return the left head of every page but the first."""
        return f"{self.t('report.brand')} · {self.kind_title()}"

    def running_right(self) -> str:
        """Return the right head of every page but the first."""
        report = self.report
        if report.kind != "pair":
            group, heading = report.cover.course.group, self.heading()
            return heading if heading == self._check_title() else f"{group} · {heading}".strip(" ·")
        a, b = (self.name(row) for row in report.subject)
        both = self.t("report.and", a=cut_middle(a, NARROW), b=cut_middle(b, NARROW))
        case = report.pairs[0].case
        return f"{self.t('report.case_number', place=case)} · {both}" if case else both

    def foot(self) -> str:
        """Return the foot of every page."""
        report, facts = self.report, self.report.facts
        if report.kind == "person":
            return self.t(
                "report.foot_pupil",
                number=report.number,
                version=facts.version,
                recipe=facts.recipe[:8],
            )
        return self.t("report.foot", number=report.number)

    def defined(self) -> list[str]:
        """Return the indicators that this report prints, in the order of their definitions."""
        missing = set() if self.report.kind in ("pair", "confirmed") else {"a_in_b"}
        for code in ("before", "without_own", "without_quoted"):
            if not any(self._indicator(row, code) for row in self.report.subject):
                missing.add(code)
        return [code for code in DEFINED if code not in missing]

    def values(self, code: str) -> str:
        """Return what an indicator is for the texts of the report, where these are one or two."""
        subject = self.report.subject
        if len(subject) > 2 or code == "a_in_b":
            return ""
        sides = (
            [self.t(f"report.side.{side}") for side in "ab"]
            if len(subject) == 2
            else [""] * len(subject)
        )
        said = [self._indicator(row, code) for row in subject]
        parts = [f"{side} {one}".strip() for side, one in zip(sides, said, strict=True) if one]
        return ("，" if in_chinese(self.language) else ", ").join(parts)

    def _indicator(self, row: int, code: str) -> str:
        """Return an indicator of a text as it is written, "" where it is not known."""
        i, write = self.text(row).indicators, self.write
        if code == "before":
            before, after = (
                self.t("report.fraction", share=write.total(one), of=write.fraction(one))
                for one in (i.before or i.division, i.division)
            )
            said = self.t("report.define.before_and", before=before, after=after)
            return said if i.before else ""
        value = i.value(code)
        if value is None:
            return ""
        if code in LENGTHS:
            return self.length(int(value), i.division.unit)
        if code not in SHARES:
            return self.n(int(value))
        if has_few_counted(i.division):
            return write.total(i.division)
        if code == "largest":
            shown, name = write.total(i.largest), self.largest_from(i)
            return self.t("report.define.from", value=shown, name=name) if name else shown
        if code in ("total", "identical"):
            return write.part(i.division, "shared" if code == "total" else code)
        return self.percent(value)


def fault_text(fault: Damage, t: Translate) -> str:
    """Return the sentence for one fault."""
    params = dict(fault.params)
    if fault.code == "missing" and params["first"] < params["last"]:
        return t("error.damage_missing_many", **params)
    if fault.code == "value":
        params["name"] = one_line(str(params["name"]))
    return t(f"error.damage_{fault.code}", **params)


def lost_text(lost: LostCase, t: Translate, *, hidden: bool = False) -> str:
    """Say what was decided about a case that a check does not list; hidden, without the words."""
    decision = lost.decision
    parts = [t("report.case_number", place=lost.number)] if lost.number else []
    if not hidden:
        parts.append(t("report.and_join").join(one_line(name) or "?" for name in lost.names))
    verdict = t(f"report.verdict.{decision.verdict or 'none'}")
    if decision.reason:
        reason = t(f"review.reason.{decision.reason}")
        verdict = t("report.verdict.with_reason", verdict=verdict, reason=reason)
    said = t("report.lost.said", case=t("report.lost.comma").join(parts), verdict=verdict)
    if decision.note and not hidden:
        said += t("report.lost.note", note=one_line(decision.note))
    return said


def damage_text(damage: Sequence[Damage], t: Translate, language: str) -> str:
    """Return what is damaged and what follows from it, "" where nothing is."""
    if not damage:
        return ""
    parts = [fault_text(fault, t) for fault in damage[:MOST]]
    if len(damage) > MOST:
        parts.append(t("error.damage_more", n=len(damage) - MOST))
    if any(fault.code in _OF_DECISIONS for fault in damage):
        parts.append(t("error.damage_undecided"))
    return ("" if in_chinese(language) else " ").join(parts)


def say_not_looked_for(gaps: Gaps, t: Translate) -> list[str]:
    """Return what was not looked for or not read, one sentence each (`seen.find_gaps`)."""
    return [t(f"frame.not_looked.{code}", **params) for code, params in gaps]


def few_note(n: int, t: Translate, write: Notation) -> list[str]:
    """Return why no share is given of some texts; nothing of no text."""
    share = write.percent(FEW_COUNTED_SHARE)
    return [t("frame.few_note", n=n, least=FEW_COUNTED, share=share)] if n else []


def say_not_found(result: CheckResult, t: Translate) -> str:
    """Return what finding nothing means in a check: which texts were looked at, and no others."""
    n = result.checked
    searched = [fact for fact in result.guarantees if fact.code == "archive_searched"]
    if searched:
        return t("frame.not_found.library", n=n, texts=searched[0].params["texts"])
    pages = sum(FETCHED_KEY in document.meta for document in result.documents)
    if pages:
        return t("frame.not_found.web", n=pages)
    return t("frame.not_found.alone", n=len(result.documents))
