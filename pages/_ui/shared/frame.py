"""The frame around every page: style, sidebar, navigation, and the way in of deep links.

A folder named `pages` stands beside app.py: where something else than app.py is served, a first
visit to `/compare` runs that page without the frame. `show`, the only call of a page script,
notices that, registers the navigation and runs again; link, query and language survive.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from simhash_core.app import department, server
from simhash_core.app.guides import guide, guides_about
from simhash_core.i18n import LANGUAGES, in_chinese, tag, translator
from simhash_core.palette import css_tokens
from simhash_core.report import damage_text

from .. import components
from . import exclusions, jobs, open_checks, session
from .formatting import date_time, error_text, esc
from .navigation import FRONT, navigate, title_here
from .running import watch_from_afar
from .session import t
from .tab import tab
from .widgets import caution, empty_state, foot, language_switch, open_page, page_head, paragraph

_HERE = Path(__file__).parent
_BRAND = _HERE / "brand"


#: Streamlit cannot set the font by language: Chinese punctuation shared with Latin comes from here
_PUNCTUATION = (
    '<style>@font-face{font-family:"LT Punct";src:local("PingFang SC"),local("PingFangSC-Regular"),'
    'local("Microsoft YaHei UI"),local("Noto Sans CJK SC"),local("WenQuanYi Zen Hei");'
    "unicode-range:U+2014,U+2018-2019,U+201C-201D,U+2026}</style>"
)

#: strings of Streamlit, as patterns, and the sentence for each; `{name}` is what the group matched
_STREAMLIT_STRINGS: tuple[tuple[str, str], ...] = (
    ("Upload", "upload"),
    ("Upload directories", "upload_folder"),
    ("file upload", "upload"),
    ("Drag and drop (?:a file|files|directories) here", "let_go"),
    ("Add files", "upload"),
    ("Help for (.*)", "help"),
    ("Press Enter to apply", "apply"),
    ("Press .+ to apply", "apply"),
    ("Main menu", "menu"),
    ("Settings", "settings"),
    ("Print", "print"),
    ("Appearance", "appearance"),
    ("Theme", "appearance"),
    ("Use system setting|System|Auto", "by_system"),
    ("Light", "light"),
    ("Dark", "dark"),
    ("Expand sidebar", "open_sidebar"),
    ("Collapse sidebar", "close_sidebar"),
    ("Close", "close"),
    ("Increment(?: value)?", "more"),
    ("Decrement(?: value)?", "less"),
    ("No results", "no_results"),
    ("No options(?: to select)?\\.?", "no_results"),
    ("Clear value", "clear"),
    ("Fullscreen", "fullscreen"),
    ("Search", "search"),
    ("Download as CSV", "csv"),
    ("Show/hide columns", "columns"),
    ("Skip to main content", "skip"),
    ("Sidebar", "sidebar"),
    ("App pages", "pages"),
    ("Navigate to home page", "home"),
    ("Logo", "logo"),
    ("Choose an option", "choose"),
    ("Open", "open"),
    ("Shortcut (.+)", "shortcut"),
    (r"(\d+)MB per file", "size"),
    ("Download plot(?: as a .+)?", "picture"),
)

KILLED = -9  # exit code: how Linux ends a program where memory runs out
_running = threading.local()


def dress(title: str) -> None:
    """Apply page settings, style sheet, logo and the watcher of mode and language.

    `title` names the page, in the title of the window and where the page is changed.
    """
    name = t("frame.name")
    st.set_page_config(
        page_title=f"{title} · {name}", page_icon=str(_BRAND / "icon.svg"), layout="wide"
    )
    mode = "dark" if st.context.theme.type == "dark" else "light"
    st.logo(
        str(_BRAND / f"logo-{mode}.svg"), icon_image=str(_BRAND / f"mark-{mode}.svg"), size="large"
    )
    with st.sidebar.container(key="noprint-dress", height="content", gap=None):
        st.html(f"<style>{css_tokens()}</style>")
        st.html(_HERE / "frame.css")
        st.html(_HERE.parent / "components" / "whole" / "component.css")
        receiving = json.dumps(t("streamlit.receiving"), ensure_ascii=False)
        st.html(f"<style>:root {{ --lt-receiving: {receiving} }}</style>")
        if in_chinese(session.language()):
            st.html(_PUNCTUATION)
        # The script of `watch` changes what only the browser can: the language of the page and
        # of Streamlit's own strings, the check in the address, the question before a tab is
        # closed, and what a screen reader is told of a new page.
        st.html(
            f'<span data-lt-lang="{tag(session.language())}" data-lt-page="{esc(title)}"'
            f' data-lt-check="{open_checks.address()}"'
            f' data-lt-warns="{"1" if open_checks.warns() else ""}"></span>'
        )
        words = {tag(code): _rules(code) for code in LANGUAGES}
        chosen = session.language() if tab.language_chosen else ""
        components.draw("watch", {"words": words, "chosen": chosen}, key="lt_watch")


def _rules(code: str) -> list[list[str]]:
    """Return pattern and sentence of each string of Streamlit in a language."""
    tell = translator(code)
    return [
        [f"^(?:{pattern})$", tell(f"streamlit.{key}", name="$1")]
        for pattern, key in _STREAMLIT_STRINGS
    ]


def sidebar(page: str) -> None:
    """Draw help for a page, the current check, the languages and where the texts are."""
    with st.sidebar:
        if st.button(
            t("frame.help.open"), key="help_open", icon=":material/help:", type="tertiary"
        ):
            session.put(_SHOWN, None)
            st.dialog(t("frame.help.title"), width="medium")(_guides)(page)
        current = session.check()
        if current is not None:
            n, date = current.result.checked, date_time(current.finished)
            facts = t("results.facts", n=n, date=date)
            with st.container(key="side-check"):
                st.html(
                    f'<p class="lt-side">{esc(t("frame.current.label"))}'
                    f"<b>{esc(current.name)}</b>{esc(facts)}</p>"
                )
        language_switch()
        here = department.find_department()
        if here is None:
            privacy = t("frame.privacy_web" if session.may_send() else "frame.privacy")
            st.html(f'<p class="lt-side">{esc(privacy)}</p>')
        else:
            person = department.find_person(open_checks.owner())
            name = esc(t("frame.signed_in", name=person.name)) if person is not None else ""
            st.html(
                f'<p class="lt-side">{name} · <a href="/leitong/sign-out" target="_self">'
                f"{esc(t('frame.sign_out'))}</a></p>"
                f'<p class="lt-side">{esc(t("frame.privacy_server", host=here.host))}</p>'
            )


def is_operator() -> bool:
    """Return whether this reader runs the server."""
    person = department.find_person(open_checks.owner())
    return person is not None and person.is_operator


def run() -> None:
    """Run the whole application: what app.py does."""
    tab.framed = True
    current = _frame()
    _running.on = True
    try:
        current.run()
    finally:
        _running.on = False
    open_checks.remember()


def _frame() -> st.Page:
    """Draw the frame and return the page to run."""
    open_checks.attach()
    exclusions.settle()
    # first: the navigation alone would make the icon of a page that of the tab, from elsewhere
    dress(title_here(operator=is_operator()))
    current = navigate(
        _unknown_address, operator=is_operator(), checked=session.check() is not None
    )
    if not tab.framed:
        tab.framed = True
        st.rerun()
    sidebar(current.url_path or FRONT)
    if current.url_path and jobs.find_latest("check") is not None:
        watch_from_afar()
    return current


def show(draw: Callable[[], None]) -> None:
    """Draw a page inside the frame: the only call of a page script.

    A page that was opened without the frame is sent through it once in a session; after that, or
    where app.py is not what is served, the frame is drawn around the page in place.
    """
    alone = not getattr(_running, "on", False)
    if alone:
        _frame()
    fault = open_checks.explain_lost(urlsplit(st.context.url or "").path)
    if fault is not None:
        page_head(t("frame.lost.title"))
        paragraph(t("frame.lost.text") if fault.code == "store_missing" else error_text(fault))
        if st.button(t("frame.go_check"), key="lost_go", icon=":material/upload_file:"):
            open_checks.leave()
            open_page("check")
        foot()
    else:
        _started_again()
        _condition()
        draw()
    if alone:
        open_checks.remember()


def _started_again() -> None:
    """Say that the server ended by itself and this one runs in its place."""
    before = server.read_ended()
    if before is None or tab.end_seen:
        return
    code, moment = before
    which = "memory" if code == KILLED else "text"
    time_of_day = date_time(moment)
    caution(t("frame.ended.lead"), t(f"frame.ended.{which}", moment=time_of_day, code=str(code)))
    if st.button(t("frame.ended.seen"), key="end_seen", type="tertiary"):
        tab.end_seen = True
        st.rerun()


def _condition() -> None:
    """Say above every page what is damaged in the file of the check, or that it is only read."""
    project = session.project()
    if project is None:
        return
    if project.damage:
        what = damage_text(project.damage, t, session.language())
        caution(t("error.damage_lead"), what)
    if project.database.read_only:
        caution(t("frame.read_only.lead"), t("frame.read_only.text"))


def _unknown_address() -> None:
    page_head(t("frame.unknown.title"))
    empty_state(t("frame.unknown.text"), button=t("frame.go_check"), icon=":material/upload_file:")
    foot()


# --------------------------------------------------------------------------- help: the guides tha

_SHOWN = "help_shown"


def _guides(page: str) -> None:
    """Draw the guides of a page, one of them open, and those that it leads to."""
    about, language = guides_about(page), session.language()
    now = session.get(_SHOWN) or about[0]
    names = about if now in about else (*about, now)
    st.pills(
        t("frame.help.title"),
        names,
        default=now,
        required=True,
        format_func=lambda name: guide(name, language).title,
        key=f"help_guide_{now}",
        label_visibility="collapsed",
        on_change=lambda: session.put(_SHOWN, session.get(f"help_guide_{now}")),
    )
    shown = guide(now, language)
    with st.container(key="help-guide"):
        st.markdown(f"## {shown.title}\n{shown.text}")
    further = [name for name in shown.leads_to if name not in names]
    if further:
        st.markdown(f"### {t('frame.help.further')}")
        for name in further:
            st.button(
                guide(name, language).title,
                key=f"help_to_{name}",
                type="tertiary",
                on_click=session.put,
                args=(_SHOWN, name),
            )
