"""Parts of a text that a reader may not want to count: quotations, references, headings, ...

What stands in quotation marks, and quotations set as a block; references to sources inside the
text: [1], (Smith 2020), （张三，2020）; and the parts of a paper that are not its argument: cover,
contents, headings, acknowledgements, lists of references.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from ..model import ZONE_KINDS, Zone
from ..policy import (
    ACKNOWLEDGEMENTS_MOST,
    BLOCK_QUOTE_INDENT,
    COVER_LABELS,
    COVER_LINES,
    ENTRY_MOST,
    HEADING_HAN,
    HEADING_LETTERS,
    LIST_LINES,
    QUOTATION_LEAST,
    QUOTATION_MOST,
)
from .characters import HAN
from .lengths import count_units, unit_of
from .lines import Line, lines_of, paragraphs_of, running_lines

Part = tuple[int, int, str]

_NUMBER = (
    r"(?:\#{1,6}\s*)?"
    r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}|[一二三四五六七八九十]{1,3}|[IVX]{1,5})[.、．]?\s*)?"
)

#: mark that opens -> those that close it, in the languages that use them
_PAIRS = "“” ‘’ ’’ „“” ‚‘’ «» ‹› »«» ›‹› ”” 「」 『』 ｢｣ 〝〞〟 ﹁﹂ ﹃﹄ \"\" ＂＂ '' `'´ ´´"
_TYPED = {"``": ("''",), "''": ("''",), ",,": ("''", "“", "”"), "<<": (">>",)}  # on a typewriter
_MARKS = {pair[0]: tuple(pair[1:]) for pair in _PAIRS.split()} | _TYPED


def _any_of(marks: Iterable[str]) -> re.Pattern[str]:
    """Match the longest of some marks."""
    return re.compile("|".join(map(re.escape, sorted(set(marks), key=len, reverse=True))))


_OPENING = _any_of(_MARKS)
_INSIDE = {mark: _any_of([mark, *closers]) for mark, closers in _MARKS.items()}
#: marks that open wherever they stand; the others close as well, or are an apostrophe
_ONLY_OPEN = frozenset("“„‚「『｢〝﹁﹃")
_APOSTROPHES = frozenset("'‘’`´")
_OR_STRAIGHT = frozenset(("“", "„", "``", ",,"))  # a straight mark may close them
_BEFORE = frozenset('([{（【—–-:：“„«‘‚"')
_ELIDED = re.compile(
    r"['‘’](?:tis|twas|em|cause|til|n|bout|round|nough|[sktm]|ll|re|ve|\d)\b|['‘’]\d", re.I
)
#: letters of scripts that put no blank between a mark and a word
_JOINED = re.compile(f"[{HAN}\u3040-\u30ff\uac00-\ud7a3\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_HEBREW = re.compile("[א-ת]")
_SENTENCE_END = re.compile(r"[。！？!?]|\.(?=\s|$)")

Place = tuple[int, int]

_YEAR = r"(?:1[6-9]|20)\d\d[a-z]?"
_PLACE = r"(?:\s*[,，:：;；]\s*[^()（）\n]{1,60})?"
_NAME = r"[A-Z][\w'’-]+"
_NAMES = rf"{_NAME}(?:,?\s+(?:and|&)\s+{_NAME}|,?\s+et\s+al\.?|,\s+{_NAME}){{0,5}}"
_HAN_NAMES = rf"[{HAN}·]{{2,8}}(?:、[{HAN}·]{{2,8}}){{0,4}}"
_LEAD = r"(?:(?:see|cf\.|e\.g\.,?|参见|见|引自|转引自)\s*)?"

_NUMBERED = re.compile(
    r"[\[［〔【]\s*\d{1,3}(?:\s*[-–—~～,，、;；]\s*\d{1,3})*\s*"
    r"(?:[:：,，]\s*(?:pp?\.?\s*|第)?\d{1,4}(?:\s*[-–—]\s*\d{1,4})?页?\s*)?[\]］〕】]"
)
_AUTHOR_YEAR = re.compile(
    rf"[(（]\s*{_LEAD}(?:{_NAMES}\s*[,，]?\s*{_YEAR}|{_HAN_NAMES}[,，]\s*{_YEAR})\s*年?{_PLACE}\s*[)）]"
)
_YEAR_AFTER_NAME = re.compile(
    rf"(?<=[\w.{HAN}])(?P<gap>\s?)(?P<year>[(（]\s*{_YEAR}{_PLACE}\s*[)）])"
)
_LINE_START = re.compile(r"(?:\A|[\n\r\u2028\u2029])[^\S\n\r\u2028\u2029]*\Z")
_ENDS_IN_NAME = re.compile(rf"(?:{_NAME}|et al\.|[{HAN}·]{{2,4}})$")


def _title(*names: str) -> re.Pattern[str]:
    """Match a line that is one of some titles; Han may be spaced out."""
    spaced = (re.sub(f"(?<=[{HAN}])(?=[{HAN}])", r"\\s*", name) for name in names)
    return re.compile(rf"{_NUMBER}[\[【]?(?:{'|'.join(spaced)})[\]】]?", re.IGNORECASE)


_REFERENCES = _title(
    *("主要参考文献", "参考文献", "參考文獻", "参考资料", "參考資料", "引用文献", "引用文獻"),
    *("参考书目", "references?", "reference list", "bibliography", "works cited"),
    "literature cited",
)

_CONTENTS = _title("目录", "目錄", "目次", "table of contents", "contents")

_THANKS = _title(
    *("致谢", "致謝", "鸣谢", "鳴謝", "谢辞", "後記与致谢", "acknowledge?ments?", "thanks")
)

_LATER = _title(
    "附录.{0,4}", "附錄.{0,4}", "作者简介", "声明", "appendix.{0,4}", "appendices", "notes"
)

_ENTRY_NUMBER = re.compile(r"[\[［【〔(（]\s*\d{1,3}\s*[\]］】〕)）]|\d{1,3}[.、．)]\s*\D|[①-⑳]")

_ENTRY_TYPE = re.compile(r"[\[［]\s*(?:[JMCDNRSPGZA]|EB|DB|OL|EB/OL|J/OL|M/OL|DB/OL|C/OL)\s*[\]］]")

_ENTRY_YEAR = re.compile(r"(?<!\d)(?:1[6-9]|20)\d\d(?!\d)")

_ENTRY_AUTHOR = re.compile(
    rf"[A-Z][\w'’-]+,\s+(?:[A-Z]\.|[A-Z][\w'’-]+)|[{HAN}·]{{2,4}}(?:[,，、][{HAN}·]{{2,4}})*[.．。:：（(《]"
)

_LINK = re.compile(r"https?://|doi\b|www\.", re.IGNORECASE)

# how the line of a table of contents ends: fixed lengths, as a line may be a million dots
_CONTENTS_END = re.compile(r"(?:[.·…⋯‥\-—]{2}|\s)(?:\d{1,4}|[ivxl]{1,6})\Z")

_LEADERS_END = re.compile(r"(?<=.)(?:\.{3}|(?:\.\s){3}|·{3}|…|⋯)\s*\d{1,4}\Z")

_HEADING = re.compile(
    r"#{1,6}\s+\S.*"
    r"|第[一二三四五六七八九十百\d]{1,4}[章节節篇部]\s*\S{0,40}"
    r"|[一二三四五六七八九十]{1,3}、\s*[^。！？；]{1,40}"
    r"|[（(][一二三四五六七八九十]{1,3}[)）]\s*[^。！？；]{1,40}"
    r"|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+[^。！？；]{1,80}"
    r"|(?:chapter|part|section)\s+(?:\d{1,3}|[ivx]{1,6})\b[^.!?]{0,80}",
    re.IGNORECASE,
)

_OPEN_END = re.compile(r"[。！？；，、：.!?;,:…”’」』）)\]\"']$")

_LABEL = re.compile(
    r"(?:姓\s*名|学\s*号|學\s*號|班\s*级|班\s*級|学\s*院|专\s*业|年\s*级|座\s*号|课程(?:名称)?|指导(?:教师|老师)"
    r"|任课教师|教\s*师|作\s*者|题\s*目|论文题目|提交日期|完成日期|日\s*期|学\s*校"
    r"|(?:student\s*)?name|student\s*(?:id|number|no\.?)|class|course|module|tutor|teacher"
    r"|instructor|supervisor|professor|date|submitted(?:\s*(?:by|to|on))?|word\s*count|title|author"
    r"|school|department)\s*[:：]",
    re.IGNORECASE,
)


def references(lines: Sequence[Line]) -> list[Part]:
    """Return the lists of references: below a heading, or `LIST_LINES` entries without one.

    A list ends with its last entry; a paragraph below it is not part of it.
    """
    zones, at = [], 0
    while at < len(lines):
        heading = _REFERENCES.fullmatch(lines[at].text.rstrip(":： "))
        inside = _REFERENCES.match(lines[at].text) if not heading else None
        same_line = inside and _is_entry(lines[at].text[inside.end() :].lstrip(":： "))
        first = at + 1 if heading or same_line else at
        last = _find_entries_end(lines, first, strict=not (heading or same_line))
        listed = heading or same_line or last - at >= LIST_LINES
        if listed and (last > at + 1 or same_line):
            zones.append(
                (lines[at].start, lines[last - 1].end, "heading" if first > at else "entries")
            )
            at = last
        else:
            at += 1
    return zones


def _find_entries_end(lines: Sequence[Line], at: int, *, strict: bool) -> int:
    """Return the first line behind the entries that begin at a line."""
    first = at
    while at < len(lines):
        line = lines[at]
        entry = _is_full_entry(line.text) if strict else _is_entry(line.text)
        goes_on = line.text[:1].islower() or _LINK.match(line.text)
        wrapped = at > first and (line.indent > lines[at - 1].indent or goes_on)
        if not (entry or (wrapped and not line.after_blank)):
            break
        at += 1
    return at


def _is_entry(text: str) -> bool:
    """Whether a line below the heading of a list can be an entry."""
    if _LATER.fullmatch(text) or _THANKS.fullmatch(text):
        return False
    dated = bool(_ENTRY_YEAR.search(text))
    return bool(
        _ENTRY_NUMBER.match(text)
        or _ENTRY_TYPE.search(text)
        or (dated and _ENTRY_AUTHOR.match(text))
        or _LINK.match(text)
    )


def _is_full_entry(text: str) -> bool:
    """Whether a line is an entry even without a heading: number, and year or type or link."""
    named = _ENTRY_NUMBER.match(text) or _ENTRY_AUTHOR.match(text)
    sourced = _ENTRY_TYPE.search(text) or _ENTRY_YEAR.search(text)
    return bool(named and sourced and len(text) <= ENTRY_MOST)


def contents(lines: Sequence[Line]) -> list[Part]:
    """Return tables of contents: below a heading, or `LIST_LINES` lines with leaders."""
    zones, at = [], 0
    while at < len(lines):
        titled = bool(_CONTENTS.fullmatch(lines[at].text.rstrip(":： ")))
        end = _CONTENTS_END if titled else _LEADERS_END
        last = at + titled
        while last < len(lines) and end.search(lines[last].text):
            last += 1
        if last - at >= (2 if titled else LIST_LINES):
            zones.append((lines[at].start, lines[last - 1].end, "heading" if titled else "leaders"))
            at = last
        else:
            at += 1
    return zones


def acknowledgements(lines: Sequence[Line]) -> list[Part]:
    """Return the thanks: from their heading to the next one, `ACKNOWLEDGEMENTS_MOST` at most."""
    zones = []
    headings = {start for start, _, _ in headings_of(lines)}
    for at, line in enumerate(lines):
        if not _THANKS.fullmatch(line.text.rstrip(":： ")):
            continue
        last = at + 1
        while last < len(lines) and lines[last].end - line.start <= ACKNOWLEDGEMENTS_MOST:
            text = lines[last].text.rstrip(":： ")
            named = any(rule.fullmatch(text) for rule in (_REFERENCES, _LATER, _CONTENTS))
            if named or lines[last].start in headings:
                break
            last += 1
        if last > at + 1:
            zones.append((line.start, lines[last - 1].end, "heading"))
    return zones


def cover(lines: Sequence[Line]) -> list[Part]:
    """Return the cover: what stands above the last of `COVER_LABELS` lines such as `Name: ...`.

    Looked for in the first `COVER_LINES` lines; a full sentence above a label is no cover.
    """
    last = labels = 0
    for number, line in enumerate(lines[:COVER_LINES], 1):
        if len(line.text) > HEADING_LETTERS or re.search(r"[。！？!?]$|[^.]\.$", line.text):
            break
        if _LABEL.match(line.text):
            last, labels = number, labels + 1
    return [(lines[0].start, lines[last - 1].end, "labels")] if labels >= COVER_LABELS else []


def headings_of(lines: Sequence[Line]) -> list[Part]:
    """Return headings: numbered or marked, titles of sections, short lines above paragraphs."""
    zones = []
    for at, line in enumerate(lines):
        text = line.text.rstrip(":： ")
        short = len(line.text) <= HEADING_LETTERS
        titled = any(r.fullmatch(text) for r in (_REFERENCES, _CONTENTS, _THANKS, _LATER))
        if titled or (short and _HEADING.fullmatch(line.text) and not _OPEN_END.search(line.text)):
            zones.append((line.start, line.end, "titled" if titled else "numbered"))
        elif _stands_above(lines, at):
            zones.append((line.start, line.end, "short"))
    return zones


def _stands_above(lines: Sequence[Line], at: int) -> bool:
    """Whether a short line without a full stop stands alone above a paragraph."""
    line = lines[at]
    most = HEADING_HAN if re.search(f"[{HAN}]", line.text) else HEADING_LETTERS
    if len(line.text) > most or _OPEN_END.search(line.text) or at + 1 == len(lines):
        return False
    if _ENTRY_NUMBER.match(line.text) or line.text[:1] in "-*•|>" or line.text[:1].islower():
        return False
    ended = at == 0 or line.after_blank or bool(_OPEN_END.search(lines[at - 1].text))
    below = lines[at + 1]
    long_below = len(below.text) >= 2 * max(len(line.text), most // 2)
    return ended and long_below and (below.after_blank or below.last - below.first > most)


def quotations(text: str, lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of the outermost quotations, their marks included.

    The reason is `cited` where a citation stands in the same sentence, else `uncited`.

    Notes
    -----
    Without a citation beside it a range in marks is a quotation from `QUOTATION_LEAST` on: below,
    it is a word used with a doubt, a line of dialogue or a title, and the sentence is the writer's.
    A mark closes in the same paragraph within `QUOTATION_MOST` characters, or it opened nothing,
    unless every paragraph up to the one that closes opens with it: one forgotten mark never takes
    the rest of a text with it.
    """
    places = [one for one in _find_marked(text, list(paragraphs_of(lines))) if one[1] - one[0] > 2]
    cited = [start for start, _, _ in citations(text)]
    zones = []
    for start, end in places:
        quoted, reason = text[start:end], _reason(text, start, end, cited)
        if reason == "cited" or count_units(quoted) >= QUOTATION_LEAST[unit_of(quoted)]:
            zones.append((start, end, reason))
    return zones + block_quotes(lines)


def block_quotes(lines: Sequence[Line]) -> list[tuple[int, int, str]]:
    """Return (start, end, `block`) of Markdown quotes and of paragraphs that are set back.

    Set back are lines indented by `BLOCK_QUOTE_INDENT` blanks in a text where most are not: after
    a colon, or at least two that stand between empty lines.
    """
    set_back = [line.indent >= BLOCK_QUOTE_INDENT for line in lines]
    usual = sum(set_back) * 2 > len(lines)
    marked = [
        "mark" if line.text.startswith(">") else "indent" if back and not usual else ""
        for line, back in zip(lines, set_back, strict=True)
    ]
    zones, first = [], 0
    bounds = [i + 1 for i, (a, b) in enumerate(pairwise(marked)) if a != b]
    for last in [*bounds, len(lines)] if lines else []:
        kind = marked[first] if first < len(lines) else ""
        introduced = first > 0 and lines[first - 1].text.endswith((":", "："))
        ended = last == len(lines) or lines[last].after_blank
        between = last - first > 1 and lines[first].after_blank and ended
        alone = between and not any(line.after_blank for line in lines[first + 1 : last])
        if kind == "mark" or (kind and (introduced or alone)):
            zones.append((lines[first].start, lines[last - 1].end, "block"))
        first = last
    return zones


def _find_marked(text: str, paragraphs: Sequence[Place]) -> list[Place]:
    """Return the outermost marked ranges of all paragraphs.

    Where each paragraph of a quotation opens with its mark and only the last one closes, the whole
    of each is quoted.
    """
    places: list[Place] = []
    waiting: list[Place] = []  # paragraphs of a quotation that is not closed yet
    for at, (start, end) in enumerate(paragraphs):
        inside, left_open = _find_marked_in(
            text, start, end, goes_on=waiting[:1] != [] and text[waiting[0][0]] == "«"
        )
        if waiting and inside[:1] and inside[0][0] == start:
            places += waiting
        behind = paragraphs[at + 1][0] if at + 1 < len(paragraphs) else len(text)
        # what the next paragraph of a quotation begins with, in French also a closing mark
        opening = _OPENING.match(text, left_open) if left_open >= 0 else None
        marks = ("«", "»") if opening and opening[0] == "«" else opening[0] if opening else ""
        goes_on = left_open >= 0 and text.startswith(marks, behind)
        if waiting and left_open != start:
            waiting = []
        waiting = [*waiting, (left_open, end)] if goes_on else []
        places += inside
    return places


def _find_marked_in(text: str, start: int, end: int, *, goes_on: bool) -> tuple[list[Place], int]:
    """Return the marked ranges of one paragraph, and the last mark that nothing closes, else -1."""
    places, at, left_open = [], start, -1
    while (opening := _OPENING.search(text, at, end)) is not None:
        first, last = opening.start(), -1
        mark = "«" if goes_on and first == start and opening[0] == "»" else opening[0]
        if _opens(text, first, mark):
            last = _find_closing(text, mark, opening.end(), min(end, first + QUOTATION_MOST))
            if last > 0:
                places.append((first, last))
            elif left_open < 0:
                left_open = first
        at = max(last, opening.end())
    return places, left_open


def _opens(text: str, at: int, mark: str) -> bool:
    """Whether a mark opens a quotation here: what looks alike closes, or is an apostrophe."""
    before, after = text[max(at - 1, 0) : at], text[at + len(mark) : at + len(mark) + 1]
    if mark in _ONLY_OPEN:
        return True
    if mark in '"＂':
        inside = _in_word(before) and not (_HEBREW.match(before) and not _is_acronym(text, at))
        return bool(after) and not after.isspace() and not inside
    free = not before or before.isspace() or before in _BEFORE
    free |= mark == "'" and bool(_JOINED.match(before))
    if mark == "‘":
        return not (_in_word(before) and _in_word(after)) and not _ELIDED.match(text, at)
    if mark in ("«", "‹", "<<"):
        return free
    if mark in _APOSTROPHES or mark == ",,":
        around = text[max(at - QUOTATION_MOST, 0) : at + QUOTATION_MOST] if mark == "’" else ""
        return free and after.isalpha() and not _ELIDED.match(text, at) and "‘" not in around
    return free and bool(after) and not after.isspace()


def _in_word(letter: str) -> bool:
    """Whether a letter touches no mark of a quotation on its outer side."""
    return letter.isalnum() and not _JOINED.match(letter)


def _is_acronym(text: str, at: int) -> bool:
    """Whether a straight mark stands within a Hebrew acronym: צה"ל, but not ב"הארץ"."""
    two, before = text[max(at - 2, 0) : max(at - 1, 0)], text[max(at - 1, 0) : at]
    after, behind = text[at + 1 : at + 2], text[at + 2 : at + 3]
    prefixed = not _HEBREW.match(two) and bool(_HEBREW.match(behind))
    return bool(_HEBREW.match(before) and _HEBREW.match(after)) and not prefixed


def _find_closing(text: str, mark: str, first: int, limit: int) -> int:
    """Return the place behind what closes the mark before `first`, -1 without it."""
    if mark in _APOSTROPHES:
        return _find_closing_apostrophe(text, mark, first, limit)
    closers, depth, inches = _MARKS[mark], 1, -1
    for found in _INSIDE[mark].finditer(text, first, limit):
        at, end = found.span()
        if found[0] not in closers:
            depth += 1
            continue
        blank = text[at - 1].isspace() and (mark in closers or "«" in closers)
        if mark in '"＂':
            if blank:
                return inches
            if text[at - 1].isdigit() and text[end : end + 1] == " ":  # a 6" pipe
                inches = end if inches < 0 else inches
                continue
            blank = _is_acronym(text, at)
        apostrophe = found[0] in ("‘", "’") and _in_word(text[end : end + 1])  # don’t
        depth -= not (blank or apostrophe)
        if depth == 0:
            return end
    return _find_closing(text, '"', first, limit) if mark in _OR_STRAIGHT else inches


def _find_closing_apostrophe(text: str, mark: str, first: int, limit: int) -> int:
    """Return the place behind the mark that closes and looks like an apostrophe, -1 without one.

    Beside a stop it closes; behind an s it may be the genitive of several: the pupils' work. It
    closes before the next quotation opens.
    """
    ends: list[int] = []
    for found in _INSIDE[mark].finditer(text, first, limit):
        at, end = found.span()
        opens = mark == "`" or (not _JOINED.match(text[at - 1]) and _opens(text, at, mark))
        if found[0] == mark and opens:
            break  # code in Markdown, or the next quotation
        elided = text[at - 2 : at].lower() in ("'n", "‘n", "’n")  # rock 'n' roll
        before, after = text[at - 1], text[end : end + 1]
        if found[0] in _MARKS[mark] and not (before.isspace() or _in_word(after) or elided):
            ends.append(at)
    beside = [
        at
        for at in ends
        if text[at - 1] in ".,!?;:…)。，！？；：" or at + 1 == limit
        or text[at + 1 : at + 2] in '.,!?;:…)”"。，！？；：、'
    ]  # fmt: skip
    plain = [at for at in ends if text[at - 1] not in "sS"]
    chosen = min([*beside[:1], *plain[:1]], default=ends[0] if ends else -2)
    return chosen + 1


def _reason(text: str, start: int, end: int, cited: Sequence[int]) -> str:
    """Say whether the sentence of a quotation names a source."""
    before = [m.end() for m in _SENTENCE_END.finditer(text, max(start - 200, 0), start)]
    first = max([text.rfind("\n", 0, start) + 1, start - 200, *before])
    after = _SENTENCE_END.search(text, end, end + 120)
    line_end = text.find("\n", end, end + 120)
    last = min(end + 120 if after is None else after.end(), len(text) if line_end < 0 else line_end)
    near = any(first <= place < start or end <= place < last for place in cited)
    return "cited" if near else "uncited"


def citations(text: str) -> list[tuple[int, int, str]]:
    """Return (start, end, reason) of every citation; the reason is `numbered` or `author_year`.

    A year in brackets is a citation only behind what may be a name, a number only inside a line: at
    its beginning it numbers an entry or an item.
    """
    zones = [
        (*match.span(), "numbered")
        for match in _NUMBERED.finditer(text)
        if not _LINE_START.search(text[max(match.start() - 20, 0) : match.start()])
    ]
    zones += [(*match.span(), "author_year") for match in _AUTHOR_YEAR.finditer(text)]
    zones += [
        (*match.span("year"), "author_year")
        for match in _YEAR_AFTER_NAME.finditer(text)
        if _ENDS_IN_NAME.search(text[max(match.start() - 40, 0) : match.start()])
    ]
    return sorted(zones)


_Recognise = Callable[[str, Sequence[Line]], list[tuple[int, int, str]]]

_RULES: dict[str, _Recognise] = {
    "quotations": quotations,
    "references": lambda _, lines: references(lines),
    "citations": lambda text, _: citations(text),
    "headings": lambda _, lines: headings_of(lines),
    "cover": lambda _, lines: cover(lines),
    "contents": lambda _, lines: contents(lines),
    "acknowledgements": lambda _, lines: acknowledgements(lines),
    "running_lines": lambda _, lines: running_lines(lines),
}


def zones(text: str, kinds: Iterable[str] = ZONE_KINDS) -> tuple[Zone, ...]:
    """Recognise the zones of a text.

    Parameters
    ----------
    text
        Any text; offsets of the result index exactly this.
    kinds
        Some of `ZONE_KINDS`.

    Returns
    -------
    tuple of Zone
        Kind after kind; those of one kind are sorted, do not overlap and are not empty. Zones of
        different kinds may: a quotation in the list of references is both.

    Notes
    -----
    Rules over lines and marks, none of which reaches beyond its paragraph or section, so that a
    mark that is never closed takes nothing with it. About linear in the length of the text.
    """
    lines, found = lines_of(text), list[Zone]()
    for kind in kinds:
        reached = 0  # of one kind none begins before the end of another
        for start, end, reason in sorted(_RULES[kind](text, lines)):
            if end > max(start, reached):
                found.append(Zone(max(start, reached), end, kind, reason))
                reached = end
    return tuple(found)
