"""Names of persons hidden inside texts, without moving an offset; nothing else is changed.

What is hidden are whole names, student numbers and e-mail addresses. Names come from who wrote the
texts, never from the words of a file name. A place is *sure* where nothing but the person can be
meant; the others (a name that is also a word, 王力 before 红, a given name alone) are left as they
are and offered to the reader, who may overrule each place.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from ..model import Document, Normalized, Skipped, text_id
from ..signs import make_visible
from ..surnames import split_surname
from ..text.characters import HAN
from ..text.normalize import normalize
from ..text.segment import segmenter
from ..weighting.background import background_idf
from .authorship import PersonNames, find_person_names
from .names import LETTERS, is_han, is_ordinary, is_rare, is_word

#: what is hidden: `report.hidden.<kind>` stands in its place
KINDS = ("name", "number", "email")

#: one place in one text: the id of the text and an offset into it
Place = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Mask:
    """One text with the places of names in it; `cut` gives what may be shown."""

    text: str
    spans: tuple[tuple[int, int, str], ...] = ()  # sorted, apart from each other

    def cut(self, start: int, end: int) -> str:
        """Return the text of a range: a name is replaced where it begins, and once."""
        if not self.spans:
            return make_visible(self.text[start:end])
        parts, at = [], start
        first = max(bisect_left(self.spans, (start, 0, "")) - 1, 0)
        for low, high, label in self.spans[first:]:
            if low >= end:
                break
            if high <= at:
                continue
            parts.append(self.text[at : max(low, at)])
            if low >= start:
                parts.append(label)
            at = min(max(high, at), end)
        parts.append(self.text[at:end])
        return make_visible("".join(parts))


@dataclass(frozen=True, slots=True)
class NamedRange:
    """A place that names a person; `sure` where nothing else can be meant."""

    start: int
    end: int
    kind: str  # one of KINDS
    sure: bool


_SHORTEST_NUMBER = 5  # digits of a number that is looked for where nothing says what it is
_SURE_NUMBER = 7  # digits of a number that is nothing else
_BASE = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_EMAIL = re.compile(  # group 1; begins where a run of its characters does, which is seen once
    r"(?<![a-z0-9._%+-])[._%+-]*+([a-z0-9][a-z0-9._%+-]*+@(?:[a-z0-9-]+\.)+[a-z]{2,})"
)
_TOKEN = re.compile(r"[a-z0-9]+")
_BETWEEN = re.compile(r"[ \n]|[._'-]")
_COMMA = re.compile(r", ?")
#: what stands before the name of whoever wrote a text, and nowhere else
_LABEL = re.compile(
    r"(?:(?:姓名|撰稿人|撰写人|执笔人|汇报人|报告人|完成人|署名|组长|组员)[:\s]?|"
    r"(?:名字|作者|学生|成员)[:\s]|我叫|名叫|"
    r"(?:^|\n|[.:;|] ?)(?:(?:full )?names?|authors?|students?|members?|submitted by|"
    r"written by)\s?:|(?:^|\n)by |my name is )\s*$"
)
_NUMBER_LABEL = re.compile(r"(?:学号|考号|座号|编号|准考证号|\bno\.?|\bnumber|\bid)[:\s.]*$")
_LISTED = re.compile(r"[\s,、;/和与及&_()-]*+(?:and )?[\d\s()]*")
_FELLOW = re.compile("同学|学[长姐弟妹]")
_WINDOW = 12  # characters of a run of Han on each side that decide where a word ends
_LONGEST_LABEL = 24
#: what may follow a name of two characters and is hardly the third of a name
_FOLLOWING = frozenset(
    "的说是和与及在了把被也都对这那跟给让从将却就还又才只要会不没去到写做看问讲叫用因所着过很太最更"
    "请帮陪带送借拿走跑坐站笑哭听抄改交你我他她它们"
)


@dataclass(frozen=True)
class Hider:
    """Finds who is named in any text; called with one, it returns its mask.

    Parameters
    ----------
    labels
        Kind -> what stands in the place of it.
    overruled
        Places at which the reader wants the opposite: a sure one is kept, a doubtful one replaced.
    doubtful : bool
        Whether doubtful places are replaced: in what reviewers write, not in the texts.
    """

    names: PersonNames
    labels: Mapping[str, str]
    overruled: frozenset[Place] = frozenset()
    doubtful: bool = False
    _ranges: dict[str, tuple[NamedRange, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def __call__(self, text: str) -> Mask:
        """Return the mask of a text."""
        id_ = text_id(text) if self.overruled else ""
        spans = (
            (name.start, name.end, self.labels[name.kind])
            for name in self.ranges_in(text)
            if self.replaces(name, (id_, name.start))
        )
        return Mask(text, tuple(spans))

    def replaces(self, name: NamedRange, place: Place) -> bool:
        """Whether what stands at a place is replaced."""
        return (name.sure or self.doubtful) != (place in self.overruled)

    def ranges_in(self, text: str) -> tuple[NamedRange, ...]:
        """Return where persons are named in a text, in order, apart from each other."""
        if text not in self._ranges:
            apart, at = [], 0
            for one in sorted(
                _find_names(text, self), key=lambda one: (one.start, -one.end, not one.sure)
            ):
                if one.start >= at:  # the longest of those that begin together
                    apart.append(one)
                    at = one.end
            self._ranges[text] = tuple(apart)
        return self._ranges[text]

    @cached_property
    def spellings(self) -> Mapping[str, tuple[_Spelling, ...]]:
        """What is looked for, by its first character (Han) or its first word; longest first."""
        by: dict[str, list[_Spelling]] = {}
        for name, certain in self.names.full.items():
            for one in _spell_name(name, certain=certain):
                by.setdefault(one.words[0][0] if one.han else one.words[0], []).append(one)
        return {
            first: tuple(sorted(set(of_first), key=_Spelling.order))
            for first, of_first in by.items()
        }

    @cached_property
    def first_han(self) -> re.Pattern[str]:
        """Finds the characters with which names in Han begin."""
        first = "".join(sorted(key for key in self.spellings if re.fullmatch(f"[{HAN}]", key)))
        return re.compile(f"[{first}]" if first else "(?!)")

    @cached_property
    def words(self) -> Callable[[str], list[str]]:
        """Cuts a run of Han into words; the names are words."""
        return _words(tuple(name for name in self.names.full if re.fullmatch(f"[{HAN}]+", name)))


def build_hider(
    documents: Sequence[Document],
    t: Callable[[str], str],
    *,
    skipped: Sequence[Skipped] = (),
    others: Iterable[str] = (),
    reviewers: Iterable[str] = (),
    overruled: frozenset[Place] = frozenset(),
) -> Hider:
    """Return what hides the persons of a check inside any text; see `Hider`."""
    names = find_person_names(documents, skipped=skipped, others=others, reviewers=reviewers)
    return Hider(names, {kind: t(f"report.hidden.{kind}") for kind in KINDS}, overruled)


@lru_cache(maxsize=2)
def _words(names: tuple[str, ...]) -> Callable[[str], list[str]]:
    return segmenter(names)  # it loads the dictionary


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One way to write a name, folded. `comma`: before this word a comma may stand."""

    words: tuple[str, ...]
    certain: bool
    han: bool = False
    comma: int = 0
    part: bool = False  # of a name
    joined: bool = False  # emmaclarke

    def order(self) -> tuple[object, ...]:
        """Return what puts the longest first, and what is certain before what is not."""
        return (-sum(map(len, self.words)), self.part, not self.certain, self.words, self.comma)


def _spell_name(name: str, *, certain: bool) -> Iterator[_Spelling]:
    """Yield the ways to write a name: 刘子墨; Emma Clarke, Clarke, Emma, emmaclarke; parts."""
    if is_han(name):
        yield _Spelling((name,), certain, han=True)
        _, given = split_surname(name)
        if len(given) == 2 and "·" not in name and not is_word(given):
            yield _Spelling((given,), certain, han=True, part=True)
        return
    words = tuple(LETTERS.findall(_fold_letters(name)))
    if len(words) == 1:
        yield _Spelling(words, certain)
        return
    orders = {words: 0, (*words[1:], words[0]): len(words) - 1, (words[-1], *words[:-1]): 1}
    if len(words) > 2:  # without the middle name
        orders |= {(words[0], words[-1]): 0, (words[-1], words[0]): 1}
    for order, comma in orders.items():
        yield _Spelling(order, certain, comma=comma)
        joined = "".join(order)
        if len(joined) > 5 and joined not in background_idf():
            yield _Spelling((joined,), certain, joined=True)
    for word in words:
        if len(word) > 2 and not is_ordinary(word):
            yield _Spelling((word,), certain, part=True)


def _fold_letters(text: str) -> str:
    """Return a text without accents, character for character."""
    return _BASE.sub(lambda m: unicodedata.normalize("NFD", m[0])[0].lower(), text)


@dataclass(slots=True)
class _Text:
    """A text with its normalised form, in which names are looked for."""

    raw: str
    normal: Normalized
    folded: str

    def raw_span(self, i: int, j: int) -> tuple[int, int]:
        return int(self.normal.start[i]), int(self.normal.end[j - 1])

    def gap(self, at: int) -> bool:
        """Whether a space that was closed stands between two characters."""
        between = self.raw[int(self.normal.end[at - 1]) : int(self.normal.start[at])]
        return bool(between) and "\n" not in between and "\r" not in between

    def has_capital(self, at: int) -> bool:
        letter = self.raw[int(self.normal.start[at])]
        return letter.isupper() or letter.istitle() or letter.lower() == letter.upper()


@dataclass(slots=True)
class _Hit:
    """A place in the normalised text, before it is known what stands around it."""

    start: int
    end: int
    kind: str
    sure: bool
    by_label: bool = True  # sure behind a label: what stands here is whole


def _find_names(text: str, hider: Hider) -> list[NamedRange]:
    """Return every place that may name somebody, those that overlap included."""
    normal = normalize(text)
    held = _Text(text, normal, _fold_letters(normal.text))
    hits = [_Hit(*match.span(1), "email", True) for match in _EMAIL.finditer(held.folded)]
    hits += _find_numbers(held, hider.names.numbers)
    hits += _find_han(held, hider)
    hits += _find_latin(held, hider.spellings)
    hits.sort(key=lambda hit: (hit.start, -hit.end))
    _read_labels(held.folded, hits)
    return [
        NamedRange(*held.raw_span(hit.start, hit.end), hit.kind, hit.sure)
        for hit in hits
        if hit.sure or hit.kind != "number" or hit.end - hit.start >= _SHORTEST_NUMBER
    ]


def _find_numbers(held: _Text, numbers: frozenset[str]) -> Iterator[_Hit]:
    folded = held.folded
    firsts: dict[str, list[str]] = {}
    for number in numbers:
        first = _TOKEN.search(number)
        if first and first.start() == 0:
            firsts.setdefault(first[0], []).append(number)
    for match in _TOKEN.finditer(folded) if firsts else ():
        for number in firsts.get(match[0], ()):
            start, end = match.start(), match.start() + len(number)
            if not folded.startswith(number, start) or re.match("[a-z0-9]", folded[end : end + 1]):
                continue
            decimal = re.match(r"[.,]\d", folded[end : end + 2]) or re.search(
                r"\d[.,]$", folded[max(start - 2, 0) : start]
            )
            if not decimal:
                sure = len(number) >= _SURE_NUMBER or not number.isdecimal()
                yield _Hit(start, end, "number", sure)


def _find_latin(held: _Text, spellings: Mapping[str, tuple[_Spelling, ...]]) -> Iterator[_Hit]:
    for match in LETTERS.finditer(held.folded):
        for one in spellings.get(match[0], ()):
            hit = None if one.han else _match_spelling(held, match.start(), match.end(), one)
            if hit:
                yield hit
                break


def _match_spelling(held: _Text, start: int, end: int, one: _Spelling) -> _Hit | None:
    """Return the place of a spelling whose first word stands at a place, None where it does not."""
    folded, begins, marks = held.folded, [start], []
    for at, word in enumerate(one.words[1:], 1):
        between = _BETWEEN.match(folded, end) or (
            _COMMA.match(folded, end) if at == one.comma else None
        )
        if not between or not folded.startswith(word, between.end()):
            return None
        begins.append(between.end())
        marks.append(between[0])
        end = between.end() + len(word)
    if LETTERS.match(folded, end):
        return None
    capitals = all(map(held.has_capital, begins))
    ordinary = all(map(is_ordinary, one.words))
    if len(one.words) == 1 and not one.joined:
        before = folded[max(start - 40, 0) : start].rstrip(" \"'“‘(")
        begins_sentence = not before or before[-1] in ".!?\n:;。！？"
        if not capitals or (ordinary and begins_sentence):
            return None
        return _Hit(start, end, "name", one.certain and not one.part and not ordinary)
    sure = one.joined or all(mark in "._-" for mark in marks)
    if capitals and not sure:
        sure = not (ordinary and _beside_capitals(held, start, end))
    elif not sure and ordinary:
        return None  # the mark will
    return _Hit(start, end, "name", one.certain and (sure or all(map(is_rare, one.words))))


def _beside_capitals(held: _Text, start: int, end: int) -> bool:
    """Whether a name stands in a line of words with capitals: The Mark Will Be Given."""
    before = re.search(r"([^\W\d_]+) $", held.folded[max(start - 30, 0) : start])
    after = re.match(r" ([^\W\d_])", held.folded[end : end + 2])
    at = before and max(start - 30, 0) + before.start(1)
    return bool((at is not None and held.has_capital(at)) or (after and held.has_capital(end + 1)))


def _find_han(held: _Text, hider: Hider) -> Iterator[_Hit]:
    folded = held.folded
    for match in hider.first_han.finditer(folded):
        for one in hider.spellings[match[0]]:
            start, end = match.start(), match.start() + len(one.words[0])
            if not folded.startswith(one.words[0], start):
                continue
            inside, begins, ends = _find_borders(held, start, end, hider.words)
            if not inside:
                sure = one.certain and not one.part and not is_word(one.words[0])
                yield _Hit(start, end, "name", sure and begins and ends, by_label=ends)


def _find_borders(
    held: _Text, start: int, end: int, words: Callable[[str], list[str]]
) -> tuple[bool, bool, bool]:
    """Return whether a name in Han stands inside a word, begins a word, and ends one."""
    folded = held.folded
    spread = any(held.gap(at) for at in range(start + 1, end))  # 王 力: a space is no border
    low, high = start, end
    while low > max(start - _WINDOW, 0) and _joins(held, low, spread=spread, before=True):
        low -= 1
    while high < min(end + _WINDOW, len(folded)) and _joins(
        held, high, spread=spread, before=False
    ):
        high += 1
    if (low, high) == (start, end) or "·" in folded[start:end]:
        return False, True, True
    at, by_start = low, {}
    for word in words(folded[low:high]):
        around = at <= start and end <= at + len(word) and len(word) > end - start
        if around and is_word(word):
            return True, False, False
        by_start[at] = word
        at += len(word)
    begins = start in by_start
    rest = (
        words(folded[start:high]) if not begins else [w for i, w in by_start.items() if i >= start]
    )
    at = start
    for place, word in enumerate(rest):
        at += len(word)
        if at >= end:
            behind = rest[place + 1] if place + 1 < len(rest) else ""
            # 王力 stands whole before 认为, not before 红
            follows = behind in _FOLLOWING or (len(behind) > 1 and is_word(behind))
            whole = end - start > 2 or not behind or follows
            return False, begins, at == end and whole
    return False, begins, False


def _joins(held: _Text, at: int, *, spread: bool, before: bool) -> bool:
    """Whether the character on the far side of a border belongs to the same run of Han."""
    beyond = held.folded[at - 1] if before else held.folded[at]
    return bool(re.match(f"[{HAN}]", beyond)) and (spread or not held.gap(at))


def _read_labels(text: str, hits: Sequence[_Hit]) -> None:
    """Make sure what stands behind a label, in a list behind one, or beside a number or name."""
    listed = -1  # end of what stood behind a label
    previous: _Hit | None = None
    for hit in hits:
        before = text[max(hit.start - _LONGEST_LABEL, 0) : hit.start]
        label = (_NUMBER_LABEL if hit.kind == "number" else _LABEL).search(before)
        in_list = 0 <= listed <= hit.start and _LISTED.fullmatch(text, listed, hit.start)
        beside = (
            previous is not None
            and previous.kind != hit.kind
            and previous.by_label
            and re.fullmatch(r"[\s_(:,-]*", text[previous.end : hit.start])
        )
        fellow = hit.kind == "name" and _FELLOW.match(text, hit.end)
        if hit.by_label and (label or in_list or fellow or beside):
            hit.sure = True
            if beside and previous is not None:
                previous.sure = True
        if hit.sure and (label or in_list):
            listed = hit.end
        previous = hit
