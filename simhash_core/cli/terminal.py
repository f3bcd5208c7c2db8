"""What a person sees of a result on a terminal: above all the pairs as a table."""

from __future__ import annotations

import io
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..cases import ListedCases, beginning_of, listed_cases
from ..i18n import Translate, in_chinese
from ..metadata import PairScore, Score
from ..model import MANIPULATIONS
from ..notation import UNKNOWN, Notation
from ..numbers import few_rows, pairs_compared
from ..report.columns import READ, PairFacts, pairs_of_rows
from ..report.names import name_texts
from ..report.words import few_note, say_not_looked_for
from ..result import CheckResult, list_rows, meanings_shown, pair_cases
from ..seen.headline import find_gaps
from ..seen.meanings import found_by
from ..signs import make_printable
from ..text.lengths import unit_of
from .output import PLAIN, cut, fit_name, output_console

ROWS_SHOWN = 40
WORDS_SHOWN = 60  # columns of a passage
#: guarantees that say what was passed over: on a terminal the others are left to reports and JSON
PASSED_OVER = (
    *("same_author", "only_against", "without_fingerprint", "not_aligned", "prints_left_out"),
    *("held_by_many", "words_left_out_en", "words_left_out_zh", "archive_left_out"),
    *("translated_likely", "meaning_likely", "meaning_one_task", "meaning_library_waiting"),
)
SOURCE_BITS = 64  # of the paper whose term and threshold formula (1) is


def print_result(
    result: CheckResult,
    t: Translate,
    language: str,
    *,
    to_file: bool = False,
    cases: ListedCases | None = None,
) -> str:
    """Print the summary that a person reads; for a file, return it instead."""
    buffer = io.StringIO()
    console = Console(file=buffer, soft_wrap=True, **PLAIN) if to_file else output_console()
    table, k = result.table, result.threshold
    near = table.within(k, result.batch_threshold)
    rows, own = list_rows(result), pair_cases(result)
    counts = {
        "pairs": len(rows),
        "of": pairs_compared(result),
        "near": int(near.sum()),
        "clusters": len(result.clusters),
        "skipped": len(result.unread),
    }
    if result.references:
        counts["beside"] = result.references
    code = "cli.summary_beside" if result.references else "cli.summary"
    console.print(t(code, n=result.checked, **counts))
    console.print(
        _join_sentences(say_not_looked_for(find_gaps(result), t), language), soft_wrap=True
    )
    false = f"{result.expected_false_pairs:.1g}"
    console.print(t("cli.threshold", k=k, bits=result.settings.bits, false=false))
    others = int((~own[rows]).sum())
    rows = rows[own[rows]]
    for line in _passages(result, cases or listed_cases(result), t, language):
        console.print(line, soft_wrap=True)
    if len(rows):
        pairs = pairs_of_rows(result, rows[:ROWS_SHOWN])
        console.print(_pair_table(pairs, t, language))
    if len(rows) > ROWS_SHOWN:
        console.print(t("cli.more", n=len(rows) - ROWS_SHOWN))
    if others:
        console.print(t("cli.no_case", n=others), soft_wrap=True)
    write = Notation.of(language)
    for line in few_note(int(few_rows(result)[: result.checked].sum()), t, write):
        console.print(line, soft_wrap=True)
    for line in _meanings(result, t):
        console.print(line, soft_wrap=True)
    for fact in result.guarantees:
        if to_file or fact.code in PASSED_OVER:
            console.print(t(f"guarantee.{fact.code}", **fact.params), soft_wrap=True)
    _print_notes(console, result, MANIPULATIONS, "cli.manipulated", t)
    _print_notes(console, result, ("ocr", "misread"), "cli.recognised", t)
    if not to_file:
        console.print(t("cli.how_compared"), soft_wrap=True)
    console.print(t("cli.foot"), soft_wrap=True)
    return buffer.getvalue()


def _join_sentences(sentences: Sequence[str], language: str) -> str:
    return ("" if in_chinese(language) else " ").join(sentences)


def _print_notes(
    console: Console, result: CheckResult, codes: Collection[str], heading: str, t: Translate
) -> None:
    """Print which texts have notes of some codes, and what they say."""
    lines = [
        f"  {fit_name(document.name)}: {t(f'notes.{note.code}', **note.params)}"
        for document in result.documents
        for note in document.notes
        if note.code in codes
    ]
    if lines:
        console.print(t(heading), soft_wrap=True)
    for line in lines[:ROWS_SHOWN]:
        console.print(line, soft_wrap=True)
    if len(lines) > ROWS_SHOWN:
        console.print(t("cli.more_notes", n=len(lines) - ROWS_SHOWN))


def print_fingerprints(data: Mapping[str, Any]) -> None:
    """Write one line a document, and where bits are explained, one a bit."""
    for row in data["documents"]:
        print(f"{row['fingerprint'] or '-':<{data['bits'] // 4}}  {fit_name(row['name'])}")
        for bit in row.get("bits", ()):
            words = " ".join(f"{word}{vote:+d}" for word, vote in bit["words"])
            print(f"  {bit['bit']:>3} {bit['value']} {bit['sum']:+d}  {words}")


def print_score(rule: Score, score: PairScore | None, t: Translate) -> None:
    """Write the combined score of two texts, and whether it is above the rule's threshold."""
    if score is None:
        print(t("cli.combined_none"))
        return
    bare = math.isnan(score.metadata)
    parts = {
        "content": f"{score.content:.3f}",
        "metadata": UNKNOWN if bare else f"{score.metadata:.3f}",
    }
    print(t("cli.combined", score=f"{score.score:.3f}", mu=f"{rule.mu_content:g}", **parts))
    print(t(f"cli.combined_{'above' if score.above else 'below'}", limit=f"{rule.threshold:g}"))
    if bare:
        print(t("cli.combined_bare"))
    if rule.term == "s2" and rule.bits != SOURCE_BITS:
        print(t("cli.combined_width", bits=rule.bits))


def _pair_table(pairs: Sequence[PairFacts], t: Translate, language: str) -> Table:
    """Return the pairs as a table, each text called by who wrote it."""
    result, write = pairs[0].result, Notation.of(language)
    names = name_texts(
        result.documents, references=result.references, mark=t("frame.reference")
    ).names
    shown = Table(box=None, pad_edge=False)
    for side in "ab":
        shown.add_column(t(f"cli.column_{side}"), overflow="fold")
    for column in READ:
        shown.add_column(t(f"cli.column_{column.label}"), justify="right")
    for pair in pairs:
        both = (Text(fit_name(names[row])) for row in (pair.a, pair.b))
        shown.add_row(*both, *(column.read(pair, write) for column in READ))
    return shown


def _passages(result: CheckResult, cases: ListedCases, t: Translate, language: str) -> list[str]:
    """Return the passages that several texts hold, a line each, under a sentence."""
    listed, write = cases.passages, Notation.of(language)
    lines = [t("cli.passages", n=len(listed))] if listed else []
    for one in listed[:ROWS_SHOWN]:
        row, start, end = beginning_of(result, one.group, 4 * WORDS_SHOWN)
        document = result.documents[row]
        words = " ".join(document.text[start:end].split())
        facts = {
            "length": write.length(one.units, unit_of(document.text)),
            "text": cut(make_printable(words), WORDS_SHOWN),
        }
        line = t("cli.passage_row", number=one.number, n=len(one.members), **facts)
        said = "cli.passage_template" if one.automatic and not one.decision else ""
        said = said or (f"cli.passage_{one.answer}" if one.answer else "")
        lines.append("  " + line + (t(said) if said else ""))
    if len(listed) > ROWS_SHOWN:
        lines.append(t("cli.more", n=len(listed) - ROWS_SHOWN))
    return lines


def _meanings(result: CheckResult, t: Translate) -> list[str]:
    """Return the pairs that say the same in other words, the strongest first, under a sentence."""
    meanings, called_by = meanings_shown(result), name_texts(result.documents).names
    if not meanings:
        return []
    pairs, answers = meanings.pairs(), np.diff(meanings.first)
    lines = [t("cli.meanings", n=len(pairs))]
    means = found_by(result).pairs
    for pair in pairs[:ROWS_SHOWN]:
        a, b = (fit_name(called_by[row]) for row in pair)
        row = t("cli.meaning_row", a=a, b=b, n=int(answers[meanings.of_pair(*pair)].sum()))
        by = means.get(pair)
        translated = t("cli.meaning_translated", by=t(f"report.alike.by.{by}")) if by else ""
        lines.append("  " + "  ·  ".join(filter(None, (row, translated))))
    if len(pairs) > ROWS_SHOWN:
        lines.append(t("cli.more", n=len(pairs) - ROWS_SHOWN))
    return lines
