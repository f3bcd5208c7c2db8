"""A server for a school in two browsers: each signs in at a provider and sees their own alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from simhash_core.app import department
from simhash_core.app.server import HOST, free_port, is_healthy, run_server
from tests.e2e.steps import WORK, check_files, essays
from tests.server.test_login import provider

PEOPLE = {
    "mei": {"sub": "1", "email": "mei@school.example"},
    "tom": {"sub": "2", "email": "tom@school.example"},
}


@pytest.fixture
def school(tmp_path):
    """Address of the server; Mei runs it."""
    folder, port = tmp_path, free_port()
    process, issuer = provider(folder, PEOPLE.values())
    (folder / "server.toml").write_text(
        f"""address = "http://{HOST}:{port}"
        operators = ["mei@school.example"]
        [login]
        issuer = "{issuer}"
        client_id = "leitong"
        client_secret = "of the client" """
    )
    with process, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEITONG_DATA", str(folder / "data"))
        patch.setenv("LEITONG_STATE", str(folder / "state"))
        patch.setenv(department.VARIABLE, str(folder / "server.toml"))
        try:
            with run_server(port, log=Path(folder / "server.log")) as server:
                assert is_healthy(port)
                yield server.url
        finally:
            process.kill()


def signed_in(page: Page, ready, school: str, name: str) -> Page:
    """Sign in; the provider's own pages, which fetch a style from elsewhere, are not drawn."""
    page.request.get(school, max_redirects=0)
    away = page.request.get(f"{school}/leitong/login?to=%2F", max_redirects=0)
    form = {"sub": PEOPLE[name]["sub"]}
    back = page.request.post(away.headers["location"], form=form, max_redirects=0)
    page.goto(back.headers["location"])
    ready(page)
    expect(page.get_by_text(f"以 {PEOPLE[name]['email']} 登录")).to_be_visible()
    return page


def test_each_sees_their_own_alone(page, ready, school, browser, browser_context_args):
    mei = signed_in(page, ready, school, "mei")
    address = check_files(mei, ready, *essays(4))
    other = browser.new_context(**browser_context_args)
    tom = signed_in(other.new_page(), ready, school, "tom")

    tom.goto(address)
    expect(tom.locator("h1")).to_have_text("这里没有这次检测")
    tom.goto(school)
    ready(tom)
    expect(tom.locator("table tbody tr")).to_have_count(0)
    tom.goto(f"{school}/server")
    ready(tom)
    expect(tom.locator("h1")).not_to_have_text("服务器")

    mei.goto(f"{school}/server")
    ready(mei)
    expect(mei.locator("h1")).to_have_text("服务器")
    expect(mei.locator("table tbody tr")).to_have_count(2)
    other.close()

    mei.get_by_role("link", name="退出").click()
    expect(mei.locator("h1")).to_have_text("已经退出", timeout=WORK)
    led = mei.request.get(school, max_redirects=0)
    assert led.headers["location"] == "/leitong/login?to=%2F"
