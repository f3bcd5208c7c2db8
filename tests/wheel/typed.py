"""What a caller writes, checked with mypy --strict where the wheel alone is installed."""

from pathlib import Path

import leitong as lt


def shares(folder: Path) -> dict[str, float]:
    """Return the total overlap of every text of a folder."""
    result: lt.Result = lt.check(folder, settings=lt.Settings(preset="strict"))
    found = lt.check(["first text", "second text"], against={"old": "third text"})
    found = lt.check([("a", "first text"), ("b", "second text")], against=[folder, "other"])
    both: lt.Comparison = result.compare("a", 1)
    report: Path = found.at(3).report("report.html", kind="pair", texts=["a", "b"])
    with lt.Library(report.with_suffix(".library"), create=True) as library:
        added: int = library.add("2024", folder).added
        versions: lt.Reposts = lt.reposts(folder, against=library)
    print(both.distance, added, len(versions))
    return {row["name"]: row["total_overlap"] for row in result.texts(rows=True)}


def refused() -> str:
    """Return what an error says."""
    try:
        lt.check(None)  # type: ignore[arg-type]
    except lt.LeitongError as error:
        return str(error)
    lt.check(b"bytes")  # type: ignore[arg-type]
    return lt.check([lt.Document.from_text("a text", name="a")]).to_json()
