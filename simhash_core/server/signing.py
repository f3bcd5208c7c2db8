"""The ways in of a server for many, behind the gate: who may enter, and the paths of `login`."""

from __future__ import annotations

import html
import secrets
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs

from ..app.department import find_login
from ..app.gate import (
    SCRIPT,
    Scope,
    Send,
    draw_plain_page,
    find_scheme,
    lead_to,
    read_cookies,
    read_header,
    send_answer,
)
from ..storage.browsers import Browser
from . import login
from .department import PROXY, SECRET_HEADER, note_person, owner_of, person_of, read_department

_LOGIN_COOKIE = "leitong_login"  # of one who is at the provider


def redeem(scope: Scope, admission: str) -> str | None:
    """Return whose an admission is; None where it is no longer good, or a proxy names another."""
    secret = next(iter(read_cookies(scope, _LOGIN_COOKIE)), "")
    owner = login.attempts.redeem(admission, secret)
    here = find_login()
    by_proxy = here is not None and here.proxy is not None
    return None if by_proxy and owner != _find_owner_of_proxy(scope) else owner


def may_enter(scope: Scope, browser: Browser) -> bool:
    """Return whether the person of a browser may be here still, as this server has it."""
    here = find_login()
    if here is None:
        return True
    person = person_of(browser.owner)
    if person is None or not here.admits(person):
        return False
    if here.login is None:
        return browser.owner == _find_owner_of_proxy(scope)
    return datetime.now(UTC) - browser.made < timedelta(days=here.login.days)


def _find_owner_of_proxy(scope: Scope) -> str | None:
    """Return whose projects a proxy asks for; None where the request comes from none of ours."""
    user = _find_user_of_proxy(scope)
    return owner_of(PROXY, user) if user else None


def _find_user_of_proxy(scope: Scope) -> str:
    here = read_department()
    if here is None or here.proxy is None:
        return ""
    shown = read_header(scope, SECRET_HEADER.lower())
    if not secrets.compare_digest(shown.encode(), here.proxy.secret.encode()):
        return ""
    named = here.proxy.user_header.lower().encode()
    users = [value.decode("latin-1") for name, value in scope["headers"] if name == named]
    return users[0] if len(users) == 1 else ""  # two: one of them is not the proxy's


async def sign_in(scope: Scope, send: Send) -> None:
    """Lead to the provider; where a proxy has signed in, or nobody has to, to the page."""
    here = find_login()
    to = login.page_of(_query(scope).get("to", "/"))
    if here is None:
        await lead_to(send, "/")
    elif here.login is not None:
        try:
            address, secret = await login.departure(here, here.login, to)
        except login.LoginFailed as error:
            await _refused(scope, send, error)
            return
        await lead_to(send, address, [_login_cookie(scope, secret, login.UNDER_WAY_SECONDS)])
    else:
        user = _find_user_of_proxy(scope)
        if not user:
            await _refused(scope, send, login.LoginFailed("no user", reason="proxy"))
            return
        owner, secret = owner_of(PROXY, user), secrets.token_urlsafe(32)
        note_person(owner, user, address=user, issuer=PROXY)
        admission = login.attempts.admit(owner, secret)
        cookie = _login_cookie(scope, secret, login.ADMISSION_SECONDS)
        await lead_to(send, login.add_admission(to, admission), [cookie])


async def take_back(scope: Scope, send: Send) -> None:
    """Take in one who comes back from the provider."""
    here, asked = read_department(), _query(scope)
    cookies = read_cookies(scope, _LOGIN_COOKIE)
    if here is None or here.login is None:
        await lead_to(send, "/")
        return
    try:
        admission, to = await login.arrival(
            here,
            here.login,
            state=asked.get("state", ""),
            code=asked.get("code", ""),
            browser=next(iter(cookies), ""),
        )
    except login.LoginFailed as error:
        await _refused(scope, send, error)
        return
    await lead_to(send, login.add_admission(to, admission))


async def welcome(scope: Scope, send: Send) -> None:
    """Let the script of the door hand in an admission, then go on."""
    to = html.escape(login.page_of(_query(scope).get("to", "/")))
    page = (
        '<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        f'{SCRIPT.decode()}<meta http-equiv="refresh" content="0;url={to}"><title>Leitong</title>'
    )
    await send_answer(send, 200, page.encode(), "text/html; charset=utf-8")


async def _refused(scope: Scope, send: Send, error: login.LoginFailed) -> None:
    reason = str(error.params.get("reason", "state"))
    page = draw_plain_page(scope, f"login_failed_{reason}")
    await send_answer(send, 403, page, "text/html; charset=utf-8")


def _login_cookie(scope: Scope, secret: str, seconds: float) -> tuple[bytes, bytes]:
    """Return the header that binds one at the provider to the browser that left."""
    secure = "; Secure" if find_scheme(scope) == "https" else ""
    # "Lax": it has to come with the way back, which the provider begins
    rule = f"Path=/leitong; Max-Age={seconds:.0f}; HttpOnly; SameSite=Lax{secure}"
    return b"set-cookie", f"{_LOGIN_COOKIE}={secret}; {rule}".encode()


def _query(scope: Scope) -> dict[str, str]:
    held = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    return {name: values[0] for name, values in held.items()}
