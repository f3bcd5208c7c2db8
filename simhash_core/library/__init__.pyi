from .checking import check_against as check_against
from .index import LibraryIndex as LibraryIndex
from .index import remove_index as remove_index
