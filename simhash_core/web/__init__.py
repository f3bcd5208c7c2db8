"""The web, only if a person wants it: rare sentences to a search service, its pages as texts.

Nothing of this room is loaded, and nothing leaves the machine, before somebody has entered the
address of a service, has seen the sentences, and has had them sent. What left is in `sent`.
It is a leaf: nothing of the product imports it, `extensions` finds what it offers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

#: what the leaf adds (`extensions`)
OFFERS = {
    "commands": {"web": "simhash_core.web.command:COMMAND"},
    "ways": {"web": "pages._ui.web.form"},
}
