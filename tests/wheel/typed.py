"""What a caller writes, checked with mypy --strict where the wheel alone is installed."""

import leitong as lt


def listed() -> dict[str, float]:
    """Return a number of each pair: its row is typed, so that a name written wrongly is found."""
    result = lt.check({1: "a text", 2: "another"}, against=[("key", "a third")])
    lt.check([{"id": 1, "body": "a text"}], text="body", name="id", progress=True)
    lt.near_duplicates(["a text", None])[0]["rows"].append(3)
    distance: int = lt.hamming(lt.fingerprint("a text"), lt.fingerprint("another", bits=256))
    for pair in result.pairs(min_share=0.3):
        pair["coverge_a"]  # type: ignore[typeddict-item]
        distance += pair["row_a"] + (pair["distance"] or 0)
    keys = {group["keys"][0] for group in result.clusters()} | {result["1"]["key"]}
    assert keys and [text["name"] for text in result] and distance
    return {pair["a"]: pair["coverage_a"] for pair in result.pairs()}


def refused() -> str:
    """Return what an error says."""
    try:
        lt.check(None)  # type: ignore[arg-type]
    except lt.LeitongError as error:
        return str(error)
    lt.check(b"bytes")  # type: ignore[arg-type]
    lt.check("a", "b")  # type: ignore[arg-type]
    return lt.check([lt.Document.from_text("a text", name="a")]).to_json()
