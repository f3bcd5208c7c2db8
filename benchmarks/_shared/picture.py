"""A chart as SVG: lines on two axes, readable on light and on dark pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from .report import Chart

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 200, 40, 48  # of the plot; names stand on the right
GAP = 15.0  # between two names
STEPS = 10  # of a linear axis, at most
COLOURS = ("#2d4f8a", "#b4442f", "#2d8a63", "#c08a1e", "#7a5ea8", "#107c6a", "#7e134b", "#5d636a")
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#5d636a}.title{font-size:14px;fill:#1d2126}"
    "line{stroke:#dedad0}polyline{fill:none;stroke-width:1.8}"
    "@media(prefers-color-scheme:dark){text{fill:#a3a8ad}.title{fill:#e7e4dc}line{stroke:#33383d}}"
)


def draw(chart: Chart) -> str:
    """Return the picture of a chart."""
    points = [point for line in chart.lines.values() for point in line]
    axis = _FromZero if chart.linear else _Decades
    across: Axis = axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up: Axis = axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escape(chart.title)}</title><style>{STYLE}</style>",
        f'<text class="title" x="{LEFT}" y="20">{escape(chart.title)}</text>',
        *_grid(across, up),
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 10}" text-anchor="middle">'
        f"{escape(chart.x)}</text>",
        f'<text x="{LEFT - 50}" y="{TOP - 8}">{escape(chart.y)}</text>',
        *_lines(chart, across, up),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


class _Decades:
    """A logarithmic axis between powers of ten: from values to pixels."""

    def __init__(self, values: Sequence[float], first: float, last: float) -> None:
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(values)) - 1e-9), self.low + 1)
        self.first, self.last = first, last

    def __call__(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.first + share * (self.last - self.first)

    def ticks(self) -> list[tuple[float, str]]:
        powers = range(self.low, self.high + 1)
        return [(10.0**p, f"{10**p:,}" if p >= 0 else f"{10.0**p:.{-p}f}") for p in powers]


class _FromZero:
    """A linear axis from zero."""

    def __init__(self, values: Sequence[float], first: float, last: float) -> None:
        most = max(values)
        step = 10.0 ** math.floor(math.log10(most))
        self.step = next(s for s in (step / 5, step / 2, step, 2 * step) if most / s <= STEPS)
        self.high = math.ceil(most / self.step) * self.step
        self.first, self.last = first, last

    def __call__(self, value: float) -> float:
        return self.first + value / self.high * (self.last - self.first)

    def ticks(self) -> list[tuple[float, str]]:
        values = [n * self.step for n in range(round(self.high / self.step) + 1)]
        return [(value, f"{value:,g}") for value in values]


Axis = _Decades | _FromZero


def _grid(across: Axis, up: Axis) -> Iterator[str]:
    for value, shown in across.ticks():
        x = across(value)
        yield f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        yield (f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{shown}</text>')
    for value, shown in up.ticks():
        y = up(value)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>'


def _lines(chart: Chart, across: Axis, up: Axis) -> Iterator[str]:
    ends = sorted((up(line[-1][1]), name) for name, line in chart.lines.items())
    places: dict[str, float] = {}
    lowest = -math.inf
    for y, name in ends:
        lowest = places[name] = max(y, lowest + GAP)
    for (name, line), colour in zip(chart.lines.items(), _repeated(), strict=False):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in line)
        yield f'<polyline points="{path}" stroke="{colour}"/>'
        yield from (
            f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="2.6" fill="{colour}"/>'
            for x, y in line
        )
        yield (
            f'<text x="{WIDTH - RIGHT + 12}" y="{places[name] + 4:.1f}" style="fill:{colour}">'
            f"{escape(name)}</text>"
        )


def _repeated() -> Iterator[str]:
    while True:
        yield from COLOURS
