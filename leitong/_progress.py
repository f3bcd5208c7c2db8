"""What a caller sees of work that takes long: a bar, or what a function of theirs makes of it."""

from __future__ import annotations

import contextlib
import html
import inspect
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, TypeAlias

from simhash_core.errors import BadInput
from simhash_core.i18n import Translate, translator
from simhash_core.model import Progress

from ._language import language_of

#: a function of (stage, done, total); True for a bar, False for none, None for one where it helps
Follow: TypeAlias = "Progress | bool | None"

PATIENCE = 2.0  # seconds of work before a bar that nobody asked for
_EVERY = 0.25  # seconds between two pictures in a notebook


@contextmanager
def followed(progress: Follow, language: str | None) -> Iterator[Progress | None]:
    """Yield the function that work calls with its stage, and how much of it is done.

    By itself a bar appears on a terminal or in a notebook after `PATIENCE`; it goes with the work.

    Raises
    ------
    BadInput
        `given_progress`: what is given cannot be called so. Nothing was begun.
    """
    if not isinstance(progress, bool | None):
        _require_callable(progress)
        yield progress
        return
    # threads would draw over each other
    alone = threading.current_thread() is threading.main_thread()
    draw = _drawer(asked=bool(progress)) if progress is not False and alone else None
    if draw is None:
        yield None
        return
    begin = time.monotonic() + (0.0 if progress else PATIENCE)
    steps: list[Progress] = []
    with ExitStack() as stack:

        def step(stage: str, done: int, total: int) -> None:
            if not steps and time.monotonic() >= begin:
                steps.append(stack.enter_context(draw(translator(language_of(language)))))
            if steps:
                steps[0](stage, done, total)

        yield step


def _require_callable(progress: object) -> None:
    if callable(progress) and not inspect.isclass(progress):
        try:
            inspect.signature(progress).bind("read", 0, 1)
        except TypeError:
            pass
        except ValueError:  # of a builtin nothing is known
            return
        else:
            return
    kind = progress.__name__ if inspect.isclass(progress) else type(progress).__name__
    raise BadInput("given_progress", kind=kind)


Drawer = Callable[[Translate], contextlib.AbstractContextManager[Progress]]


def _drawer(*, asked: bool) -> Drawer | None:
    """Return what draws here, None where nobody would see it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if shell is not None and hasattr(shell, "kernel"):
        return _in_notebook
    if sys.stderr is not None and sys.stderr.isatty():
        from simhash_core.cli.output import stage_bars

        return stage_bars
    return _as_lines if asked else None


@contextmanager
def _as_lines(t: Translate) -> Iterator[Progress]:
    """Name each stage on standard error as it begins."""
    said: set[str] = set()

    def step(stage: str, done: int, total: int) -> None:
        if stage not in said:
            said.add(stage)
            print(t(f"stage.{stage}"), file=sys.stderr, flush=True)

    yield step


@contextmanager
def _in_notebook(t: Translate) -> Iterator[Progress]:
    """Draw a bar below the cell, which goes with the work."""
    from IPython.display import HTML, display

    handle: Any = display(HTML(""), display_id=True)
    drawn = 0.0

    def step(stage: str, done: int, total: int) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - drawn >= _EVERY or done == total:
            drawn = now
            name = html.escape(t(f"stage.{stage}"))
            bar = f'<progress value="{done}" max="{max(total, 1)}" aria-label="{name}"></progress>'
            handle.update(HTML(f"{bar} {name} {done:,}/{total:,}"))

    try:
        yield step
    finally:
        handle.update(HTML(""))
