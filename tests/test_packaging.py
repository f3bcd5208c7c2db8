"""The lists of what is installed agree."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_requirements_are_those_of_the_application() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    listed = [line for line in lines if line and not line.startswith("#")]

    extras = PROJECT["optional-dependencies"]
    *app, further = extras["app"]

    assert further == "leitong[dictionary,meaning]"
    assert sorted(listed) == sorted(
        [*PROJECT["dependencies"], *app, *extras["dictionary"], *extras["meaning"]]
    )


def test_requirements_are_bounded_and_the_base_needs_no_application() -> None:
    names = {requirement.split(">")[0].split("=")[0] for requirement in PROJECT["dependencies"]}
    assert names.isdisjoint({"streamlit", "pandas", "plotly"})
    extras = (row for rows in PROJECT["optional-dependencies"].values() for row in rows)
    for requirement in (*PROJECT["dependencies"], *extras):
        wanted = requirement.split(";")[0]
        bounded = "==" in wanted or (">=" in wanted and "<" in wanted)

        assert bounded or wanted.startswith("leitong["), requirement


def test_changelog_has_a_section_for_this_version() -> None:
    version = (ROOT / "simhash_core" / "version.py").read_text("utf-8").split('"')[-2]

    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")
