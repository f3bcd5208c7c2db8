"""What one browser session holds: language, the current check, the threshold and the reading order.

Pages use these accessors for whatever several of them know; how a tab remembers is told in
`shared.tab`. The state of a widget stays under its key in `st.session_state`, and components read
theirs there.
"""

from __future__ import annotations

import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeVar

import streamlit as st

from simhash_core import CheckResult, ThresholdView, view_at_threshold
from simhash_core.extensions import extension, list_offers
from simhash_core.i18n import LANGUAGES, in_chinese, negotiate, translator
from simhash_core.report.names import Naming, name_files, name_texts, one_line, page_line
from simhash_core.seen import Excluder, ExclusionView, confidence
from simhash_core.storage import Project, Summary

from .tab import Fact, Pair, tab

HELD = 8  # of one kind that are remembered: comparisons hold some megabytes each
#: widget key of the threshold, shared by Overview, Clusters and the labs
THRESHOLD_KEY = "k"
HIDE_NAMES_KEY = "hide_names"
PASTED_TEMPLATE_KEY = "template_text"  # of the next check
LANGUAGE_COOKIE = "leitong_language"

Value = TypeVar("Value")


class Tab:
    """What a tab remembers: the check that it shows."""

    check: Fact[CurrentCheck | None] = Fact(None)  # its result, as the pages see it


_tab = Tab()


class Memo:
    """What was computed from a check: of each kind the latest `HELD`, shared by its tabs.

    The kind of a key is its first part; the keys of a page are of a fixed set of kinds.
    """

    def __init__(self) -> None:
        self._kinds: defaultdict[Hashable, dict[Hashable, Any]] = defaultdict(dict)
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return sum(map(len, self._kinds.values()))

    def get(self, key: Hashable, compute: Callable[[], Value]) -> Value:
        """Return what is remembered under a key, else what is computed now."""
        kind = key[0] if isinstance(key, tuple) else key
        with self._lock:
            held = self._kinds[kind]
            hit = key in held
            if hit:
                held[key] = held.pop(key)  # the latest now
                value: Value = held[key]
        if hit:
            return value
        value = compute()  # outside the lock: another tab need not wait, at worst it is done twice
        with self._lock:
            value = held.setdefault(key, value)
            while len(held) > HELD:
                held.pop(next(iter(held)))
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kinds.clear()


@dataclass(slots=True, eq=False)
class CurrentCheck:
    """A finished check as the pages see it. `memo` keeps what was computed from it.

    `result` is what counts by the rules of `shared.exclusions`; `left_out` is the rest, and
    `excluder` holds the check as it was.
    """

    result: CheckResult
    given: str  # the name that the reader gave it, "" for none
    finished: datetime
    seconds: float
    token: str = field(default_factory=lambda: secrets.token_hex(8))
    memo: Memo = field(default_factory=Memo)
    view: dict[str, Any] = field(default_factory=dict)  # as it is stored
    left_out: ExclusionView | None = None
    excluder: Excluder | None = None  # its texts, read at first use
    settled: bool = False  # whether the stored rules are in force

    def renew(self) -> None:
        """Tell what is remembered of this result from what was remembered before."""
        self.token = secrets.token_hex(8)

    @property
    def name(self) -> str:
        """What the check is called now; a given name can hold a person's, so it is hidden too."""
        if self.given and not hide_names():
            return self.given
        return first_name(self.result.checked, self.finished)


def get(key: str, default: Any = None) -> Any:
    """Return what the widget of a key holds."""
    return st.session_state.get(key, default)


def put(key: str, value: Any) -> None:
    """Give the widget of a key a value before it is drawn; None takes away what it holds."""
    if value is None:
        st.session_state.pop(key, None)
    else:
        st.session_state[key] = value


def language() -> str:
    """Return the language of the page: as last chosen, else what the browser asks for."""
    if tab.language is None:
        chosen = st.context.cookies.get(LANGUAGE_COOKIE)
        tab.language = chosen if chosen in LANGUAGES else negotiate(st.context.locale)
    return tab.language


def set_language(code: str) -> None:
    """Change the language of the page; the browser remembers it."""
    tab.language, tab.language_chosen = code, True


def t(key: str, **params: object) -> str:
    """Return a sentence of the catalogue in the language of the page."""
    return translator(language())(key, **params)


def may_send() -> bool:
    """Return whether words of a text can leave this computer: by a way that has an address."""
    return any(extension("ways", way).service() for way in list_offers("ways"))


def check() -> CurrentCheck | None:
    """Return the current check, None before the first."""
    return _tab.check


def result() -> CheckResult | None:
    """Return the result of the current check, None before the first."""
    current = check()
    return current.result if current else None


def memo(key: Hashable, compute: Callable[[], Value]) -> Value:
    """Return what was computed from the current check under a key, computing it where needed."""
    current = check()
    return current.memo.get(key, compute) if current is not None else compute()


def automatic_name(n: int, moment: datetime) -> str:
    """Return the name of a batch of `n` texts that nobody has named."""
    month = moment.month if in_chinese(language()) else f"{moment:%b}"
    return t("frame.batch_name", n=n, month=month, day=moment.day)


def first_name(n: int, moment: datetime) -> str:
    """Return the automatic name of the check of this tab: that of its first result stays."""
    held = project()
    first = held.get("first_checked") if held is not None and held.is_open else None
    if held is None or not first:
        return automatic_name(n, moment)
    return automatic_name(held.get("first_texts", n), datetime.fromisoformat(first).astimezone())


def name_of(summary: Summary) -> str:
    """Return what a check on the list is called; a given name can hold a person's."""
    if summary.name and not hide_names():
        return summary.name
    moment = (
        summary.first_checked or summary.checked or summary.created or datetime.now().astimezone()
    )
    return automatic_name(summary.first_texts or summary.texts, moment.astimezone())


def show_check(current: CurrentCheck | None, view: Mapping[str, Any]) -> None:
    """Make a finished check the current one, with the threshold as the reader last had it."""
    _tab.check = current
    del tab.pair_order
    put(THRESHOLD_KEY, None)
    if current is None:
        return
    current.view = dict(view)
    k = view.get("threshold")
    st.session_state[THRESHOLD_KEY] = k if isinstance(k, int) else current.result.threshold
    if "hide_names" in view:
        st.session_state[HIDE_NAMES_KEY] = bool(view["hide_names"])


def project() -> Project | None:
    """Return the project of the check that is looked at; in memory where nothing is kept."""
    return tab.open.project if tab.open is not None else None


def is_kept() -> bool:
    """Return whether the check of this tab is on disk, so that its work outlives the tab."""
    return tab.open is not None and bool(tab.open.key)


def threshold() -> int:
    """Return the threshold in bits that the reader has set, at first the one of the check."""
    current = check()
    chosen = current.result.threshold if current else 0
    return int(st.session_state.get(THRESHOLD_KEY, chosen))


def set_threshold(k: int) -> None:
    """Move the shared threshold; only before its slider is drawn."""
    st.session_state[THRESHOLD_KEY] = k


def view() -> ThresholdView | None:
    """Return the current result at the current threshold."""
    current = check()
    if current is None:
        return None
    k = threshold()
    return memo(("view", k), lambda: view_at_threshold(current.result, k))


def neighbours(a: int, b: int) -> tuple[Pair | None, Pair | None]:
    """Return the pair before and the pair after (a, b), either way round."""
    order = tab.pair_order
    for pair in ((a, b), (b, a)):
        if pair in order:
            at = order.index(pair)
            before = order[at - 1] if at else None
            return before, order[at + 1] if at + 1 < len(order) else None
    return None, None


def hide_names() -> bool:
    """Return whether names are replaced by numbers, everywhere at once."""
    return bool(st.session_state.get(HIDE_NAMES_KEY, False))


def doc_name(row: int) -> str:
    """Return what the text of a row is called on the page now."""
    return find_naming().names[row]


def doc_line(row: int) -> str:
    """Return number and file of a text that is called by its author, and whether it is by OCR.

    Of a page of the web: its address, and as of when.
    """
    names, current = find_naming(), result()
    if current is None:
        return ""
    if page := page_line(current.documents[row], t):
        return page
    number = one_line(current.documents[row].meta.get("number", "")) if names.files[row] else ""
    return " · ".join(filter(None, (number, names.files[row], doc_ocr(row))))


def doc_ocr(row: int) -> str:
    """Return how sure recognition was of a text, "" of one that was typed."""
    current = result()
    sure = confidence(current.documents[row]) if current is not None else None
    return "" if sure is None else t("frame.ocr", percent=f"{sure:.0f}")


def doc_names(rows: Iterable[int]) -> list[str]:
    """Return what the texts of some rows are called on the page now."""
    names = find_naming().names
    return [names[row] for row in rows]


def find_naming() -> Naming:
    """Return the names of the current check; numbers while names are hidden."""
    current = result()
    if current is None:
        return name_files(())
    return memo(("naming", language(), hide_names()), lambda: _naming(current))


def _naming(current: CheckResult) -> Naming:
    n = len(current.documents)
    if hide_names():
        return name_files([t("frame.text_number", number=f"{row + 1:02d}") for row in range(n)])
    return name_texts(current.documents, references=current.references, mark=t("frame.reference"))
