"""What does not count in the current check: the rules in force, and the check seen by them."""

from __future__ import annotations

from dataclasses import replace

from simhash_core import CheckResult, Comparison, Document
from simhash_core.cases import PassageCase
from simhash_core.model import Division
from simhash_core.numbers import divide_rows
from simhash_core.seen import (
    GROUPS_KEY,
    RULES_KEY,
    Excluder,
    Exclusions,
    ExclusionView,
    answer_by_pairs,
    given_places,
    rules_in_force,
)

from . import session
from .session import CurrentCheck, t


def view() -> ExclusionView | None:
    """Return what is left out of the current check."""
    current = session.check()
    return current.left_out if current else None


def rules() -> Exclusions:
    """Return the rules in force."""
    seen = view()
    return seen.exclusions if seen else Exclusions()


def excluder(current: CurrentCheck) -> Excluder:
    """Return the texts of a check, ready to be seen by other rules."""
    result = find_original(current)
    return texts_of(current).with_variants(given_places(result, session.project()))


def texts_of(current: CurrentCheck) -> Excluder:
    """Return the texts of a check, read once; nothing of a page is touched."""
    if current.excluder is None:
        current.excluder = Excluder(find_original(current))
    return current.excluder


def find_original(current: CurrentCheck) -> CheckResult:
    """Return a check as it was before anything was left out."""
    return current.left_out.before if current.left_out else current.result


def kept_key(result: CheckResult, one: PassageCase) -> str:
    """Return the key under which a project keeps what was said of a passage, now or before."""
    project = session.project()
    before = project.get(GROUPS_KEY, {}) if project is not None else {}
    return str(before.get(one.key, one.key))


def apply(chosen: Exclusions) -> None:
    """See the current check by some rules, on every page."""
    current, project = session.check(), session.project()
    if current is None:
        return
    chosen = rules_in_force(find_original(current), chosen, project)
    _see(current, chosen)
    if project is not None:
        project.put(RULES_KEY, chosen.to_data())


def settle() -> None:
    """See a check that was opened, or has just ended, by the rules that are stored with it."""
    current, project = session.check(), session.project()
    if current is None or current.settled:
        return
    current.settled = True
    if project is not None:
        answer_by_pairs(project, find_original(current))
    stored = project.get(RULES_KEY, {}) if project is not None else {}
    chosen = rules_in_force(find_original(current), Exclusions.from_data(stored), project)
    if chosen:
        _see(current, chosen)


def _see(current: CurrentCheck, chosen: Exclusions) -> None:
    before = find_original(current)
    current.left_out = excluder(current).apply(chosen) if chosen else None
    current.result = current.left_out.result if current.left_out else before
    current.memo.clear()
    current.renew()


def reasons(document: Document) -> dict[int, str]:
    """Return why ranges of a text do not count, by the code point at which each begins."""
    sentences: dict[int, str] = {}
    for note in document.notes:
        if note.code == "template":
            sentences[note.start] = t("exclusions.tag.template")
        elif note.code == "excluded":
            name = str(note.params["switch"])
            tag = f"{name}_{note.params['reason']}" if name == "quotations" else name
            sentences[note.start] = t(f"exclusions.tag.{tag}")
    return sentences


def divide_before(a: int, b: int) -> tuple[Division, Division] | None:
    """Return two texts divided as they were before, None where everything counts."""
    seen = view()
    return None if seen is None else divide_rows(seen.before, a, b)


def apply_to_pair(compared: Comparison, a: int, b: int) -> Comparison:
    """Return a comparison of two texts that shows what is left of what they shared."""
    seen = view()
    if seen is None:
        return compared
    stretches = seen.of_pair(min(a, b), max(a, b))
    return replace(compared, stretches=stretches if a < b else stretches.turned())


def label(switch: str) -> str:
    """Return what a switch is called."""
    return t(f"exclusions.switch.{switch}")
