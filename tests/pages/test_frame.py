"""The frame: language, navigation, tokens, and what no page may do."""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from leaves import complete
from page_texts import words

from pages._ui.shared import navigation
from simhash_core import palette
from simhash_core.i18n import catalogue

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "pages" / "_ui"
SOURCES = sorted([*(ROOT / "pages").glob("*.py"), *UI.rglob("*.py")])
CORE = ROOT / "simhash_core"
#: key of the theme -> token
THEME = {
    "primaryColor": "accent", "backgroundColor": "bg", "secondaryBackgroundColor": "surf",
    "textColor": "ink", "borderColor": "hair", "redColor": "bad", "orangeColor": "warn",
    "greenColor": "good", "blueColor": "accent", "grayColor": "ink2",
}  # fmt: skip


def test_first_language_is_that_of_the_browser(open_app, language):
    app = open_app(language=language)

    assert app.session_state["lt.language"] == language
    assert {"zh": "检测", "en": "Check"}[language] in words(app)


def test_language_switch_survives_a_change_of_page(open_app):
    app = open_app(language="zh")

    app.sidebar.get("button_group")[0].set_value("en").run()
    app.switch_page("pages/results.py").run()

    assert app.session_state["lt.language"] == "en"
    assert "No results yet" in words(app)


@pytest.mark.parametrize("name", ["results", "review"])
def test_pages_before_a_check_lead_to_it(open_app, language, name):
    app = open_app(name, language=language)

    assert not app.exception
    assert app.button


@complete
def test_navigation_holds_exactly_the_page_scripts():
    names = [name for pages in navigation.SECTIONS.values() for name, _ in pages]
    names.append("server")  # for those who run a server for many

    assert sorted(names) == sorted(path.stem for path in (ROOT / "pages").glob("*.py"))


def test_colours_are_defined_once_in_the_palette():
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    for mode, colours in (("light", palette.LIGHT), ("dark", palette.DARK)):
        for name, token in THEME.items():
            assert theme[mode][name] == getattr(colours, token), (mode, name)
        assert theme[mode]["sidebar"]["backgroundColor"] == colours.side
        assert tuple(theme[mode]["chartSequentialColors"]) == colours.sequence
        assert tuple(theme[mode]["chartCategoricalColors"]) == colours.sources
    # palettes name every colour
    for colours in (palette.LIGHT, palette.DARK, palette.PAPER):
        values = [getattr(colours, field.name) for field in fields(colours)]
        assert all(values)
    # every token of a style sheet is defined
    styles = "".join(path.read_text("utf-8") for path in UI.rglob("*.css"))
    defined = set(re.findall(r"(--lt-[\w-]+):", palette.css_tokens() + styles))
    assert set(re.findall(r"var\((--lt-[\w-]+)\)", styles)) - defined == {"--lt-receiving"}
    # colours are written in the palette alone
    written = re.compile(
        r"#(?:[0-9a-fA-F]{8}|[0-9a-fA-F]{6}|[0-9a-fA-F]{3,4})\b(?![-\w])|%23[0-9a-fA-F]{6}"
        r"|\b(?:rgba?|hsla?)\(|[\"':](?:white|black)[\"';}]"
    )
    kinds = {".py", ".css", ".js", ".html", ".svg"}
    probe = UI / "components" / "watch" / "component.css"
    logos = {*(UI / "shared" / "brand").iterdir(), *(CORE / "report" / "html").rglob("logo.svg")}
    wrong = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for folder in (ROOT / "pages", CORE / "report")
        for path in folder.rglob("*")
        if path.suffix in kinds and path != probe and path not in logos
        for match in written.finditer(path.read_text("utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_sentences_of_a_page_are_in_the_catalogues_and_nowhere_else(path):
    known = {language: catalogue(language) for language in ("zh", "en")}
    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8")))
             if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "t"
             and node.args and isinstance(node.args[0], ast.Constant)]  # fmt: skip
    for call in calls:
        for language in known:
            assert call.args[0].value in known[language], (call.lineno, language)
    # no page writes a sentence of its own
    tree = ast.parse(path.read_text("utf-8"))
    constants = [
        part
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for part in ast.walk(node)
    ]
    documented = [
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and isinstance(node.body[0], ast.Expr)
    ]
    allowed = {id(node) for node in (*constants, *documented)}
    written = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and id(node) not in allowed
    ]
    assert [text for text in written if re.search("[\u4e00-\u9fff]{2}", text)] == []
