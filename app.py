"""Leitong: the frame of the application. Start it with `leitong app` or `streamlit run app.py`."""

from pages._ui.shared import frame

frame.run()
