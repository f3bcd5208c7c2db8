"""From folders and archives to documents, with a reason for everything left out."""

from __future__ import annotations

import difflib
import os
import unicodedata
from pathlib import Path

import psutil
import pytest

from simhash_core.errors import Cancelled, Unreadable
from simhash_core.machine.workers import WorkerPool
from simhash_core.model import Document, Skipped
from simhash_core.settings import Settings
from simhash_core.text.gathering import Source, gather_sources
from simhash_core.text.language import guess_language
from simhash_core.text.normalize import normalized_text
from simhash_core.text.reading import findings, read_one, read_sources
from simhash_core.text.tokenize import tokenizer

ENGLISH = "Seven plain words are enough for this."
CHINESE = "如有雷同，纯属巧合。老师把两份作业放在一起看。"


def read(
    pool: WorkerPool, sources: list[Source], **knobs: object
) -> tuple[list[Document], list[Skipped]]:
    settings = Settings(**knobs)  # type: ignore[arg-type]
    return read_sources(sources, pool=pool, settings=settings, progress=lambda *_: None)


# ---------------------------------------------------------------------------------- reading


def test_read_keeps_order_and_names_reasons(pool: WorkerPool, tmp_path: Path) -> None:
    file = tmp_path / "disk.txt"
    file.write_bytes(CHINESE.encode("gbk"))
    sources = [
        Source("1.txt", data=ENGLISH.encode()),
        Source("2.txt", data=b""),
        Source("3.docx", data=b"not a docx"),
        Source("disk.txt", file),
        Source("5.md", data=b"two words"),
        Source("6.exe", data=b"MZ"),
        Source("gone.txt", tmp_path / "gone.txt"),
        Source("8.txt", data=ENGLISH.encode()),
    ]
    documents, skipped = read(pool, sources)
    assert [document.name for document in documents] == ["1.txt", "disk.txt", "8.txt"]
    assert documents[0].id == documents[2].id
    disk = documents[1]
    assert (disk.text, disk.encoding, disk.language, disk.format) == (
        CHINESE,
        "gb18030",
        "zh",
        "txt",
    )
    assert [note.code for note in disk.notes] == ["encoding_guess"]
    assert [(row.name, row.code) for row in skipped] == [
        ("2.txt", "empty"),
        ("3.docx", "damaged"),
        ("5.md", "too_short"),
        ("6.exe", "unsupported"),
        ("gone.txt", "vanished"),
    ]


def test_read_obeys_the_chosen_encoding_and_reports_manipulated_text(pool: WorkerPool) -> None:
    text = "Příliš žluťoučký kůň úpěl ďábelské ódy."
    sources = [Source("a.txt", data=text.encode("cp1250"))]
    (document,), _ = read(pool, sources, encoding="cp1250")
    assert (document.encoding, document.text, document.notes) == ("cp1250", text, ())
    text = "This is plаgiаrism with a zero\u200bwidth space in it."
    (document,), _ = read(pool, [Source("a.txt", data=text.encode())])
    assert {note.code for note in document.notes} == {"lookalikes", "invisible"}
    assert document.text == text


def test_read_reports_progress_and_can_be_stopped(pool: WorkerPool) -> None:
    sources = [Source(f"{n}.txt", data=ENGLISH.encode()) for n in range(300)]
    steps: list[tuple[str, int, int]] = []

    def stop(stage: str, done: int, total: int) -> None:
        steps.append((stage, done, total))
        if done:
            raise Cancelled

    with pytest.raises(Cancelled):
        read_sources(sources, pool=pool, settings=Settings(), progress=stop)
    assert steps[0] == ("read", 0, 300)
    assert len(read(pool, sources)[0]) == 300


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (CHINESE, "zh"),
        (ENGLISH, "en"),
        (CHINESE + ENGLISH, "mixed"),
        ("Всё это написано по-русски, а не иначе.", "other"),
        ("これは日本語の文章です。ひらがなとカタカナ。", "other"),
        ("用 Rust 写的一个小程序，它的作用是比较文本", "zh"),
        ("12 34", "other"),
    ],
)
def test_language_is_told_by_script(text: str, language: str) -> None:
    assert guess_language(text).kind == language


PARAGRAPH = (
    "The library of our town is in an old house that is not closed on Sundays. It was the best day "
    "of the week for me, when I went there with my sister and read until they put out the lights."
)
SENTENCES = {
    "de": "Die Bibliothek hat im Winter das Dach erneuert, und die Bücher sind wieder auf den "
    "alten Regalen. Wenn es nicht regnet, sitzen wir mit den Kindern im Garten und lesen.",
    "fr": "La bibliothèque de notre ville est dans une vieille maison qui ne ferme pas le "
    "dimanche. Si tu veux lire, il faut venir avec les enfants, ou par le train pour la "
    "fête du livre.",
    "es": "La biblioteca de nuestra ciudad está en una casa vieja que no cierra los domingos. "
    "Para leer con los niños hay que venir por la tarde, pero la gente llega más "
    "temprano.",
    "it": "La biblioteca della nostra città si trova in una casa che non chiude di domenica. Si "
    "legge con i bambini nel giardino, ma anche per la festa del libro c'è più gente.",
    "pt": "A biblioteca da nossa cidade fica em uma casa que não fecha aos domingos. Para ler "
    "com as crianças, os pais vêm pelo jardim, mas a festa do livro foi no verão, com "
    "mais gente.",
    "nl": "De bibliotheek van onze stad staat in een oud huis dat niet op zondag sluit. Het is "
    "voor kinderen, maar ook de ouders zijn er met een boek bij het raam en wachten op de "
    "trein.",
    "pl": "Biblioteka w naszym mieście nie jest duża, ale ma książki, które są dla dzieci. Gdy "
    "się nie pada, można czytać w ogrodzie, a po południu jest tam także pan, który gra "
    "na skrzypcach.",
    "tr": "Şehrimizin kütüphanesi çok eski bir evde ve pazar günleri de açık. Çocuklar için bir "
    "bahçe var, ama yağmur yağınca her çocuk bu büyük odada kalır, ne kadar kitap varsa "
    "okur.",
    "hu": "A városi könyvtár egy régi ház, és nem zár be vasárnap. Ha az idő jó, a gyerekek is "
    "a kertben olvasnak, de az öregek csak bent, mert a padok ott vannak, és hogy meleg "
    "is van.",
    "cs": "Knihovna je ve starém domě a v neděli se nezavírá. Pro děti je tam zahrada, ale když "
    "prší, jsou všichni ve velké síni, kde se čte nebo hraje, jako by tam byla škola.",
    "sv": "Biblioteket i vår stad är ett gammalt hus som inte stänger på söndagar. Det är för "
    "barn, men också föräldrar kan sitta med en bok vid fönstret och vänta på att det "
    "slutar regna.",
    "da": "Biblioteket i vores by er et gammelt hus, som ikke lukker om søndagen. Det er til "
    "børn, men også forældre kan sidde med en bog ved vinduet og vente på, at det holder "
    "op med regn.",
    "fi": "Kirjasto on vanhassa talossa ja se on auki myös sunnuntaina. Kun sataa, lapset ovat "
    "salissa, mutta jos ei sada, he voivat lukea puutarhassa niin kuin kaikki muutkin, "
    "joka päivä, kunnes tulee pimeä.",
    "ro": "Biblioteca din orașul nostru este într-o casă veche care nu se închide duminica. "
    "Pentru copii este o grădină, dar și părinții pot să stea cu o carte la fereastră sau "
    "pe bancă.",
    "vi": "Thư viện của thành phố là một ngôi nhà cũ và không đóng cửa vào ngày chủ nhật. Các "
    "em nhỏ được đọc sách trong vườn, còn những người già thì ngồi bên cửa sổ khi trời "
    "mưa.",
    "id": "Perpustakaan kota kami ada di sebuah rumah tua yang tidak tutup pada hari Minggu. "
    "Anak dan orang tua dapat membaca di taman, dan jika hujan mereka duduk di dalam "
    "untuk menunggu.",
}


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_other_languages_are_told_from_english_with_and_without_marks(text: str) -> None:
    decomposed = unicodedata.normalize("NFD", text)
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    assert [guess_language(form).kind for form in (text, decomposed, plain)] == ["other"] * 3


@pytest.mark.parametrize("text", SENTENCES.values(), ids=SENTENCES)
def test_english_with_a_quotation_of_as_many_words_stays_english(text: str) -> None:
    english = " ".join(PARAGRAPH.split()[: len(text.split())])
    for both in (english + "\n" + text, text + "\n" + english):
        assert guess_language(both).kind == "en"


def test_lists_and_misspelt_english_stay_english() -> None:
    names = "Maria Garcia, Juan de la Cruz, Luigi Rossi, Jean Dupont, Hans Müller, " * 8
    pupil = "teh techer sed we shud al rite abowt wat hapend to us on owr trip an it wos gud " * 4
    words = " ".join(f"word{n}" for n in range(80))
    assert [guess_language(text).kind for text in (names, pupil, words)] == ["en"] * 3


# ----------------------------------------------------------------------------- real files


@pytest.mark.corpora
def test_every_real_file_ends_as_text_or_a_named_reason(pool: WorkerPool, corpora: Path) -> None:
    sources, refused = gather_sources([corpora / "formats"], pool=pool)
    documents, skipped = read(pool, sources)
    assert len(documents) + len(skipped) == len(sources)
    assert len(documents) >= 170
    fatal = {"timeout", "crashed", "memory"}
    assert not [row for row in (*skipped, *refused) if row.code in fatal]


@pytest.mark.corpora
def test_one_text_gives_the_same_words_in_every_format(pool: WorkerPool, corpora: Path) -> None:
    root = corpora / "formats" / "textract_same_text"
    files = [root / f / f"standardized_text.{f}" for f in ("txt", "html", "docx", "pdf")]
    documents, skipped = read(pool, [Source(file.name, file) for file in files])
    assert skipped == []
    assert [document.format for document in documents] == ["txt", "html", "docx", "pdf"]
    words = [tokenizer().tokens(normalized_text(document.text)) for document in documents]
    assert len(words[0]) == 9
    assert words[1:] == [words[0]] * 3


@pytest.mark.corpora
def test_a_pdf_and_a_docx_of_one_text_give_the_same_words(pool: WorkerPool, corpora: Path) -> None:
    root = corpora / "formats" / "textract_same_text"
    files = [root / suffix / f"raw_text.{suffix}" for suffix in ("pdf", "docx")]
    documents, _ = read(pool, [Source(file.name, file) for file in files])
    left, right = (tokenizer().tokens(normalized_text(d.text)) for d in documents)
    assert len(left) > 250
    assert left == right


@pytest.mark.corpora
def test_a_saved_page_gives_its_article_without_its_menus(pool: WorkerPool, corpora: Path) -> None:
    file = corpora / "formats" / "textract_same_text" / "html" / "raw_text.html"
    (document,), _ = read(pool, [Source(file.name, file)])
    reference = file.with_suffix(".txt").read_text(encoding="utf-8")
    left, right = (tokenizer().tokens(normalized_text(text)) for text in (document.text, reference))
    # the reference repeats the chapter menu and runs two names together
    assert difflib.SequenceMatcher(None, left, right, autojunk=False).ratio() > 0.99


@pytest.mark.corpora
@pytest.mark.slow
def test_ten_thousand_small_files_are_read_in_seconds(
    pool: WorkerPool, corpora: Path, tmp_path: Path
) -> None:
    text = "".join(
        f.read_text(encoding="utf-8")
        for f in sorted((corpora / "zh_rust_book" / "docs").rglob("*.md"))[:300]
    )
    for number in range(10_000):
        at = number * 31 % (len(text) - 1000)
        (tmp_path / f"{number:05}.txt").write_text(text[at : at + 1000], encoding="utf-8")
    sources, _ = gather_sources([tmp_path], pool=pool)
    read(pool, sources)
    before = cpu_seconds(pool)
    documents, _ = read(pool, sources)
    assert len(documents) == 10_000
    assert cpu_seconds(pool) - before < 10  # on a busy machine too


def cpu_seconds(pool: WorkerPool) -> float:
    """Return what this process and its workers have computed so far."""
    used = [psutil.Process(number).cpu_times() for number in (os.getpid(), *pool.processes)]
    return sum(times.user + times.system for times in used)


PROSE = (
    "It was the best of times and the worst of times, nobody in town could say which it was. " * 8
)

ESSAY = "机器学习是人工智能的一个分支，研究怎样让程序从数据里学到规律。" * 12


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        (" \n\u3000", "empty"),
        ("".join(chr(0x24D0 + n % 26) for n in range(400)), "no_words"),  # circled
        ("".join(chr(0x1F1E6 + n % 26) for n in range(400)), "no_words"),  # regional indicators
        ("".join(chr(0xE000 + n) for n in range(400)), "no_words"),  # private use
        ("★→！？" * 40, "no_words"),
    ],
)
def test_a_reason_is_what_a_person_sees(text: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_one(Source("a.txt", None, text.encode()))

    assert caught.value.code == code


@pytest.mark.parametrize("text", [PROSE, ESSAY], ids=["en", "zh"])
@pytest.mark.parametrize("control", ["\x07", "\x1b", "\x7f", "\x08\x07"], ids=repr)
def test_controls_between_the_letters_are_named_and_hide_nothing(text: str, control: str) -> None:
    disguised = read_one(Source("a.txt", None, control.join(text).encode()))

    assert "invisible" in {note.code for note in disguised.notes}
    assert normalized_text(disguised.text) == normalized_text(text)


@pytest.mark.parametrize("text", [PROSE, ESSAY], ids=["en", "zh"])
def test_nul_behind_the_words_is_no_damage(text: str) -> None:
    read = read_one(Source("a.txt", None, text.replace(" ", "\0 ").replace("，", "\0，").encode()))

    assert normalized_text(read.text) == normalized_text(text)


def test_short_words_are_no_pieces_of_words() -> None:
    codes = {
        text: {note.code for note in read_one(Source("a.txt", None, text.encode())).notes}
        for text in ("the of and to " * 40, "is it in an as or we go to " * 30, " ".join(PROSE))
    }

    assert ["broken_words" in found for found in codes.values()] == [False, False, True]


@pytest.mark.parametrize(
    ("text", "code", "n", "first"),
    [
        ("zero\u200bwidth", "invisible", 1, (4, 5)),
        ("零\u200d宽", "invisible", 1, (1, 2)),
        ("bell\x07s \x00\x00 nul", "invisible", 3, (4, 5)),
        ("clear plаgiаrism", "lookalikes", 2, (6, 16)),
        ("a c o p i e d text", "spaced", 13, (0, 13)),
        ("ＣＯＰＹ of it", "fullwidth", 4, (0, 4)),
    ],
)
def test_findings_point_at_the_place(text: str, code: str, n: int, first: tuple[int, int]) -> None:
    (note,) = [note for note in findings(text) if note.code == code]
    assert (note.params["n"], (note.start, note.end)) == (n, first)
    assert note.params["spans"][0] == first  # type: ignore[index]


@pytest.mark.parametrize(
    "text",
    [
        "An ordinary English sentence, with café and naïve.",
        "一句普通的中文，有全角标点：（括号）“引号”。",
        "Москва, столица России.",
        "β-катенин и α-helix in ДНК",
        "👩\u200d💻 ❤\ufe0f emoji use joiners",
        "options A B C D",
        "1 2 3 4 5 6 7 8",
        "tabs\tand\r\nline ends\n",
        "",
    ],
)
def test_findings_are_silent_about_ordinary_text(text: str) -> None:
    assert findings(text) == ()
