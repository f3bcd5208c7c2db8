"""The JSON that Leitong writes: the name and version of every form, and how it is written.

Within a version keys are added, never renamed or removed.
"""

from __future__ import annotations

import json
from typing import Any

from .signs import escape_json

CHECK = "leitong.check/2"
COMPARE = "leitong.compare/1"
FINGERPRINT = "leitong.fingerprint/1"
REPORT = "leitong.report/1"
REPOSTS = "leitong.reposts/3"
WEB = "leitong.web/1"
LIBRARY = "leitong.library/1"  # the first line of an export of texts
LABELS = "leitong.labels/1"  # of the laboratory of thresholds


def json_text(data: Any, **options: Any) -> str:
    """Return data as JSON that people can read and that drives no terminal."""
    return escape_json(json.dumps(data, ensure_ascii=False, indent=1, **options))
