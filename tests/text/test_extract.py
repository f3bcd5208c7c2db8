"""Every format gives its words; what gives none says why."""

from __future__ import annotations

import io
from collections.abc import Callable

import docx
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.colors import white
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from text.handmade import code_of, zip_of_parts
from text.handmade import drawn as pdf
from text.test_disguised_files import HIDDEN_WORDS, Hide

from simhash_core.model import Difference
from simhash_core.text.extract import extract
from simhash_core.text.extract.paragraphs import reflow
from simhash_core.text.extract.pdf import _move_footnotes

ORDINALS = ("", "First", "Another", "Still one more", "Last")
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'


def packed(**parts: str | bytes) -> bytes:
    """Return a zip; keys use __ for / and _ for the dot of the suffix."""
    return zip_of_parts(**{"[Content_Types]_xml": TYPES, **parts})


def word(body: str, **parts: str | bytes) -> bytes:
    return packed(
        word__document_xml=f"<w:document {W} {MC}><w:body>{body}</w:body></w:document>", **parts
    )


def p(*runs: str) -> str:
    return "<w:p>" + "".join(runs) + "</w:p>"


def r(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


# ------------------------------------------------------------------------------------- docx


def test_docx_reads_every_kind_of_text_once() -> None:
    box = p(r("BOX"))
    body = (
        p(r("Plain "), "<w:hyperlink>" + r("LINK") + "</w:hyperlink>")
        + p(
            "<w:ins>" + r("INSERTED") + "</w:ins>",
            "<w:del><w:r><w:delText>GONE</w:delText></w:r></w:del>",
        )
        + "<w:sdt><w:sdtPr/><w:sdtContent>"
        + p(r("CONTROL"))
        + "</w:sdtContent></w:sdt>"
        + "<w:tbl><w:tr><w:tc>"
        + p(r("A1"))
        + "</w:tc><w:tc>"
        + p(r("B1"))
        + "</w:tc></w:tr></w:tbl>"
        + p(
            "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>"
            + box
            + "</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>"
            + box
            + "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            r("anchor"),
        )
        + p("<w:r><w:t>tab</w:t><w:tab/><w:t>stop</w:t><w:br/><w:t>line</w:t></w:r>")
        + p("<w:r><w:instrText>PAGE</w:instrText></w:r>", r("汉"), r("字"))
    )
    separator = f'<w:footnote w:type="separator">{p(r("SEP"))}</w:footnote>'
    note = f"<w:footnote>{p(r('NOTE'))}</w:footnote>"
    notes = f"<w:footnotes {W}>{separator}{note}</w:footnotes>"
    header = f"<w:hdr {W}>{p(r('HEAD'))}</w:hdr>"
    data = word(body, word__footnotes_xml=notes, word__header1_xml=header, word__header2_xml=header)
    kind, found = extract(data, suffix="docx")
    assert kind == "docx"
    assert found.text == (
        "Plain LINK\nINSERTED\nCONTROL\nA1\tB1\nanchor\nBOX\ntab\tstop\nline\n汉字\nNOTE\nHEAD\n"
    )
    assert found.notes == ()


@pytest.mark.parametrize(
    ("properties", "seen"),
    [
        ("<w:vanish/>", False),
        ('<w:vanish w:val="0"/>', True),
        ('<w:color w:val="FFFFFF"/>', False),
        ('<w:color w:val="FFFFFF"/><w:shd w:fill="003366"/>', True),
        ('<w:color w:val="F4F4F4"/>', False),
        ('<w:color w:val="C0C0C0"/>', True),
        ('<w:color w:val="auto"/>', True),
        ('<w:sz w:val="2"/>', False),
        ('<w:sz w:val="6"/>', False),
        ('<w:sz w:val="21"/>', True),
        ('<w:color w:val="000000"/><w:shd w:val="clear" w:fill="000000"/>', False),
        ('<w:color w:val="000000"/><w:shd w:val="solid" w:color="000000"/>', False),
        ('<w:color w:val="auto"/><w:shd w:val="clear" w:fill="000000"/>', True),
        ('<w:color w:val="FFFF00"/><w:highlight w:val="yellow"/>', False),
        ('<w:color w:val="FFFFFF"/><w:highlight w:val="blue"/>', True),
        ('<w:color w:val="FF0000"/><w:shd w:fill="008000"/>', True),
        ('<w:color w:val="000000" w:themeColor="background1"/>', False),
        ('<w:color w:val="FFFFFF" w:themeColor="text1"/>', True),
        ('<w:color w:themeColor="text1" w:themeTint="0A"/>', False),
        ('<w:color w:themeColor="background1" w:themeShade="80"/>', True),
        ('<w:spacing w:val="-200"/>', False),
        ('<w:spacing w:val="-10"/>', True),
        ('<w:w w:val="1"/>', False),
        ('<w:w w:val="90"/>', True),
        ('<w:position w:val="-3000"/>', False),
        ('<w:position w:val="6"/>', True),
        ('<w14:textFill xmlns:w14="wordml"><w14:noFill/></w14:textFill>', False),
    ],
)
def test_docx_leaves_out_and_reports_hidden_text(properties: str, seen: bool) -> None:
    _, found = extract(word(p(r("shown "), r("planted words", properties))), suffix="docx")
    if seen:
        assert (found.text, found.notes) == ("shown planted words\n", ())
        return
    (note,) = found.notes
    assert found.text == "shown \n"
    assert (note.code, note.params) == ("left_out", {"n": 12, "words": "planted words"})


STYLES = f"""<w:styles {W}>
<w:style w:type="character" w:styleId="Ghost"><w:rPr><w:vanish/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Pale"><w:rPr><w:color w:val="FEFEFE"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="Child"><w:basedOn w:val="Pale"/></w:style>
<w:style w:type="character" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>
<w:style w:type="paragraph" w:styleId="Tiny"><w:rPr><w:sz w:val="2"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Bar"><w:pPr><w:shd w:fill="003366"/></w:pPr>
<w:rPr><w:color w:val="FFFFFF"/></w:rPr></w:style>
</w:styles>"""


def test_docx_closes_words_around_hidden_letters_and_compares_what_is_all_hidden() -> None:
    pale = '<w:color w:val="FEFEFE"/>'
    runs = [piece for letter in "spelling" for piece in (r(letter), r("q", pale))]
    (note,) = (found := extract(word(p(*runs)), suffix="docx")[1]).notes
    assert found.text == "spelling\n"
    assert note.params["n"] == 8
    _, found = extract(word(p(r("all of it", "<w:vanish/>"))), suffix="docx")
    assert found.text == "all of it"
    assert [note.code for note in found.notes] == ["hidden_text"]


def cell(text: str, properties: str, run: str) -> str:
    return f"<w:tc><w:tcPr>{properties}</w:tcPr>{p(r(text, run))}</w:tc>"


WHITE = '<w:color w:val="FFFFFF"/>'
NAVY = '<w:shd w:fill="1F3864"/>'
THEME = (
    '<a:theme xmlns:a="a"><a:themeElements><a:clrScheme>'
    '<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:accent1><a:srgbClr val="FEFEFE"/>'
    "</a:accent1></a:clrScheme></a:themeElements></a:theme>"
)


@pytest.mark.parametrize(
    ("body", "parts", "seen"),
    [
        *(
            (p(r("planted", f'<w:rStyle w:val="{style}"/>')), {"word__styles_xml": STYLES}, seen)
            for style, seen in (("Ghost", False), ("Pale", False), ("Child", False), ("Loop", True))
        ),
        *(
            (
                f'<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr>{r("planted words")}</w:p>',
                {"word__styles_xml": STYLES},
                seen,
            )
            for style, seen in (("Tiny", False), ("Bar", True))
        ),
        (f"<w:tbl><w:tr>{cell('head', NAVY, WHITE)}</w:tr></w:tbl>", {}, True),
        (f"<w:tbl><w:tr>{cell('head', '', WHITE)}</w:tr></w:tbl>", {}, False),
        (
            '<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/></w:tblPr>'
            f"<w:tr>{cell('head', '', WHITE)}</w:tr></w:tbl>",
            {
                "word__styles_xml": f'<w:styles {W}><w:style w:type="table" w:styleId="Grid">'
                '<w:tblStylePr w:type="firstRow"><w:tcPr><w:shd w:fill="000000"/></w:tcPr>'
                "</w:tblStylePr></w:style></w:styles>"
            },
            True,
        ),
        (
            f"<w:tbl><w:tr><w:trPr><w:hidden/></w:trPr>{cell('row', '', '')}</w:tr></w:tbl>",
            {},
            False,
        ),
        (
            p(r("planted", '<w:color w:val="123456" w:themeColor="accent1"/>')),
            {"word__theme__theme1_xml": THEME},
            False,
        ),
        (f'<w:p><w:pPr><w:shd w:fill="222222"/></w:pPr>{r("bar", WHITE)}</w:p>', {}, True),
        (
            '<w:p><w:pPr><w:spacing w:line="20" w:lineRule="exact"/></w:pPr>'
            f"{r('flat line')}</w:p>",
            {},
            False,
        ),
    ],
)
def test_docx_looks_at_styles_and_at_what_lies_behind_the_letters(
    body: str, parts: dict[str, str], seen: bool
) -> None:
    _, found = extract(word(p(r("shown")) + body, **parts), suffix="docx")

    assert [note.code for note in found.notes] == ([] if seen else ["left_out"])


RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="aFChunk" Target="part.html"/>'
    '<Relationship Id="r2" Type="aFChunk" Target="part.docx"/>'
    '<Relationship Id="r3" Type="aFChunk" Target="part.rtf"/></Relationships>'
)


def test_docx_reads_what_is_embedded_as_a_page() -> None:
    chunk = '<w:altChunk xmlns:r="r" r:id="{}"/>'
    body = p(r("shown")) + "".join(map(chunk.format, ("r1", "r2", "r3", "r9")))
    page = b"<p>a page</p><p>with <span style='font-size:0'>planted</span>words</p>"
    with_parts = {
        "word___rels__document.xml_rels": RELATIONS,
        "word__part_html": page,
        "word__part_docx": word(p(r("a document"))),
        "word__part_rtf": b"{\\rtf1 words}",
    }
    _, found = extract(word(body, **with_parts), suffix="docx")

    assert found.text == "shown\na page\nwith words\na document\nwords\n"
    assert {note.code: note.params["n"] for note in found.notes} == {"left_out": 7, "embedded": 1}


def test_docx_names_what_it_does_not_read() -> None:
    body = p(
        r("shown"),
        f"<w:del><w:r><w:delText>{'gone ' * 30}</w:delText></w:r></w:del>",
        '<w:r><w:object><o:OLEObject xmlns:o="o" ProgID="Excel.Sheet"/></w:object></w:r>',
        '<w:r><w:object><o:OLEObject xmlns:o="o" ProgID="Equation.3"/></w:object></w:r>',
        r("seen in print, hidden on the web", "<w:webHidden/>"),
    )
    comments = f"<w:comments {W}><w:comment>{p(r('why'))}</w:comment></w:comments>"
    _, found = extract(word(body, word__comments_xml=comments), suffix="docx")

    found_codes = {(note.code, note.params["n"]) for note in found.notes}
    assert found_codes == {("deleted", 150), ("embedded", 1), ("comments", 1), ("web_hidden", 25)}


PICTURE = '<w:r><w:drawing><a:blip xmlns:a="a"/></w:drawing></w:r>'


def test_docx_says_where_pictures_take_the_place_of_text() -> None:
    _, few = extract(word(p(r("My essay on lakes"), PICTURE)), suffix="docx")
    _, many = extract(word(p(r("a full page of words " * 40), PICTURE)), suffix="docx")

    assert [(note.code, note.params["n"]) for note in few.notes] == [("pictures", 1)]
    assert many.notes == ()
    assert code_of(word(p(PICTURE)), "docx") == "scanned"


def test_docx_written_by_another_program() -> None:
    made = docx.Document()
    made.core_properties.author, made.core_properties.title = "作者", "题目"
    made.add_heading("标题", 1)
    made.add_paragraph("第一段。")
    table = made.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "左", "右"
    made.sections[0].header.paragraphs[0].text = "页眉"
    file = io.BytesIO()
    made.save(file)
    _, found = extract(file.getvalue(), suffix="docx")
    assert found.text == "标题\n第一段。\n左\t右\n页眉\n"
    assert (found.meta["author"], found.meta["title"]) == ("作者", "题目")


BOMB = '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"just text", "damaged"),
        (b"PK\x03\x04 cut short", "damaged"),
        (packed(word__other_xml="<a/>"), "damaged"),
        (packed(word__document_xml="<a><b></a>"), "damaged"),
        (packed(word__document_xml=BOMB + "<d>&b;</d>"), "damaged"),
        (
            packed(
                word__document_xml='<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><d>&x;</d>'
            ),
            "damaged",
        ),
        (packed(word__document_xml=b"<d>" + b" " * 30_000_000 + b"</d>"), "archive_limit"),
        (word("<w:sdt>" * 3000 + "</w:sdt>" * 3000), "damaged"),
    ],
    ids=["nothing", "blank", "text", "cut", "no part", "xml", "laughs", "entity", "bomb", "deep"],
)
def test_docx_refuses_by_name(data: bytes, code: str) -> None:
    assert code_of(data, "docx") == code


# -------------------------------------------------------------------------------------- pdf


def lines(*texts: str, font: str = "Helvetica", top: int = 780) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, 11)
        for number, text in enumerate(texts):
            canvas.drawString(60, top - 14 * number, text)

    return draw


def test_pdf_joins_lines_and_drops_running_heads() -> None:
    def page(number: int) -> Callable[[Canvas], None]:
        return lines(
            "Annual report of the society",
            f"On page {number} a sentence begins that is long enough to need a second re-",
            "markable line, and here it ends, after which nothing else is said at all.",
            "A short end.",
            f"{ORDINALS[number]} paragraph of this report starts here, and is as long as others.",
            str(number),
        )

    _, found = extract(pdf(*map(page, range(1, 5))), suffix="pdf")
    assert "Annual report" not in found.text
    assert "second remarkable line, and here" in found.text
    assert "A short end.\nFirst paragraph of this" in found.text
    assert not any(line.strip().isdigit() for line in found.text.splitlines())


REFRAIN = "Row, row, row your boat"


@pytest.mark.parametrize(
    ("page", "said", "pages"),
    [
        ((REFRAIN, "gently down the stream.", REFRAIN, "life is but a dream.", REFRAIN), 3, 1),
        ((REFRAIN, "gently down the stream.", REFRAIN, "life is but a dream.", REFRAIN), 3, 2),
        ((REFRAIN, "on every page of this", "and nothing else does."), 1, 12),
    ],
)
def test_pdf_keeps_a_refrain_and_pages_that_are_all_alike(
    page: tuple[str, ...], said: int, pages: int
) -> None:
    _, found = extract(pdf(*[lines(*page)] * pages), suffix="pdf")

    assert found.text.count(REFRAIN) == said * pages


def test_pdf_joins_chinese_without_spaces() -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    text = "如有雷同，纯属巧合。老师把两份作业放在一起看，发现它们的结构、例子和错别字都一样。"
    draw = lines(text[:20], text[20:40], text[40:], font="STSong-Light")
    _, found = extract(pdf(draw), suffix="pdf")
    assert found.text == text


def on_a_bar(canvas: Canvas, words: str, x: float, y: float) -> None:
    canvas.setFillColorRGB(0, 0, 0.4)
    canvas.rect(50, 690, 300, 30, fill=1)
    canvas.setFillColorRGB(0, 0, 0.42)
    canvas.drawString(x, y, words)


def in_a_frame(canvas: Canvas, words: str, x: float, y: float) -> None:
    canvas.rect(10, 10, 500, 800, fill=0)
    canvas.setFillColor(white)
    canvas.drawString(x, y, words)


HIDING = {**HIDDEN_WORDS, "words on a bar": on_a_bar, "words in a frame": in_a_frame}


@pytest.mark.parametrize("hide", HIDING.values(), ids=HIDING)
def test_pdf_leaves_out_text_that_is_hardly_there(hide: Hide) -> None:
    def page(canvas: Canvas) -> None:
        lines("Everybody can read this line of text.")(canvas)
        hide(canvas, "planted words", 60, 700)

    _, found = extract(pdf(page), suffix="pdf")
    (note,) = found.notes
    assert found.text == "Everybody can read this line of text."
    (place,) = note.params["places"]
    assert (note.code, note.params["n"], note.params["words"]) == ("left_out", 12, "planted words")
    assert Difference(*place).said.strip() == "planted words"
    assert [one.page for one in found.pictures] == [0]


def test_pdf_closes_words_that_hidden_letters_were_put_into() -> None:
    def draw(canvas: Canvas) -> None:
        text = canvas.beginText(60, 700)
        for letter in "spelling":
            text.setFillColorRGB(0, 0, 0)
            text.setFont("Helvetica", 11)
            text.textOut(letter)
            text.setFillColor(white)
            text.setFont("Helvetica", 1)
            text.textOut("q")
        canvas.drawText(text)

    assert extract(pdf(draw), suffix="pdf")[1].text == "spelling"


def picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("RGB", (60, 80), "gray")), 0, 0, 590, 700)


@pytest.mark.parametrize(("shift", "code"), [(0, "text_layer"), (7, "under_picture")])
def test_pdf_keeps_the_layer_of_a_scan_and_says_where_it_lies_beside_the_ink(
    shift: int, code: str
) -> None:
    words = "what the program recognised on the page"
    page = pypdfium2.PdfDocument(pdf(lines(*[words] * 3)))[0].render(scale=2).to_pil()

    def scan(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(page), 0, 0, *canvas._pagesize)
        text = canvas.beginText(60, 780 - shift)
        text.setTextRenderMode(3)
        text.setLeading(14)
        text.textLines([words] * 3)
        canvas.drawText(text)

    _, found = extract(pdf(scan), suffix="pdf")
    assert found.text.split() == words.split() * 3
    assert [note.code for note in found.notes] == [code]


def test_pdf_names_scanned_pages_with_a_typed_footer() -> None:
    def scan(canvas: Canvas) -> None:
        picture(canvas)
        for number in range(4):
            canvas.drawString(60, 780 - 12 * number, "typed words that stand beside the picture")

    _, found = extract(pdf(scan, lines("a page of its own")), suffix="pdf")
    assert [(note.code, note.params["n"]) for note in found.notes] == [("scanned_pages", 1)]


def test_pdf_reads_boxes_and_forms_and_counts_comments() -> None:
    def draw(canvas: Canvas) -> None:
        lines("Everybody can read this line of text.")(canvas)
        canvas.freeTextAnnotation("in a box", [60, 600, 200, 640])
        canvas.textAnnotation("a comment", [60, 500, 80, 520])
        canvas.acroForm.textfield(name="f", value="in a field", x=60, y=400, width=200)

    _, found = extract(pdf(draw), suffix="pdf")
    assert "in a box" in found.text and "in a field" in found.text
    assert [(note.code, note.params["n"]) for note in found.notes] == [("comments", 1)]


def test_pdf_takes_white_on_a_bar_for_visible() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFillColorRGB(0, 0, 0.4)
        canvas.rect(50, 690, 300, 30, fill=1)
        canvas.setFillColor(white)
        canvas.drawString(60, 700, "a heading in a bar of colour")

    assert extract(pdf(draw), suffix="pdf")[1].notes == ()


def test_pdf_scan_and_password_are_named() -> None:
    page = lines("Some words that nobody may read without it.")
    assert code_of(pdf(picture, picture), "pdf") == "scanned"
    assert code_of(pdf(page, encrypt="secret"), "pdf") == "encrypted"
    assert code_of(b"%PDF-1.7 and nothing more", "pdf") == "damaged"
    assert code_of(b"no such thing", "pdf") == "damaged"


def test_pdf_properties_become_meta() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setTitle("题目")
        canvas.setAuthor("作者")
        lines("A line.")(canvas)

    meta = extract(pdf(draw), suffix="pdf")[1].meta
    assert (meta["title"], meta["author"]) == ("题目", "作者")
    assert len(meta["date"]) >= 10


def test_reflow_keeps_a_hyphen_that_belongs_to_the_word() -> None:
    pages = [
        [
            "the church-key is a well known word of it and the church\ufffe",
            "key again, well\ufffe",
            "ness",
        ]
    ]
    assert reflow(pages) == (
        "the church-key is a well known word of it and the church-key again, wellness"
    )


# -------------------------------------------------------------------------------------- html


def test_html_keeps_what_is_read_and_drops_the_rest() -> None:
    page = (
        b"<!doctype html><title>T</title><style>x</style><nav>menu</nav><h1>Head</h1>"
        b"<p>One <b>bold</b>&nbsp;word<br>next&amp;line<script>no()</script></p>"
        b"<ul><li>item<li>other</ul><table><tr><td>a<td>b</table><div style='display:none'>no</div>"
        b"<pre>keep\n  this</pre><!-- no -->"
    )
    _, found = extract(page, suffix="html")
    assert found.text == ("Head\nOne bold\xa0word\nnext&line\nitem\nother\na\tb\nkeep\nthis")
    assert found.meta["title"] == "T"


@pytest.mark.parametrize("charset", ["gb2312", "GBK", "gb18030", "big5", "utf-8"])
def test_html_honours_its_declaration(charset: str) -> None:
    text = (
        "電腦與網路" if charset == "big5" else "计算机与㐀网络" if charset != "gb2312" else "计算机"
    )
    page = f'<meta charset="{charset}"><p>{text}</p>'
    codec = "gb18030" if charset in ("gb2312", "GBK") else charset
    _, found = extract(page.encode(codec), suffix="html")
    assert found.text == text
    assert found.notes == ()


# --------------------------------------------------------------------------------- and others


def test_text_keeps_every_character_says_guesses_and_content_decides_the_format() -> None:
    raw = "一\r\n\r\n  two\t\n\u3000三"
    _, found = extract(raw.encode(), suffix="txt")
    assert (found.text, found.encoding) == (raw, "utf-8")
    _, found = extract("这是一个用旧编码写的文件，里面有中文。".encode("gbk"), suffix="txt")
    (note,) = found.notes
    assert (note.code, note.params) == ("encoding_guess", {"enc": "gb18030"})
    page = pdf(lines("The words of a PDF that calls itself text."))
    assert extract(page, suffix="txt")[0] == "pdf"
    assert extract(word(p(r("A document that calls itself text"))), suffix="txt")[0] == "docx"
    assert extract(b"<html><p>saved as doc", suffix="doc")[0] == "html"


@pytest.mark.parametrize("share", [0.0, 0.02, 0.04])
def test_text_with_some_control_characters_is_text(share: float) -> None:
    """An article whose foreign names were decoded wrongly holds 1 to 2 % of C1 controls."""
    text = "".join("\x93" if n < 2000 * share else "a " for n in range(2000))
    found = extract(text.encode(), suffix="txt")[1]

    assert found.text == text


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_bytes_full_of_control_characters_are_no_text(share: float) -> None:
    data = bytes(1 + n % 8 if n < 2000 * share else 0x61 for n in range(2000))

    assert code_of(data, "txt") == "binary"


# ------------------------------------------------------------------- what a page hides or draws

SEEN, SHOWN = "one two three four five six", "words of a style sheet that are drawn"
NOT_SEEN = (
    ("<style>.z{display:none}</style>", "<i class=z>"),
    ("<style>b,i.z{color:#fff}</style>", "<i class=z>"),
    ("<style>p > i:first-child{opacity:0}</style>", "<i>"),
    ("<style>i{position:absolute;left:-9999px}</style>", "<i>"),
    ("", "<i style='position:absolute;clip:rect(0,0,0,0)'>"),
    ("", "<i style='transform:translateX(-5000px)'>"),
    ("", "<i style='color:white'>"),
    ("", "<font color='#fdfdfd'>"),
    ("", "<i style='font-size:1px'>"),
    ("", "<i style='color:red; font-size: 0px;'>"),
    ("", "<i style='opacity: 0.0'>"),
    ("", "<i style='color:transparent'>"),
    ("", "<i style='background:#000;color:#000'>"),
    ("", "<i style='letter-spacing:-1em'>"),
    ("", "<i style='visibility:hidden'>"),
    ("", "<i hidden>"),
)


@pytest.mark.parametrize(("style", "tag"), NOT_SEEN)
def test_html_leaves_out_what_a_page_hides_between_words(style: str, tag: str) -> None:
    source = f"{style}<p>one two {tag}zebra</{tag[1:].split()[0].strip('>')}>three four five six"
    _, found = extract(source.encode(), suffix="html")
    (note,) = found.notes

    assert " ".join(found.text.split()) == SEEN
    assert (note.code, note.params) == ("left_out", {"n": 5, "words": "zebra"})


@pytest.mark.parametrize(
    "source",
    [
        "<style>@media print{p{display:none}}</style><p>one two</p>",
        "<style>.z{display:none}.z.open{display:inline}</style><p>one <i class='z open'>two</i>",
        "<style>i{display:none!important}</style><style>b{display:none}</style><p>one two",
        "<body style='background:#112'><p style='color:#fff'>one two",
        "<body bgcolor=navy text=white>one two",
        "<div style='background:url(dark.png)'><p style='color:#fff'>one two",
        "<p style='color:var(--ink)'>one two",
        "<p aria-hidden=true>one two",
        "<p>one <i style='font-size:0.9em;opacity:0.8;background-color:transparent'>two</i>",
        "<style>p{left:-9999px}</style><p>one two",
        "<style>/* p{display:none} */</style><p>one two",
    ],
)
def test_html_keeps_what_a_reader_sees(source: str) -> None:
    _, found = extract(source.encode(), suffix="html")

    assert (found.text, found.notes) == ("one two", ())


def test_html_says_what_is_hidden_without_calling_it_a_disguise() -> None:
    source = f"<style>.menu{{display:none}}</style><div class=menu>a menu</div><p>{SEEN * 9}"
    _, found = extract(source.encode(), suffix="html")
    assert [(note.code, note.params["n"]) for note in found.notes] == [("not_shown", 5)]
    _, found = extract(b"<style>div{opacity:0}</style><div><p>one two three", suffix="html")
    assert found.text == "one two three"
    assert [note.code for note in found.notes] == ["hidden_text"]


@pytest.mark.parametrize(
    "source",
    [
        "<textarea>one\ntwo</textarea>",
        "<svg><title>no</title><text>one</text><text>two</text></svg>",
        "<iframe srcdoc='&lt;p&gt;one&lt;p&gt;two'></iframe>",
        "<iframe src='data:text/html;base64,PHA+b25lPHA+dHdv'></iframe>",
        "<object data='data:text/html,<p>one<p>two'></object>",
        "<div><template shadowrootmode=open><p>one<p>two</template></div>",
    ],
)
def test_html_reads_what_a_reader_sees_in_other_elements(source: str) -> None:
    _, found = extract(source.encode(), suffix="html")

    assert (found.text, found.notes) == ("one\ntwo", ())


PROSE = "and here is a long sentence of plain words that a program puts on the page " * 3


@pytest.mark.parametrize(
    ("source", "code"),
    [
        (f"<style>p::before{{content:'{SHOWN}; {SHOWN}'}}</style>", "drawn_text"),
        (f"<style>p::before{{content:attr(data-t)}}</style><p data-t='{SHOWN}'>", "drawn_text"),
        (f"<script>document.write('{PROSE}')</script>", "scripts"),
        (f"<script>document.write(atob('{'QUJD' * 300}'))</script>", "scripts"),
        (f"<!-- {PROSE} -->", "comments"),
        (f"<nav>{PROSE}</nav>", "menus"),
        ("<embed src=essay.doc>", "embedded"),
    ],
)
def test_html_names_what_was_not_read(source: str, code: str) -> None:
    _, found = extract(f"{source}<p>{SEEN}</p>".encode(), suffix="html")

    assert found.text == SEEN
    assert [note.code for note in found.notes] == [code]


NOTE_PAGES = [
    "The record shows that it lasted for almost two",
    "1 The keeper asked not to be named.",
]


@pytest.mark.parametrize(
    ("below", "after", "moves"),
    [
        pytest.param([], "centuries, and more.", True, id="one note"),
        pytest.param(["2 Parish book, leaf", "forty."], "centuries.", True, id="two notes"),
        pytest.param(["7"], "centuries.", True, id="a page number below"),
        pytest.param([], "Centuries passed.", False, id="no sentence is cut"),
        pytest.param(["3 Parish book."], "centuries.", False, id="numbers that skip one"),
        pytest.param(["2 tides in a"], "fortnight.", False, id="no whole sentence at the end"),
    ],
)
def test_footnotes_between_pages_go_behind_the_text(below, after, moves) -> None:
    pages = [["Who paid for it?", "Eleven families.", *NOTE_PAGES, *below], [after]]
    held = _move_footnotes(pages)

    assert (held != pages) == moves
    assert sorted(line for page in held for line in page) == sorted(
        line for page in pages for line in page
    )
    assert not moves or held[1] == [after]
