"""The reader's answers in the threshold laboratory: stored, undone, downloaded and uploaded."""

from __future__ import annotations

from typing import Any

from simhash_core import CheckResult, LeitongError
from simhash_core.folders import state_folder
from simhash_core.lab.labels import (
    Labels,
    answers_of,
    keep_answers,
    kept_answers,
    label_rows,
    load_labels,
)
from simhash_core.lab.laboratories import sweep

from ..shared import session
from ..shared.formatting import error_text
from ..shared.tab import Fact

Key = tuple[str, str]
Answers = dict[Key, bool | None]
_ANSWERS = "answers"
UPLOAD_KEY = "labels_file"


class Tab:
    """What a tab remembers: the answers."""

    #: pair, whether it had an answer, which one
    judging_undo: Fact[tuple[tuple[Key, bool, bool | None], ...]] = Fact(())
    judging_outcome: Fact[tuple[str, Any] | None] = Fact(None)  # of the last file, or of storing
    judging_open: Fact[Key | None] = Fact(None)  # pair that the reader looks at
    judging_skip = Fact((-1, 0))  # threshold, pairs left out on either side of it
    rival: Fact[tuple[str, CheckResult] | None] = Fact(None)  # token of the check, the other result
    suggestion: Fact[Any] = Fact(None)  # labels, aim, best threshold


tab = Tab()


def sweep_check() -> Any:
    """Return the current check at every threshold."""
    return session.memo("sweep", lambda: sweep(_result()))


def answers() -> Answers:
    """Return the answers on the current collection; where the desk has decided, that counts."""
    return {**_read_answers(), **read_decided()}


def read_decided() -> Answers:
    """Return what was decided on the review desk."""
    project = session.project()
    held = project.pair_decisions() if project is not None else {}
    same = {"confirmed": True, "no_problem": False}
    return {key: same[one.verdict] for key, one in held.items() if one.verdict in same}


def _read_answers() -> Answers:
    return session.memo(_ANSWERS, lambda: kept_answers(_folder(), _result()))


def labels() -> Labels:
    """Return the answers with the threshold at which each pair enters."""
    given = answers()
    key = ("labels", tuple(given.items()))
    return session.memo(key, lambda: label_rows(_result(), given, entry=sweep_check().entry))


def key_of(row: int) -> Key:
    """Return the ids of the two texts of a table row, smaller first."""
    result = _result()
    a, b = (
        result.documents[int(side[row])].id
        for side in (result.table.pairs.left, result.table.pairs.right)
    )
    return (a, b) if a <= b else (b, a)


def answer(key: Key, same: bool | None) -> None:
    """Store an answer; it can be undone."""
    given = _read_answers()
    tab.judging_undo = (*tab.judging_undo, (key, key in given, given.get(key)))[-200:]
    given.pop(key, None)
    given[key] = same
    _keep()


def can_undo() -> bool:
    """Return whether there is an answer of this visit to take back."""
    return bool(tab.judging_undo)


def undo() -> None:
    """Take the last answer back."""
    if not tab.judging_undo:
        return
    *earlier, (key, had, before) = tab.judging_undo
    tab.judging_undo = tuple(earlier)
    _read_answers().pop(key, None)
    if had:
        _read_answers()[key] = before
    _keep()


def clear() -> None:
    """Forget every answer on this collection."""
    _read_answers().clear()
    del tab.judging_undo
    _keep()


def take_file() -> None:
    """Add the answers of a file; where both have one, the answer given here stays."""
    upload = session.get(UPLOAD_KEY)
    tab.judging_outcome = None
    if upload is None:
        return
    try:
        from_file = answers_of(load_labels(upload.getvalue(), name=upload.name))
    except LeitongError as error:
        tab.judging_outcome = ("error", error_text(error))
        return
    ids = {document.id for document in _result().documents}
    usable = {key: same for key, same in from_file.items() if ids.issuperset(key)}
    given = _read_answers()
    added = {key: same for key, same in usable.items() if key not in given}
    given.update(added)
    tab.judging_outcome = ("added", (len(added), len(from_file) - len(usable)))
    _keep()


def outcome() -> tuple[str, Any] | None:
    """Return the outcome of the last file, or of the last attempt to store answers."""
    return tab.judging_outcome


def _keep() -> None:
    """Store the answers; on a full disk they stay in the session."""
    try:
        keep_answers(_folder(), _result(), _read_answers())
    except OSError:
        tab.judging_outcome = ("unsaved", None)


def _folder() -> Any:
    return state_folder() / "labels"


def _result() -> CheckResult:
    result = session.result()
    assert result is not None
    return result
