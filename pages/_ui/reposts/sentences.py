"""What versions changed and why one stands first, as sentences of the catalogue."""

from __future__ import annotations

from simhash_core.reposts import Changes, Clue, Group, Named, Version

from ..shared import session
from ..shared.session import t

EXCERPT = (0.8, 0.6)  # of an excerpt the first version has so much, and it has less of that


def changed(version: Version) -> str:
    """Return what a version changed against the first one, in one line."""
    made = version.changes
    if made is None:
        return t("reposts.change.first") if version.link is None else t("reposts.change.through")
    if made.unchanged:
        return t("reposts.change.none")
    parts = [
        *_heads(made),
        *([t("reposts.change.excerpt")] if _is_excerpt(version) else []),
        *_sentences(made),
        *([t("reposts.change.order")] if made.reordered else []),
    ]
    return t("reposts.change.join").join(parts)


def _is_excerpt(version: Version) -> bool:
    return version.of_first >= EXCERPT[0] and version.from_first < EXCERPT[1]


def _heads(made: Changes) -> list[str]:
    """Return what became of headline, writer and source."""
    listed: tuple[tuple[str, Named], ...] = (
        ("headline", made.headline),
        ("writer", made.writer),
        ("source", made.source),
    )
    hidden = session.hide_names()
    return [
        t(f"reposts.change.{kind}_{named.what}" + ("_hidden" if hidden else ""),
          before=named.before, after=named.after)
        for kind, named in listed
        if named.what != "same"
    ]  # fmt: skip


def _sentences(made: Changes) -> list[str]:
    counts = (
        ("removed", len(made.removed), made.removed_words),
        ("added", len(made.added), made.added_words),
        ("reworded", len(made.reworded), 0),
    )
    return [t(f"reposts.change.{kind}", n=n, words=words) for kind, n, words in counts if n]


def reasons(group: Group) -> list[str]:
    """Return why the first version stands first."""
    listed = [clue(one) for one in group.reasons]
    return listed or [t("reposts.why.length")]


def clue(one: Clue) -> str:
    """Return the sentence of one clue."""
    params = {"date": "", "name": "", "year": "", "n": 0, **one.params}
    if one.code == "date" and not params["date"]:
        return t("reposts.why.earlier")
    return t(f"reposts.why.{one.code}", **params)
