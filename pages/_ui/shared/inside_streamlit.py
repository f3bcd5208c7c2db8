"""The files that Streamlit holds for this tab: it keeps them until the tab ends, unless told.

held(session)      bytes of the complete files of a session
forget(files)      give back the memory of files that were read
refused()          what was not taken in since this was asked last
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from simhash_core.app.uploads import Refused, ledger


def held(session: str) -> int:
    """Return the bytes of the files that wait for a session; called by the server."""
    if not runtime.exists():
        return 0
    files = runtime.get_instance().uploaded_file_mgr
    if not isinstance(files, MemoryUploadedFileManager):
        return 0
    return sum(len(file.data) for file in list(files.file_storage.get(session, {}).values()))


def forget(files: Iterable[Any]) -> None:
    """Take files that were read, or refused, out of the memory of the server."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file in files:
        context.uploaded_file_mgr.remove_file(context.session_id, file.file_id)


def refused() -> Refused | None:
    """Return what this tab sent beyond the limit and was not taken in."""
    context = get_script_run_ctx(suppress_warning=True)
    return ledger.take_refused(context.session_id) if context is not None else None
