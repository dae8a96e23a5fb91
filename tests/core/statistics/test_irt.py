"""The two-parameter model on simulated answers whose parameters are known."""

from typing import Any

import numpy as np
import pytest

from core.errors import BenchError
from core.statistics.irt import fit


def simulated(systems: int, items: int, seed: int, gaps: float = 0.0) -> tuple[dict[tuple[str, str], bool], Any, Any, Any]:
    chance = np.random.default_rng(seed)
    ability, b, a = chance.normal(0, 1, systems), chance.normal(0, 1.5, items), np.exp(chance.normal(0, 0.4, items))
    p = 1 / (1 + np.exp(-a * (ability[:, None] - b)))
    right, there = chance.random((systems, items)) < p, chance.random((systems, items)) >= gaps
    solved = {(f"s{i:02}", f"q{j:03}"): bool(right[i, j]) for i in range(systems) for j in range(items) if there[i, j]}
    return solved, ability, b, a


def test_known_parameters_are_found_again() -> None:
    solved, ability, b, a = simulated(60, 150, seed=3, gaps=0.1)
    found = fit(solved)
    fits = [found.items[f"q{j:03}"] for j in range(150)]
    assert np.corrcoef(ability, [found.abilities[f"s{i:02}"] for i in range(60)])[0, 1] > 0.97
    assert np.corrcoef(b, [one.difficulty for one in fits])[0, 1] > 0.93
    assert np.corrcoef(np.log(a), [np.log(one.discrimination) for one in fits])[0, 1] > 0.5
    assert np.mean([one.difficulty for one in fits] - b) == pytest.approx(0.0, abs=0.25)
    assert fits[0].n == sum(item == "q000" for _, item in solved)
    assert fit(dict(reversed(solved.items()))).items["q000"].difficulty == pytest.approx(fits[0].difficulty, abs=1e-2)


def test_what_everybody_solves_is_easier_than_what_nobody_solves_and_both_are_finite() -> None:
    solved = {
        (f"s{i}", item): item == "easy" or (item == "half" and i % 2 == 0)
        for i in range(12)
        for item in ("easy", "half", "hard")
    }
    found = fit(solved).items
    assert -6 < found["easy"].difficulty < found["half"].difficulty < found["hard"].difficulty < 6
    assert found["half"].difficulty == pytest.approx(0.0, abs=0.3)


def test_too_few_systems_are_one_sentence() -> None:
    with pytest.raises(BenchError, match="9 systems answered, and the model needs 10"):
        fit({(f"s{i}", "q"): True for i in range(9)})
