"""Which machines a page may be fetched from: those of the public internet, by their numbers.

A name is resolved once, every number that it stands for is looked at, and the connection goes to
one of these numbers: what the name means a moment later does not matter.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from urllib.parse import SplitResult, quote, urlsplit

import psutil

from ..errors import Unreadable

Number = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Place = tuple[str, int]  # host and port

PORTS = frozenset((80, 443, 8080, 8443))  # what speaks other languages is not spoken to
_USUAL = {"http": 80, "https": 443}
_LONGEST = 2000  # characters of an address
#: networks of six that carry a number of four: it counts
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_WIDEST = 8  # a tunnel that takes everything stands in no network
_UNICAST = ipaddress.IPv6Network("2000::/3")  # all that is given out of the numbers of six
_SAFE = "/%:=&?~#+!$,;'@()*[]"


def parse_address(address: str) -> tuple[SplitResult, Place, str]:
    """Return the parts of an address, its host and port, and what is asked for there.

    Raises
    ------
    Unreadable
        `web_address`: not http or https, a password in it, unreadable or too long.
    """
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna").decode("ascii")
        port = parts.port or _USUAL.get(parts.scheme, 0)
    except ValueError as error:  # of names too: UnicodeError
        raise Unreadable("web_address") from error
    wrong = parts.scheme not in _USUAL or not host or parts.username is not None
    if wrong or len(address) > _LONGEST or not address.isprintable():
        raise Unreadable("web_address")
    target = quote(parts.path or "/", safe=_SAFE)
    if parts.query:
        target += "?" + quote(parts.query, safe=_SAFE)
    return parts, (host, port), target


def numbers_of(place: Place) -> list[Number]:
    """Return what a host stands for, each number once.

    Raises
    ------
    Unreadable
        `web_unreachable`.
    """
    try:
        answers = socket.getaddrinfo(*place, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise Unreadable("web_unreachable", detail=type(error).__name__) from error
    # a number of six may name the card it is reached by: fe80::1%eth0
    written = (str(answer[4][0]).partition("%")[0] for answer in answers)
    return list(dict.fromkeys(map(ipaddress.ip_address, written)))


def public_numbers(place: Place, exempt: Iterable[Place] = ()) -> list[Number]:
    """Return the numbers of a host that a page may be fetched from.

    Parameters
    ----------
    exempt
        Places that are not looked at, so that tests can serve pages on this machine. Nothing of
        the product fills it.

    Raises
    ------
    Unreadable
        `web_private` where one of the numbers is of this machine, its networks, or no public one;
        `web_port`; `web_unreachable`.
    """
    if place in exempt:
        return numbers_of(place)
    if place[1] not in PORTS:
        raise Unreadable("web_port", port=place[1])
    numbers, own_ranges = numbers_of(place), tuple(own_networks())
    if not numbers or not all(is_public(number, own_ranges) for number in numbers):
        raise Unreadable("web_private")
    return numbers


def is_number(host: str) -> bool:
    """Whether a host is a number itself, so that nobody has to be asked what it stands for."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_public(number: Number, own_ranges: Iterable[Network] = ()) -> bool:
    """Whether a number is one of the public internet, and of none of some networks."""
    inner = _find_carried_address(number)
    if inner is not None:
        return is_public(inner, own_ranges)
    if not number.is_global or number.is_multicast or number.is_reserved:
        return False
    if isinstance(number, ipaddress.IPv6Address) and number not in _UNICAST:
        return False
    return not any(number in network for network in own_ranges)


def own_networks() -> Iterator[Network]:
    """Yield the networks that this machine stands in."""
    for addresses in psutil.net_if_addrs().values():
        for one in addresses:
            if one.family not in (socket.AF_INET, socket.AF_INET6):
                continue
            number, mask = one.address.partition("%")[0], one.netmask or ""
            try:
                if one.family == socket.AF_INET6:  # a mask is written as a number of six
                    mask = str(bin(int(ipaddress.IPv6Address(mask or "::"))).count("1") or 128)
                network = ipaddress.ip_network(f"{number}/{mask or 32}", strict=False)
            except ValueError:
                continue
            if network.prefixlen >= _WIDEST:
                yield network


def _find_carried_address(number: Number) -> ipaddress.IPv4Address | None:
    """Return the number of four that a number of six stands for, if any."""
    if isinstance(number, ipaddress.IPv4Address):
        return None
    if number in _NAT64:
        return ipaddress.IPv4Address(int(number) & 0xFFFFFFFF)
    teredo = number.teredo
    return number.ipv4_mapped or number.sixtofour or (teredo[1] if teredo else None)
