"""What is put into a watched folder is noticed; stopping ends the watch."""

from __future__ import annotations

import queue
import threading

import pytest

from simhash_core.library.updates import changed_files


@pytest.mark.long
def test_new_file_is_noticed_and_stop_ends_the_watch(tmp_path):
    stop, noticed = threading.Event(), queue.Queue()

    def watch() -> None:
        for paths in changed_files(tmp_path, stop=stop):
            noticed.put(paths)

    thread = threading.Thread(target=watch)
    thread.start()
    begun = noticed.get(timeout=30)
    (tmp_path / "essay.txt").write_text("words")
    noticed_paths = noticed.get(timeout=30)
    stop.set()
    thread.join(timeout=30)

    assert begun == [tmp_path]
    assert [path.name for path in noticed_paths] == ["essay.txt"]
    assert not thread.is_alive()
