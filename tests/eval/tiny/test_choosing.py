"""Which items stand for all others."""

import random
from dataclasses import replace

import numpy as np
import pytest

from core.errors import BenchError
from eval.tiny.choosing import choose_items
from tests.eval.tiny.worlds import make_items, make_scores


def test_strata_get_shares_of_their_size_and_the_weights_sum_to_all_items() -> None:
    items = make_items(200)
    choice = choose_items(items, make_scores(np.linspace(-2, 2, 8), 200, 1), 40)
    assert (choice.by, choice.method, choice.why) == (("level", "domain"), "irt", "")
    assert {one.values: (one.items, one.chosen) for one in choice.strata} == {
        ("1", "arts"): (50, 10),
        ("1", "law"): (50, 10),
        ("2", "law"): (100, 20),
    }
    assert len(choice.weights) == 40 and sum(choice.weights.values()) == 200
    assert set(choice.weights.values()) == {5}


def test_a_small_stratum_gets_one_item_and_too_many_strata_become_fewer() -> None:
    items = make_items(90)
    lone = [item for item in items if item.domain == "arts"][1:]
    kept = [item for item in items if item not in lone]
    choice = choose_items(kept, {}, 40)
    assert [one.chosen for one in choice.strata if one.values[1] == "arts"] == [1]
    assert sum(one.chosen for one in choice.strata) == 40 and sum(choice.weights.values()) == len(kept)
    many = [replace(item, domain=f"d{n}") for n, item in enumerate(items)]
    assert choose_items(many, {}, 40).by == ("level",)


def test_easy_and_hard_items_stand_for_their_like() -> None:
    items = [replace(item, domain="law") for item in make_items(80, (1,))]
    easy = {item.id for item in items[:20]}
    scores = {(f"s{j}", item.id): float(item.id in easy or j > 6) for j in range(8) for item in items}
    choice = choose_items(items, scores, 40)
    assert sum(weight for item, weight in choice.weights.items() if item in easy) == 20


def test_the_choice_depends_on_no_order_and_few_systems_mean_form() -> None:
    items, scores = make_items(120), make_scores(np.linspace(-1, 1, 6), 120, 2)
    mixed = random.Random(3).sample(items, len(items))
    assert choose_items(mixed, dict(reversed(scores.items())), 50) == choose_items(items, scores, 50)
    few = {key: value for key, value in scores.items() if key[0] < "s04"}
    choice = choose_items(items, few, 50)
    assert choice.method == "form" and "4 systems answered, and the model needs 5" in choice.why


def test_too_few_items_are_one_sentence() -> None:
    with pytest.raises(BenchError, match="38 items can be chosen from, so a choice of 60 would leave none out"):
        choose_items(make_items(38), {}, 60)
