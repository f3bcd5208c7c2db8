"""Class lists as people and platforms write them, and names without their accents."""

from __future__ import annotations

import pytest

from simhash_core import people
from simhash_core.people import Authorship, Member, assign, members
from simhash_core.text.extract.rows import table_rows


def listed(text: str) -> list[Member]:
    return members(table_rows(text.encode(), suffix="csv"))


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
    ((person, number),) = [(one.person, one.number) for one in listed(text)]

    assert (person, number) == ("Anna Miller", "7")


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
    return [one.person for one in assign(paths, authors, people).missing]


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


def test_an_accent_decides_between_two_of_one_plain_name() -> None:
    both = [Member("Anna Müller"), Member("Anna Muller")]

    assert matched(both, "Anna Müller") == ["Anna Muller"]
    assert matched(both, "Anna Muller") == ["Anna Müller"]


@pytest.mark.parametrize(
    ("on_list", "on_file"),
    [
        ("231007", "00231007"),
        ("00231007", "231007"),
        ("110101199001011000", "110101199001011234"),
        ("202601010001", "202601010001"),
    ],
)
def test_numbers_that_a_spreadsheet_changed_still_match(on_list: str, on_file: str) -> None:
    people = [Member("甲", on_list), Member("乙", "7")]

    assert matched(people, numbers=(on_file,)) == ["乙"]


def test_a_rounded_number_of_several_decides_nothing() -> None:
    people = [Member("甲", "110101199001011000"), Member("乙", "110101199001011001")]

    assert matched(people, numbers=("110101199001011777",)) == ["甲", "乙"]


def test_what_was_typed_into_canvas_is_a_hand_in() -> None:
    names = [
        "marchettiella_51234_1402345_exit.docx",
        "thatcherwill_51269_text.html",
        "hallquentin_LATE_51270_1402399_ticket.pdf",
        "norrisamy_LATE_51271_text.html",
    ]
    authors = people.authors(names, people.recognise(names))

    assert [one.number for one in authors] == ["51234", "51269", "51270", "51271"]
