"""Signing in through a provider of OpenID Connect, or by what a proxy says.

    GET /leitong/login?to=/review    to the provider, or straight in where a proxy has signed in
    GET /leitong/signed-in?code=...  back from it; then to the page, with an admission
    GET /leitong/welcome?to=/review  hands the admission in, and goes on to the page
    GET /leitong/sign-out            ends the access of this browser

An admission is a secret behind the `#` of the address, good once within a minute, and only for the
browser that asked: the page hands it in and gets the key of a browser (`gate`), which is what a
ticket does for the user of a computer.

References
----------
OpenID Connect Core 1.0, section 3.1 (authorization code); RFC 7636 (PKCE); RFC 9700 section 2.1.
"""

from __future__ import annotations

import re
import secrets
import time
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlencode

import httpx2
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from ..errors import LeitongError
from .department import Department, Login, note_person, owner_of

ADMISSION_SECONDS = 60
UNDER_WAY_SECONDS = 600  # between leaving for the provider and coming back
MOST_UNDER_WAY = 10_000
PROVIDER_SECONDS = 15.0  # for one answer of the provider
BACK, WELCOME = "/leitong/signed-in", "/leitong/welcome"
_SCOPE = "openid email profile"
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
#: signatures that a provider may use; never "none", and none that our own secret could make
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]


Held = TypeVar("Held")


class LoginFailed(LeitongError):
    """A person could not be signed in."""

    code = "login_failed"


@dataclass(frozen=True, slots=True)
class _UnderWay:
    """One who is at the provider now."""

    verifier: str
    nonce: str
    browser: str  # secret of the browser that left, in its cookie
    to: str


class Once(Generic[Held]):
    """What is good once, for a while, to whoever knows a secret; too many, and the oldest go."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._held: dict[str, tuple[float, Held]] = {}  # by secret, the oldest first

    def leave(self, secret: str, held: Held) -> None:
        """Hold something for a secret."""
        late = time.monotonic() - self._seconds
        fresh = [one for one in self._held.items() if one[1][0] > late]
        self._held = dict(fresh[-MOST_UNDER_WAY + 1 :])
        self._held[secret] = time.monotonic(), held

    def take(self, secret: str) -> Held | None:
        """Return what is held for a secret, None where it was taken or is too old."""
        since, held = self._held.pop(secret, (0.0, None))
        return held if time.monotonic() - since <= self._seconds else None


under_way = Once[_UnderWay](UNDER_WAY_SECONDS)
_admitted = Once[tuple[str, str]](ADMISSION_SECONDS)  # owner, secret of the browser


def lead_in(owner: str, secret: str, to: str) -> str:
    """Return the address that admits a person and goes on to a page of ours.

    It is good for the browser that has a secret.
    """
    admission = secrets.token_urlsafe(32)
    _admitted.leave(admission, (owner, secret))
    return f"{WELCOME}?{urlencode({'to': to})}#{urlencode({'ticket': admission})}"


def redeem(admission: str, secret: str) -> str | None:
    """Return whose an admission is, once; None where it is no longer good, or another's."""
    owner, held = _admitted.take(admission) or ("", "")
    return owner if owner and _same(held, secret) else None


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


async def depart(department: Department, login: Login, to: str) -> tuple[str, str]:
    """Return the address at the provider, and the secret that the browser must bring back.

    Raises
    ------
    LoginFailed
        The provider does not answer, or as none does.
    """
    state, nonce, secret = (secrets.token_urlsafe(32) for _ in range(3))
    verifier = secrets.token_urlsafe(48)
    async with _client(department, login) as client:
        about = await _about(client, login)
        url, _ = client.create_authorization_url(
            about["authorization_endpoint"], state=state, nonce=nonce, code_verifier=verifier
        )
    under_way.leave(state, _UnderWay(verifier, nonce, secret, to))
    return str(url), secret


async def take_back(
    department: Department, login: Login, *, state: str, code: str, secret: str
) -> tuple[str, str]:
    """Return the owner who comes back from the provider, and the page to go to.

    Raises
    ------
    LoginFailed
        With `params["reason"]`: `state`, `provider`, `token` or `allowed`.
    """
    attempt = under_way.take(state)
    if attempt is None or not _same(attempt.browser, secret):
        raise LoginFailed("unknown state", reason="state")
    async with _client(department, login) as client:
        about = await _about(client, login)
        claims = await _claims(client, about, login, attempt, code)
    address = _address(claims)
    if not login.admits(address):
        raise LoginFailed("not allowed", reason="allowed")
    owner = owner_of(login.issuer, str(claims["sub"]))
    name = str(claims.get("name") or claims["sub"])
    note_person(owner, name, address=address, issuer=login.issuer)
    return owner, attempt.to


def _address(claims: dict[str, Any]) -> str:
    """Return the address of a person; "" where there is none, or one that is not verified."""
    email = claims.get("email")
    sound = isinstance(email, str) and _ADDRESS.fullmatch(email) and email.isprintable()
    return str(email) if sound and claims.get("email_verified", True) is True else ""


def _client(department: Department, login: Login) -> Any:
    """Return a client of the provider that follows no redirect and asks no proxy for loopback."""
    return AsyncOAuth2Client(
        login.client_id,
        login.client_secret or None,
        token_endpoint_auth_method="client_secret_basic" if login.client_secret else "none",
        redirect_uri=department.address + BACK,
        scope=_SCOPE,
        code_challenge_method="S256",
        timeout=PROVIDER_SECONDS,
    )


async def _about(client: Any, login: Login) -> dict[str, Any]:
    """Return what the provider says of itself."""
    address = f"{login.issuer}/.well-known/openid-configuration"
    about = await _asked(client, address)
    if str(about.get("issuer", "")).rstrip("/") != login.issuer:
        raise LoginFailed("another issuer", reason="provider")
    if not all(isinstance(about.get(name), str) for name in _ENDPOINTS):
        raise LoginFailed("no endpoints", reason="provider")
    return about


async def _asked(client: Any, address: str) -> dict[str, Any]:
    try:
        answer = await client.request("GET", address, withhold_token=True)
        answer.raise_for_status()
        held = answer.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise LoginFailed(type(error).__name__, reason="provider") from error
    if not isinstance(held, dict):
        raise LoginFailed("no object", reason="provider")
    return held


async def _claims(
    client: Any, about: dict[str, Any], login: Login, attempt: _UnderWay, code: str
) -> dict[str, Any]:
    """Return what the provider says of a person, once its signature and terms have been checked."""
    keys = await _asked(client, about["jwks_uri"])
    try:
        token = await client.fetch_token(
            about["token_endpoint"], code=code, code_verifier=attempt.verifier
        )
        read = jwt.decode(
            token["id_token"], KeySet.import_key_set(cast(Any, keys)), algorithms=_ALGORITHMS
        )
        rules = jwt.JWTClaimsRegistry(
            leeway=60,
            iss={"essential": True, "value": about["issuer"]},
            aud={"essential": True, "value": login.client_id},
            sub={"essential": True},
            exp={"essential": True},
            nonce={"essential": True, "value": attempt.nonce},
        )
        rules.validate(read.claims)
    except (httpx2.HTTPError, OAuthError, JoseError, KeyError, ValueError) as error:
        raise LoginFailed(type(error).__name__, reason="token") from error
    return dict(read.claims)


def page_of(to: str) -> str:
    """Return a page of ours that an address may lead to, the front page for anything else."""
    ours = to.startswith("/") and not to.startswith(("//", "/\\", "/leitong/"))
    return to if ours and to.isprintable() and "#" not in to else "/"
