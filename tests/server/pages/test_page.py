"""The page of those who run a server: who is who, and who is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest
from arrivals import ISSUER, arrived

from simhash_core.server import department

IT = "it@school.example"
FILE = f"""address = "https://leitong.school.example"
operators = ["{IT}"]
[login]
issuer = "{ISSUER}"
client_id = "leitong"
"""


@pytest.fixture
def file(tmp_path: Path, own_folders: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a server, and folders of its own."""
    path = tmp_path / "server.toml"
    path.write_text(FILE, "utf-8")
    monkeypatch.setenv(department.VARIABLE, str(path))
    return path


def test_of_two_of_a_name_the_one_who_is_chosen_is_deleted(open_app, language, file) -> None:
    it, eve = arrived("1", "IT", IT), arrived("2", IT)
    app = open_app(language=language)
    app.session_state["lt.owner"] = it.owner
    app.run()
    app.switch_page("pages/server.py").run()

    unverified = {"en": f"{IT} (no verified address)", "zh": f"{IT}（没有核实过的邮箱）"}[language]
    assert app.selectbox("server_person").options == [f"{IT} · {it.id}", f"{unverified} · {eve.id}"]
    app.selectbox("server_person").set_value(eve.owner).run()
    app.button("server_forget").click().run()
    assert [one.owner for one in department.people()] == [it.owner]


def test_nobody_else_sees_it_and_an_operator_no_longer(open_app, file) -> None:
    it, eve = arrived("1", "IT", IT), arrived("2", IT)
    app = open_app()
    app.session_state["lt.owner"] = eve.owner
    app.run()
    with pytest.raises(ValueError, match="Could not find a navigation page"):
        app.switch_page("pages/server.py")
    app.session_state["lt.owner"] = it.owner
    app.run()
    app.switch_page("pages/server.py").run()
    file.write_text(FILE.replace(IT, "other@school.example"), "utf-8")
    app.selectbox("server_person").set_value(eve.owner).run()

    assert [one.key for one in app.selectbox] == []
    assert len(department.people()) == 2
