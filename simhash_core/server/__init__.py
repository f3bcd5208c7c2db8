"""A server for several people: who may enter, whose texts are whose, what each may use.

A leaf: nothing of the product imports it, `extensions` finds what it offers.
"""

_HERE = "simhash_core.server"
#: what the leaf adds (`extensions`)
OFFERS = {
    "commands": {"serve": f"{_HERE}.command:COMMAND"},
    "guides": {"server": "how-to/server"},
    "servers": {"department": f"{_HERE}.department", "signing": f"{_HERE}.signing"},
    "paths": {
        "/leitong/login": f"{_HERE}.signing:sign_in",
        "/leitong/signed-in": f"{_HERE}.signing:take_back",
        "/leitong/welcome": f"{_HERE}.signing:welcome",
    },
}
