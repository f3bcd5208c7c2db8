"""The page of figures: stored, read again, written; pictures that hold every line."""

from __future__ import annotations

import pytest

from benchmarks._shared.chinese import translate, translate_name
from benchmarks._shared.page import ENGLISH, _section
from benchmarks._shared.picture import draw
from benchmarks._shared.report import Chart, Report, Table, as_text, write

CHART = Chart("growth", "A < B", "rows", "seconds", {"ours": [(1e3, 0.002), (1e6, 0.3)], "a & b":
              [(1e3, 0.01), (1e5, 4.0)]})  # fmt: skip
REPORT = Report(
    [Table(["", "s"], [["ours", 0.01234], ["peer", None]])], ["A note."], [CHART], {"peer": 3.0}
)


def test_a_stored_report_comes_back() -> None:
    again = Report.from_json(REPORT.to_json())

    assert as_text(again) == as_text(REPORT)
    assert again.ratios == {"peer": 3.0}


def test_figures_and_pictures_show_what_counts() -> None:
    shown = [write(value) for value in (0.01234, 1.2345, 12.345, 1234.5, 1_234_567, None, 2.5e-5)]
    assert shown == ["0.012", "1.23", "12.3", "1,234", "1,234,567", "–", "2.5e-05"]
    picture = draw(CHART)
    assert picture.count("<polyline") == 2
    assert "A &lt; B" in picture and "a &amp; b" in picture
    lines = {"held": [(1.0, 250.0), (50.0, 262.0)]}
    picture = draw(Chart("memory", "Memory", "checks", "MB", lines, linear=True))
    assert ">0<" in picture and ">300<" in picture
    assert picture.count("<polyline") == 1


def test_a_section_names_its_command_and_day() -> None:
    data = {
        "command": "python -m benchmarks growth --sizes 9",
        "load": 3.2,
        "machine": {"date": "2026-11-22", "processors": "2"},
        "report": REPORT.to_json() | {"charts": []},
    }

    section = "\n".join(_section(ENGLISH, "How?", data))

    assert section.startswith("## How?\n\n`python -m benchmarks growth --sizes 9`, 2026-11-22")
    assert "| ours | 0.012 |" in section and "| peer | – |" in section


def test_a_phrase_keeps_its_numbers_in_chinese() -> None:
    assert translate("Near-duplicates of 10,000 files") == "10,000 个文件中的近似副本"
    assert translate("All pairs within 3 of 64 bits") == "64 位中相差 3 位以内的所有对"
    assert translate_name("rensa") == "rensa"
    with pytest.raises(KeyError):
        translate("A note that nobody has translated.")
