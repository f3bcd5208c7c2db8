from .pairs import TranslatedPassage as TranslatedPassage
from .pairs import translated_passages as translated_passages
from .search import count_language_pairs as count_language_pairs
from .search import dictionary_fact as dictionary_fact
