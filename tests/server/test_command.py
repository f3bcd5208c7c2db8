"""`leitong serve FILE`, where it serves nobody: who is listed, who is deleted, what it refuses."""

from __future__ import annotations

import sys

import pytest
from arrivals import arrived
from command_line import leitong

from simhash_core.server import department
from simhash_core.storage import owner_folder

IT = "it@school.example"


@pytest.fixture
def file(tmp_path, own_folders):
    """A server's file, and folders of its own."""
    path = tmp_path / "server.toml"
    path.write_text('address = "http://127.0.0.1:8581"', "utf-8")
    return path


def owners() -> set[str]:
    return {one.owner for one in department.people()}


def test_of_several_of_a_name_nobody_is_deleted_and_an_id_takes_one(file):
    it, other = arrived("1", IT, IT), arrived("2", "x", IT.upper())
    named, by_subject = arrived("3", "IT@School.example"), arrived(IT, IT)
    refused = leitong("serve", file, "--forget", IT)

    assert refused.returncode == 2
    assert len(owners()) == 4
    for person in (it, other, named, by_subject):
        assert person.id in refused.stderr
        assert owner_folder(person.owner).is_dir()
    done = leitong("serve", file, "--forget", named.id)
    assert (done.returncode, owners()) == (0, {it.owner, other.owner, by_subject.owner})
    assert not owner_folder(named.owner).exists()
    assert owner_folder(it.owner).is_dir()


def test_an_address_takes_its_person_and_no_name_takes_another(file):
    mei, tom = arrived("1", "Mei", "mei@school.example"), arrived("2", "Tom")
    assert leitong("serve", file, "--forget", "Mei@School.example").returncode == 0
    assert owners() == {tom.owner}
    assert leitong("serve", file, "--forget", "Tom").returncode == 0
    assert owners() == set()
    assert leitong("serve", file, "--forget", mei.id).returncode == 1
    # one who calls themselves like an address is not its person
    eve = arrived("3", IT)
    refused = leitong("serve", file, "--forget", IT)
    assert (refused.returncode, owners()) == (2, {eve.owner})
    assert f"{IT} (no verified address)" in leitong("serve", file, "--people").stdout
    assert leitong("serve", file, "--forget", eve.id).returncode == 0
    # one who takes the id of another as name changes nothing
    mei = arrived("1", "Mei")
    eve = arrived("2", mei.id)
    assert leitong("serve", file, "--forget", mei.id).returncode == 0
    assert owners() == {eve.owner}


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
@pytest.mark.parametrize(
    "text",
    [
        '[login]\nissuer = "https://a.example"\nclient_id = "c"\nclient_secret = "s"',
        '[login]\nissuer = "https://a.example"\nclient_id = "c"\nclient_secret_file = "own"',
        '[proxy]\nuser_header = "X"\nsecret = "ssssssssssssssss"',
        '[proxy]\nuser_header = "X"\nsecret_file = "own"',
    ],
)
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o602])
def test_a_secret_that_others_can_read_is_refused(file, text, mode):
    holder, secret = file, file.parent / "own"
    secret.write_text("s" * 16)
    file.write_text(f'address = "http://a.example"\n{text}')  # no TLS: it goes no further
    for path in (file, secret):
        path.chmod(0o600)
    if "_file" in text:
        holder = secret
        file.chmod(0o644)
    assert "not encrypted" in leitong("serve", file).stderr
    holder.chmod(mode)
    refused = leitong("serve", file)

    assert refused.returncode == 2
    assert f"chmod 600 {holder}" in refused.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_the_key_of_the_server_is_a_secret_too(file):
    arrived("1", "Mei")
    file.write_text('address = "http://a.example"\n[login]\nissuer = "x"\nclient_id = "c"')
    (key := department.data_folder() / "server.key").chmod(0o644)

    assert f"chmod 600 {key}" in leitong("serve", file).stderr
