"""Quality against cost: which systems no other beats at both. A system is on the frontier when none is at least as right for at
most the same cost, and better in one of the two."""

from collections.abc import Mapping


def find_frontier(points: Mapping[str, tuple[float, float]]) -> set[str]:
    """The names that nothing dominates; `points` = (quality, cost) by name."""
    return {
        name
        for name, (quality, cost) in points.items()
        if not any(q >= quality and c <= cost and (q, c) != (quality, cost) for q, c in points.values())
    }
