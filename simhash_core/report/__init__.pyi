from .build import report_of as report_of
from .content import KINDS as KINDS
from .content import Wanted as Wanted
from .csv import pairs_csv as pairs_csv
from .formats import FORMATS as FORMATS
from .formats import write_report as write_report
from .json import to_json as to_json
