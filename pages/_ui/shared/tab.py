"""All that one browser tab remembers from run to run, beside what its widgets hold.

`tab` has one attribute for each fact, with its type: `tab.pair_order = rows`. It is kept in the
session of Streamlit under `lt.<name>`, so a reload of the same session finds it again; None, and
`del`, remove it. What is to outlive the session is stored with the check (`open_checks.remember`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from simhash_core import CheckResult, Document, LeitongError, Settings
    from simhash_core.model import Skipped
    from simhash_core.storage import Beside
    from simhash_core.web import Searched, Sentence

    from ..check.inbox import Inbox
    from ..library.collections import Deleted
    from ..reposts.state import Answer
    from ..review.state import Desk
    from .open_checks import OpenCheck
    from .session import CurrentCheck

Value = TypeVar("Value")
Pair = tuple[int, int]
Ids = tuple[str, str]
Levels = tuple[tuple[str, int], ...]
Judged = tuple[Ids, bool, bool | None]  # pair, whether it had an answer, which one
#: a default that no tab can write into
_EMPTY: Mapping[Any, Any] = MappingProxyType({})


class Fact(Generic[Value]):
    """One attribute of the tab; what was never set is the default, which all tabs share."""

    def __init__(self, default: Value) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.key = f"lt.{name}"

    def __get__(self, tab: Any, owner: type) -> Value:
        value: Value = st.session_state.get(self.key, self.default)
        return value

    def __set__(self, tab: Any, value: Value) -> None:
        if value is None:
            st.session_state.pop(self.key, None)
        else:
            st.session_state[self.key] = value

    def __delete__(self, tab: Any) -> None:
        st.session_state.pop(self.key, None)


class Tab:
    """The state of one tab."""

    # whose it is, and how it reads
    owner: Fact[str | None] = Fact(None)  # whose checks it sees
    language: Fact[str | None] = Fact(None)
    language_chosen = Fact(False)  # by the reader, so that the browser remembers it
    framed = Fact(False)  # whether it was sent through the frame
    begun = Fact(False)  # anything, so that the page of a first start is over
    end_seen = Fact(False)  # that the server was started again

    # the check that it looks at
    open: Fact[OpenCheck | None] = Fact(None)
    check: Fact[CurrentCheck | None] = Fact(None)  # its result, as the pages see it
    address = Fact("")  # id that the address named last
    lost: Fact[tuple[LeitongError, str | None] | None] = Fact(None)  # why not shown, on which page
    here: Fact[Callable[[], bool] | None] = Fact(None)  # whether this tab is still there
    keep_nothing = Fact(False)  # of the next check
    jobs: Fact[Mapping[str, str]] = Fact(_EMPTY)  # kind -> id, where no check is open
    pair_order: Fact[tuple[Pair, ...]] = Fact(())  # rows as the reader saw them last

    # Check: files and settings of the next one
    uploader = Fact(0)  # turn of the drop zone; another one is empty
    refused: Fact[tuple[int, int] | None] = Fact(None)  # files and bytes that were too many
    all_files = Fact(False)  # listed, not the first alone
    authors_of: Fact[tuple[str, ...]] = Fact(())  # files whose names were looked at for authors
    taken_up = Fact("")  # id of the check whose settings and task sheets it has begun with
    settings_base: Fact[Settings | None] = Fact(None)  # those settings
    template_files: Fact[tuple[Document, ...]] = Fact(())  # that the reader put in
    template_turn = Fact(0)  # of their box, as above
    template_unread: Fact[tuple[Skipped, ...]] = Fact(())  # of the last ones
    template_brought: Fact[tuple[Document, ...]] = Fact(())  # from the latest check of the class
    classes: Fact[Mapping[str, str] | None] = Fact(None)  # checked before: name, latest check
    brought: Fact[tuple[str, ...]] = Fact(
        ()
    )  # what was taken over from it: list, sheets, references
    inbox: Fact[Inbox | None] = Fact(None)  # who handed in what
    inbox_open = Fact(-1)  # sheet
    next_threshold: Fact[tuple[str, int, int] | None] = Fact(None)  # preset, bits, threshold
    next_preset: Fact[str | None] = Fact(None)  # to be chosen before its widget is drawn
    preset_language: Fact[str | None] = Fact(None)  # of the labels that the browser knows
    user_words: Fact[Mapping[str, tuple[str, ...]]] = Fact(
        _EMPTY
    )  # preset -> lines of its dictionary
    user_words_fault: Fact[LeitongError | None] = Fact(None)  # why the last file was not read
    beside_by_way: Fact[Mapping[str, Beside]] = Fact(_EMPTY)  # what was chosen in other ways
    web_proposed: Fact[tuple[tuple[str, ...], tuple[Sentence, ...]]] = Fact(((), ()))  # of texts
    web_found: Fact[Searched | None] = Fact(None)  # what was sent, pages that were read

    # Check: what runs, and the checks that there are
    early = Fact(("", -1, -1))  # pair that is read while a job goes on: its id, rows
    watching = Fact("")  # id of the job that the page shows until it ends
    finished = Fact(False)  # a check ended while the reader was on another page
    not_opened: Fact[LeitongError | None] = Fact(None)
    all_checks = Fact(False)  # listed, not the latest alone
    checks_drawn = Fact(0.0)  # moment
    undo_delete = Fact(("", 0.0))  # check, moment
    shut_out: Fact[tuple[str, ...]] = Fact(())  # browsers that the reader is asked about

    # Overview, Review, Variants
    list_kind: Fact[str | None] = Fact(None)  # texts or pairs
    all_pairs = Fact(False)  # listed, with those that share only a phrase of several texts
    all_texts = Fact(False)  # listed, not only those that share something
    all_weak = Fact(False)  # listed, not the strongest alone
    review: Fact[Desk | None] = Fact(None)
    going: Fact[Mapping[str, Any] | None] = Fact(None)  # where a click on a variant leads

    # Library, Reposts
    library_growth: Fact[tuple[Any, dict[date, int]] | None] = Fact(None)  # state, texts a day
    library_deleted: Fact[Deleted | None] = Fact(None)
    reposts_answer: Fact[Answer | None] = Fact(None)
    reposts_refused = Fact("")  # sentence on why nothing was looked for

    # the laboratories
    lab_texts: Fact[tuple[str, str] | None] = Fact(None)
    lab_version = Fact("")  # of the texts that were put in other than by typing
    lab_given: Fact[tuple[Levels, tuple[str, ...]]] = Fact(((), ()))  # levels, user words
    lab_shown: Fact[Mapping[int, Any]] = Fact(_EMPTY)  # side -> explanation on the page
    lab_before: Fact[Mapping[int, Any]] = Fact(_EMPTY)  # the same before the last edit
    lab_traces: Fact[Any] = Fact(None)  # key, side -> trace
    lab_read = Fact("")  # sentence on why a file was not read
    judging_open: Fact[Ids | None] = Fact(None)  # pair that the reader looks at
    judging_skip = Fact((-1, 0))  # threshold, pairs left out on either side of it
    judging_undo: Fact[tuple[Judged, ...]] = Fact(())
    judging_outcome: Fact[tuple[str, Any] | None] = Fact(None)  # of the last file, or of storing
    suggestion: Fact[Any] = Fact(None)  # labels, aim, best threshold
    rival: Fact[tuple[str, CheckResult] | None] = Fact(None)  # token of the check, the other result

    def forget_next_check(self) -> None:
        """Forget the files that were put in for a check that this tab leaves."""
        for name in _OF_A_CHECK:
            delattr(self, name)


#: belongs to the files of one check and to no other
_OF_A_CHECK = (
    *("authors_of", "classes", "brought", "inbox", "inbox_open"),
    *("template_files", "template_unread", "template_brought"),
    *("taken_up", "settings_base", "beside_by_way", "web_proposed", "web_found", "all_pairs"),
)

tab = Tab()
