"""Files in the formats of programs that are not at hand, made byte by byte."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate

_SECTOR, _SMALL, _LEAST = 512, 64, 4096  # bytes; shorter streams lie in small sectors
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
_TEXT_AT = 8192  # in the stream of a Word document
_STORIES = 8

#: text, modifiers of its letters, modifiers of its paragraph
Run = tuple[str, bytes, bytes]


def compound(streams: Mapping[str, bytes]) -> bytes:
    """Return a compound file of streams; a path with a slash lies in a storage."""
    names: list[tuple[str, ...]] = [()]
    for path in streams:
        parts = tuple(path.split("/"))
        names += [p for n in range(1, len(parts) + 1) if (p := parts[:n]) not in names]
    small, small_table, places = b"", list[int](), dict[tuple[str, ...], tuple[int, int]]()
    chains = [b"", b"", b""]  # directory, table of the small sectors, small sectors
    for name in names[1:]:
        content = streams.get("/".join(name))
        if content and len(content) < _LEAST:
            places[name] = (len(small_table), len(content))
            small_table += _chain(len(small_table), -(-len(content) // _SMALL))
            small += content.ljust(-(-len(content) // _SMALL) * _SMALL, b"\0")
        elif content:
            places[name] = (len(chains), len(content))  # the number of its chain, for now
            chains.append(content)
    chains[0] = bytes(128 * len(names))
    chains[1] = struct.pack(f"<{len(small_table)}I", *small_table)
    chains[2] = small
    sizes = [-(-len(chain) // _SECTOR) for chain in chains]
    tables = -(-(sum(sizes) + 8) // (_SECTOR // 4))
    starts = list(accumulate(sizes, initial=tables))
    places |= {
        name: (starts[place], size) for name, (place, size) in places.items() if size >= _LEAST
    }
    places[()] = (starts[2] if small else _END, len(small))
    chains[0] = b"".join(_entry(number, names, places) for number in range(len(names)))
    table = [_FAT] * tables
    for size in sizes:
        table += _chain(len(table), size)
    table += [_FREE] * (tables * (_SECTOR // 4) - len(table))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + struct.pack(
        "<16x5H6x9I",
        *(0x3E, 3, 0xFFFE, 9, 6),
        *(0, tables, starts[0], 0, _LEAST, starts[1] if small else _END, sizes[1], _END, 0),
    )
    header += struct.pack("<109I", *range(tables), *[_FREE] * (109 - tables))
    bodies = (chain.ljust(size * _SECTOR, b"\0") for chain, size in zip(chains, sizes, strict=True))
    return header + struct.pack(f"<{len(table)}I", *table) + b"".join(bodies)


def _chain(start: int, length: int) -> list[int]:
    """Return the entries of sectors that follow each other."""
    return [*range(start + 1, start + length), _END][: max(length, 0)]


def _entry(
    number: int,
    names: Sequence[tuple[str, ...]],
    places: Mapping[tuple[str, ...], tuple[int, int]],
) -> bytes:
    name = names[number]
    children = [n for n, other in enumerate(names) if other and other[:-1] == name]
    siblings = [n for n, other in enumerate(names) if other and name and other[:-1] == name[:-1]]
    later = [n for n in siblings if n > number]
    encoded = f"{name[-1] if name else 'Root Entry'}\0".encode("utf-16-le")
    kind = 5 if not name else 1 if children else 2
    links = (_FREE, later[0] if later else _FREE, children[0] if children else _FREE)
    start, size = places.get(name, (0, 0))
    return encoded.ljust(64, b"\0") + struct.pack(
        "<H2B3I36xIQ", len(encoded), kind, 1, *links, start, size
    )


def word_97(
    main: Sequence[Run],
    *,
    flags: int = 0,
    heads: Sequence[Run] = (),
    summary: bytes = b"",
    **stories: Sequence[Run],
) -> bytes:
    """Return a Word document: one piece of UTF-16, a page for letters and one for paragraphs.

    `stories` are footnotes, comments, endnotes, boxes; of `heads` each is a header.
    """
    order = (main, stories.get("footnotes", ()), heads, (), stories.get("comments", ()))
    order = (*order, stories.get("endnotes", ()), stories.get("boxes", ()), ())
    runs = [run for story in order for run in story]
    text = "".join(run[0] for run in runs)
    ends = list(accumulate((2 * len(run[0]) for run in runs), initial=_TEXT_AT))
    letters, paragraphs = (
        _page(ends, [run[part] for run in runs], width) for part, width in ((1, 1), (2, 13))
    )
    clx = struct.pack("<BI2iHIH", 2, 16, 0, len(text), 0, _TEXT_AT, 0)
    plc = struct.pack("<2I", _TEXT_AT, ends[-1])
    places = [0] * 7 + list(accumulate(len(run[0]) for run in heads)) if heads else []
    tables = (
        (0x1A2, clx),
        (0xFA, plc + struct.pack("<I", 2)),
        (0x102, plc + struct.pack("<I", 3)),
        (0xF2, struct.pack(f"<{len(places)}I", *places)),
    )
    head, table = bytearray(2 * 512), b""
    for place, content in tables:
        struct.pack_into("<2I", head, place, len(table), len(content))
        table += content
    struct.pack_into("<5H", head, 0, 0xA5EC, 0xC1, 0, 0x409, 0)
    struct.pack_into("<H", head, 10, 0x200 | flags)
    struct.pack_into("<2I", head, 24, _TEXT_AT, ends[-1])
    lengths = (sum(len(run[0]) for run in story) for story in order)
    struct.pack_into(f"<{_STORIES}i", head, 0x4C, *lengths)
    word = (bytes(head) + letters + paragraphs).ljust(_TEXT_AT, b"\0") + text.encode("utf-16-le")
    streams = {"WordDocument": word, "1Table": table}
    return compound({**streams, "\x05SummaryInformation": summary} if summary else streams)


def _page(ends: Sequence[int], modifiers: Sequence[bytes], width: int) -> bytes:
    """Return a page of formatting; modifiers lie at its end, their places in its middle."""
    count = len(modifiers)
    page = bytearray(_SECTOR)
    struct.pack_into(f"<{count + 1}I", page, 0, *ends)
    at = _SECTOR - 2
    for number, listed in enumerate(modifiers):
        if not listed:
            continue
        if width == 1:
            stored = bytes([len(listed)]) + listed
        else:  # a style in front; the length counts pairs of bytes
            stored = b"\0" + bytes([(len(listed) + 3) // 2]) + b"\0\0" + listed
        at -= len(stored) + len(stored) % 2
        page[at : at + len(stored)] = stored
        page[4 * (count + 1) + width * number] = at // 2
    page[-1] = count
    return bytes(page)


def summary(**properties: str) -> bytes:
    """Return a stream of properties: title, author, keywords, editor."""
    names = {"title": 2, "author": 4, "keywords": 5, "editor": 8}
    stored = [(1, struct.pack("<2I", 2, 65001))]
    for name, value in properties.items():
        encoded = value.encode() + b"\0"
        stored.append((names[name], struct.pack("<2I", 30, len(encoded)) + encoded))
    offsets = accumulate((len(value) for _, value in stored), initial=8 + 8 * len(stored))
    listed = b"".join(
        struct.pack("<2I", name, at) for (name, _), at in zip(stored, offsets, strict=False)
    )
    values = b"".join(value for _, value in stored)
    section = struct.pack("<2I", 8 + len(listed) + len(values), len(stored)) + listed + values
    return bytes(28) + bytes(16) + struct.pack("<I", 48) + section
