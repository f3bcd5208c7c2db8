from .checking import check_against as check_against
from .imports import Imported as Imported
from .imports import import_documents as import_documents
from .imports import import_sources as import_sources
from .imports import reindex as reindex
from .imports import resume as resume
from .index import LibraryIndex as LibraryIndex
from .index import remove_index as remove_index
