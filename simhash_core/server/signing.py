"""The rules of a server for many, which the gate asks, and the ways in and out.

A browser is admitted once its person has signed in (`login`), for as long as the department says,
and every page waits for that. One who signs in where another is signed in ends the access of the
other.
"""

from __future__ import annotations

import asyncio
import html
import secrets
import time
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ..app import tabs
from ..app.gate import SCRIPT, SHELL, find_browsers, read_cookies
from ..app.rules import Rules, answer_plainly
from ..storage import browsers
from ..storage.browsers import Browser
from . import login
from .department import (
    PROXY,
    SECRET_HEADER,
    Department,
    note_person,
    owner_of,
    person_of,
    read_department,
)

_LOGIN = "/leitong/login"
_COOKIE = "leitong_login"  # of one who is at the provider


def rules() -> Rules:
    """Return the rules of this server, of which the address is as it was at the start."""
    return Rules(_here().address, answer, admit, stand)


def _here() -> Department:
    here = read_department()
    assert here is not None  # the gate has these rules only where a file is named
    return here


async def answer(request: Request, known: list[Browser]) -> Response | None:
    """Serve the ways in and out, and let every page wait until somebody has signed in."""
    path, to = str(request.scope["path"]), login.page_of(request.query_params.get("to", "/"))
    if path in (_LOGIN, "/leitong/again"):
        return await _sign_in(request, to)
    if path == login.BACK:
        return await _take_back(request)
    if path == login.WELCOME:
        return _welcome(to)
    if path == "/leitong/sign-out":
        return _sign_out(request, known)
    if known or path.startswith(SHELL):
        return None
    query = request.scope["query_string"].decode("latin-1")
    wanted = quote(path) + (f"?{query}" if query else "")
    return RedirectResponse(f"{_LOGIN}?to={quote(wanted, safe='')}", 302)


async def admit(request: Request, ticket: str, browser: Browser | None) -> str | None:
    """Return whose an admission is, once nobody else is at this browser any more."""
    secret = next(iter(read_cookies(request, _COOKIE)), "")
    owner = login.redeem(ticket, secret)
    if owner is None:
        return browser.owner if browser is not None and not ticket else None
    if _here().proxy is not None and owner != owner_of(PROXY, _find_user_of_proxy(request)):
        return None
    here = [*find_browsers(request), *([browser] if browser is not None else [])]
    for other in [one for one in here if one.owner != owner]:
        browsers.revoke(other.id)
        end = time.monotonic() + 2 * tabs.LOOK_SECONDS
        while tabs.opened.is_open(other.id) and time.monotonic() < end:
            await asyncio.sleep(tabs.LOOK_SECONDS / 20)
    return owner


def stand(request: HTTPConnection, browser: Browser) -> str:
    """Return what the person of a browser may do now, as this server has it."""
    here, person = _here(), person_of(browser.owner)
    if person is None or not here.admits(person):
        return ""
    if here.login is None:
        entered = browser.owner == owner_of(PROXY, _find_user_of_proxy(request))
    else:
        entered = datetime.now(UTC) - browser.made < timedelta(days=here.login.days)
    return "" if not entered else "operator" if person.is_operator else "in"


def _find_user_of_proxy(request: HTTPConnection) -> str:
    """Return whom a proxy names, "" where the request comes from none of ours."""
    proxy = _here().proxy
    shown = request.headers.get(SECRET_HEADER, "")
    if proxy is None or not secrets.compare_digest(shown.encode(), proxy.secret.encode()):
        return ""
    users = request.headers.getlist(proxy.user_header)
    return users[0] if len(users) == 1 else ""  # two: one of them is not the proxy's


async def _sign_in(request: Request, to: str) -> Response:
    """Lead to the provider; where a proxy has signed in, to the page."""
    here = _here()
    if here.login is not None:
        try:
            address, secret = await login.depart(here, here.login, to)
        except login.LoginFailed as error:
            return _refuse(request, error)
        return _lead(address, secret, login.UNDER_WAY_SECONDS)
    user = _find_user_of_proxy(request)
    if not user:
        return _refuse(request, login.LoginFailed("no user", reason="proxy"))
    owner, secret = owner_of(PROXY, user), secrets.token_urlsafe(32)
    note_person(owner, user, address=user, issuer=PROXY)
    return _lead(login.lead_in(owner, secret, to), secret, login.ADMISSION_SECONDS)


async def _take_back(request: Request) -> Response:
    """Take in one who comes back from the provider."""
    here, asked = _here(), request.query_params
    if here.login is None:
        return RedirectResponse("/", 302)
    secret = next(iter(read_cookies(request, _COOKIE)), "")
    try:
        owner, to = await login.take_back(
            here,
            here.login,
            state=asked.get("state", ""),
            code=asked.get("code", ""),
            secret=secret,
        )
    except login.LoginFailed as error:
        return _refuse(request, error)
    return RedirectResponse(login.lead_in(owner, secret, to), 302)


def _welcome(to: str) -> Response:
    """Let the script of the door hand in an admission, then go on."""
    return HTMLResponse(
        '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        f'{SCRIPT.decode()}<meta http-equiv="refresh" content="0;url={html.escape(to)}">'
        "<title>Leitong</title>"
    )


def _sign_out(request: Request, known: list[Browser]) -> Response:
    """End the access of a browser, when a page of ours asks for it."""
    if request.headers.get("sec-fetch-site") == "same-origin":
        for browser in known:
            browsers.revoke(browser.id)
    return answer_plainly(request, "signed_out", to=_LOGIN)


def _refuse(request: Request, error: login.LoginFailed) -> Response:
    key = f"login_failed_{error.params['reason']}"
    return answer_plainly(request, key, status=403, to=_LOGIN)


def _lead(address: str, secret: str, seconds: int) -> Response:
    """Lead to an address, with the cookie that binds one at the provider to this browser."""
    led = RedirectResponse(address, 302)
    # "lax": it has to come with the way back, which the provider begins
    led.set_cookie(
        _COOKIE,
        secret,
        max_age=seconds,
        path="/leitong",
        secure=_here().secure,
        httponly=True,
        samesite="lax",
    )
    return led
