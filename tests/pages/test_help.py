"""Help opens from every page, in one place, on the guide that the page is about."""

from __future__ import annotations

import pytest

from simhash_core.app.guides import ABOUT, guide, guides_about

SHOWN = [name for name in ABOUT if name != "server"]


def opened(app):
    app.sidebar.button(key="help_open").click().run()
    assert not app.exception
    return [one.value for one in app.markdown if one.value.startswith("## ")]


@pytest.mark.long
@pytest.mark.parametrize("page", SHOWN)
def test_help_opens_on_the_guide_of_the_page(open_app, page):
    app = open_app("" if page == "check" else page, language="en")

    (shown,) = opened(app)
    assert shown.startswith(f"## {guide(guides_about(page)[0], 'en').title}\n")
