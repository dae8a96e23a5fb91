"""The table that a benchmark prints: what, peer, what the peer took, ours, ratio, target, held; and how time is taken."""

import time
from collections.abc import Callable


def head() -> None:
    print(f"{'what':<48}{'peer':<30}{'peer value':>12}{'ours':>12}{'ratio':>9}{'target':>9}  held", flush=True)


def row(what: str, peer: str, theirs: float, ours: float, target: float, *, higher: bool = False) -> None:
    """One line: seconds, of which less is better, or, with `higher`, a rate or share. The ratio says how many times better
    ours is."""
    ratio = ours / theirs if higher else theirs / ours
    held = "yes" if ratio >= target else "no"
    print(f"{what:<48}{peer:<30}{theirs:>12.4g}{ours:>12.4g}{ratio:>9.2f}{target:>9.2f}  {held}", flush=True)


def cpu(work: Callable[[], object], rounds: int = 3) -> float:
    """CPU seconds of the process, all its threads together: the best of so many rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def by_turns(theirs: Callable[[], object], ours: Callable[[], object], rounds: int = 3) -> tuple[float, float]:
    """The best CPU seconds of both, taken in turn, so that a busy machine disturbs both alike."""
    found = [(cpu(theirs, 1), cpu(ours, 1)) for _ in range(rounds)]
    return min(a for a, _ in found), min(b for _, b in found)
