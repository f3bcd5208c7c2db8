"""Are .doc and .rtf files of another program read as that program reads them?

python -m benchmarks old_word [--fixtures FOLDER]

Writes documents in simplified and traditional Chinese and English, has LibreOffice save them as
.doc, .rtf and .docx, and as plain text. Prints for each what the peer's paragraphs are, and how
many of them the text read here holds, white space and list numbers aside. What is left out here on
purpose (deleted words) is not in the documents, the numbers of notes are not counted, and what is
hidden is in one of them that only the tests read. Notes, headers and boxes are in them, which the
peer's plain text leaves out: `more` counts their characters, and `missing` those of the peer that
are not found. FOLDER gets what the tests read.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks._shared.needs import Missing
from simhash_core.text.extract import extract

SENTENCES = {
    "zh": "如有雷同，纯属巧合。|柜子满了，保安只替认得的人先放进门房。"
    "|小镇的早晨从卖豆浆的吆喝声里醒来。|他记得每一个上船的人是哪个湾的。|“熟悉”是从时间里、多方面、经常的接触中所发生的感觉。"
    "|作文要写真事，《乡土中国》可以引，不能抄。|河水慢慢地退下去，露出一级一级的石阶。"
    "|外公不识字，却能背出整本的药性赋。|图书馆的灯在九点半准时熄灭。|第二天我们才知道，桥已经修好了。"
    "|她把信折成小船，放在井沿上。|雨停以后，院子里只剩下一把椅子。",
    "zht": "如有雷同，純屬巧合。|櫃子滿了，保安只替認得的人先放進門房。"
    "|小鎮的早晨從賣豆漿的吆喝聲裡醒來。|他記得每一個上船的人是哪個灣的。|「熟悉」是從時間裡、多方面、經常的接觸中所發生的感覺。"
    "|作文要寫真事，《鄉土中國》可以引，不能抄。|河水慢慢地退下去，露出一級一級的石階。"
    "|外公不識字，卻能背出整本的藥性賦。|圖書館的燈在九點半準時熄滅。|第二天我們才知道，橋已經修好了。"
    "|她把信摺成小船，放在井沿上。|雨停以後，院子裡只剩下一把椅子。",
    "en": "Any resemblance is purely coincidental.|The porter kept parcels only for people he knew."
    "|The small town wakes to the call of the soy milk seller."
    "|He remembered which bay they came from."
    "|“Familiarity” grows out of time—it isn’t made.|Write what happened; quote, but don’t copy."
    "|The river went down slowly and laid the steps bare.|He couldn’t read, yet he knew the herbal."
    "|The lights of the library go out at half past nine.|The next day the bridge had been mended."
    "|She folded the letter into a boat.|After the rain one chair was left in the yard.",
}
FILTERS = {"doc": "MS Word 97", "rtf": "Rich Text Format", "docx": "MS Word 2007 XML"}
FIXTURES = ("all-zh", "all-zht", "all-en", "unseen-zh", "unseen-en")
PLAIN = "txt:Text (encoded):UTF8"
_NUMBER = re.compile(r"^\s*(?:\d+\.|[a-z]\)|[•◦])\s+")
_CITED = re.compile("(?<=[.。])[1-9i]$")  # the number of a note, at the end of its paragraph
_ODF = "urn:oasis:names:tc:opendocument:xmlns:"
_SPACES = {
    **{name: f"{_ODF}{name}:1.0" for name in ("office", "style", "text", "table")},
    "draw": f"{_ODF}drawing:1.0",
    "fo": f"{_ODF}xsl-fo-compatible:1.0",
    "svg": f"{_ODF}svg-compatible:1.0",
    "xlink": "http://www.w3.org/1999/xlink",
}
_STYLES = """<office:styles><style:style style:name="Standard" style:family="paragraph"/>
<style:style style:name="Gone" style:family="paragraph" style:parent-style-name="Standard">
<style:text-properties text:display="none"/></style:style>
<style:style style:name="Under" style:family="paragraph" style:parent-style-name="Gone"/>
<style:style style:name="Back" style:family="paragraph" style:parent-style-name="Gone">
<style:text-properties text:display="true"/></style:style>
<style:style style:name="White" style:family="paragraph" style:parent-style-name="Standard">
<style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="Banner" style:family="paragraph" style:parent-style-name="White">
<style:paragraph-properties fo:background-color="#202060"/></style:style>
<style:style style:name="GoneWords" style:family="text">
<style:text-properties text:display="none"/></style:style>
<style:style style:name="TinyWords" style:family="text">
<style:text-properties fo:font-size="1pt" style:font-size-asian="1pt"/></style:style>
<style:style style:name="Graphics" style:family="graphic"/>
<text:list-style style:name="Numbers">
<text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/>
<text:list-level-style-number text:level="2" style:num-suffix=")" style:num-format="a"/>
</text:list-style><text:list-style style:name="Bullets">
<text:list-level-style-bullet text:level="1" text:bullet-char="•"/>
<text:list-level-style-bullet text:level="2" text:bullet-char="–"/></text:list-style>
</office:styles><office:automatic-styles><style:page-layout style:name="page">
<style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table; with a folder, make what the tests read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fixtures", type=Path, metavar="FOLDER", help="made for the tests")
    options = parser.parse_args(arguments)
    if shutil.which("soffice") is None:
        raise Missing("needs LibreOffice: apt-get install libreoffice-writer")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = written(folder)
        if options.fixtures:
            for file in made:
                if file.stem in FIXTURES and file.suffix in (".doc", ".rtf"):
                    shutil.copy(file, options.fixtures)
                    shutil.copy(folder / file.suffix[1:] / f"{file.stem}.txt", options.fixtures)
        print_table(folder, made)


def written(folder: Path) -> list[Path]:
    """Write the documents, have them saved in each format and each of these as plain text."""
    sources = []
    for language, sentences in SENTENCES.items():
        for name, body in bodies(sentences.split("|")):
            sources.append(folder / f"{name}-{language}.fodt")
            sources[-1].write_text(body, "utf-8")
    made = []
    for suffix, kind in FILTERS.items():
        _convert(f"{suffix}:{kind}", sources, folder / suffix)
        saved = sorted((folder / suffix).iterdir())
        _convert(PLAIN, saved, folder / suffix)
        made += saved
    return made


def _convert(kind: str, files: Sequence[Path], folder: Path) -> None:
    profile = f"-env:UserInstallation=file://{folder.parent}/profile"
    command = ["soffice", profile, "--headless", "--convert-to", kind, "--outdir", str(folder)]
    subprocess.run([*command, *map(str, files)], check=True, capture_output=True, timeout=600)


def print_table(folder: Path, made: Sequence[Path]) -> None:
    """Print one line a format and kind of document."""
    print(f"{'format':8}{'document':10}{'files':>6}{'paragraphs':>14}{'missing':>9}{'more':>7}")
    rows: dict[tuple[str, str], Counter[str]] = {}
    for file in made:
        suffix = file.suffix[1:]
        peer = (folder / suffix / f"{file.stem}.txt").read_text("utf-8-sig")
        if file.stem.startswith("unseen"):
            continue
        row = rows.setdefault((suffix, file.stem.partition("-")[0]), Counter())
        row.update(compared(peer, extract(file.read_bytes(), suffix=suffix)[1].text))
    for (suffix, name), row in rows.items():
        of_paragraphs = f"{row['found']} of {row['paragraphs']}"
        print(
            f"{suffix:8}{name:10}{row['files']:>6}{of_paragraphs:>14}{row['missing']:>9}{row['more']:>7}"
        )


def compared(peer: str, text: str) -> Counter[str]:
    """Count the paragraphs of the peer, those found in a text, and characters on both sides."""
    here = _squeezed(text)
    lines = (_NUMBER.sub("", _CITED.sub("", line)) for line in peer.split("\n"))
    paragraphs = [one for line in lines if (one := _squeezed(line))]
    there, ours = Counter("".join(paragraphs)), Counter(here)
    return Counter(
        files=1,
        paragraphs=len(paragraphs),
        found=sum(one in here for one in paragraphs),
        missing=(there - ours).total(),
        more=(ours - there).total(),
    )


def _squeezed(text: str) -> str:
    return "".join(text.split()).replace("\u00ad", "")


# ------------------------------------------------------------------------------ documents


def bodies(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the XML of each document that is made of some sentences."""
    parts = {
        "plain": "".join(map(_p, sentences)),
        "tables": _p(sentences[0]) + _tables(sentences),
        "lists": _lists(sentences) + _p(sentences[0]),
        "fields": _fields(sentences),
        "notes": _notes(sentences),
        "boxes": _boxes(sentences),
        "letters": _letters(sentences),
    }
    for name, body in parts.items():
        yield name, _document(body)
    yield "unseen", _document(_unseen(sentences))
    yield (
        "all",
        _document("".join(parts.values()), head=sentences[11] + sentences[0], foot=sentences[11]),
    )


def _document(body: str, *, head: str = "", foot: str = "") -> str:
    spaces = "".join(f' xmlns:{name}="{uri}"' for name, uri in _SPACES.items())
    sides = "".join(
        f"<style:{side}>{_p(text)}</style:{side}>"
        for side, text in (("header", head), ("footer", foot))
        if text
    )
    page = '<style:master-page style:name="Standard" style:page-layout-name="page">'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document{spaces} office:version="1.3"'
        f' office:mimetype="application/vnd.oasis.opendocument.text">{_STYLES}'
        f"<office:master-styles>{page}{sides}</style:master-page></office:master-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def _p(text: str, style: str = "") -> str:
    return (
        f'<text:p text:style-name="{style}">{text}</text:p>'
        if style
        else f"<text:p>{text}</text:p>"
    )


def _table(name: str, *rows: Sequence[str]) -> str:
    width = max(map(len, rows))
    cells = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in rows)
    columns = f'<table:table-column table:number-columns-repeated="{width}"/>'
    return f'<table:table table:name="{name}">{columns}{cells}</table:table>'


def _cell(body: str, span: str = "") -> str:
    return f"<table:table-cell{span}>{body}</table:table-cell>"


def _tables(sentences: Sequence[str]) -> str:
    """Return a plain table, one with cells that span others, one inside another."""
    covered, cells = "<table:covered-table-cell/>", [_cell(_p(one)) for one in sentences]
    wide, high = ' table:number-columns-spanned="2"', ' table:number-rows-spanned="2"'
    spanning = (
        (_cell(_p(sentences[6]), wide), covered, cells[7]),
        (_cell(_p(sentences[8]) + _p(sentences[9])), _cell(_p("")), cells[10]),
        (_cell(_p(sentences[11]), high), _cell(_p("1")), _cell(_p("2"))),
        (covered, _cell(_p("3")), _cell(_p("4"))),
    )
    inner = _table("inner", cells[1:3], cells[3:5])
    return (
        _table("plain", *(cells[at : at + 3] for at in range(0, 12, 3)))
        + _p(sentences[1])
        + _table("spanning", *spanning)
        + _p(sentences[2])
        + _table("nested", (_cell(_p(sentences[0]) + inner), cells[5]))
    )


def _lists(sentences: Sequence[str]) -> str:
    return "".join(
        _list(
            kind,
            _p(sentences[1]),
            _p(sentences[2]) + _list(kind, _p(sentences[3]), _p(sentences[4])),
            _p(sentences[5]),
        )
        for kind in ("Numbers", "Bullets")
    )


def _list(kind: str, *items: str) -> str:
    listed = "".join(f"<text:list-item>{one}</text:list-item>" for one in items)
    return f'<text:list text:style-name="{kind}">{listed}</text:list>'


def _fields(sentences: Sequence[str]) -> str:
    """Return a table of contents, links, a reference, a number and a field to fill in."""
    lines = "".join(_p(f"{one}<text:tab/>{n}") for n, one in enumerate(sentences[1:3], 1))
    contents = '<text:table-of-content-source text:outline-level="2"/>'
    mark = f'<text:bookmark-start text:name="b"/>{sentences[4]}<text:bookmark-end text:name="b"/>'
    reference = '<text:bookmark-ref text:reference-format="text" text:ref-name="b">'
    sequence = '<text:sequence text:name="Fig" text:formula="ooow:Fig+1" text:ref-name="r">'
    return (
        f'<text:table-of-content text:name="T">{contents}<text:index-body>{lines}'
        "</text:index-body></text:table-of-content>"
        + _p(f"{mark}{sentences[5]}{reference}{sentences[4]}</text:bookmark-ref>")
        + _p(
            f'<text:a xlink:href="https://example.org/?b=1&amp;c=2">{sentences[6]}</text:a>{sentences[7]}'
        )
        + _p(f"{sequence}1</text:sequence> {sentences[8]}")
    )


def _notes(sentences: Sequence[str]) -> str:
    """Return foot- and endnotes, one of them in a table."""
    foot, end = _note("footnote", 1, sentences[1]), _note("endnote", 2, sentences[4])
    cell = _cell(_p(sentences[7] + _note("footnote", 3, sentences[8])))
    return (
        _p(sentences[0] + foot)
        + _p(sentences[3] + end)
        + _table("noted", (cell, _cell(_p(sentences[9]))))
        + _p(sentences[10])
    )


def _note(kind: str, number: int, text: str) -> str:
    return (
        f'<text:note text:id="{kind}{number}" text:note-class="{kind}">'
        f"<text:note-citation>{number}</text:note-citation>"
        f"<text:note-body>{_p(text)}</text:note-body></text:note>"
    )


def _boxes(sentences: Sequence[str]) -> str:
    """Return a frame and a shape that hold text."""
    anchor = 'text:anchor-type="paragraph" svg:width="6cm" svg:x="1cm" svg:y="1cm"'
    frame = f'<draw:frame draw:name="f" {anchor}><draw:text-box>{_p(sentences[1])}</draw:text-box>'
    shape = f'<draw:custom-shape {anchor} svg:height="2cm">{_p(sentences[3])}'
    path = 'svg:viewBox="0 0 9 9" draw:enhanced-path="M 0 0 L 9 0 9 9 0 9 0 0 Z N"'
    geometry = f'<draw:enhanced-geometry draw:type="rectangle" {path}/></draw:custom-shape>'
    return (
        _p(sentences[0] + frame + "</draw:frame>")
        + _p(shape + geometry + sentences[4])
        + _p(sentences[5])
    )


def _letters(sentences: Sequence[str]) -> str:
    """Return signs that formats encode each in their way, and a gloss over its word."""
    signs = "nb\u00a0sp soft\u00adhyphen em\u2003sp 😀 𠮷 𝛼 ½ ﬁ ① Ⅳ ｆｕｌｌ é Ω Ж あ 한 — „x“ € ∑"
    marks = "{brace} \\back &lt;tag&gt; &amp;amp; <text:tab/>tab <text:line-break/>line"
    gloss = "<text:ruby><text:ruby-base>雷同</text:ruby-base><text:ruby-text>léi</text:ruby-text>"
    return _p(f"{signs} {marks} {sentences[2]}") + _p(
        f"{sentences[3]}{gloss}</text:ruby>{sentences[4]}"
    )


def _unseen(sentences: Sequence[str]) -> str:
    """Return paragraphs and words that a style hides, and some that it shows again."""
    gone, tiny = (
        f'<text:span text:style-name="{style}">{text}</text:span>'
        for style, text in (("GoneWords", sentences[7]), ("TinyWords", sentences[10]))
    )
    styles = ("", "Gone", "", "Under", "Back", "White", "Banner")
    paragraphs = (_p(text, style) for text, style in zip(sentences, styles, strict=False))
    return (
        "".join(paragraphs) + _p(gone + sentences[8]) + _p(sentences[9] + tiny) + _p(sentences[11])
    )
