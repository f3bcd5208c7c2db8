"""What a caller writes, checked with mypy --strict where the wheel alone is installed."""

import leitong as lt


def refused() -> str:
    """Return what an error says."""
    try:
        lt.check(None)  # type: ignore[arg-type]
    except lt.LeitongError as error:
        return str(error)
    lt.check(b"bytes")  # type: ignore[arg-type]
    return lt.check([lt.Document.from_text("a text", name="a")]).to_json()
