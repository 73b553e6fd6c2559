"""Is-a must be walkable: no cycles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def cycles(parents: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """The (child, parent) edges to remove so that no cycle is left: those that lead back into the
    branch being walked, starting from ids in their order. No recursion: chains may be deep."""
    done: set[str] = set()
    closing: list[tuple[str, str]] = []
    for start in sorted(parents):
        if start in done:
            continue
        on_branch = {start}
        stack: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(parents[start])))]
        while stack:
            node, rest = stack[-1]
            for parent in rest:
                if parent in on_branch:
                    closing.append((node, parent))
                elif parent not in done and parent in parents:
                    on_branch.add(parent)
                    stack.append((parent, iter(sorted(parents[parent]))))
                    break
            else:
                stack.pop()
                on_branch.discard(node)
                done.add(node)
    return closing
