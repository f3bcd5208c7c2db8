"""A server for several people: who may enter, whose texts are whose, what each may use.

A leaf: nothing of the product imports it, `extensions` finds what it offers.
"""

_HERE = "simhash_core.server"
#: what the leaf adds (`extensions`)
OFFERS = {
    "commands": {"serve": f"{_HERE}.command:COMMAND"},
    "guides": {"server": "how-to/server"},
    "servers": {"department": f"{_HERE}.department", "rules": f"{_HERE}.signing:rules"},
}
