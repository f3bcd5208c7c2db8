"""A search over cases, in both languages.

`overlap>40 longest>20 by:clarke cluster:2 undecided -noted`; all terms have to hold, a `-` turns
one round, and a word that is no term searches names.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import BadInput
from .cases import STATES, Case

#: field -> the words that stand for it
FIELDS = {
    "overlap": ("overlap", "重合"),
    "longest": ("longest", "run", "最长", "最長"),
    "passages": ("passages", "处", "處"),
    "name": ("name", "by", "person", "人", "名"),
    "group": ("group", "组", "組", "班"),
    "cluster": ("cluster", "簇"),
    "passage": ("passage", "段"),  # number of a variant group
}
FLAGS = {
    "confirmed": ("confirmed", "确认", "已确认", "確認", "已確認"),
    "no_problem": ("ok", "no-problem", "无问题", "無問題"),
    "later": ("later", "稍后", "稍後"),
    "undecided": ("undecided", "未判"),
    "decided": ("decided", "已判"),
    "noted": ("noted", "批注", "有批注", "批註", "有批註"),
    "alike": ("meaning", "alike", "同义", "只有同义", "同義", "只有同義"),
}
_FIELD_OF = {word: name for name, words in FIELDS.items() for word in words}
_FLAG_OF = {word: name for name, words in FLAGS.items() for word in words}
_NUMBERS = ("overlap", "longest", "passages")
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    ":": operator.ge,
    "=": operator.eq,
}
_TERM = re.compile(r'(-?)([^\s:<>=]+)(>=|<=|[:<>=])("[^"]*"|\S*)')
_WORDS = re.compile(r'-?(?:[^\s:<>="]+(?:>=|<=|[:<>=])(?:"[^"]*"|\S*)|"[^"]*"|\S+)')
_LONGEST = 400  # characters of a query that are read


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. `field` is one of `FIELDS`, a flag, or "word"."""

    field: str
    compare: str
    value: str
    turned: bool


@dataclass(frozen=True, slots=True)
class Query:
    """Conditions that all have to hold; without any, everything matches."""

    terms: tuple[Term, ...] = ()

    def matches(self, case: Case, batch: Batch) -> bool:
        """Return whether a case fulfils every condition."""
        return all(_holds(term, case, batch) != term.turned for term in self.terms)


@dataclass(frozen=True, slots=True)
class Batch:
    """What is searched beside the case itself; names, classes and groups by row."""

    names: Sequence[str]
    groups: Sequence[str]
    witnesses: Sequence[frozenset[int]] = ()  # document rows of each variant group


def parse(text: str, *, blind: bool = False) -> Query:
    """Read a query.

    Parameters
    ----------
    blind
        Names are hidden: a term that asks for one is refused, else it would tell who is who.

    Raises
    ------
    BadInput
        `bad_query`: a term that cannot be read, or one that a hidden name answers.
    """
    plain = unicodedata.normalize("NFKC", text)[:_LONGEST]
    terms = [_term(word) for word in _WORDS.findall(plain)]
    for term in terms:
        if blind and term.field in ("name", "group", "word"):
            raise BadInput("bad_query", term=term.value)
    return Query(tuple(terms))


def _term(word: str) -> Term:
    shape = _TERM.fullmatch(word)
    turned, bare = word.startswith("-") and len(word) > 1, word.removeprefix("-").casefold()
    if shape is None or shape[2].casefold() not in _FIELD_OF:
        flag = _FLAG_OF.get(bare)
        return Term(flag or "word", "", bare.strip('"'), turned)
    name, value = _FIELD_OF[shape[2].casefold()], shape[4].strip('"').casefold()
    number = name in (*_NUMBERS, "cluster", "passage")
    if not value or (number and not re.fullmatch(r"\d{1,9}(\.\d+)?%?", value)):
        raise BadInput("bad_query", term=word)
    if not number and shape[3] not in ":=":
        raise BadInput("bad_query", term=word)
    return Term(name, shape[3], value.rstrip("%") if number else value, turned)


def _holds(term: Term, case: Case, batch: Batch) -> bool:
    if term.field in _NUMBERS:
        number = {
            "overlap": round(100 * case.overlap, 2),
            "longest": case.longest,
            "passages": case.passages,
        }
        return _COMPARE[term.compare](number[term.field], float(term.value))
    if term.field == "cluster":
        return case.cluster + 1 == int(float(term.value))
    if term.field == "passage":
        at = int(float(term.value)) - 1
        return 0 <= at < len(batch.witnesses) and {case.a, case.b} <= batch.witnesses[at]
    if term.field in ("name", "word", "group"):
        searched = batch.groups if term.field == "group" else batch.names
        return any(term.value in searched[row].casefold() for row in (case.a, case.b))
    if term.field == "noted":
        return bool(case.decision and case.decision.note)
    if term.field == "alike":
        return bool(case.alike)
    if term.field == "decided":
        return case.state in ("confirmed", "no_problem")
    assert term.field in STATES
    return case.state == term.field
