from .rows import COLLECTION_KEY as COLLECTION_KEY
from .rows import ROW_KEY as ROW_KEY
from .rows import Added as Added
from .rows import ArchiveRow as ArchiveRow
from .rows import CollectionRow as CollectionRow
from .rows import Counts as Counts
from .rows import NewText as NewText
from .store import Library as Library
