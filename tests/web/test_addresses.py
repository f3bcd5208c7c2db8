"""Pages come from the public internet alone, whatever a name says now or in a moment."""

from __future__ import annotations

import ipaddress
import socket

import pytest

from simhash_core.errors import Unreadable
from simhash_core.web.addresses import is_public, own_networks, parse_address, public_numbers

PRIVATE = (
    *("127.0.0.1", "127.8.9.1", "0.0.0.0", "10.1.2.3", "172.16.0.9", "192.168.1.1", "169.254.1.1"),
    *("100.64.0.1", "192.0.2.5", "198.18.0.1", "224.0.0.251", "255.255.255.255", "240.0.0.1"),
    *("::1", "::", "fe80::1", "fc00::1", "fd12::9", "ff02::1", "2001:db8::1", "fec0::1"),
    # numbers of four inside numbers of six: mapped, translated, tunnelled
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::"),
    *("2002:c0a8:101::1", "2001:0:4136:e378:8000:63bf:3fff:fdfe", "64:ff9b:1::808:808"),
)
PUBLIC = ("8.8.8.8", "93.184.215.14", "2606:2800:21f:cb07::1", "64:ff9b::808:808", "::ffff:8.8.8.8")


@pytest.mark.parametrize("number", [*PRIVATE, *PUBLIC])
def test_public_numbers_alone_are_taken(number: str) -> None:
    assert is_public(ipaddress.ip_address(number)) == (number in PUBLIC)


def test_networks_of_this_machine_are_refused_where_their_numbers_are_public() -> None:
    own = (ipaddress.ip_network("93.184.215.0/24"),)

    assert not is_public(ipaddress.ip_address("93.184.215.14"), own)
    assert is_public(ipaddress.ip_address("93.184.216.14"), own)
    assert any(ipaddress.ip_address("127.0.0.1") in one for one in own_networks())


@pytest.mark.parametrize(
    ("place", "code"),
    [
        *(
            (parse_address(f"http://{host}/")[1], "web_private")
            for host in (
                "127.0.0.1",
                "localhost",
                "127.1",
                "2130706433",
                "0x7f000001",
                "[::1]",
                "0",
            )
        ),
        (("no-such-host.invalid", 25), "web_port"),  # before anything is resolved
    ],
)
def test_this_machine_by_any_spelling_and_other_ports_are_refused(place, code):
    with pytest.raises(Unreadable, match=code):
        public_numbers(place)


def test_one_private_number_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers(*_: object, **__: object) -> list[object]:
        return [(2, 1, 6, "", (number, 80)) for number in ("8.8.8.8", "192.168.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", answers)

    with pytest.raises(Unreadable, match="web_private"):
        public_numbers(("both.example", 80))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "ftp://host/a",
        "javascript:alert(1)",
        "http://",
        "//host/a",
        "http://user:word@host/",
        "http://host:99999/",
        "http://[::1/",
        "http://a\u202eb/",
        "http://host/" + "a" * 3000,
        "http://" + "a" * 80 + ".example/",
        "",
    ],
)
def test_what_is_no_address_of_a_page_is_refused(address: str) -> None:
    with pytest.raises(Unreadable, match="web_address"):
        parse_address(address)


def test_names_and_paths_in_other_scripts_are_spelled_for_the_wire() -> None:
    _, place, target = parse_address("https://例子.example/维基/文学?词=雨&b=%20c")

    assert place == ("xn--fsqu00a.example", 443)
    assert target == "/%E7%BB%B4%E5%9F%BA/%E6%96%87%E5%AD%A6?%E8%AF%8D=%E9%9B%A8&b=%20c"
