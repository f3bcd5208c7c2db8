"""The lines of Python that make again what a page shows."""

from __future__ import annotations

import dataclasses

from ..settings import Settings

FOLDER = "texts"  # stands for the folder of the texts


def settings_call(settings: Settings) -> str:
    """Return the call that makes settings: the preset, and what differs from it."""
    plain = Settings.of(settings.preset, bits=settings.bits)
    given: dict[str, object] = {"preset": settings.preset}
    if settings.bits != Settings.of(settings.preset).bits:
        given["bits"] = settings.bits
    for spec in dataclasses.fields(Settings):
        value = getattr(settings, spec.name)
        if spec.name not in ("preset", "bits") and value != getattr(plain, spec.name):
            given[spec.name] = value
    return f"Settings({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def threshold_lines(settings: Settings, top: int) -> str:
    """Return what prints, at each threshold up to `top` bits, how much is listed."""
    return (
        "import leitong as lt\n\n"
        f'result = lt.check("{FOLDER}", settings=lt.{settings_call(settings)})\n'
        f"for k in range({top + 1}):\n"
        "    seen = result.at(k)\n"
        '    near = sum(pair["near"] for pair in seen.pairs())\n'
        "    print(k, near, len(seen.clusters()), seen.expected_false_pairs)\n"
    )


def cluster_lines(settings: Settings, k: int) -> str:
    """Return what prints the clusters at a threshold of `k` bits."""
    return (
        "import leitong as lt\n\n"
        f'result = lt.check("{FOLDER}", settings=lt.{settings_call(settings)})\n'
        f"for group in result.at({k}).clusters():\n"
        '    print(*group["names"])\n'
    )
