"""What is asked of Streamlit's insides is there, and does what is expected of it."""

from __future__ import annotations

import asyncio
import socket
import sys

import uvicorn
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.web.server.starlette.starlette_server import _bind_socket

from pages._ui.shared import inside_streamlit


def test_pages_are_named_by_the_application(monkeypatch):
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    inside_streamlit.name_pages_here()

    assert PagesManager.uses_pages_directory is False


def test_a_connection_sends_small_answers_at_once():
    async def answer(scope: object, receive: object, send: object) -> None:
        raise AssertionError("nobody asks")

    async def connected() -> int:
        listening = _bind_socket("127.0.0.1", 0, 1)  # as Streamlit does
        server = uvicorn.Server(uvicorn.Config(answer, lifespan="off", log_config=None))
        server.config.load()
        server.lifespan = server.config.lifespan_class(server.config)
        await server.startup(sockets=[listening])
        _, writer = await asyncio.open_connection(*listening.getsockname())
        while not server.server_state.connections:
            await asyncio.sleep(0)
        (connection,) = server.server_state.connections
        taken: socket.socket = connection.transport.get_extra_info("socket")
        option = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        await server.shutdown(sockets=[listening])
        return option

    inside_streamlit.tune_connections()
    assert asyncio.run(connected())


def test_the_first_visit_finds_loaded_what_it_needs():
    inside_streamlit.load_first_page().join()

    assert sys.modules.keys() >= {*inside_streamlit._FIRST_VISIT}


def uploads_come_and_go() -> None:
    from types import SimpleNamespace

    import streamlit as st
    from streamlit import runtime
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.uploaded_file_manager import UploadedFileRec

    from pages._ui.shared import inside_streamlit

    context = get_script_run_ctx()
    assert context is not None
    files, tab = context.uploaded_file_mgr, context.session_id
    for name, size in (("a", 3), ("b", 4)):
        files.add_file(tab, UploadedFileRec(name, f"{name}.txt", "text/plain", b"x" * size))
    server = runtime.get_instance()  # stands in for one: there is none in this test
    server.uploaded_file_mgr, server.is_active_session = files, tab.__eq__
    seen = [inside_streamlit.count_held(tab), inside_streamlit.count_held("another")]
    inside_streamlit.forget([SimpleNamespace(file_id="a")])
    st.session_state["seen"] = [*seen, inside_streamlit.count_held(tab)]
    st.session_state["alive"] = inside_streamlit.session_alive()()
    st.session_state["refused"] = inside_streamlit.take_refused()


def test_bytes_of_uploads_are_counted_and_given_back():
    app = AppTest.from_function(uploads_come_and_go).run()

    assert not app.exception, app.exception[0].message
    assert app.session_state["seen"] == [7, 0, 4]
    assert app.session_state["alive"]
    assert app.session_state["refused"] is None


def test_without_a_page_nothing_is_asked():
    assert inside_streamlit.session_alive()()
    assert inside_streamlit.take_refused() is None
    assert inside_streamlit.count_held("nobody") == 0
    inside_streamlit.forget([])
