"""Every name at the door says what it is, and shows it in an example that runs."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from leaves import MISSING

import leitong

if MISSING:
    pytest.skip("the door shows what every leaf does", allow_module_level=True)
#: what the door hands on, described where it is made
HANDED_ON = {"Document", "LeitongError", "Settings"}


def examples() -> Iterator[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = [module.name for module in pkgutil.iter_modules(leitong.__path__)]
    for name in ("", *names):
        module = importlib.import_module(f"leitong.{name}".rstrip("."))
        yield from (found for found in finder.find(module) if found.examples)


def public() -> Iterator[tuple[str, object]]:
    """Yield every name of the door, and every method and property of its classes."""
    for name in set(leitong.__all__) - HANDED_ON:
        thing = getattr(leitong, name)
        yield name, thing
        if inspect.isclass(thing):
            yield from (
                (f"{name}.{key}", member)
                for key, member in vars(thing).items()
                if not key.startswith("_") and (callable(member) or isinstance(member, property))
            )


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: example.name)
def test_examples_run(example: doctest.DocTest, essays: Path) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    begin = doctest.DocTestFinder().find(leitong, module=False)[0]  # what each begins with
    assert begin.name == "leitong"
    if example.name != begin.name:
        runner.run(begin, clear_globs=False)
        example.globs = begin.globs
    runner.run(example)

    assert not runner.failures


def test_every_name_has_a_description_and_an_example() -> None:
    named = list(public())

    assert named
    assert [name for name, thing in named if ">>> " not in (inspect.getdoc(thing) or "")] == []
