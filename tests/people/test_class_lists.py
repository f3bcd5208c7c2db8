"""Class lists as people and platforms write them, and names without their accents."""

from __future__ import annotations

import pytest
from text.handmade import compound, workbook

from simhash_core import Document
from simhash_core.errors import Unreadable
from simhash_core.people import names as people
from simhash_core.people.authorship import list_hand_ins
from simhash_core.people.names import Authorship
from simhash_core.people.roster import (
    Member,
    find_class_list,
    match_members,
    read_class_list,
    read_members,
)
from simhash_core.text.extract.rows import read_tables
from simhash_core.text.gathering import Source


def listed(text: str) -> list[Member]:
    return read_members(read_tables(text.encode(), suffix="csv")[0])


def people_in(text: str) -> list[tuple[str, str]]:
    return [(one.person, one.number) for one in listed(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Name,ID\nAnna Miller,7\n",
        "sep=;\nName;ID\nAnna Miller;7\n",
        "Class 10b, autumn term\n\n,,\nName,ID\nAnna Miller,7\n",
        'Student,ID,Essay (4411)\n    Points Possible,,10\n"Miller, Anna",7,\n',
        'Student,ID\n"Miller, Anna",7\n"Student, Test",99\n',
        "NAME\tID\nAnna Miller\t7\nClass average\t\n",
        "Surname,First name,ID\nMiller,Anna,'7\n",
        'Name,ID\nAnna Miller,="7"\n',
        "高一3班学生名单,,\n姓名,学号\nAnna Miller,7\n平均分,\n",
    ],
)
def test_a_list_is_read_as_it_is_exported(text: str) -> None:
    assert people_in(text) == [("Anna Miller", "7")]


def test_names_are_turned_only_where_the_list_writes_them_so() -> None:
    turned = listed('Name\n"van der Berg, Anne-Marie"\n"Li, Qing"\nCher\n')
    kept = listed('Name\n"King, Jr."\nAnna Miller\nBen Carter\n')

    assert [one.person for one in turned] == ["Anne-Marie van der Berg", "Qing Li", "Cher"]
    assert [one.person for one in kept] == ["King, Jr.", "Anna Miller", "Ben Carter"]


def matched(people: list[Member], *names: str, numbers: tuple[str, ...] = ()) -> list[str]:
    """Return who is missing where files of these names, or numbers, were handed in."""
    authors = [Authorship(person=name) for name in names]
    authors += [Authorship(number=number) for number in numbers]
    paths = [f"{author.person or author.number}.txt" for author in authors]
    found = match_members(paths, authors, people)
    return [one.person for row, one in enumerate(people) if row not in found]


@pytest.mark.parametrize(
    ("on_list", "on_file"),
    [
        ("Sean O'Brien", "Seán O’Brien"),
        ("Muller Jurgen", "Jürgen Müller"),
        ("Mueller Juergen", "Jürgen Müller"),
        ("Lukasz Zak", "Łukasz Żak"),
        ("Soren Odegard", "Søren Ødegård"),
        ("José Núñez", "Jose Nunez"),
        ("Ayse Yilmaz", "Ayşe Yılmaz"),
        ("François Lefèvre", "LEFEVRE Francois"),
    ],
)
def test_accents_do_not_part_a_list_from_its_files(on_list: str, on_file: str) -> None:
    assert matched([Member(on_list), Member("Zed Missing")], on_file) == ["Zed Missing"]


def test_an_accent_or_a_number_decides_where_it_names_one() -> None:
    both = [Member("Anna Müller"), Member("Anna Muller")]
    assert matched(both, "Anna Müller") == ["Anna Muller"]
    assert matched(both, "Anna Muller") == ["Anna Müller"]
    # and numbers that a spreadsheet changed
    for on_list, on_file in (
        ("231007", "00231007"),
        ("00231007", "231007"),
        ("110101199001011000", "110101199001011234"),
        ("202601010001", "202601010001"),
    ):
        listed = [Member("甲", on_list), Member("乙", "7")]
        assert matched(listed, numbers=(on_file,)) == ["乙"], on_list
    people = [Member("甲", "110101199001011000"), Member("乙", "110101199001011001")]
    assert matched(people, numbers=("110101199001011777",)) == ["甲", "乙"]


def test_what_was_typed_into_canvas_is_a_hand_in() -> None:
    names = [
        "marchettiella_51234_1402345_exit.docx",
        "thatcherwill_51269_text.html",
        "hallquentin_LATE_51270_1402399_ticket.pdf",
        "norrisamy_LATE_51271_text.html",
    ]
    authors = people.read_authors(names, people.find_pattern(names))

    assert [one.number for one in authors] == ["51234", "51269", "51270", "51271"]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (
            "姓名,学号\n王梓涵,2.02601E+11\n陈思远,2.02601E+11\n李明,7\n",
            [("王梓涵", ""), ("陈思远", ""), ("李明", "7")],
        ),
        ("Name,ID\nAnna,202601000000\nBen,202601000000\n", [("Anna", ""), ("Ben", "")]),
        ("Name,ID\nAnna Lee,2.02601E+11\n", [("Anna Lee", "")]),
        ("Name\nAnna Lee\nAnna Lee\n", [("Anna Lee", ""), ("Anna Lee", "")]),
        ("Name,ID,Section\nAnna Lee,7,10a\nAnna Lee,7,10b\n", [("Anna Lee", "7")]),
    ],
)  # fmt: skip
def test_each_row_is_a_pupil_unless_name_and_number_say_the_same(
    text: str, kept: list[tuple[str, str]]
) -> None:
    assert people_in(text) == kept
    assert [
        (one.member.person, one.member.number) for one in list_hand_ins([], [], listed(text))
    ] == kept


def test_two_of_one_name_and_a_third_are_three_and_a_list_may_be_indented() -> None:
    three = listed("Name\nAnna Lee\nAnna Lee\nBen Carter\n")
    text = Document.from_text("A text.", name="b.txt", person="Ben Carter")
    assert [one.state for one in list_hand_ins([text], [], three)] == ["missing", "missing", "read"]
    assert people_in("Name,Class\n    Anna Miller,10a\n") == [("Anna Miller", "")]


@pytest.mark.parametrize(
    "row",
    [
        "    Mögliche Punkte,,10",
        "    Punkty do zdobycia,,10",
        "Date,,2026-09-01",
        "Points,,100",
        "Punkte,,100",
        "Alice Doe_PreviewUser,,",
        "Alice Doe,adoe_previewuser,",
        "Name,ID,Essay",
        "name , id,",
    ],
)
def test_such_a_row_is_no_pupil(row: str) -> None:
    assert people_in(f"Name,ID,Essay\n{row}\nAnna Miller,7,\n") == [("Anna Miller", "7")]


@pytest.mark.parametrize(
    "heads",
    [
        '"Last name, First name",ID',
        "Last name / First name,Student number",
        "Surname & First name,Student No.",
        "Name*,ID (required)",
        "姓名/Name,学号 Student ID",
        "姓名（必填）,学号：",
        '"Nachname, Vorname",Matrikelnummer',
        "Vor- und Nachname,Matrikel-Nr.",
        "Schüler*in,ID",
        "Nom et prénom,Numéro étudiant",
        "Élève,Matricule",
        "Apellidos y nombre,Matrícula",
        "Alumno/a,Número de expediente",
        "Imię i nazwisko,Numer albumu",
        "Uczeń,Nr albumu",
    ],
)
def test_headings_in_several_words_and_languages(heads: str) -> None:
    assert people_in(f'{heads}\n"Miller, Anna",7\n') == [("Anna Miller", "7")]


@pytest.mark.parametrize(
    "heads", ["Vorname,Name", "Vorname,Nachname", "Prénom,Nom", "Nombre,Apellidos", "Imię,Nazwisko"]
)
def test_first_and_last_names_in_two_columns(heads: str) -> None:
    read = listed(f"{heads},Klasse,Gruppe,E-Mail\nAnna,Miller,10a,A,a@b.example\nBo,Li,10a,B,\n")

    assert read[0] == Member("Anna Miller", "", "A", "a@b.example", "10a")


@pytest.mark.parametrize(
    ("person", "file"),
    [
        ("García López, Ana María", "garcialopezanamaria_123_456_x.docx"),
        ("Ana María García López", "garcialopezanamaria_123_456_x.docx"),
        ("Maria van der Berg", "van der Berg Maria.docx"),
        ("Juan Carlos de la Cruz Ortiz", "delacruzortizjuancarlos_12_34_x.docx"),
    ],
)
def test_a_name_of_many_words_is_found_from_each_of_them(person: str, file: str) -> None:
    assert match_members([file], [Authorship()], [Member(person), Member("Zed")]) == [0]


@pytest.mark.parametrize("name", ["Data", "Date", "Points"])
def test_a_pupil_with_a_number_is_one_whatever_the_name(name: str) -> None:
    assert people_in(f"Name,ID\n{name},8\nAnna Miller,7\n") == [(name, "8"), ("Anna Miller", "7")]


PAGE = (
    "<html><body><table><tr><th>Nav</th></tr></table><table>"
    "<tr><th>Name</th><th>ID</th></tr><tr><td><b>Anna</b> Miller</td><td>7</td></tr></table>"
)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", b"Class 10b, autumn, room 4\n\nName;ID\nAnna Miller;7\n"),
        ("a.csv", b'Name;ID;Marks\n"Miller, Anna";7;1, 2\n'),
        ("a.csv", b"Name|ID\nAnna Miller|7\n"),
        ("a.csv", b"Name,ID\rAnna Miller,7\r"),
        ("a.csv", b"Name,ID,Groups\nAnna Miller,7,a;b\n"),
        ("a.xls", PAGE.encode()),
        ("a.xls", "Name\tID\nAnna Miller\t7\n".encode("utf-16")),
        ("a.xls", workbook([["Name", "ID"], ["Anna Miller", 7]])),
        ("a.xlsx", workbook([["Guide"], ["Fill in"]], [["Name", "ID"], ["Anna Miller", 7]])),
        ("a.xlsx", workbook([], [["Name", "ID"], ["Anna Miller", 7]])),
    ],
    ids=["title", "commas", "pipe", "cr", "groups", "page", "tabs", "zip", "second", "empty"],
)
def test_a_list_is_read_in_every_form_that_programs_save(name: str, data: bytes) -> None:
    assert [(one.person, one.number) for one in read_class_list(data, name=name)] == [
        ("Anna Miller", "7")
    ]


def test_a_workbook_of_before_2007_is_named_as_one() -> None:
    with pytest.raises(Unreadable) as caught:
        read_class_list(compound({"Workbook": b"\x09\x08" * 4096}), name="a.xls")
    assert caught.value.code == "legacy_xls"


@pytest.mark.parametrize(
    "name",
    [
        "Anna Miller_1003_assignsubmission_file_/data.csv",
        "milleranna_51269_88123_data.csv",
        "Task_milleranna_attempt_2026-11-20-10-00-00_data.csv",
        "Anna Miller/Lab/Version 1/data.csv",
    ],
)
def test_a_table_that_a_pupil_handed_in_is_no_class_list(name: str) -> None:
    data = b"Name,Number\nIron,26\nGold,79\nTin,50\nZinc,30\n"

    assert find_class_list(Source(name, data=data), None) == []
    assert len(find_class_list(Source("class/data.csv", data=data), None)) == 4


LISTS = {
    "de": "Name;ID\nAnna Müller;7\nJörg Weiß;8\nBjörn Schäfer;9\n",
    "one": "Name;ID\nJosé Nunez;7\nAnna Miller;8\nBen Carter;9\n",
    "fr": "Nom;Numéro\nLefèvre François;7\nBenoît Zoé;8\n",
    "es": "Nombre;ID\nJosé Núñez;7\nMaría Peña;8\nIñigo Ibáñez;9\n",
    "sv": "Name;ID\nÅsa Öberg;7\nBjörn Håkansson;9\n",
    "pl": "Nazwisko;ID\nŁukasz Żak;7\nMałgorzata Wójcik;9\n",
    "hu": "Name;ID\nErdős László;1\nNagy Gyöngyi;2\nSzűcs Tünde;3\n",
    "cs": "Name;ID\nDvořák Jiří;1\nČerný Aleš;2\n",
    "tr": "Name;ID\nAyşe Yılmaz;1\nÇağrı Öztürk;3\n",
}
PAGES = ("cp1252", "cp850", "mac_roman", "cp437", "cp1250", "cp852", "cp1254", "cp857")


@pytest.mark.parametrize("language", LISTS)
def test_a_short_list_is_decoded_as_it_was_typed(language: str) -> None:
    for page in PAGES:
        text = LISTS[language]
        if text.encode(page, "replace").decode(page) == text:
            assert read_tables(text.encode(page), suffix="csv") == read_tables(
                text.encode(), suffix="csv"
            ), page


@pytest.mark.parametrize(("files", "missing"), [(0, 2), (1, 1), (2, 0), (3, 0)])
def test_of_two_pupils_of_one_name_as_many_are_missing_as_files(files: int, missing: int) -> None:
    listed = [Member("李娜"), Member("李娜"), Member("王强")]
    read = [Document(f"{n}", f"{n}.txt", "x", meta={"person": "李娜"}) for n in range(files)]

    states = [one.state for one in list_hand_ins(read, (), listed)]

    assert states == [*["read"] * (2 - missing), *["missing"] * missing, "missing"]
