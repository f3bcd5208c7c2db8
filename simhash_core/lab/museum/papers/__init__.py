"""Every method, example and experiment of the source documents, run with its known answer."""

from . import comparisons, fingerprints, search  # each registers its rows

__all__ = ["comparisons", "fingerprints", "search"]
