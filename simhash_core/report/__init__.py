"""Results as data, and reports that can be handed in: one content, one module a format."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
