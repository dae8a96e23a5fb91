"""The shift of difficulty is found where there is one, is none where there is none, and needs anchors, items and runs."""

import random
from math import exp

from eval.counterfactual.difficulty import measure_shift


def answers(runs: int, items: int, shift: float, first: str, seed: int) -> dict[tuple[str, str], bool]:
    """Records of a simulated benchmark, of which the items from "20" on are harder by the shift."""
    chance = random.Random(seed)
    ease = random.Random(1)
    difficulties = [ease.gauss(0, 1) for _ in range(items)]
    found = {}
    for run in range(runs):
        ability = -1.5 + 3 * run / max(1, runs - 1)
        for n, difficulty in enumerate(difficulties):
            gap = 1.5 * (ability - difficulty - (shift if n >= 20 else 0))
            found[f"{first}{run}", str(n)] = chance.random() < 1 / (1 + exp(-gap))
    return found


def replaced(items: int) -> dict[str, str]:
    return {str(n): str(n) for n in range(20, items)}


def test_a_shift_of_the_replaced_items_is_found_beside_the_anchors() -> None:
    before, after = answers(12, 100, 0.0, "real", 2), answers(12, 100, 1.0, "other", 3)
    shift = measure_shift(before, after, replaced(100))
    one = shift.interval
    assert (shift.anchors, shift.runs, one.n) == (20, 24, 80)
    assert one.low is not None and one.high is not None and 0.3 < one.low < 1 < one.high < 2.2


def test_without_a_shift_the_interval_has_zero_in_it() -> None:
    one = measure_shift(answers(12, 100, 0.0, "real", 2), answers(12, 100, 0.0, "other", 3), replaced(100)).interval
    assert one.low is not None and one.high is not None and one.low < 0 < one.high


def test_too_few_runs_anchors_or_items_give_none_with_the_reason() -> None:
    few = measure_shift(answers(4, 60, 0, "a", 2), answers(5, 60, 0, "b", 3), replaced(60)).interval
    assert few.mean is None and few.why == "9 runs on both releases together, and the model needs 10"
    every = {str(n): str(n) for n in range(5, 60)}
    few = measure_shift(answers(6, 60, 0, "a", 2), answers(6, 60, 0, "b", 3), every).interval
    assert few.mean is None and few.why.startswith("5 items that were not replaced")
    few = measure_shift(answers(6, 60, 0, "a", 2), answers(6, 60, 0, "b", 3), {"30": "30"}).interval
    assert few.mean is None and few.why.startswith("1 replaced items")
