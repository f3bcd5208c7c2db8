"""Two texts compared at a threshold that moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from simhash_core import Document, Settings, check, compare, gather, read, samples
from simhash_core.checking import templates
from simhash_core.seen import change_threshold
from simhash_core.text import flat


def test_another_threshold_cuts_other_blocks_of_the_same_bits() -> None:
    documents, _ = read(gather(samples()["essays"][:2])[0])
    compared = compare(*documents)

    moved = change_threshold(compared, 3)

    assert (moved.threshold, len(moved.blocks)) == (3, 4)
    assert sum(block.width for block in moved.blocks) == compared.settings.bits
    assert sum(block.differing for block in moved.blocks) == moved.distance == compared.distance
    assert change_threshold(moved, compared.threshold).blocks == compared.blocks


@pytest.mark.parametrize("checked", [False, True])
def test_each_text_is_normalised_once(checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, _ = read(gather(samples()["essays"][:3])[0])
    given = Document.from_text(documents[0].text[:400], name="given")
    texts = check(documents, templates=[given]).documents if checked else documents
    result = check(documents, templates=[given]) if checked else None
    seen: list[str] = []

    def counting(function: Callable[..., Any]) -> Callable[..., Any]:
        def counted(texts: Any, **options: Any) -> Any:
            seen.extend([texts] if isinstance(texts, str) else texts)
            return function(texts, **options)

        return counted

    monkeypatch.setattr(flat, "flatten", counting(flat.flatten))
    compare(texts[0], texts[1], settings=Settings(), result=result)

    assert sorted(seen) == sorted(templates.blank_templates(one).text for one in texts[:2])
