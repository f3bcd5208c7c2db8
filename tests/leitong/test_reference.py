"""The reference page says what the docstrings say."""

from __future__ import annotations

import doctest
import re
import runpy
from pathlib import Path

from leaves import complete

import leitong


@complete
def test_every_name_and_every_example_stands_on_the_reference_page(root: Path) -> None:
    page = runpy.run_path(str(root / "docs" / "python_reference.py"))["page"]()
    shown = {example.source for example in doctest.DocTestParser().get_examples(page)}

    assert set(re.findall(r"^## (?:class )?(\w+)$", page, re.MULTILINE)) == set(leitong.__all__)
    for name in leitong.__all__:
        doc = getattr(leitong, name).__doc__ or ""
        examples = {example.source for example in doctest.DocTestParser().get_examples(doc)}
        assert examples <= shown, name
    assert len(shown) > 30
