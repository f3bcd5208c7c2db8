"""Document: one text against all its sources."""

from pages._ui import frame

frame.guard()

from pages._ui import origins, pair, session  # noqa: E402
from pages._ui.components.source_view import source_view  # noqa: E402
from pages._ui.session import t  # noqa: E402
from pages._ui.widgets import (  # noqa: E402
    caution,
    figure_head,
    foot,
    no_result,
    note,
    number_strip,
    open_compare,
    page_head,
)
from pages._ui.words import note_text  # noqa: E402
from simhash_core import CheckResult  # noqa: E402


def show(result: CheckResult) -> None:
    """Draw the text that the link names."""
    row, known = origins.chosen(result)
    others = len(result.documents) - 1
    name, document = session.doc_name(row), result.documents[row]
    with page_head(t("document.title"), name, t("document.lead", n=others)):
        origins.chooser(result, row)
    if not known:
        note(t("document.unknown"))
    found = pair.memo(
        ("sources", row, session.language(), session.hide_names()),
        lambda: origins.sources(result, row),
    )
    number_strip(origins.figures(result, row, found))
    for finding in document.notes:
        caution(t("document.note"), note_text(finding.code, finding.params))
    figure_head(t("document.figure.title"), t("document.figure.note") if found else "")
    if not found:
        note(t("document.nothing", n=others))
    wanted = source_view(
        document.text, found[: origins.LISTED], key="sources", document=document.id, name=name
    )
    if wanted is not None:
        open_compare(row, wanted)


result = session.result()
if result is None:
    no_result(t("document.title"))
else:
    show(result)
    foot()
