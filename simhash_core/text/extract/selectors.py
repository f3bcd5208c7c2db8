"""Elements of a web page by selectors, in time that the page and its style sheets bound.

lexbor tries every way in which `div div div` fits a chain of elements: the more combinators, the
longer, without a bound. Here it finds compounds alone (`div.a[b]`); what stands between them is
looked at from left to right, each element once.

References
----------
Selectors 4 (W3C), 3 (structure) and 15 (combinators).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

_MOST_WORK = 100_000_000  # on one page, in nodes that lexbor looks at: a second
_CALL, _FOUND, _STEP = 200, 50, 100  # what a call, a node found and a step from node to node cost
_ATTRIBUTES = 100  # characters of a page for which a selector of attributes costs another node
_MOST_INSIDE = 4  # brackets; with more a selector is not looked for

_TOKEN = re.compile(
    r"""[\w.#:*-]++|\\.|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|[()\[\]]| ?[>+~,] ?| |.""", re.S
)
_NTH_FORMULA = re.compile(r"(:nth-[\w-]+)\([^()]*\)")
_INNER = re.compile(r"(?<![ ,(>+~])(?: ?[>+~] ?| )(?![ ,)>+~])")
_COUNTED = re.compile(r":(?:nth-|first-of|last-of|only-)")
_HAS = re.compile(r":has\(", re.I)

#: combinator in front of a compound ("" for the first), and the compound
_Step = tuple[str, str]
Nodes = dict[int, LexborNode]  # by their addresses


class TooMuch(Exception):
    """A selector costs more than is left for the page."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the cost of a selector depends on."""

    depth: int  # of the deepest element
    siblings: float  # in front of an element, on the average
    most_siblings: int

    @classmethod
    def of(cls, nodes: Sequence[LexborNode]) -> _Shape:
        depths: dict[int, int] = {}
        children = Counter[int]()
        for node in nodes:  # parents come before what is in them
            parent = node.parent
            above = parent.mem_id if parent is not None else 0
            depths[node.mem_id] = depths.get(above, 0) + 1
            children[above] += 1
        before = sum(count * (count - 1) // 2 for count in children.values())
        return cls(
            max(depths.values(), default=1),
            1 + before / max(len(depths), 1),
            max(children.values(), default=1),
        )


class SelectorSearch:
    """Finds elements of one page until its work is done.

    Notes
    -----
    Cost of a selector: compounds x nodes in C, elements found x compounds here. Inside brackets
    lexbor searches as it does; that is reckoned at its worst before.
    """

    def __init__(self, page: LexborHTMLParser) -> None:
        self._page = page
        self._work = float(_MOST_WORK)
        self._found: dict[str, Nodes] = {}

    def find(self, selector: str) -> Nodes:
        """Return the elements that a list of selectors fits; none for what cannot be read.

        Raises
        ------
        TooMuch
            Where looking for it costs more than is left.
        """
        every: Nodes = {}
        for steps in _chains(selector):
            nodes: Nodes = {}
            for combinator, compound in steps:
                found = self._compound(compound)
                nodes = self._related(found, combinator, nodes) if combinator else found
                if not nodes:
                    break
            every |= nodes
        self._spend(_FOUND * len(every))
        return every

    def _compound(self, compound: str) -> Nodes:
        if compound not in self._found:
            self._spend(_CALL + self._cost(compound))
            try:
                found = {node.mem_id: node for node in self._page.css(compound)}
            except SelectolaxError:
                found = {}
            self._spend(_FOUND * len(found))
            self._found[compound] = found
        return self._found[compound]

    def _spend(self, work: float) -> None:
        if work > self._work:
            raise TooMuch
        self._work -= work

    def _cost(self, compound: str) -> float:
        """Return how many nodes lexbor looks at for a compound, at most."""
        count = float(self._count)
        if "[" in compound:
            count += len(self._page.raw_html or b"") / _ATTRIBUTES
        if "(" not in compound and not _COUNTED.search(compound):
            return count
        bare = _NTH_FORMULA.sub(r"\1", compound)
        if bare.count("(") > _MOST_INSIDE:
            raise TooMuch
        searched = len(_HAS.findall(bare)) + len(_INNER.findall(bare))
        if not _COUNTED.search(bare):
            return count * float(self._shape.depth) ** searched
        if not searched:
            return count * self._shape.siblings
        return count * float(self._shape.depth) ** searched * self._shape.most_siblings

    @cached_property
    def _count(self) -> int:
        return len(self._page.css("*"))

    @cached_property
    def _shape(self) -> _Shape:
        return _Shape.of(self._page.css("*"))

    def _related(self, found: Nodes, combinator: str, others: Nodes) -> Nodes:
        """Return the nodes that stand to one of the others as a combinator says."""
        self._spend(_STEP * len(found))
        if combinator == ">":
            return {a: node for a, node in found.items() if _address(node.parent) in others}
        if combinator == "+":
            beside: Nodes = {}
            for address, node in found.items():
                before = node.prev
                while before is not None and not before.is_element_node:
                    before = before.prev
                if _address(before) in others:
                    beside[address] = node
            return beside
        known: dict[int, bool] = {}
        return {
            a: node for a, node in found.items() if self._follows(node, combinator, others, known)
        }

    def _follows(
        self, node: LexborNode, combinator: str, others: Nodes, known: dict[int, bool]
    ) -> bool:
        """Whether one of the others is above a node, or before it; each step is taken once."""
        passed: list[int] = []
        follows = False
        while True:
            address = node.mem_id
            if address in known:
                follows = known[address]
                break
            passed.append(address)
            further = node.parent if combinator == " " else node.prev
            if further is None:
                break
            if further.mem_id in others:
                follows = True
                break
            node = further
        self._spend(_STEP * len(passed))
        known.update(dict.fromkeys(passed, follows))
        return follows


def _address(node: LexborNode | None) -> int:
    return node.mem_id if node is not None else 0


def _chains(selector: str) -> list[list[_Step]]:
    """Split a list of selectors into compounds, each with the combinator in front of it.

    One with a combinator too many or too few is left out.

    >>> _chains("a > b.c, p:not(i, em) ~ q, > r")
    [[('', 'a'), ('>', 'b.c')], [('', 'p:not(i, em)'), ('~', 'q')]]
    """
    parts, depth = [""], 0  # compounds and combinators in turn; "," ends a chain
    for match in _TOKEN.finditer(" ".join(selector.split())):
        token = match[0]
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
        sign = token.strip() or " "
        if depth <= 0 and sign in (" ", ">", "+", "~", ","):
            parts += [sign, ""]
        else:
            parts[-1] += token
    chains: list[list[_Step]] = [[]]
    for combinator, compound in zip(["", *parts[1::2]], parts[::2], strict=True):
        if combinator == ",":
            chains.append([("", compound)])
        else:
            chains[-1].append((combinator, compound))
    return [chain for chain in chains if all(compound for _, compound in chain)]
