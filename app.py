"""The application: `leitong app` or `streamlit run app.py`.

The server imports this file once and serves `app`; every visit to a page runs it as a script.
"""

if __name__ == "__main__":
    from pages._ui.shared import frame

    frame.run()
else:
    import os

    import streamlit as st
    from starlette.middleware import Middleware
    from streamlit.runtime.pages_manager import PagesManager

    from pages._ui.shared.received import held
    from simhash_core.app.gate import Gate
    from simhash_core.app.uploads import UploadLimit

    os.umask(0o077)  # whatever the server writes is its user's alone
    # as `st.navigation` does in its first call: else the first visit runs without it, and shows
    # the names of the files in `pages`
    PagesManager.uses_pages_directory = False
    app = st.App(__file__, middleware=[Middleware(Gate), Middleware(UploadLimit, held=held)])
