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


#: number of a promise, a test outside this folder that keeps it
_KEPT = """
2 tests/storage/test_database.py::test_other_version_is_refused_with_its_number
5 tests/storage/test_flips.py::test_flipped_bits_of_a_project_are_named_or_without_effect
5 tests/storage/library/test_verify.py
5 tests/storage/test_damage.py
6 tests/storage/test_database.py::test_newer_and_foreign_files_are_refused_unchanged
6 tests/storage/test_database.py::test_other_files_are_refused_unchanged
6 tests/storage/library/test_postgres.py::test_later_version_is_refused
11 tests/text/test_gathering.py::test_gather_refuses_archives_beyond_the_limits
12 tests/text/test_gathering.py::test_gather_opens_archives_one_level
12 tests/text/test_gathering.py::test_gather_does_not_believe_the_sizes_an_archive_states
12 tests/text/test_gathering.py::test_gather_names_broken_and_locked_archives
12 tests/text/test_archives.py::test_archives_beyond_the_limits_are_refused
13 tests/text/test_gathering.py::test_gather_makes_path_traversal_harmless
13 tests/text/test_archives.py::test_names_of_members_cannot_leave_the_folder
13 tests/text/test_gathering.py::test_names_are_given_once
14 tests/text/test_gathering.py::test_gather_names_every_entry_that_is_no_file
16 tests/text/test_extract.py::test_docx_refuses_by_name
19 tests/text/test_decode.py::test_decode_never_fails
19 tests/text/test_decode.py::test_decode_guesses_and_says_so
19 tests/text/test_extract.py::test_bytes_full_of_control_characters_are_no_text
20 tests/checking/test_pipeline.py::test_short_texts_have_no_fingerprint_but_share_passages
20 tests/simhash/search/test_all_pairs.py::test_all_pairs_ignore_rows_without_fingerprint
20 tests/text/test_reading.py::test_read_keeps_order_and_names_reasons
23 tests/simhash/search/test_all_pairs.py::test_all_pairs_is_brute_force
23 tests/simhash/search/test_block_index.py::test_search_is_brute_force
23 tests/simhash/search/test_block_index.py::test_pairs_between_is_brute_force
23 tests/storage/library/test_store.py::test_fingerprints_of_any_bits_come_back
23 tests/engines/test_pairs.py::test_pairs_are_those_of_one_machine
24 tests/e2e/test_check.py::test_files_of_all_kinds_are_put_right_and_become_a_result
24 tests/e2e/test_compare.py::test_two_texts_are_read_side_by_side
25 tests/report/test_tables.py::test_no_cell_starts_a_formula
25 tests/report/test_formats.py::test_hostile_names_and_texts_stay_text
26 tests/pages/test_projects.py::test_address_of_another_owner_opens_nothing
26 tests/e2e/test_projects.py::test_a_check_is_found_again_by_its_owner_alone
27 tests/storage/library/test_purge.py
27 tests/storage/test_shelf.py::test_deleted_project_is_gone_with_everything_beside_it
27 tests/storage/test_project.py::test_replaced_texts_are_gone_from_the_file
28 tests/engines/test_cluster.py::test_pairs_survive_the_loss_of_a_worker
29 tests/engines/test_interpreters.py
30 tests/checking/test_memory.py
31 tests/cli/test_cli.py::test_ctrl_c_ends_at_once_and_leaves_no_process
31 tests/machine/test_workers.py::test_no_worker_outlives_its_parent
31 tests/pages/test_jobs.py::test_jobs_end_with_their_session_unless_it_comes_back
31 tests/e2e/test_projects.py::test_half_done_check_is_offered_again_after_a_restart
32 tests/storage/test_shelf.py::test_clock_set_back_after_a_deletion_starts_the_time_to_undo_again
35 tests/storage/test_database.py
"""
_ROWS = (
    (1, "kill -9 during an import or a decision", "acknowledged: kept; none torn or double"),
    (2, "file of another version", "refused with its number, bytes unchanged"),
    (3, "disk full", "said; what was stored is read; the import goes on later"),
    (4, "power cut", "a complete prefix of what was acknowledged"),
    (5, "flipped bits", "named; damaged text is never shown as good"),
    (6, "foreign, newer or read-only file", "refused with its reason, bytes unchanged"),
    (7, "4 writers and 2 readers", "no error, every row, reads are consistent"),
    (8, "two imports of one folder at once", "each text once"),
    (9, "1,000 bad files among 1,000 good", "1,000 texts, 1,000 reasons, exit code 3"),
    (10, "file of 5 GB", "refused before it is read"),
    (11, "100,000 members in an archive", "refused by their count"),
    (12, "archives: nested, bombs, false sizes", "refused with the reason"),
    (13, "hostile names of members", "nothing is written outside; names stay labels"),
    (14, "links in folders and archives", "not followed, named"),
    (15, "PDF: bomb, loop, cut, garbage", "a reason; the next file is read"),
    (16, "DOCX: bomb, entities, DOCTYPE, depth", "a reason, never a part of the text"),
    (17, "reader aborts or hangs", "that file is named, the others are read"),
    (18, "millions of characters in a line", "linear time"),
    (19, "random bytes, unmarked or mixed encodings", "no text, or read in a named encoding"),
    (20, "empty texts, single words, stop words", "named; never found alike"),
    (21, "10,000 identical texts", "one group; pairs in < 1 s and < 200 MB"),
    (22, "one template in 40,000 texts", "at most 3 times as slow as without"),
    (23, "fingerprints 0, all ones, top bit set", "the pairs of brute force, every engine"),
    (24, "HTML, scripts, Markdown in texts and names", "shown as text"),
    (25, "formulas in names and texts", "a cell never starts one"),
    (26, "the address of another's check", "not found"),
    (27, "deletion", "no trace in file, journal, copies and backups"),
    (28, "Spark: a worker killed in a stage", "the same pairs"),
    (29, "Spark: worker without numpy, other Python", "an error at the start that names the cause"),
    (30, "memory limit", "the same result from disk"),
    (31, "Ctrl-C, a closed tab, a stopped server", "goes on later, no process stays"),
    (32, "other clock, time zone, locale", "the same bytes; a deleted check goes"),
    (33, "flaws of dependencies and of the code", "none known: .ci/audit"),
    (34, "locks denied", "said within the waiting time, nothing torn"),
    (35, "network share", "recognised; no journal in shared memory"),
    (36, "a million small files in a folder", "memory is bounded by their names"),
    (37, "2,000 uploads", "a text or a reason each"),
    (38, "5,000 mutated files of every format", "a text or a reason; no crash, no hang"),
)
_TESTS = [line.split() for line in _KEPT.split("\n") if line]
PROMISES = tuple(
    Promise(number, *said, kept_by=tuple(test for at, test in _TESTS if int(at) == number))
    for number, *said in _ROWS
)
