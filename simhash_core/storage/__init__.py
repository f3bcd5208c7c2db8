"""What is remembered: projects, one SQLite file each, on the floor that the library uses too."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
