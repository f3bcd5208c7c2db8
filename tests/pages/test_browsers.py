"""The browsers with access, at the foot of Check."""

from __future__ import annotations

import pytest

from simhash_core.storage import browsers, new_owner, owner_key

WORDS = {
    "zh": ("可查看的浏览器：2 个", "Firefox · ", "没有列出任何浏览器", "浏览器 · "),
    "en": (
        "Browsers with access: 2",
        "Firefox · since ",
        "No browser is listed",
        "Browser · since ",
    ),
}


def words(app) -> str:
    titles = [block.proto.popover.label for block in app.get("popover")]
    return " ".join([*titles, *(markup.proto.body for markup in app.get("html"))])


def opened(open_app, owner, language="en"):
    app = open_app(language=language)
    app.session_state["lt.owner"] = owner
    return app.run()


@pytest.fixture
def owner():
    key = new_owner()
    browsers.admit(key, name="Firefox")
    browsers.admit(key)
    return key


def test_browsers_are_listed_by_name(open_app, owner, language):
    shown = words(opened(open_app, owner, language))

    for expected in (WORDS[language][0], WORDS[language][1], WORDS[language][3]):
        assert expected in shown


@pytest.mark.long
def test_a_reader_whom_no_browser_is_known_of_is_told_so(open_app, language):
    assert WORDS[language][2] in words(opened(open_app, new_owner(), language))


def test_all_others_are_shut_out_at_once(open_app, owner):
    app = opened(open_app, owner)
    app.button(key="shut_out_others").click().run()
    assert "2 browsers no longer see these checks" in words(app)
    app.button(key="shut_out_now").click().run()

    assert browsers.browsers_of(owner) == []


def test_what_follows_is_said_before(open_app):
    alone = new_owner()
    browsers.admit(alone, name="Firefox")
    app = opened(open_app, alone)
    app.button(key="shut_out_0").click().run()
    assert "nobody will be able to open them" in words(app)
    mine = owner_key()
    browsers.admit(mine, name="Firefox")
    app = opened(open_app, mine)
    app.button(key="shut_out_0").click().run()

    assert "Firefox no longer sees these checks" in words(app)


def test_a_browser_is_shut_out_after_a_question_and_by_its_owner_alone(open_app, owner):
    app = opened(open_app, new_owner())
    assert "Firefox" not in words(app)
    assert not [button for button in app.button if str(button.key).startswith("shut_out")]
    # a browser is shut out after a question
    app = opened(open_app, owner)
    first, second = browsers.browsers_of(owner)
    app.button(key="shut_out_0").click().run()
    assert len(browsers.browsers_of(owner)) == 2
    app.button(key="keep_browser").click().run()
    assert len(browsers.browsers_of(owner)) == 2
    app.button(key="shut_out_0").click().run()
    app.button(key="shut_out_now").click().run()
    assert browsers.browsers_of(owner) == [second]
    assert not browsers.is_admitted(first.id)
    assert not [button for button in app.button if button.key == "shut_out_now"]
