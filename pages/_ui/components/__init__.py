"""Components that Streamlit lacks: how each is put together, and what its reader sends back.

Each row of `TABLE` is a folder beside this file with its script and, where it has one, its style.
What is drawn and the functions that draw it stand by kind: `lists`, `pictures`, `texts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Component:
    """One component.

    `sends` are the keys of what comes back; `styles` other folders whose style comes before its
    own, and `scripts` files whose functions its script uses.
    """

    html: str
    sends: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()


_DOM, _PAIR = "shared/dom.js", "pair/pair.js"

TABLE: dict[str, Component] = {
    # lists
    "list": Component('<div class="wrap" role="region"></div>', ("act",), ("shared",), (_DOM,)),
    "inbox": Component('<div class="wrap"><div class="inbox"></div></div>', ("open",), (), (_DOM,)),
    # pictures
    "bits": Component('<div class="bits"></div>', ("bit", "flip"), (), (_DOM,)),
    "walk": Component('<div class="walk" role="region"></div>', (), (), (_DOM,)),
    "groups": Component('<div class="wrap"><div class="groups"></div></div>',
                        ("group", "all", "open"), (), (_DOM,)),
    # texts
    "reader": Component('<div class="reader"></div>', (), ("pair",), (_DOM, _PAIR)),
    "source_view": Component('<div class="sources"></div>', ("open",), ("pair",), (_DOM, _PAIR)),
    "page_view": Component('<div class="pv" tabindex="-1"></div>', ("page",), (), (_DOM,)),
    "live_text": Component('<label><span></span><div><p aria-hidden="true"></p>'
                           '<textarea spellcheck="false"></textarea></div></label>', ("text",)),
    # whole pages: {"type": ...}, as the page that draws it reads it
    "desk": Component('<div class="desk"></div>', (), ("shared", "pair"), (_DOM, _PAIR)),
    "desk_now": Component("<i hidden></i>", ("act",)),
    # nothing to see
    "watch": Component("<i aria-hidden=true></i>", ("scheme",)),
}  # fmt: skip


def _register(name: str, component: Component) -> Any:
    styles = [_HERE / folder / "component.css" for folder in (*component.styles, name)]
    scripts = [_HERE / script for script in (*component.scripts, f"{name}/component.js")]
    return st.components.v2.component(
        f"leitong_{name}",
        html=component.html,
        css="".join(style.read_text("utf-8") for style in styles if style.exists()),
        js="".join(script.read_text("utf-8") for script in scripts),
    )


_DRAWN = {name: _register(name, component) for name, component in TABLE.items()}


def draw(
    name: str,
    data: Mapping[str, Any],
    *,
    key: str,
    default: Mapping[str, Any] | None = None,
    on: Callable[[], None] | None = None,
) -> Any:
    """Draw a component and return what its reader sent.

    Parameters
    ----------
    data
        What its script reads; records become their fields.
    default
        What stands under the keys that remember something until the reader has sent it.
    on
        Called before the next run of the page, where something was sent.
    """
    callbacks = {f"on_{sent}_change": on or _nothing for sent in TABLE[name].sends}
    plain = {field: _plain(value) for field, value in data.items()}
    more = {} if default is None else {"default": dict(default)}
    return _DRAWN[name](key=key, data=plain, **more, **callbacks)


def pack_values(values: Sequence[Any]) -> Any:
    """Return values by columns, as `unpack` of shared/dom.js reads them.

    What most of them are is sent once; mappings of the same names and lists of one length become
    one column for each name or place.
    """
    kinds = {type(value) for value in values}
    if kinds == {dict} and all(value.keys() == values[0].keys() for value in values):
        return {"of": {name: pack_values([value[name] for value in values]) for name in values[0]}}
    if kinds == {list} and len({len(value) for value in values}) == 1:
        return {"by": [pack_values(column) for column in zip(*values, strict=True)]}
    if len(kinds) == 1 and kinds <= {str, int, bool}:
        usual, n = Counter(values).most_common(1)[0]
        if 2 * n > len(values):
            others = [(at, value) for at, value in enumerate(values) if value != usual]
            return {"all": usual, "but": others}
    return list(values)


def _nothing() -> None:
    """Run the page, which asks for what was sent."""


def _plain(value: Any) -> Any:
    """Return a record, or each of a list, as its fields."""
    if isinstance(value, list | tuple) and value and is_dataclass(value[0]):
        return [asdict(each) for each in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
