"""Lines of a text, and how parts of one are shown."""

from hypothesis import given
from hypothesis import strategies as st

from simhash_core.text.lines import blank_marks

QUOTED = """## Performance

> ch13-04-performance.md
> <br>
> commit 1fedfc4b96c2017f64ecfcf41a0a07e2e815f24f

- **one** way
* 2 * 3 > 5
```rust
let a = "#b";
```"""


def test_marks_of_markdown_are_blanks() -> None:
    shown = blank_marks(QUOTED)

    assert len(shown) == len(QUOTED)
    assert [line.strip() for line in shown.split("\n")] == [
        "Performance", "", "ch13-04-performance.md", "",
        "commit 1fedfc4b96c2017f64ecfcf41a0a07e2e815f24f", "", "one   way", "2 * 3 > 5",
        "", 'let a = "#b";', "",
    ]  # fmt: skip


@given(st.text("ab #>-*\n<br/`", max_size=40))
def test_everything_else_stays_in_its_place(text: str) -> None:
    shown = blank_marks(text)

    assert len(shown) == len(text)
    assert all(a == b or b == " " for a, b in zip(text, shown, strict=True))
    assert shown.count("a") == text.count("a")
