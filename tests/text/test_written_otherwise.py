"""Files that say the same as others and are written in an unusual way."""

from __future__ import annotations

import io
import zipfile

import pytest
from text.handmade import workbook, zipped

from simhash_core.text.decode import decode
from simhash_core.text.extract import extract

SENTENCE = "The tidal mill has not ground any flour since 1931."
CHINESE = "河口的潮汐磨坊从一九三一年起就不再磨面了，可是水轮依旧会慢慢转起来。"
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def word(body: str, main: str = "word/document.xml", target: str = "word/document.xml") -> bytes:
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": f'<R><R Type="{RELATION}/officeDocument" Target="{target}"/></R>',
            main: f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>',
        }
    )


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize("main", ["word\\document.xml", "word/Document.xml", "WORD\\DOCUMENT.XML"])
@pytest.mark.parametrize(
    "target", ["word/document.xml", "word\\document.xml", "/Word/document.XML"]
)
def test_main_part_is_found_whatever_its_case_and_slashes(main: str, target: str) -> None:
    data = word(f"<w:p>{run(SENTENCE)}</w:p>", main, target)
    assert extract(data, suffix="docx")[1].text == f"{SENTENCE}\n"


def test_workbook_is_read_whatever_the_slashes_and_case() -> None:
    with zipfile.ZipFile(io.BytesIO(workbook([[SENTENCE]]))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for renamed in (
        {name.replace("/", "\\"): part for name, part in parts.items()},
        {name.replace("worksheets", "Worksheets"): part for name, part in parts.items()},
    ):
        assert extract(zipped(renamed), suffix="xlsx")[1].text == f"{SENTENCE}\n"


def test_headers_of_other_case_and_moved_paragraphs_are_no_damage() -> None:
    data = word(f"<w:p>{run(SENTENCE)}</w:p>").replace(b"word/document", b"word/Document", 1)
    assert extract(data, suffix="docx")[1].text == f"{SENTENCE}\n"
    body = f"<w:p><w:moveFrom>{run('Gone.')}</w:moveFrom></w:p><w:p>{run(SENTENCE)}</w:p>"
    assert extract(word(body), suffix="docx")[1].text == f"{SENTENCE}\n"


def test_choice_of_a_drop_down_field_and_a_guide_in_an_equation_are_text() -> None:
    fields = "".join(f'<w:listEntry w:val="{day}"/>' for day in ("Monday", "Tuesday"))
    choice = f'<w:ffData><w:ddList><w:result w:val="1"/>{fields}</w:ddList></w:ffData>'
    body = (
        f'<w:p>{run("On ")}<w:r><w:fldChar w:fldCharType="begin">{choice}</w:fldChar></w:r>'
        f'<w:r><w:fldChar w:fldCharType="end"/></w:r>{run(" the mill of ")}'
        '<w:r><w:fldChar w:fldCharType="begin"/></w:r>'
        "<w:r><w:instrText>EQ \\* jc2 \\* hps10 \\o\\ad(\\s\\up 9(</w:instrText></w:r>"
        "<w:r><w:instrText>hé),河)</w:instrText></w:r>"
        f'<w:r><w:fldChar w:fldCharType="end"/></w:r>{run("口")}</w:p>'
    )
    assert extract(word(body), suffix="docx")[1].text == "On Tuesday the mill of 河口\n"


def test_readings_and_deletions_of_a_page_are_no_text() -> None:
    page = (
        "<meta charset=utf-8><p><ruby>河<rp>(</rp><rt>hé</rt><rp>)</rp></ruby>口<del>没有</del>"
        "<ins>有</ins>一座磨坊</p><template>x</template>"
    )
    assert extract(page.encode(), suffix="html")[1].text == "河口有一座磨坊"


@pytest.mark.parametrize("codec", ["gb18030", "big5"])
@pytest.mark.parametrize("other_first", [False, True])
def test_lines_of_two_encodings_are_read_each_by_its_own(codec: str, other_first: bool) -> None:
    other = "他們從對面的山上來，這個時候已經沒有人了，我們都說好的。"
    other = other if codec == "big5" else "他们从对面的山上来，这个时候已经没有人了，我们都说好的。"
    lines = [CHINESE.encode(), other.encode(codec)]
    expected = [CHINESE, other]
    step = -1 if other_first else 1
    decoded = decode(b"\n".join(lines[::step]))
    assert decoded.text == "\n".join(expected[::step])
    assert decoded.guessed


def test_text_is_decoded_twice_in_parts_or_as_rare_words() -> None:
    for codec in ("latin-1", "cp1252"):
        text = CHINESE if codec == "latin-1" else "Müller hört die Möwen über dem Fluss."
        assert decode(text.encode().decode(codec).encode()).text == text
    for text in ("naïve café déjà vu", "Müller", CHINESE):
        assert decode(text.encode()).text == text
    assert decode(f"one\n\ufeff{CHINESE}".encode()).text == f"one\n{CHINESE}"
    japanese = "川の河口にある潮汐の水車小屋"
    assert decode(japanese.encode("iso2022_jp")).text == japanese
    lines = ["Müller schrieb", "über das Wetter und Flüsse in Köln, schön"]
    data = lines[0].encode() + b"\n" + lines[1].encode("cp1252")
    assert decode(data).text == "\n".join(lines)
    text = f"{CHINESE}\n联通\n“‘naïve’” ‘a’ ‘b’ ‘c’ ‘d’ ‘e’\n{CHINESE}"
    assert decode(text.encode("gb18030")).text == text


@pytest.mark.parametrize("slash", ["/", "\\"])
def test_book_is_read_whatever_the_slashes_and_case(slash: str) -> None:
    spine = '<i><item id="a" href="Text/One.xhtml"/><itemref idref="a"/></i>'
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="OEBPS/content.opf"/></c>',
        "OEBPS/content.opf": spine,
        "OEBPS/text/one.xhtml": f"<p>{SENTENCE}<ruby>河<rt>hé</rt></ruby></p>",
    }
    data = zipped({name.replace("/", slash): part for name, part in parts.items()})
    assert extract(data, suffix="epub")[1].text == f"{SENTENCE}河\n"
