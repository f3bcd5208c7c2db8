from ._check import check as check
from ._check import compare as compare
from ._check import fingerprint as fingerprint
from ._check import hamming as hamming
from ._comparison import Comparison as Comparison
from ._duplicates import near_duplicates as near_duplicates
from ._given import Document as Document
from ._language import LeitongError as LeitongError
from ._library import Library as Library
from ._reposts import Reposts as Reposts
from ._reposts import reposts as reposts
from ._result import Result as Result
from ._result import Settings as Settings
from ._result import load as load
from ._table import Table as Table
from ._web import WebSearch as WebSearch
from ._web import web_log as web_log

__version__: str
