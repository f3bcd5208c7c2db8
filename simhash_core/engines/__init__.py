"""The check and the search for pairs over tables: on this machine, and the same on a cluster.

A leaf: nothing of the product imports it, `extensions` finds what it offers.
"""

_HERE = "simhash_core.engines"
#: what the leaf adds (`extensions`)
OFFERS = {
    "engines": {"local": f"{_HERE}.local", "spark": f"{_HERE}.spark"},
    "pairs": {"spark": f"{_HERE}.command:pairs"},
}
