from .pairs import TranslatedPassage as TranslatedPassage
from .pairs import possible_translations as possible_translations
from .pairs import translated_passages as translated_passages
from .search import LanguagePairs as LanguagePairs
from .search import count_language_pairs as count_language_pairs
