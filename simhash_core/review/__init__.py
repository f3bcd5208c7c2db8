"""What a reviewer goes through: the cases of a check in order, and a search over them."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
