"""Numbers, dates and names of a report as its reader writes them; sentences are in the locales.

And what is damaged in the file of a check, in words: on pages, in reports, on a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..i18n import Translate, translator
from ..model import Division
from ..notation import Notation
from ..storage import Damage
from ..text.lengths import Unit
from .content import Case, ClusterEntry, LeftOut, PairEntry, Report, TextEntry
from .names import NARROW, middle, one_line

#: indicators in the order of the appendix
DEFINED = (
    *("total", "without_quoted", "without_own", "largest", "identical"),
    *("shared", "counted", "length", "longest_passage", "longest_run", "passages", "sources"),
    "a_in_b",
)
SHARES = frozenset({"total", "without_quoted", "without_own", "largest", "identical"})
LENGTHS = frozenset({"shared", "counted", "length", "longest_passage", "longest_run"})
_MOST_ALONE = 60  # numbers of texts that are listed
_FILE_COLUMNS = 90  # of the name of a file, far below what any system takes
_BRIEF = 26  # characters of a quotation in the apparatus

MOST = 4  # sentences; the rest is counted
_OF_DECISIONS = ("event", "missing", "events")


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
        return {"zh": "zh-CN"}.get(self.language, self.language)

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

    def chance(self, expected: float | None) -> str:
        """Write how many such pairs chance alone would give."""
        return self.write.expected(expected)

    def date(self, moment: datetime | None, *, time: bool = False) -> str:
        """Write a date, with its time where wanted."""
        if moment is None:
            return ""
        if self.language == "zh":
            day = f"{moment.year} 年 {moment.month} 月 {moment.day} 日"
        else:
            day = f"{moment.day} {moment:%B %Y}"
        return f"{day}{' ' if self.language == 'zh' else ', '}{moment:%H:%M}" if time else day

    # ----------------------------------------------------------------- names
    def text(self, row: int) -> TextEntry:
        """Return a text of the check."""
        return self.report.texts[row]

    def name(self, row: int) -> str:
        """Return what a text is called in tables."""
        return self.text(row).name

    def called(self, row: int) -> str:
        """Return the title of a text where it has one, else its name."""
        entry = self.text(row)
        return self.t("report.titled", title=entry.title) if entry.title else entry.name

    def titles(self, pair: PairEntry) -> tuple[str, str]:
        """Return the titles of two texts; their names where either has none."""
        a, b = self.text(pair.a), self.text(pair.b)
        if a.title and b.title:
            return self.called(pair.a), self.called(pair.b)
        return a.name, b.name

    def authors(self, pair: PairEntry) -> tuple[str, str]:
        """Return who wrote two texts; their names where that is not given of both."""
        a, b = self.text(pair.a), self.text(pair.b)
        return (a.author, b.author) if a.author and b.author else (a.name, b.name)

    def cluster(self, index: int, *, title: bool = False) -> str:
        """Return what a cluster is called; `title` for a heading."""
        return self.write.cluster(index, title=title)

    def fingerprint(self, row: int) -> str:
        """Return the first 32 digits of the hash of a text, in fours."""
        digits = self.text(row).id[:32]
        return " ".join(digits[i : i + 4] for i in range(0, 32, 4))

    def join(self, parts: Sequence[str]) -> str:
        """Join the members of a list."""
        return ("、" if self.language == "zh" else ", ").join(parts)

    def file_name(self, ending: str) -> str:
        """Return what a file of this report is called: class, kind, texts, names or none."""
        report = self.report
        about = "-".join(f"{row + 1:03d}" for row in report.subject)
        parts = (
            report.title or self.t("report.brand"),
            self.kind_title(),
            about if report.kind in ("person", "pair") else "",
            self.t(f"report.file.{'without' if report.anonymous else 'with'}_names"),
        )
        stem = "-".join(filter(None, parts))
        safe = re.sub(r'[\s\x00-\x1f\\/:*?"<>|\[\]]+', " ", stem).strip(" .")
        return f"{middle(safe, _FILE_COLUMNS)}.{ending}"

    # ----------------------------------------------------------------- sentences
    def kind_title(self) -> str:
        """Return what this report is."""
        return self.t(f"report.kind.{self.report.kind}")

    def heading(self) -> str:
        """Return the title of the report."""
        report = self.report
        if report.kind == "pair":
            a, b = self.titles(report.pairs[0])
            return self.t("report.and", a=a, b=b)
        if report.kind == "person":
            return self.called(report.subject[0])
        if report.kind == "cluster" and report.clusters:
            return self.cluster(report.clusters[0].index, title=True)
        return report.title or self.kind_title()

    def subtitle(self) -> str:
        """Return the line below the title: what was checked, when, and whether all is decided."""
        facts, tally = self.report.facts, self.report.tally()
        parts = [self.report.title] if self.report.title != self.heading() else []
        parts.append(self.t("report.texts", n=facts.documents))
        if facts.checked:
            parts.append(self.t("report.checked", date=self.date(facts.checked)))
        if self.report.kind == "pair" and self.report.pairs[0].place:
            place, of = self.report.pairs[0].place, self.report.listed
            parts.append(self.t("report.place", place=place, n=of))
        waiting = tally[""] + tally["later"]
        if self.report.kind in ("class", "cluster", "person") and waiting:
            parts.append(self.t("report.interim", n=waiting, date=self.date(facts.made)))
        return " · ".join(filter(None, parts))

    def damage(self) -> str:
        """Return what is damaged in the file of the check, "" where nothing is."""
        text = damage_text(self.report.damage, self.t, self.language)
        return self.t("error.damage_whole", what=text) if text else ""

    def statement(self) -> str:
        """Return the sentence that numbers are evidence for a person."""
        return self.t(f"report.statement.{'pair' if self.report.kind == 'pair' else 'many'}")

    def verdict(self, pair: PairEntry) -> str:
        """Return what was decided about a pair, with the reason."""
        decision = pair.decision
        if decision is None:
            return self.t("report.verdict.none")
        verdict = self.t(f"report.verdict.{decision.verdict}")
        if decision.together:
            verdict = self.t("report.verdict.together", verdict=verdict)
        if not decision.reason:
            return verdict
        reason = self.t(f"report.reason.{decision.reason}")
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
        if facts.skipped:
            parts.append(self.t("report.set.skipped", n=len(facts.skipped)))
        parts.append(self.left_out(report.left_out))
        parts.append(self.t("report.set.prints", bits=facts.bits, k=facts.threshold))
        if report.kind == "pair" and report.pairs[0].distance is not None:
            parts.append(self.t("report.set.distance", d=report.pairs[0].distance))
        if facts.usual:
            low, high = facts.usual
            parts.append(self.t("report.set.usual", low=low, high=high))
        parts.append(self.t("report.set.version", version=facts.version, recipe=facts.recipe[:8]))
        return ("" if self.language == "zh" else " ").join(parts)

    def limits(self) -> str:
        """Return what the search covered, and how much of it chance alone would give."""
        report = self.report
        parts = [self.t("report.limits.scope", n=report.facts.documents)]
        parts += [self.t(f"guarantee.{code}", **params) for code, params in report.facts.guarantees]
        return ("" if self.language == "zh" else " ").join(parts)

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

    def summary(self, case: Case) -> str:
        """Return one paragraph on a case: how much agrees, what changed."""
        pair, entries = case.pair, case.collation.entries
        parts = [
            self.t(
                "report.case.shared",
                a=self.write.total(pair.divisions[0]),
                b=self.write.total(pair.divisions[1]),
                n=pair.passages,
                longest=self.length(pair.longest, pair.unit),
            )
        ]
        first = pair.divisions[0]
        if first.identical and first.identical == first.shared:
            parts.append(self.t("report.case.identical"))
        elif pair.passages:
            share = self.write.part(first, "identical")
            parts.append(self.t("report.case.same", share=share))
        if case.collation.moved:
            parts.append(self.t("report.case.moved", n=case.collation.moved))
        listed = [c for e in entries for c in e.changes if c.left and c.right]
        listed.sort(key=lambda c: -min(len(c.left), len(c.right)))
        if listed:
            shown = [self.t("report.case.change", a=c.left, b=c.right) for c in listed[:3]
                     if max(len(c.left), len(c.right)) <= 2 * _BRIEF]  # fmt: skip
            if shown:
                parts.append(self.t("report.case.changes", changes=self.join(shown)))
        if pair.likelihood is not None:
            parts.append(self.write.likelihood(pair.likelihood))
        return ("" if self.language == "zh" else " ").join(parts)

    def brief(self, quote: str) -> str:
        """Return the beginning and the end of a quotation."""
        if len(quote) <= 2 * _BRIEF:
            return quote
        return f"{quote[:_BRIEF].rstrip()}……{quote[-_BRIEF:].lstrip()}"

    # ----------------------------------------------------------------- counts
    def count(self, case: Case, kind: str) -> int:
        """Return how many passages of a case are of one kind in the result."""
        return len({e.number.partition(".")[0] for e in case.collation.entries
                    if e.basis == kind and e.kind != "weak"})  # fmt: skip

    def overlapping(self) -> int:
        """Return how many texts of the check share a passage with another one."""
        return len({row for pair in self.report.pairs for row in (pair.a, pair.b)})

    def alone(self) -> str:
        """Return the numbers of the texts of a class that overlap none, "" where these are many."""
        linked = {row for cluster in self.report.clusters for row in cluster.members}
        numbers = [str(row + 1) for row in self.report.subject if row not in linked]
        shown = self.report.kind == "class" and len(numbers) <= _MOST_ALONE
        return "  ".join(numbers) if shown else ""

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
            return self.heading()
        a, b = (self.name(row) for row in report.subject)
        both = self.t("report.and", a=middle(a, NARROW), b=middle(b, NARROW))
        place = report.pairs[0].place
        return f"{self.t('report.case_number', place=place)} · {both}" if place else both

    def foot(self) -> str:
        """Return the foot of every page."""
        return self.t("report.foot", number=self.report.number)

    def defined(self) -> list[str]:
        """Return the indicators that this report prints, in the order of their definitions."""
        missing = set() if self.report.kind in ("pair", "confirmed") else {"a_in_b"}
        for code in ("without_own", "without_quoted"):
            if all(self._indicator(row, code) is None for row in self.report.subject):
                missing.add(code)
        return [code for code in DEFINED if code not in missing]

    def values(self, code: str) -> str:
        """Return what an indicator is for the texts of the report, where these are one or two."""
        if len(self.report.subject) > 2 or code == "a_in_b":
            return ""
        parts = []
        for at, row in enumerate(self.report.subject):
            value = self._indicator(row, code)
            if value is None:
                continue
            side = self.t(f"report.side.{'ab'[at]}") if len(self.report.subject) == 2 else ""
            parts.append(f"{side} {self._written(row, code, value)}".strip())
        return ("，" if self.language == "zh" else ", ").join(parts)

    def _indicator(self, row: int, code: str) -> float | int | None:
        indicators = self.text(row).indicators
        if code == "length":
            return indicators.length.n
        if code == "largest":
            return indicators.largest.total
        value: float | int | None = getattr(indicators, code, None)
        return value

    def _written(self, row: int, code: str, value: float | int) -> str:
        indicators = self.text(row).indicators
        if code in SHARES:
            shown = self.percent(value)
            if code in ("total", "identical"):
                name = "shared" if code == "total" else code
                shown = self.write.part(indicators.division, name)
            if code == "largest":
                shown = self.write.total(indicators.largest)
            if code == "largest" and indicators.largest_row >= 0:
                return self.t(
                    "report.define.from", value=shown, name=self.name(indicators.largest_row)
                )
            return shown
        if code in LENGTHS:
            return self.length(int(value), indicators.length.unit)
        return self.n(int(value))

    def weakest(self, cluster: ClusterEntry) -> str:
        """Return the two texts of a cluster that are held together least."""
        return self.t(
            "report.and", a=self.name(cluster.weakest[0]), b=self.name(cluster.weakest[1])
        )


def fault_text(fault: Damage, t: Translate) -> str:
    """Return the sentence for one fault."""
    params = dict(fault.params)
    if fault.code == "missing" and params["first"] < params["last"]:
        return t("error.damage_missing_many", **params)
    if fault.code == "value":
        params["name"] = one_line(str(params["name"]))
    return t(f"error.damage_{fault.code}", **params)


def damage_text(damage: Sequence[Damage], t: Translate, language: str) -> str:
    """Return what is damaged and what follows from it, "" where nothing is."""
    if not damage:
        return ""
    parts = [fault_text(fault, t) for fault in damage[:MOST]]
    if len(damage) > MOST:
        parts.append(t("error.damage_more", n=len(damage) - MOST))
    if any(fault.code in _OF_DECISIONS for fault in damage):
        parts.append(t("error.damage_undecided"))
    return ("" if language == "zh" else " ").join(parts)
