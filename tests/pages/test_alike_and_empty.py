"""Every page on checks without any spread: copies, one text, none, names that are markup."""

from __future__ import annotations

import pytest
from page_texts import sent_to

import simhash_core as core
from pages._ui.groups.map import COLUMNS_MOST
from pages._ui.shared.navigation import SECTIONS
from simhash_core import Document, view_at_threshold

PAGES = tuple(name for pages in SECTIONS.values() for name, _ in pages)
BRIDGE = (
    "The committee of the university considered the proposal for the new library last spring and"
    " found that the cost would exceed the yearly budget by a third. Several members argued that"
    " the old reading room could be restored instead, since its roof had been repaired lately. The"
    " architect replied that the foundations would not carry another floor of shelves."
)
BEES = (
    "Bees have lived beside people for thousands of years, and honey was the only sweetness that"
    " most villages knew. A keeper watches the weather, the flowering of lime trees and the mood"
    " of the swarm; when the hive grows restless it may divide, and the old queen leaves."
)
STEAM = (
    "Steam engines changed the work of miners because water could be lifted out of deep shafts at"
    " any hour. The first pumps burned so much coal that only a colliery could feed them, until a"
    " separate condenser kept the cylinder hot and saved three quarters of the fuel."
)
NAMES = (
    *("<script>x</script>.txt", "=cmd()|calc.txt", "\u202etxt.exe", "a\nb.txt", "\x1b[2J\x07.txt"),
    *(
        "[x](javascript:x).txt",
        "$\\href{j}{x}$",
        "&lt;b&gt;",
        "\tTab",
        "\u2066\u2067\u200b",
        ".txt",
    ),
    *(":material_delete: :red[x]", "x" * 240, "..txt", 'a,"b";c', " ", "\udcff.txt", "%00"),
)

#: what is checked -> texts by name
BATCHES = {
    "copies and others": {"a": BRIDGE, "b": BRIDGE, "c": BRIDGE, "d": BEES, "e": STEAM},
    "copies": dict.fromkeys("abcd", BRIDGE),
    "short copies": dict.fromkeys("abcd", BRIDGE[:200]),  # no fingerprint, but passages
    "two groups": dict.fromkeys("abc", BRIDGE) | dict.fromkeys("def", BEES),
    "too short": {"a": "a word", "b": "a word", "c": "another word or two"},
    "copies and too short": {"a": BRIDGE, "b": BRIDGE, "c": BRIDGE, "d": "a word", "e": "a word"},
    "two copies": {"a": BRIDGE, "b": BRIDGE},
    "two": {"a": BRIDGE, "b": BEES},
    "one": {"a": BRIDGE},
    "none": {},
    "only compared with": {},
    "names": {name: BRIDGE if at % 2 else BRIDGE[at:] for at, name in enumerate(NAMES)},
}
QUICK = ("copies and others", "only compared with", "none")


def checked(batch):
    """The result of a check of one of the batches."""
    named = BATCHES[batch].items()
    others = [Document.from_text(BRIDGE, name=name) for name in "xy"]
    return core.check(
        [Document.from_text(text, name=name) for name, text in named],
        against=others if batch == "only compared with" else (),
    )


@pytest.mark.parametrize(
    "batch", [one if one in QUICK else pytest.param(one, marks=pytest.mark.long) for one in BATCHES]
)
def test_no_page_fails(open_app, batch):
    app = open_app(result=checked(batch))
    for page in PAGES:
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception, (page, app.exception[0].message)


def test_more_copies_than_columns_are_listed_without_columns(open_app):
    texts = [f"{BRIDGE} {BEES} {STEAM} {number}" for number in range(COLUMNS_MOST + 6)]
    documents = [Document.from_text(text, name=f"{at}") for at, text in enumerate(texts)]
    app = open_app("results", view="groups", result=core.check(documents))
    app.session_state["alike_as_whole"] = True
    app.run()
    assert not app.exception, app.exception[0].message
    drawn = sent_to(app, "clusters")["sheet"]["rows"]
    assert [row["cells"] for row in drawn] == [[]] * COLUMNS_MOST


def test_copies_are_drawn_as_close_as_texts_can_be(open_app):
    result = checked("copies and others")
    [cluster] = view_at_threshold(result, result.threshold).clusters
    assert (len(cluster.members), cluster.diameter) == (3, 0)
    app = open_app("results", view="groups", result=result)
    app.session_state["alike_as_whole"] = True
    app.run()
    [drawn] = sent_to(app, "clusters")["groups"]
    assert [link["words"] for link in drawn["links"]] == ["0"] * 2
