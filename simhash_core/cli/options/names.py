"""Names that commands offer, written out: their help then needs none of the rooms they name.

`tests/cli/test_parser.py` compares each with what the rooms know.
"""

from __future__ import annotations

PROFILES = ("default", "classic", "lyq", "1e0ng", "sing1ee", "yanyiwu")
#: kinds of metadata similarity
METADATA = ("jaccard", "minhash", "minhash-literal")
TERMS = ("s2", "cos", "bits")
MU_CONTENT = 0.9
REPORT_FORMATS = ("html", "pdf", "csv", "json", "xlsx")
CHECK_FORMATS = ("table", *REPORT_FORMATS)
REPOST_FORMATS = ("table", "json", "csv", "xlsx")
REPORT_KINDS = ("class", "person", "pair", "cluster", "confirmed", "sources")
#: instead of a pattern of file names: they tell nothing
NOBODY = "none"
#: how file names tell who wrote what
PEOPLE = (
    *("auto", NOBODY, "moodle", "canvas", "blackboard", "brightspace", "teams", "classroom"),
    *("sakai", "class_number_name", "class_name_number", "number_name_class", "class_seat_name"),
    *("name_class", "name_in_brackets_number", "number_name", "name_number", "glued", "bare_name"),
    *("group_folders", "folders"),
)
#: parts of texts that can be left out
ZONES = (
    *("quotations", "references", "citations", "headings", "cover", "contents"),
    *("acknowledgements", "running-lines"),
)
ENGINES = ("local", "spark")
MASTER = "local[*]"
SHELLS = ("bash", "zsh", "fish")
