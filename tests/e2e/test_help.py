"""Help in a real browser: opened, another guide chosen, followed further, closed by a key."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from simhash_core.app.guides import guide
from simhash_core.i18n import translator


@pytest.mark.browser_context_args(locale="zh-TW")
def test_help_is_read_in_the_language_of_the_page(visit, ready):
    t = translator("zh_Hant")
    page = visit("/library")
    opener = page.get_by_role("button", name=t("frame.help.open"))
    opener.press("Enter")
    help_ = page.get_by_role("dialog")
    heading = help_.get_by_role("heading", level=2)

    def title(name: str) -> str:
        return guide(name, "zh_Hant").title

    expect(heading.filter(has_text=title("how-to/last-year"))).to_be_visible()
    help_.get_by_role("radio", name=title("how-to/newspaper")).click()
    expect(heading.filter(has_text=title("how-to/newspaper"))).to_be_visible()
    (further,) = guide("how-to/newspaper", "zh_Hant").leads_to[:1]
    help_.get_by_role("button", name=title(further)).or_(
        help_.get_by_role("radio", name=title(further))
    ).click()
    expect(heading.filter(has_text=title(further))).to_be_visible()
    ready(page)  # a dialog that is just drawn anew takes no key
    page.keyboard.press("Escape")
    expect(help_).to_have_count(0)
    expect(opener).to_be_focused()
