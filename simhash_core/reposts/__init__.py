"""Which version of a text was first, what later ones reused and changed, and from which."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
