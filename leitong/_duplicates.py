"""`near_duplicates`: texts as wholes, without a check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simhash_core.checking import group_near_duplicates
from simhash_core.errors import InvalidSettings
from simhash_core.model import report_nothing

from ._given import Given, bare_texts_of, choose_fields
from ._language import spoken
from ._progress import Follow, followed
from ._table import Table

if TYPE_CHECKING:
    from ._tables import ClusterRow


def near_duplicates(
    given: Given,
    *,
    text: str | None = None,
    name: str | None = None,
    similarity: float = 0.8,
    language: str | None = None,
    progress: Follow = None,
) -> Table[ClusterRow]:
    """Find groups of texts that are nearly the same as wholes; a passage in common is not enough.

    Two texts are as similar as many of their runs of five characters both hold, of all that one of
    them holds (Jaccard). Case, width, traditional script and white space count nowhere. A group may
    be a chain. What cannot be read, or holds no letter, is passed over: `check` names it.

    Columns are those of `Result.clusters`; the first of a group was given first.

    Parameters
    ----------
    given, text, name, language, progress
        As in `check`.
    similarity : float
        The least that counts, 0.5 to 1. Of pairs that just reach it two in a thousand may be
        missed, of others fewer; what is found was counted, not estimated.

    Examples
    --------
    >>> groups = lt.near_duplicates([rain, "Nobody came to the old mill.", rain])
    >>> groups[0]["rows"]
    [0, 2]
    >>> {row for group in groups for row in group["rows"][1:]}  # such as for frame.drop
    {2}
    """
    with spoken(language), followed(progress, language) as step:
        if not 0.5 <= similarity <= 1:  # below, most texts of one language would be candidates
            raise InvalidSettings([("similarity", similarity, "0.5 to 1")])
        named, text_of = bare_texts_of(given, choose_fields(text, name, ()), step)
        groups = group_near_duplicates(
            len(named), text_of, similarity=similarity, step=step or report_nothing
        )
    rows = [[named[at] for at in group] for group in groups]
    return Table(
        {
            "cluster": range(len(rows)),
            "names": [[name for _, name in group] for group in rows],
            "rows": [[key.row for key, _ in group] for group in rows],
            "keys": [[key.label for key, _ in group] for group in rows],
        }
    )
