"""The library in use: what finds archive texts for new ones, and the check against them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
