from .pairs import TranslatedPassage as TranslatedPassage
from .pairs import possible_translations as possible_translations
from .pairs import translated_passages as translated_passages
from .search import Cost as Cost
from .search import translation_cost as translation_cost
