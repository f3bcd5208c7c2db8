"""The same statements in other words: sentences as vectors, and passages whose sentences answer.

A copied sentence is near to one sentence of the other text; a sentence on the same subject is near
to many. So it is not the likeness of two sentences that decides, but how much greater it is than
that of the next ones.
"""
