"""Help: each page has guides, in each language, and nothing in them leads nowhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from pages._ui.shared.navigation import SECTIONS
from simhash_core.app.guides import ABOUT, guide, guides_about
from simhash_core.extensions import list_offers
from simhash_core.i18n import LANGUAGES, translator

ROOT = Path(__file__).parents[2]
NAMES = sorted({name for page in ABOUT for name in guides_about(page)})


def test_every_page_has_guides_of_its_own() -> None:
    pages = {name for section in SECTIONS.values() for name, _ in section} | set(
        list_offers("guides")
    )

    assert pages == set(ABOUT)


@pytest.mark.parametrize("name", NAMES)
def test_a_guide_is_in_the_wheel_and_so_in_the_installer(name: str) -> None:
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]
    folders = hatch["build"]["targets"]["wheel"]["force-include"]

    assert {f"docs/{name.partition('/')[0]}", f"docs/zh/{name.partition('/')[0]}"} <= set(folders)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_guide_is_shown_without_what_only_builds_need(name: str, language: str) -> None:
    shown = guide(name, language)

    assert shown.title and not re.search(
        r"<!--|^# |\]\((?!http)|^```\w+ ", shown.text, re.MULTILINE
    )
    assert [guide(one, language).title for one in shown.leads_to if one == name] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_guides_name_the_pages_as_they_are_called(language: str) -> None:
    t = translator(language)
    first = guide("tutorials/first-class", language).text

    assert f"**{t('frame.nav.check')}**" in first
    assert f"**{t('frame.nav.review')}**" in first


def test_guides_lead_to_each_other() -> None:
    assert guide("how-to/last-year", "en").leads_to == ("how-to/delete-a-pupil",)
    assert "how-to/moodle" in guide("tutorials/first-class", "zh").leads_to
    assert guide("how-to/newspaper", "zh").leads_to[:1] == ("../explanation/spark",)  # English
    assert guide("tutorials/notebook", "en").leads_to == ()  # no wheel holds it
