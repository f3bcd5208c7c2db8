"""Every fault that was thought of, what is promised under it, and which tests keep the promise.

A test in this folder takes the marker `promise(number)`. What is kept by tests elsewhere names
them; `test_promises.py` runs those, so that one command tries all.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Promise:
    """One row of the table that a run prints at its end."""

    number: int
    fault: str
    promise: str
    kept_by: tuple[str, ...] = ()  # tests outside this folder


PROMISES = (
    Promise(1, "kill -9 during an import or a decision", "acknowledged: kept; none torn or double"),
    Promise(
        2,
        "file of another version",
        "refused with its number, bytes unchanged",
        ("tests/storage/test_database.py::test_other_version_is_refused_with_its_number",),
    ),
    Promise(3, "disk full", "said; what was stored is read; the import goes on later"),
    Promise(4, "power cut", "a complete prefix of what was acknowledged"),
    Promise(
        5,
        "flipped bits",
        "named; damaged text is never shown as good",
        (
            "tests/storage/test_project.py::test_flipped_bits_are_noticed_and_never_shown_as_good",
            "tests/storage/library/test_verify.py",
            "tests/storage/test_damage.py",
        ),
    ),
    Promise(
        6,
        "foreign, newer or read-only file",
        "refused with its reason, bytes unchanged",
        (
            "tests/storage/test_database.py::test_newer_and_foreign_files_are_refused_unchanged",
            "tests/storage/test_database.py::test_other_files_are_refused_unchanged",
            "tests/storage/library/test_postgres.py::test_later_version_is_refused",
        ),
    ),
    Promise(7, "4 writers and 2 readers", "no error, every row, reads are consistent"),
    Promise(8, "two imports of one folder at once", "each text once"),
    Promise(9, "1,000 bad files among 1,000 good", "1,000 texts, 1,000 reasons, exit code 3"),
    Promise(10, "file of 5 GB", "refused before it is read"),
    Promise(
        11,
        "100,000 members in an archive",
        "refused by their count",
        ("tests/text/test_gathering.py::test_gather_refuses_archives_beyond_the_limits",),
    ),
    Promise(
        12,
        "archives: nested, bombs, false sizes",
        "refused with the reason",
        (
            "tests/text/test_gathering.py::test_gather_opens_archives_one_level",
            "tests/text/test_gathering.py::test_gather_does_not_believe_the_sizes_an_archive_states",
            "tests/text/test_gathering.py::test_gather_names_broken_and_locked_archives",
            "tests/text/test_archives.py::test_archives_beyond_the_limits_are_refused",
        ),
    ),
    Promise(
        13,
        "hostile names of members",
        "nothing is written outside; names stay labels",
        (
            "tests/text/test_gathering.py::test_gather_makes_path_traversal_harmless",
            "tests/text/test_archives.py::test_names_of_members_cannot_leave_the_folder",
            "tests/text/test_gathering.py::test_names_are_given_once",
        ),
    ),
    Promise(
        14,
        "links in folders and archives",
        "not followed, named",
        ("tests/text/test_gathering.py::test_gather_names_every_entry_that_is_no_file",),
    ),
    Promise(15, "PDF: bomb, loop, cut, garbage", "a reason; the next file is read"),
    Promise(
        16,
        "DOCX: bomb, entities, DOCTYPE, depth",
        "a reason, never a part of the text",
        ("tests/text/test_extract.py::test_docx_refuses_by_name",),
    ),
    Promise(17, "reader aborts or hangs", "that file is named, the others are read"),
    Promise(18, "millions of characters in a line", "linear time"),
    Promise(
        19,
        "random bytes, unmarked or mixed encodings",
        "no text, or read in a named encoding",
        (
            "tests/text/test_decode.py::test_decode_never_fails",
            "tests/text/test_decode.py::test_decode_guesses_and_says_so",
            "tests/text/test_extract.py::test_bytes_full_of_control_characters_are_no_text",
        ),
    ),
    Promise(
        20,
        "empty texts, single words, stop words",
        "named; never found alike",
        (
            "tests/checking/test_pipeline.py"
            "::test_short_texts_have_no_fingerprint_but_share_passages",
            "tests/simhash/search/test_all_pairs.py"
            "::test_all_pairs_ignore_rows_without_fingerprint",
            "tests/text/test_reading.py::test_read_keeps_order_and_names_reasons",
        ),
    ),
    Promise(21, "10,000 identical texts", "one group; pairs in < 1 s and < 200 MB"),
    Promise(22, "one template in 40,000 texts", "at most 3 times as slow as without"),
    Promise(
        23,
        "fingerprints 0, all ones, top bit set",
        "the pairs of brute force, every engine",
        (
            "tests/simhash/search/test_all_pairs.py::test_all_pairs_is_brute_force",
            "tests/simhash/search/test_block_index.py::test_search_is_brute_force",
            "tests/simhash/search/test_block_index.py::test_pairs_between_is_brute_force",
            "tests/storage/library/test_store.py::test_fingerprints_of_any_bits_come_back",
            "tests/engines/test_pairs.py::test_pairs_are_those_of_one_machine",
        ),
    ),
    Promise(
        24,
        "HTML, scripts, Markdown in texts and names",
        "shown as text",
        (
            "tests/e2e/test_check.py::test_files_of_all_kinds_are_put_right_and_become_a_result",
            "tests/e2e/test_compare.py::test_two_texts_are_read_side_by_side",
        ),
    ),
    Promise(
        25,
        "formulas in names and texts",
        "a cell never starts one",
        (
            "tests/report/test_tables.py::test_no_cell_starts_a_formula",
            "tests/report/test_formats.py::test_hostile_names_and_texts_stay_text",
        ),
    ),
    Promise(
        26,
        "the address of another's check",
        "not found",
        (
            "tests/pages/test_projects.py::test_address_of_another_owner_opens_nothing",
            "tests/e2e/test_projects.py::test_a_check_is_found_again_by_its_owner_alone",
        ),
    ),
    Promise(
        27,
        "deletion",
        "no trace in file, journal, copies and backups",
        (
            "tests/storage/library/test_purge.py",
            "tests/storage/test_shelf.py::test_deleted_project_is_gone_with_everything_beside_it",
            "tests/storage/test_project.py::test_replaced_texts_are_gone_from_the_file",
        ),
    ),
    Promise(
        28,
        "Spark: a worker killed in a stage",
        "the same pairs",
        ("tests/engines/test_cluster.py::test_pairs_survive_the_loss_of_a_worker",),
    ),
    Promise(
        29,
        "Spark: worker without numpy, other Python",
        "an error at the start that names the cause",
        ("tests/engines/test_interpreters.py",),
    ),
    Promise(
        30,
        "memory limit",
        "the same result from disk",
        ("tests/checking/test_memory.py",),
    ),
    Promise(
        31,
        "Ctrl-C, a closed tab, a stopped server",
        "goes on later, no process stays",
        (
            "tests/cli/test_cli.py::test_ctrl_c_ends_at_once_and_leaves_no_process",
            "tests/machine/test_workers.py::test_no_worker_outlives_its_parent",
            "tests/pages/test_jobs.py::test_jobs_end_with_their_session",
            "tests/e2e/test_projects.py::test_half_done_check_is_offered_again_after_a_restart",
        ),
    ),
    Promise(
        32,
        "other clock, time zone, locale",
        "the same bytes; a deleted check goes",
        (
            "tests/storage/test_shelf.py"
            "::test_clock_set_back_after_a_deletion_only_starts_the_time_to_undo_again",
        ),
    ),
    Promise(33, "flaws of dependencies and of the code", "none known: .ci/audit"),
    Promise(34, "locks denied", "said within the waiting time, nothing torn"),
    Promise(
        35,
        "network share",
        "recognised; no journal in shared memory",
        ("tests/storage/test_database.py",),
    ),
    Promise(36, "a million small files in a folder", "memory is bounded by their names"),
    Promise(37, "2,000 uploads", "a text or a reason each"),
    Promise(38, "5,000 mutated files of every format", "a text or a reason; no crash, no hang"),
)
