"""PDFs of one or two pages: honest ones of many looks, and some that hide words.

Each is made from a seed: the same bytes of text, fonts, colours and places every time.
"""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pypdfium2
import reportlab
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from text import handmade

ESSAYS = Path(__file__).resolve().parents[2] / "sample_docs" / "essays"
SHOWN = {"en": "07-priya-nair.txt", "zh": "02-林晓雨.txt"}
SAID = {"en": "20-leo-hartmann.txt", "zh": "19-孙浩然.txt"}
VERA = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
#: where systems keep fonts with outlines; those that are missing are not used
_SYSTEM = Path("/usr/share/fonts/truetype")
_FONTS = {
    "en": ("liberation/LiberationSerif-Regular.ttf", "dejavu/DejaVuSans.ttf"),
    "zh": ("wqy/wqy-zenhei.ttc", "arphic/uming.ttc"),
}
WIDE, HIGH = 595.0, 842.0


@cache
def fonts(language: str) -> tuple[str, ...]:
    """Return the names of fonts that a page can be set in, embedded ones and others."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    pdfmetrics.registerFont(TTFont("Vera", renamed(VERA.read_bytes(), "Vara")))
    found = ["Helvetica", "Times-Roman", "Vera"] if language == "en" else ["STSong-Light"]
    for name in _FONTS[language]:
        if (_SYSTEM / name).is_file():
            pdfmetrics.registerFont(TTFont(name, _SYSTEM / name))
            found.append(name)
    return tuple(found)


def renamed(font: bytes, name: str) -> io.BytesIO:
    """Return Vera under another name: of fonts with one name, ReportLab takes the first."""
    for codec in ("latin-1", "utf-16-be"):
        font = font.replace("Vera".encode(codec), name.encode(codec))
    return io.BytesIO(font)


def essay(language: str, *, said: bool = False) -> str:
    """Return an essay in the letters that every font has."""
    text = (ESSAYS / (SAID if said else SHOWN)[language]).read_text("utf-8")
    return text.translate(str.maketrans("‘’“”—–…", "''\"\"--.")) if language == "en" else text


def lines(text: str, font: str, size: float, width: float) -> list[str]:
    """Break a text to a width, between words or Chinese characters."""
    broken = []
    for paragraph in text.splitlines():
        line = ""
        for piece in paragraph.split(" ") if text.isascii() else paragraph:
            longer = f"{line} {piece}".lstrip() if text.isascii() else line + piece
            if line and pdfmetrics.stringWidth(longer, font, size) > width:
                broken.append(line)
                longer = piece
            line = longer
        broken.append(line)
    return broken


def write(
    canvas: Canvas, gray: float, font: str, size: float, x: float, y: float, text: str
) -> None:
    canvas.setFillGray(gray)
    canvas.setFont(font, size)
    canvas.drawString(x, y, text)


def body(canvas: Canvas, rng: random.Random, language: str, font: str) -> float:
    """Set a page of an essay; return where it ends."""
    size = rng.choice((8, 9, 10.5, 12, 14))
    canvas.setFillGray(rng.choice((0, 0, 0, 0.2, 0.35)))
    y = HIGH - rng.randint(70, 110)
    for line in lines(essay(language), font, size, WIDE - 140):
        canvas.setFont(font, size)
        canvas.drawString(70, y, line)
        y -= size * rng.choice((1.3, 1.3, 1.5))
        if y < 220:
            break
    return y


# --------------------------------------------------------------------------------- honest pages


def photograph(rng: random.Random, *, dark: bool = False) -> ImageReader:
    values = np.random.default_rng(rng.randint(0, 9_999)).normal(40 if dark else 140, 25, (90, 120))
    return ImageReader(Image.fromarray(values.clip(0, 255).astype(np.uint8)))


def words(language: str, rng: random.Random, n: int) -> str:
    text = " ".join(essay(language).split())
    at = rng.randint(0, 200)
    return text[at : at + n]


def caption(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.drawImage(photograph(rng), 70, 90, 160, 110)
    write(canvas, rng.choice((0.5, 0.65, 0.75)), font, 8, 70, 78, words(language, rng, 26))


def on_dark(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.setFillColorRGB(*rng.choice(((0, 0, 0), (0.1, 0.2, 0.5), (0.4, 0, 0), (0, 0.35, 0.2))))
    canvas.rect(60, 110, 470, 60, fill=1, stroke=0)
    write(canvas, 1, font, 12, 72, 135, words(language, rng, 24))


def on_rounded(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.setFillColorRGB(0.15, 0.15, 0.25)
    canvas.roundRect(60, 110, 470, 60, 8, fill=1, stroke=0)
    write(canvas, 1, font, 11, 72, 135, words(language, rng, 24))


def on_photograph(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.drawImage(photograph(rng, dark=True), 60, 90, 470, 110)
    write(canvas, 1, font, 14, 80, 130, words(language, rng, 22))


def on_gradient(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.saveState()
    path = canvas.beginPath()
    path.rect(60, 110, 470, 60)
    canvas.clipPath(path, stroke=0)
    canvas.linearGradient(60, 110, 530, 170, ((0.1, 0.1, 0.4), (0.3, 0, 0.3)))
    canvas.restoreState()
    write(canvas, 1, font, 12, 72, 135, words(language, rng, 24))


def tinted(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.setFillColorRGB(0.93, 0.95, 0.88)
    canvas.rect(60, 90, 470, 100, fill=1, stroke=1)
    canvas.setFillColorRGB(0.2, 0.3, 0.1)
    canvas.setFont(font, 10)
    canvas.drawString(72, 160, words(language, rng, 30))


def watermark(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.saveState()
    canvas.translate(WIDE / 2, HIGH / 2)
    canvas.rotate(45)
    if rng.random() < 0.5:
        canvas.setFillAlpha(0.2)
        canvas.setFillGray(0)
    else:
        canvas.setFillGray(0.85)
    canvas.setFont(font, 70)
    canvas.drawCentredString(0, 0, "DRAFT" if language == "en" else "草稿")
    canvas.restoreState()


def footnote(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.line(70, 120, 200, 120)
    write(canvas, 0, font, rng.choice((5, 6, 7)), 70, 108, "1  " + words(language, rng, 40))


def table(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    for row in range(5):
        canvas.setFillGray(0.9 if row % 2 else 1)
        canvas.rect(70, 110 + 16 * row, 400, 16, fill=1, stroke=1)
        canvas.setFillGray(0)
        canvas.setFont(font, 9)
        for column in range(3):
            canvas.drawString(76 + 130 * column, 115 + 16 * row, words(language, rng, 8))


def outlined(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    text = canvas.beginText(70, 130)
    text.setTextRenderMode(rng.choice((1, 2)))
    text.setFont(font, 20)
    text.textLine(words(language, rng, 14))
    canvas.drawText(text)


def upright(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.saveState()
    canvas.translate(40, 300)
    canvas.rotate(90)
    write(canvas, 0.4, font, 9, 0, 0, words(language, rng, 40))
    canvas.restoreState()


def link(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.setFillColorRGB(0, 0, 0.9)
    canvas.setFont("Helvetica", 9)
    canvas.drawString(70, 130, "https://example.org/reading/list")
    canvas.linkURL("https://example.org/reading/list", (70, 126, 240, 142))


def highlighted(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.setFillColorRGB(1, 1, 0.3)
    canvas.rect(70, 126, 260, 14, fill=1, stroke=0)
    write(canvas, 0, font, 10, 72, 130, words(language, rng, 24))


def field(canvas: Canvas, rng: random.Random, language: str, font: str) -> None:
    canvas.acroForm.textfield(value="Class 3, room 12, Thursday", x=70, y=110, width=300, height=30)


FEATURES = (
    *(caption, on_dark, on_rounded, on_photograph, on_gradient, tinted, watermark, footnote),
    *(table, outlined, upright, link, highlighted, field),
)


def honest(seed: int) -> bytes:
    """Return a document that says what it shows: a page of an essay with one of `FEATURES`, a
    page that lies on its side, or a scan with the layer that recognition left."""
    rng = random.Random(seed)
    language = "en" if seed % 2 else "zh"
    font = fonts(language)[seed // 2 % len(fonts(language))]
    if seed % 10 >= 8:
        return scanned(rng, language, font)
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(WIDE, HIGH))
    for number in range(rng.choice((1, 2))):
        turn(canvas, rng.choice((0,) * 17 + (90, 180, 270)))
        body(canvas, rng, language, font)
        FEATURES[(seed // 2 + number) % len(FEATURES)](canvas, rng, language, font)
        canvas.setFillGray(rng.choice((0, 0.5, 0.7)))
        canvas.setFont(font, 8)
        canvas.drawCentredString(WIDE / 2, 40, f"- {number + 1} -")
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def turn(canvas: Canvas, degrees: int) -> None:
    """Turn a page; its size is given as it is seen then."""
    canvas.setPageSize((HIGH, WIDE) if degrees % 180 else (WIDE, HIGH))
    canvas.setPageRotation(degrees)


def typed(language: str, font: str, *, said: bool = False, size: float = 11) -> list[str]:
    return lines(essay(language, said=said), font, size, WIDE - 140)[:40]


def picture_of(language: str, font: str, rng: random.Random) -> Image.Image:
    """Return a scan of a page, a little noisy."""

    def draw(canvas: Canvas) -> None:
        for row, line in enumerate(typed(language, font)):
            canvas.setFont(font, 11)
            canvas.drawString(70, 760 - 16 * row, line)

    page = pypdfium2.PdfDocument(drawn(draw))[0]
    pixels = page.render(scale=110 / 72, grayscale=True).to_numpy().astype(np.float64).squeeze()
    noise = np.random.default_rng(rng.randint(0, 9_999)).normal(-6, 7, pixels.shape)
    return Image.fromarray((pixels + noise).clip(0, 255).astype(np.uint8))


def layer(
    canvas: Canvas,
    rows: list[str],
    font: str,
    rng: random.Random,
    *,
    slip: float,
    pitch: float = 16,
) -> None:
    """Write lines as recognition does: unseen, each somewhat beside its place."""
    text = canvas.beginText(70, 760)
    text.setTextRenderMode(3)
    for row, line in enumerate(rows):
        text.setFont(font, 11)
        x, y = 70 + rng.uniform(-slip, slip), 760 - pitch * row + rng.uniform(-slip, slip)
        text.setTextOrigin(x, y)
        text.setHorizScale(100 + rng.uniform(-slip, slip))
        text.textOut(line)
    canvas.drawText(text)


def scanned(rng: random.Random, language: str, font: str) -> bytes:
    image = picture_of(language, font, rng)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image), 0, 0, WIDE, HIGH)
        layer(canvas, typed(language, font), font, rng, slip=1.5)

    return drawn(draw)


# ----------------------------------------------------------------- what shows other than it says


def drawn(draw: Callable[[Canvas], None], **options: object) -> bytes:
    return handmade.drawn(draw, pagesize=(WIDE, HIGH), **options)


def page(canvas: Canvas, language: str, font: str = "") -> None:
    """Write what is to be seen."""
    font = font or fonts(language)[-1]
    canvas.setFillGray(0)
    for row, line in enumerate(typed(language, font)[:22]):
        canvas.setFont(font, 11)
        canvas.drawString(70, 760 - 16 * row, line)


def other(canvas: Canvas, language: str, font: str = "", *, x: float = 70, y: float = 330) -> None:
    """Write what is to be hidden."""
    font = font or fonts(language)[-1]
    for row, line in enumerate(typed(language, font, said=True)[:14]):
        canvas.setFont(font, 11)
        canvas.drawString(x, y - 16 * row, line)


def shown(language: str, then: Callable[[Canvas], object]) -> bytes:
    """Return a page of what is to be seen, and what a function draws on it after that."""

    def draw(canvas: Canvas) -> None:
        page(canvas, language)
        then(canvas)

    return drawn(draw)


def covered(cover: Callable[[Canvas], None], language: str) -> bytes:
    def draw(canvas: Canvas) -> None:
        other(canvas, language)
        canvas.setFillGray(1)
        cover(canvas)

    return shown(language, draw)


def gradient(canvas: Canvas) -> None:
    path = canvas.beginPath()
    path.rect(60, 90, 500, 262)
    canvas.clipPath(path, stroke=0)
    canvas.linearGradient(60, 90, 560, 352, ((1, 1, 1), (0.97, 0.97, 0.97)))


def strips(canvas: Canvas) -> None:
    for at in range(125):
        canvas.rect(60 + 4 * at, 90, 4.2, 262, fill=1, stroke=0)


def form(canvas: Canvas) -> None:
    canvas.beginForm("sheet")
    canvas.setFillGray(1)
    canvas.roundRect(60, 90, 500, 262, 5, fill=1, stroke=0)
    canvas.endForm()
    canvas.doForm("sheet")


def hidden(change: Callable[[Canvas], object], language: str, **place: float) -> bytes:
    def draw(canvas: Canvas) -> None:
        change(canvas)
        other(canvas, language, **place)

    return shown(language, draw)


def on_ground(canvas: Canvas, *ground: float) -> None:
    canvas.setFillColorRGB(*ground)
    canvas.rect(60, 90, 500, 262, fill=1, stroke=0)


def white_picture(canvas: Canvas) -> None:
    canvas.drawImage(ImageReader(Image.new("L", (50, 26), 255)), 60, 90, 500, 262)


def on_white_picture(canvas: Canvas) -> None:
    white_picture(canvas)
    canvas.setFillGray(1)


def clipped_in_a_form(canvas: Canvas) -> None:
    canvas.beginForm("window")
    path = canvas.beginPath()
    path.rect(0, 0, 5, 5)
    canvas.clipPath(path, stroke=0)
    other(canvas, "en")
    canvas.endForm()
    canvas.doForm("window")


def only_clipping(canvas: Canvas) -> None:
    text = canvas.beginText(70, 330)
    text.setTextRenderMode(7)
    text.setFont("Helvetica", 11)
    text.textLines(typed("en", "Helvetica", said=True)[:14])
    canvas.drawText(text)


def turned_white(canvas: Canvas) -> None:
    turn(canvas, 90)
    canvas.setFillGray(1)


def under_a_scan(language: str) -> bytes:
    """Return the picture of one text over the words of another."""
    font = fonts(language)[-1]

    def draw(canvas: Canvas) -> None:
        rng = random.Random(3)
        rows = typed(language, font, said=True)
        layer(canvas, rows, font, rng, slip=0.5, pitch=13.7)
        canvas.drawImage(ImageReader(picture_of(language, font, rng)), 0, 0, WIDE, HIGH)

    return drawn(draw)


def without_outlines() -> bytes:
    """Return a page with words in a font all of whose letters are empty."""
    data = bytearray(VERA.read_bytes())
    (count,) = struct.unpack_from(">H", data, 4)
    for at in range(12, 12 + 16 * count, 16):
        if data[at : at + 4] == b"loca":
            offset, length = struct.unpack_from(">2I", data, at + 8)
            data[offset : offset + length] = bytes(length)
    pdfmetrics.registerFont(TTFont("Empty", renamed(bytes(data), "Void")))

    return shown("en", lambda canvas: other(canvas, "en", "Empty"))


def written(content: str, resources: str, *objects: str) -> bytes:
    """Return a document of one page, object by object; `objects` are numbered from 6 on."""
    stream = zlib.compress(content.encode("latin-1"))
    fonts_ = "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> {} >>"
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R %s >>"
        % (b"/OCProperties 6 0 R" if "/OC " in content else b""),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        f"/Resources << {resources if '/Font' in resources else fonts_.format('') + resources} >> "
        ">>".encode(),
        b"<< /Length %d /Filter /FlateDecode >> stream\n%s\nendstream" % (len(stream), stream),
        b"<< >>",
        *(one.encode("latin-1") for one in objects),
    ]
    data, places = b"%PDF-1.7\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(data))
        data += b"%d 0 obj %s endobj\n" % (number, part)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    table_ = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(parts) + 1, rows)
    end = b"trailer << /Size %d /Root 1 0 R >> startxref %d %%%%EOF"
    return data + table_ + end % (len(parts) + 1, len(data))


def shown_lines(rows: list[str], y: float, font: str = "F1") -> str:
    escaped = (line.replace("\\", "").replace("(", "").replace(")", "") for line in rows)
    return "".join(
        f"BT /{font} 11 Tf 1 0 0 1 70 {y - 16 * row} Tm ({line}) Tj ET\n"
        for row, line in enumerate(escaped)
    )


def _both() -> tuple[str, str]:
    seen, said = (typed("en", "Helvetica", said=one) for one in (False, True))
    return shown_lines(seen[:22], 760), shown_lines(said[:14], 330)


def layer_off() -> bytes:
    seen, said = _both()
    content = f"{seen} /OC /Off BDC\n{said} EMC"
    return written(
        content,
        "/Properties << /Off 7 0 R >>",
        "<< /OCGs [7 0 R] /D << /OFF [7 0 R] /Order [7 0 R] >> >>",
        "<< /Type /OCG /Name (Notes) >>",
    )


def masked() -> bytes:
    seen, said = _both()
    group = "/Group << /S /Transparency /CS /DeviceGray >>"
    form_ = (
        f"<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] {group} /Length 0 >> stream\n\nendstream"
    )
    state = "/ExtGState << /G << /SMask << /S /Luminosity /G 6 0 R >> >> >>"
    return written(f"{seen} q /G gs\n{said} Q", state, form_ + " stream\n\nendstream")


def woven() -> bytes:
    """Return a page with a white letter behind every letter that is seen."""

    def draw(canvas: Canvas) -> None:
        font, rng = fonts("zh")[-1], random.Random(8)
        for row, line in enumerate(typed("zh", font)[:22]):
            canvas.setFont(font, 11)
            for column, letter in enumerate(line):
                canvas.setFillGray(0)
                canvas.drawString(70 + 12 * column, 760 - 16 * row, letter)
                canvas.setFillGray(1)
                canvas.drawString(79 + 12 * column, 760 - 16 * row, rng.choice("xqzkj"))

    return drawn(draw)


DISGUISED: Mapping[str, Callable[[], bytes]] = {
    "words on a layer that is off": layer_off,
    "words behind a mask": masked,
    "white letters between letters": woven,
    "words clipped in a form": lambda: shown("en", clipped_in_a_form),
    "words under a rounded sheet": lambda: covered(
        lambda c: c.roundRect(60, 90, 500, 262, 6, fill=1, stroke=0), "zh"
    ),
    "words under a gradient": lambda: covered(gradient, "en"),
    "words under strips": lambda: covered(strips, "en"),
    "words under a form": lambda: covered(form, "en"),
    "words under a white picture": lambda: covered(white_picture, "zh"),
    "words in a font without outlines": without_outlines,
    "white words on a white picture": lambda: hidden(on_white_picture, "en"),
    "white words": lambda: hidden(lambda c: c.setFillGray(1), "zh"),
    "blue words on blue": lambda: hidden(lambda c: on_ground(c, 0.1, 0.2, 0.6), "en"),
    "black words on black": lambda: hidden(lambda c: on_ground(c, 0, 0, 0), "zh"),
    "words that only clip": lambda: shown("en", only_clipping),
    "words outside of the crop": lambda: hidden(lambda c: c.setCropBox((0, 380, WIDE, HIGH)), "en"),
    "words left of the page": lambda: hidden(lambda c: None, "zh", x=-700),
    "words made small": lambda: hidden(lambda c: c.scale(0.05, 0.05), "en", x=1500, y=4000),
    "white words on a page that is turned": lambda: hidden(turned_white, "en"),
    "words of another text under a scan": lambda: under_a_scan("zh"),
}
