"""What the file of truth of a pair says in PAN layout."""

from __future__ import annotations


def truth(document: str, start: int, source: str, length: int) -> str:
    """A passage that begins the source and stands at `start` of the document."""
    return (
        f'<document reference="{document}"><feature name="plagiarism" this_offset="{start}" '
        f'this_length="{length}" source_reference="{source}" source_offset="0" '
        f'source_length="{length}"/></document>'
    )
