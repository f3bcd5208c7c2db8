"""What the file of a server says, where it may listen, and whose is what."""

from __future__ import annotations

from pathlib import Path

import pytest

from simhash_core.app.department import Limits
from simhash_core.errors import BadInput
from simhash_core.server import department
from simhash_core.server.department import Department, Login, Proxy
from simhash_core.storage import browsers, library_address, owner_folder

WHOLE = """
address = "https://leitong.school.example/"
operators = ["IT@school.example"]
[login]
issuer = "https://login.school.example/"
client_id = "leitong"
client_secret_file = "{secret}"
allow = ["@school.example", "head@other.example"]
days = 3
[limits]
checks = 3
minutes = 0
"""


def written(folder: Path, text: str) -> Path:
    (folder / "secret").write_text("of the client\n", "utf-8")
    path = folder / "server.toml"
    path.write_text(text.replace("{secret}", (folder / "secret").as_posix()), "utf-8")
    return path


def test_a_whole_file(tmp_path):
    read = department.read(written(tmp_path, WHOLE))

    allow = ("@school.example", "head@other.example")
    login = Login("https://login.school.example", "leitong", "of the client", allow, days=3)
    limits = Limits(checks=3, minutes=0)
    assert read == Department(
        "https://leitong.school.example", login, operators=("it@school.example",), limits=limits
    )
    assert (read.host, read.secure) == ("leitong.school.example", True)


THERE = 'address = "https://a.example"\n'


@pytest.mark.parametrize(
    ("text", "code", "name"),
    [
        ("address = ", "server_toml", None),
        ("", "server_missing", "address"),
        ('address = "leitong.example"', "server_value", "address"),
        ("address = 3", "server_value", "address"),
        (THERE + "adress = 1", "server_unknown", "adress"),
        (THERE + "[limit]\nchecks = 1", "server_unknown", "limit"),
        (THERE + "[limits]\nchecks = -1", "server_value", "limits.checks"),
        (THERE + "[limits]\nchecks = true", "server_value", "limits.checks"),
        (THERE + '[login]\nissuer = "x"', "server_missing", "login.client_id"),
        (THERE + '[proxy]\nuser_header = "X"\nsecret = "short"', "server_value", "proxy.secret"),
        (THERE + "[proxy]\n[login]\n", "server_logins", None),
    ],
)
def test_a_mistake_is_named(tmp_path, text, code, name):
    with pytest.raises(BadInput) as raised:
        department.read(written(tmp_path, text))

    assert raised.value.code == code
    assert raised.value.params.get("name") == name


HTTPS, HTTP, HERE = "https://a.example", "http://a.example", "http://127.0.0.1:8581"
LOGIN, PROXY = Login("https://login.example", "leitong"), Proxy("X-User", "s" * 16)


@pytest.mark.parametrize(
    ("address", "login", "proxy", "host", "code"),
    [
        (HERE, None, None, "127.0.0.1", "server_open"),  # for one person there is `leitong app`
        (HERE, LOGIN, None, "127.0.0.1", None),
        (HERE, None, None, "0.0.0.0", "server_open"),
        (HTTPS, None, None, "127.0.0.1", "server_open"),  # a proxy passes others on
        (HTTPS, LOGIN, None, "0.0.0.0", None),
        (HTTPS, None, PROXY, "127.0.0.1", None),
        (HTTP, LOGIN, None, "127.0.0.1", "server_tls"),
        (HTTP, None, PROXY, "10.1.2.3", "server_tls"),
    ],
)
def test_where_a_server_may_listen(address, login, proxy, host, code):
    here = Department(address, login, proxy)
    if code is None:
        department.may_listen(here, host)
        return
    with pytest.raises(BadInput) as raised:
        department.may_listen(here, host)
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("email", "admitted"),
    [
        ("mei@school.example", True),
        ("MEI@School.Example", True),
        ("head@other.example", True),
        ("mei@other.example", False),
        ("mei@evil-school.example", False),
        ("", False),
    ],
)
def test_who_may_enter(email, admitted):
    login = Login("https://x.example", "c", allow=("@school.example", "head@other.example"))

    assert login.admits(email) is admitted
    assert Login("https://x.example", "c").admits(email)
    assert not Login("https://x.example", "c", allow=()).admits(email)


def test_addresses_are_the_same_only_where_a_provider_means_one():
    fold = department.fold_address

    assert fold("IT@School.Example") == fold("it@school.example")
    others = ("it@ſchool.example", "it@\u212aing.example", "it@straße.example", "\ud800@a.example")
    for address in others:
        assert fold(address) == address
    assert fold("IT") == "IT"  # no address: the name of a user, which a proxy tells apart


def test_owners_are_apart_and_the_same_again(own_folders):
    one = department.owner_of("https://a.example", "1")
    others = {
        department.owner_of("https://a.example", "2"),
        department.owner_of("https://b.example", "1"),
        department.owner_of("https://a.example1", ""),
    }

    assert one == department.owner_of("https://a.example", "1")
    assert owner_folder(one).name
    assert len(others | {one}) == 4


def test_forgetting_takes_all_of_one_and_nothing_of_another(own_folders):
    owners = [department.owner_of("https://a.example", name) for name in ("mei", "tom")]
    for owner, name in zip(owners, ("mei@a.example", "tom@a.example"), strict=True):
        department.note_person(owner, name)
        browsers.admit(owner)
        for folder in (owner_folder(owner), Path(library_address(owner)).parent):
            folder.mkdir(parents=True)
            (folder / "texts").write_bytes(b"x" * 500_000)
    mei, tom = department.people()

    assert (mei.name, mei.megabytes, tom.megabytes) == ("mei@a.example", 1.0, 1.0)
    department.forget(mei)

    assert [person.name for person in department.people()] == ["tom@a.example"]
    assert department.person_of(owners[0]) is None
    assert not owner_folder(owners[0]).exists()
    assert browsers.browsers_of(owners[0]) == []
    assert tom.megabytes == 1.0
    assert len(browsers.browsers_of(owners[1])) == 1


def test_forgetting_leaves_a_library_that_all_share(own_folders, tmp_path, monkeypatch):
    shared = tmp_path / "shared" / "texts.library"
    shared.parent.mkdir()
    shared.write_bytes(b"x")
    monkeypatch.setenv("LEITONG_LIBRARY", str(shared))
    owner = department.owner_of("https://a.example", "mei")
    department.note_person(owner, "Mei")
    (mei,) = department.people()

    assert mei.megabytes == 0
    department.forget(mei)
    assert shared.exists()
