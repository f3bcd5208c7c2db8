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

    from pages._ui.shared import inside_streamlit
    from simhash_core.app.gate import Gate
    from simhash_core.app.uploads import UploadLimit

    os.umask(0o077)  # whatever the server writes is its user's alone
    inside_streamlit.name_pages_here()
    inside_streamlit.tame_timers()
    inside_streamlit.tune_connections()
    limit = Middleware(UploadLimit, held=inside_streamlit.count_held)
    app = st.App(__file__, middleware=[Middleware(Gate), limit])
