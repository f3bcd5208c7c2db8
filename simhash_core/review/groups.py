"""What names a variant group: a decision about it follows the texts, not its place in a list."""

from __future__ import annotations

import hashlib
from collections.abc import Collection

from ..result import CheckResult

#: under which a project keeps the keys of the groups that count as given to all
GIVEN_KEY = "exclusions.given"


def group_key(result: CheckResult, group: int) -> str:
    """Return a key of the content of a group: who its witnesses are and where they have it."""
    groups = result.variant_groups
    rows = groups.rows(group)
    columns = (groups.document[rows], groups.start[rows], groups.end[rows])
    lines = sorted(
        f"{result.documents[document].id} {start} {end}"
        for document, start, end in zip(*(column.tolist() for column in columns), strict=True)
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def groups_of_keys(result: CheckResult, keys: Collection[str]) -> list[int]:
    """Return the groups with these keys; texts that changed have another."""
    groups = range(len(result.variant_groups)) if keys else ()
    return [group for group in groups if group_key(result, group) in keys]
