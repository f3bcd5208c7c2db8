"""Whatever befalls the rows of a project is named, and no case shows an earlier decision."""

from __future__ import annotations

import contextlib
import json
import sqlite3

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from simhash_core import Document, Settings
from simhash_core.errors import StoreError
from simhash_core.storage import Project, Subject, decisions
from simhash_core.storage.contents import Damage

CASES = [Subject.pair("a", f"{n}") for n in range(5)]


@pytest.fixture
def path(tmp_path):
    """Five cases that were cleared and then confirmed: events 1 to 5 and 6 to 10."""
    path = tmp_path / "class.leitong"
    project = Project.create(path, name="class")
    project.save_documents([Document.from_text(f"words {n}", name=f"{n}") for n in range(3)])
    project.save_settings(Settings(preset="reposts"))
    for case in CASES:
        project.decide([case], verdict="no_problem")
    for case in CASES:
        project.decide([case], verdict="confirmed")
    project.put("rules", {"min_match": 5})
    project.close()
    return path


def changed(path, *statements):
    """Change the file behind the back of the program, and open it."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return Project.open(path)


def forged(path, seq, **fields):
    """Change the content of an event and make its own check sum anew; as SQL."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = f"SELECT before, content FROM event WHERE seq = {seq}"
        before, content = connection.execute(query).fetchone()
    content = json.dumps({**json.loads(content), **fields}, sort_keys=True)
    check = decisions.link(seq, before, content.encode("ascii"))
    return f"UPDATE event SET content = '{content}', digest = x'{check.hex()}' WHERE seq = {seq}"


def verdicts(project):
    return [
        project.decisions()[case].verdict if case in project.decisions() else "" for case in CASES
    ]


def event(number):
    return Damage("event", {"number": number})


def test_a_whole_file_has_no_damage_and_the_summary_tells_it(path) -> None:
    project = Project.open(path)
    assert (project.damage, project.verify()) == ((), [])
    assert verdicts(project) == ["confirmed"] * 5
    assert Project.open(path).summary().damage == ()
    assert changed(path, "DELETE FROM event WHERE seq = 10").summary().damage != ()


def test_changed_event_leaves_its_case_undecided(path):
    project = changed(
        path, "UPDATE event SET content = replace(content, 'nfi', 'nfj') WHERE seq = 8"
    )

    assert project.damage == (event(8),)
    assert verdicts(project) == ["confirmed", "confirmed", "", "confirmed", "confirmed"]
    project.decide([CASES[2]], verdict="later")
    assert verdicts(project)[2] == "later"
    assert Project.open(project.path).damage == (event(8),)


@pytest.mark.parametrize(
    ("statement", "missing", "left"),
    [
        ("DELETE FROM event WHERE seq > 5", (6, 10), [""] * 5),
        ("DELETE FROM event WHERE seq = 10", (10, 10), [""] * 5),
        ("DELETE FROM event WHERE seq = 7", (7, 7), ["", "", *["confirmed"] * 3]),
        ("DELETE FROM event WHERE seq < 3", (1, 2), ["confirmed"] * 5),
        ("DELETE FROM event", (1, 10), [""] * 5),
    ],
)
def test_deleted_events_are_missed_and_trusted_is_only_what_came_later(
    path, statement, missing, left
):
    project = changed(path, statement)

    assert project.damage == (Damage("missing", {"first": missing[0], "last": missing[1]}),)
    assert verdicts(project) == left
    project.decide([CASES[0]], verdict="later")
    assert verdicts(project)[0] == "later"
    again = Project.open(path)
    assert again.damage == project.damage
    assert again.history()[-1].seq == 11


def test_events_in_another_order_are_noticed(path):
    swap = [f"UPDATE event SET seq = {a} WHERE seq = {b}" for a, b in ((99, 3), (3, 8), (8, 99))]
    project = changed(path, *swap)

    assert event(3) in project.damage
    assert event(8) in project.damage
    assert verdicts(project)[2] == ""


@pytest.mark.parametrize("seq", [1, 7, 10])
def test_event_that_was_edited_with_its_check_sum_is_noticed(path, seq):
    project = changed(path, forged(path, seq, value="later"))

    assert project.damage == (event(seq),)
    assert all(event.damaged == (event.seq == seq) for event in project.history())
    # whatever it was about before it was edited
    left = max(seq - 5, 0)
    assert verdicts(project) == [""] * left + ["confirmed"] * (5 - left)
    project.decide([CASES[0]], verdict="later")
    assert Project.open(path).damage == (event(seq),)


def test_event_that_was_added_by_another_hand_is_noticed(path):
    content = '{"action": "x", "field": "verdict", "names": ["", ""]}'
    project = changed(path, f"INSERT INTO event VALUES (11, x'00', '{content}', x'00')")

    assert project.damage == (event(11),)


@pytest.mark.parametrize(
    "change",
    ["content = NULL", "before = NULL", "digest = NULL",
     "digest = 7", "before = 'text'", "content = CAST(x'fffe' AS TEXT)", "digest = x'00'"],
)  # fmt: skip
def test_field_of_another_kind_is_noticed(path, change):
    """One bit of a record's header makes another type of a field."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute(
            "UPDATE sqlite_master SET sql ="
            " replace(replace(sql, ' STRICT', ''), ' NOT NULL', '') WHERE name = 'event'"
        )
        connection.commit()
    project = changed(path, f"UPDATE event SET {change} WHERE seq = 8")

    assert event(8) in project.verify()
    assert verdicts(project)[2] == ""


@pytest.mark.parametrize(
    ("statement", "damage"),
    [
        (
            "UPDATE meta SET value = '\"other\"' WHERE name = 'name'",
            Damage("value", {"name": "name"}),
        ),
        ("DELETE FROM meta WHERE name = 'rules'", Damage("value", {"name": "rules"})),
        ("UPDATE meta SET name = 'rulez' WHERE name = 'rules'", Damage("value", {"name": "rules"})),
        ("INSERT INTO meta VALUES ('more', '1')", Damage("value", {"name": "more"})),
        ("UPDATE meta SET value = '{}' WHERE name = 'names'", Damage("value", {"name": "names"})),
        ("DELETE FROM record WHERE name = 'settings'", Damage("settings")),
        ("UPDATE record SET name = 'results' WHERE name = 'documents'", Damage("documents")),
        ("DELETE FROM meta WHERE name = 'contents'", Damage("contents")),
        (
            "UPDATE meta SET value = replace(value, '1', '2') WHERE name = 'contents'",
            Damage("contents"),
        ),
    ],
)
def test_changed_and_missing_values_and_records_are_named(path, statement, damage):
    project = changed(path, statement)

    assert damage in project.damage
    assert damage in project.verify()
    project.put("more and more", 1)  # what is written later mends nothing
    project.decide([CASES[0]], verdict="later")
    assert damage in Project.open(path).damage
    assert verdicts(project)[0] == "later"


def test_value_that_is_damaged_is_not_shown_as_if_it_were_good(path):
    project = changed(path, "UPDATE meta SET value = '{\"min_match\": 9}' WHERE name = 'rules'")
    assert project.get("rules", {}) == {}
    project.put("rules", {"min_match": 7})

    assert (project.get("rules"), Project.open(path).damage) == ({"min_match": 7}, ())


@pytest.mark.parametrize(
    ("statement", "write", "name"),
    [
        ("DELETE FROM meta WHERE name = 'rules'", lambda one: one.put("rules", {}), "rules"),
        (
            "UPDATE record SET data = zeroblob(9) WHERE name = 'settings'",
            lambda one: one.save_settings(Settings()),
            "settings",
        ),
        (
            "UPDATE record SET digest = x'00' WHERE name = 'documents'",
            lambda one: one.save_documents([Document.from_text("other words", name="0")]),
            "documents",
        ),
    ],
)
def test_what_is_written_over_damage_does_not_hide_it(path, statement, write, name):
    project = changed(path, statement)
    assert len(project.verify()) == 1
    write(project)
    project.put("more", 1)
    again = Project.open(path)

    assert again.verify() == [Damage("replaced", {"name": name})]
    assert again.damage == ()  # it is whole now


def test_table_of_names_comes_from_the_texts_where_it_is_damaged(path):
    a, b = (document.id for document in Project.open(path).texts().documents[:2])
    case = Subject.pair(a, b)
    Project.open(path).decide([case], verdict="confirmed")
    project = changed(path, "UPDATE meta SET value = '{}' WHERE name = 'names'")
    assert project._names() == {
        document.name: document.id for document in project.texts().documents
    }


def test_events_that_cannot_be_read_at_all_leave_everything_undecided(path):
    project = Project.open(path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'event'"
        (page,) = connection.execute(query).fetchone()
    project.close()
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    try:
        project = Project.open(path)
    except StoreError:
        return
    assert Damage("events") in project.damage
    assert project.decisions() == {}
    assert Damage("file") in project.verify()


@given(
    st.lists(st.sampled_from(["decide", "undo", "damage", "delete"]), max_size=12),
    st.integers(0, 12),
)
@example([*["decide"] * 6, "damage"], 2)  # about the same case as the first, which is not read
def test_reading_on_from_any_event_gives_what_reading_all_gives(steps, after):
    project = Project.in_memory()
    actions = []
    for n, step in enumerate(steps):
        last = len(project.history())
        if step == "decide" or not actions:
            actions.append(project.decide([CASES[n % 5]], verdict="confirmed"))
        elif step == "undo":
            actions.append(project.undo(actions[-1]))
        else:
            change = "DELETE FROM event" if step == "delete" else "UPDATE event SET digest = x'00'"
            with project.database.writing() as connection:
                connection.execute(f"{change} WHERE seq = {last}")
    history = project.history()

    assert [event.seq for event in history] == sorted({event.seq for event in history})
    assert project.history(after) == [event for event in history if event.seq > after]
    project.close()
