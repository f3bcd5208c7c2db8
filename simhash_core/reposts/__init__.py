"""Which version of a text was first, what later ones reused and changed, and from which.

A leaf: nothing of the product imports it, `extensions` finds what it offers.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

#: what the leaf adds (`extensions`)
OFFERS = {
    "commands": {"reposts": "simhash_core.reposts.command:COMMAND"},
    "pages": {"reposts": "kept:timeline"},
    "guides": {"reposts": "tutorials/a-repost how-to/newspaper"},
}
