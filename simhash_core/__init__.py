"""Leitong 雷同: whether texts are alike, by how much, and where.

>>> from simhash_core import check_texts
>>> rain = "It rained all night, and in the morning the river stood at the third step."
>>> result = check_texts({"first": rain + " Nobody slept.", "second": "We heard that " + rain})
>>> result
CheckResult(documents=2, pairs=1, clusters=1, skipped=0)
>>> [result.documents[row].name for row in result.clusters[0].members]
['first', 'second']

Files, folders and archives are read with `gather` and `read`; `check` compares documents.
Everything else has a door of its own: `checking`, `seen`, `laboratory`, `evaluation`, `report`.
Names are loaded on first use, so that a worker process imports only what it works with.
"""

import os

import lazy_loader

# onnxruntime, which the extra `ocr` brings, asks for the address of a server and makes a number of
# this device when it is imported, unless its environment says this. Every process of Leitong
# imports this package first, workers and the server too.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
