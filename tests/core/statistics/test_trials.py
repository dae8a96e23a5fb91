"""Two ways of drafting on the same windows, worked by hand."""

import pytest

from core.statistics.statistics import mcnemar
from core.statistics.trials import DraftPair, SideDraft, compare_windows, describe_comparison


def came(decision: str = "accept", state: str = "drafted", edited: int = 0, price: float | None = 0.01) -> SideDraft:
    return SideDraft(state, decision if state == "drafted" else "", edited, price, 2.0, 1)


def twice(a: str, b: str, preference: str = "") -> DraftPair:
    """Of "accept", "discard", "" or a state."""
    sides = [came(word) if word in ("accept", "discard", "") else came(state=word) for word in (a, b)]
    return DraftPair(sides[0], sides[1], preference)


def test_what_one_side_failed_at_is_counted_apart_and_is_in_no_pair() -> None:
    windows = [
        twice("accept", "accept"),
        twice("discard", "accept", "b"),
        twice("failed", "accept"),
        twice("refused", "accept"),
        twice("accept", "unreadable"),
        twice("accept", ""),
    ]
    found = compare_windows(windows, 1)
    assert (found.a.windows, found.a.drafted, found.a.failed, found.a.refused, found.b.unreadable) == (6, 4, 1, 1, 1)
    assert (found.a.accepted, found.a.discarded, found.b.accepted, found.b.undecided) == (3, 1, 4, 1)
    assert (found.accept.n, found.accept.wins, found.accept.losses, found.accept.mean) == (2, 1, 0, 0.5)
    assert (found.gain.n, found.gain.wins, found.gain.losses) == (4, 2, 1), "no draft is not an item, a failure is out"
    assert (found.prefers_a, found.prefers_b, found.alike, found.preference_p) == (0, 1, 0, 1.0)


def test_an_accepted_item_costs_what_was_thrown_away_too_and_an_unknown_price_is_unknown() -> None:
    windows = [twice("accept", "accept"), twice("discard", "accept"), twice("none", "accept")]
    found = compare_windows(windows, 1)
    assert found.a.cost_each == pytest.approx(0.03) and found.b.cost_each == pytest.approx(0.01)
    unknown = compare_windows([*windows, DraftPair(came(price=None), came(), "")], 1)
    assert unknown.a.cost is unknown.a.cost_each is None and unknown.cost.n == 3


def test_effort_is_compared_where_both_were_accepted() -> None:
    windows = [DraftPair(came(edited=10), came(edited=4), ""), DraftPair(came("discard"), came(edited=400), "")]
    found = compare_windows(windows, 1)
    assert (found.effort.n, found.effort.mean, found.b.characters_each, found.a.characters_each) == (1, -6.0, 202.0, 10.0)


def test_few_pairs_show_no_difference_and_many_do() -> None:
    few = [twice("accept", "discard")] * 3 + [twice("discard", "accept")] * 5 + [twice("accept", "accept")] * 16
    said = describe_comparison(compare_windows(few, 3))
    assert said.startswith(
        "No difference is shown by 24 pairs: B was accepted 8 points more often, with a 95 % interval from −"
    )
    many = [twice("accept", "discard")] * 4 + [twice("discard", "accept")] * 30 + [twice("accept", "accept")] * 26
    found = compare_windows(many, 3)
    assert found.accept.test == "mcnemar" and found.accept.p == mcnemar(30, 4) < 0.001
    assert describe_comparison(found).startswith(
        "B was accepted more often than A: by 43 points,"
    ) and "over 60 pairs" in describe_comparison(found)


def test_ties_alone_are_no_certainty() -> None:
    said = describe_comparison(compare_windows([twice("accept", "accept")] * 24, 3))
    assert said.startswith(
        "Both drafts got the same decision on all of 24 pairs, so no difference is seen; a difference on "
        "up to 14% of the windows"
    )
    assert "nothing can be said" in describe_comparison(compare_windows([twice("accept", "refused")], 3))
