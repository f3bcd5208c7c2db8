"""Where the tree of agreement is drawn: nodes and lines in the units of its figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from simhash_core.seen import Edition

WIDTH = 292
STEP = 54  # from one level to the next
TOP = 26
LINE = 15  # of small sigla under a leaf
ACROSS = 3  # small sigla beside each other
MOST = 12  # sigla of one leaf that are written out
ROOT = "ω"


@dataclass(slots=True)
class _Node:
    label: str
    kind: str  # group or leaf
    more: list[str] = field(default_factory=list)  # further sigla of a leaf
    children: list[_Node] = field(default_factory=list)
    dashed: bool = False
    x: float = 0.0
    level: int = 0


def tree(edition: Edition) -> dict[str, Any] | None:
    """Return the figure: `lines` (x1, y1, x2, y2, dashed), `labels` (x, y, text, kind), its height.

    None where nobody departs from the base text in a way that anybody shares.
    """
    agreement, sigla = edition.agreement, edition.sigla
    if not agreement.branches:
        return None
    root = _Node(ROOT, "group")
    if agreement.as_base:
        root.children.append(_leaf(agreement.as_base, sigla))
    root.children += [_branch(branch, sigla) for branch in agreement.branches]
    if agreement.alone:
        root.children.append(_leaf(agreement.alone, sigla, dashed=True))
    leaves = list(_leaves(root, 0))
    for place, leaf in enumerate(leaves):
        leaf.x = WIDTH * (place + 0.5) / len(leaves)
    _centre(root)
    lines: list[tuple[float, float, float, float, bool]] = []
    labels: list[tuple[float, float, str, str]] = []
    bottom = _draw(root, lines, labels)
    return {"lines": lines, "labels": labels, "width": WIDTH, "height": bottom + 12}


def _leaf(columns: Sequence[int], sigla: Sequence[str], *, dashed: bool = False) -> _Node:
    names = [sigla[column] for column in columns]
    more = names[1:MOST]
    if len(names) > MOST:
        more.append(f"+{len(names) - MOST}")
    return _Node(names[0], "leaf", more, dashed=dashed)


def _branch(branch: Any, sigla: Sequence[str]) -> _Node:
    node = _Node(branch.siglum, "group")
    inside = {column for inner in branch.branches for column in inner.members}
    rest = [column for column in branch.members if column not in inside]
    node.children = [_branch(inner, sigla) for inner in branch.branches]
    if rest:
        node.children.append(_leaf(rest, sigla))
    return node


def _leaves(node: _Node, level: int) -> list[_Node]:
    node.level = level
    if not node.children:
        return [node]
    return [leaf for child in node.children for leaf in _leaves(child, level + 1)]


def _centre(node: _Node) -> None:
    for child in node.children:
        _centre(child)
    if node.children:
        node.x = sum(child.x for child in node.children) / len(node.children)


def _draw(
    node: _Node,
    lines: list[tuple[float, float, float, float, bool]],
    labels: list[tuple[float, float, str, str]],
) -> float:
    """Add a node and what hangs from it; return how far down it reaches."""
    y = TOP + STEP * node.level
    labels.append((round(node.x, 1), y, node.label, node.kind))
    bottom = float(y)
    for at in range(0, len(node.more), ACROSS):
        bottom += LINE
        labels.append((round(node.x, 1), bottom, " ".join(node.more[at : at + ACROSS]), "small"))
    for child in node.children:
        top = TOP + STEP * child.level - 16
        lines.append((round(node.x, 1), y + 6, round(child.x, 1), top, child.dashed))
        bottom = max(bottom, _draw(child, lines, labels))
    return bottom


def in_order(edition: Edition) -> list[int]:
    """Return the columns so that those who agree stand together: base, groups, the others."""
    agreement = edition.agreement
    grouped = [column for branch in agreement.branches for column in _members(branch)]
    columns = [*agreement.as_base, *grouped, *agreement.alone, *range(len(edition.sigla))]
    return list(dict.fromkeys(columns))


def _members(branch: Any) -> list[int]:
    """Return the columns of a branch, those of its own branches first."""
    inner = [column for one in branch.branches for column in _members(one)]
    return [*inner, *branch.members]
