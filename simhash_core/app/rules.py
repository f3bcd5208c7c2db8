"""Who may be here: what the gate asks, and what holds at a desktop.

At a desktop whoever hands a ticket in sees the projects of the user of the computer; every other
browser has projects of its own. The leaf `server` has rules for many people, who sign in.
"""

from __future__ import annotations

import html
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from ..extensions import extension
from ..i18n import negotiate, translator
from ..storage import find_owner_key, is_user, new_owner
from ..storage.browsers import Browser
from . import department, tickets


@dataclass(frozen=True, slots=True)
class Rules:
    """Who may be here."""

    #: what people type where a proxy passes them on, "" where only this computer gets here
    address: str
    #: answer to a request of browsers that its cookies name, None where it goes on
    answer: Callable[[Request, list[Browser]], Awaitable[Response | None]]
    #: whose projects a browser sees that shows a ticket, or is known already; None: it stays out
    admit: Callable[[Request, str, Browser | None], Awaitable[str | None]]
    #: what the person of a browser may do now; "" where they may not be here
    stand: Callable[[HTTPConnection, Browser], str]


def find_rules() -> Rules:
    """Return the rules of this process: those of the leaf where people sign in."""
    if department.find_department() is None:
        return Rules("", _answer, _admit, lambda request, browser: "in")
    rules: Rules = extension("servers", "rules")()
    return rules


def answer_plainly(
    request: HTTPConnection, key: str, *, status: int = 200, to: str = ""
) -> HTMLResponse:
    """Return a page with the title and the text of a key of `desktop`, in the reader's language.

    `to` is where a person signs in again, "" for no such link.
    """
    code = negotiate(request.headers.get("accept-language", "").partition(",")[0])
    t = translator(code)
    part = code, t(f"desktop.{key}.title"), [t(f"desktop.{key}.text")]
    link = f'<p><a href="{to}">{html.escape(t("desktop.sign_in"))}</a></p>' if to else ""
    return HTMLResponse(tickets.draw_plain_page([part], link), status)


async def _answer(request: Request, known: list[Browser]) -> Response | None:
    again = request.scope["path"] == "/leitong/again"
    return answer_plainly(request, "again") if again else None


async def _admit(request: Request, ticket: str, browser: Browser | None) -> str | None:
    if ticket and tickets.redeem(ticket):
        return find_owner_key()
    if browser is not None and (not ticket or is_user(browser.owner)):
        return browser.owner  # one who is in already has no use for a ticket
    return None if ticket else new_owner()
