"""One passage that several texts hold: the passage, its answer, and where each text has it."""

from __future__ import annotations

from simhash_core.cases import PassageCase

from ..results.questions import draw_question
from ..shared import exclusions, session
from ..shared.session import CurrentCheck, t
from ..shared.widgets import page_head


def draw_passage(current: CurrentCheck, one: PassageCase) -> None:
    """Draw a passage case."""
    result = exclusions.find_original(current)
    n, of = len(one.members), len(result.documents)
    page_head(t("results.reader.passage", n=n, of=of), announced=True)
    draw_question(result, one, session.project())
