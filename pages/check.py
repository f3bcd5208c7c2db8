"""Check: from files to a started run, with nothing read silently wrong."""

from pages._ui import frame

frame.guard()

from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import foot, page_head  # noqa: E402

page_head(t("frame.nav.check"))
foot()
