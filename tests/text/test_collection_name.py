"""What a check is called by the files that it begins with."""

from __future__ import annotations

import pytest

from simhash_core.text.gathering import collection_name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (["10C English-Reading response-52117.zip"], "10C English-Reading response"),
        (["Exit ticket - PageRank.zip", "task.docx", "names.csv"], "Exit ticket - PageRank"),
        (["高一3班_读书报告 (1).zip"], "高一3班 读书报告"),
        (["essays.tar.gz"], ""),
        (["History 9B.tar.gz"], "History 9B"),
        (["submissions.zip"], ""),
        (["submissions (3).zip"], ""),
        (["新建文件夹.zip"], ""),
        (["20261124.zip"], ""),
        (["a.zip", "b.zip"], ""),
        (["10C/anna.txt", "10C/more/ben.txt"], "10C"),
        (["10C/anna.txt", "ben.txt"], ""),
        (["anna.txt", "ben.txt"], ""),
        ([], ""),
    ],
)
def test_a_check_is_called_after_its_archive_or_folder(given: list[str], name: str) -> None:
    assert collection_name(given) == name
