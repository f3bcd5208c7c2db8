"""How long does a move of the threshold take until all charts are drawn, in a large check?

A real browser shows each page of a stored check of 2,000 documents and moves its slider: places
that were not seen before, then some of them again. The time runs from the key to the moment when
the script has ended and every chart is drawn at the new threshold. Beside it what the core
computes for a place that was not seen before.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Any

from benchmarks._shared.clock import Seconds, once
from benchmarks._shared.report import Report, Table
from benchmarks._shared.stored_check import WAIT, Opened, opened

QUICK = {"documents": 200, "moves": 3, "pages": ["overview"]}
PAGES = ("overview", "threshold_lab", "clusters")
#: resolves when the run that the next key starts has ended and the charts are drawn after it
WATCH = """() => { window.moved = new Promise(done => {
  const app = document.querySelector('[data-testid=stApp]');
  const charts = [...document.querySelectorAll('.js-plotly-plot')];
  let began, ended;
  const drawn = new Map();
  charts.forEach(one => one.on('plotly_afterplot', () => drawn.set(one, performance.now())));
  document.addEventListener('keydown', () => { began = performance.now(); },
    {once: true, capture: true});
  let started = false;
  const watcher = new MutationObserver(() => {
    if (began === undefined) return;
    const running = app.getAttribute('data-test-script-state') !== 'notRunning';
    started ||= running;
    ended = started && !running ? performance.now() : undefined;
  });
  watcher.observe(app, {attributes: true});
  const look = () => {
    const now = performance.now();
    const late = charts.some(one => one.isConnected && !(drawn.get(one) > began));
    if (ended === undefined || late || now - ended < 100) { setTimeout(look, 5); return; }
    watcher.disconnect();
    done(Math.max(ended, ...drawn.values()) - began);
  };
  look();
}); }"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this benchmark."""
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--moves", type=int, default=7)
    parser.add_argument("--pages", nargs="+", default=list(PAGES))


def measure(options: argparse.Namespace) -> Report:
    """Move the threshold on every page."""
    with opened(options.documents) as check:
        rows = [moves(check, page, options.moves) for page in options.pages]
        steps = [
            once(lambda k=k: check.at(k))[1] for k in range(check.threshold)[::-1][: options.moves]
        ]
    heads = ["page", "charts by Plotly", "new place, ms", "slowest", "seen place, ms", "slowest"]
    note = (
        f"{check.documents:,} documents, {check.pairs:,} pairs listed. The core computes a new "
        f"place in {1000 * middle(steps):.0f} ms of CPU: links, clusters and their description."
    )
    return Report([Table(heads, rows)], [note])


def middle(steps: list[Seconds]) -> float:
    """Return the median of the processor seconds."""
    return statistics.median(step.cpu for step in steps)


def moves(check: Opened, page: str, count: int) -> list[Any]:
    """Return what some moves take, there and back again."""
    context = check.browser.new_context(locale="en-GB", viewport={"width": 1440, "height": 900})
    tab = context.new_page()
    check.visit(tab, page)
    slider = tab.get_by_role("slider").first
    slider.focus()
    taken: dict[str, list[float]] = {}
    for key in ("ArrowLeft", "ArrowRight"):
        for _ in range(count):
            tab.evaluate(WATCH)
            tab.keyboard.press(key)
            tab.wait_for_function("() => window.moved", timeout=WAIT)
            taken.setdefault(key, []).append(float(tab.evaluate("() => window.moved")))
    charts = tab.locator(".js-plotly-plot").count()
    context.close()
    new, seen = taken["ArrowLeft"], taken["ArrowRight"]
    return [page, charts, statistics.median(new), max(new), statistics.median(seen), max(seen)]
