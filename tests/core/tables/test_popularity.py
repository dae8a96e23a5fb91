"""Buckets of popularity hold a third of the mass each, not a third of the entities."""

import pytest

from core.errors import BenchError
from core.tables.popularity import assign_buckets, find_cuts


def test_cuts_lie_where_the_cumulative_share_reaches_a_third_and_two_thirds() -> None:
    # 1 1 1 1 2 2 4 6, sum 18: shares reach 6/18 at the first 2, 12/18 at the 4
    assert find_cuts([6, 4, 2, 2, 1, 1, 1, 1]) == (2, 4)
    assert assign_buckets([6, 4, 2, 2, 1, 1, 1, 1]) == ["head", "torso", "tail", "tail", "tail", "tail", "tail", "tail"]


def test_equal_values_lie_whole_in_the_lower_bucket() -> None:
    assert assign_buckets([1, 1, 1, 1, 1, 1]) == ["tail"] * 6
    assert assign_buckets([3, 3, 3, 9]) == ["tail", "tail", "tail", "torso"]  # 6 of 18 is a third, the rest is one value


def test_one_giant_is_a_bucket_of_its_own_and_its_value_cuts_twice() -> None:
    assert find_cuts([1, 1, 98]) == (98, 98)
    assert assign_buckets([1, 1, 98]) == ["tail"] * 3  # as the published code does: the giant's own tie


def test_a_third_is_exact_and_no_matter_of_rounding() -> None:
    assert find_cuts([0.1, 0.1, 0.1]) == (0.1, 0.1)
    assert find_cuts([1] * 3 + [3] + [3])[0] == 1  # 3 of 9 is a third


def test_who_has_no_number_counts_as_one_and_nothing_is_below_zero() -> None:
    assert assign_buckets([None, 1, 5]) == ["tail", "tail", "tail"]
    assert find_cuts([None, 1, 5, 6]) == (5, 6)
    assert assign_buckets([0, 0]) == ["tail"] * 2
    assert assign_buckets([]) == []
    with pytest.raises(BenchError, match="A popularity of -1 is below 0"):
        find_cuts([-1, 4])
