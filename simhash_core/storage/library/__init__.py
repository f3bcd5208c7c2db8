"""The library: texts that later texts are checked against, in collections, in one store.

`Library` is the whole interface; what finds archive texts for new ones lies above, in
`simhash_core.library`, and only reads here.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
