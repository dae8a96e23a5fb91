"""Targets and forecasts, worked by hand: how full each cell is, when the rest is there, and why nobody can say."""

from datetime import date, timedelta
from math import ceil, sqrt
from pathlib import Path

import pytest

from core.nouns import Item, Provenance, Review
from core.statistics.statistics import wilson
from store.items import draft_costs, items
from store.items.draft_costs import DraftEffort
from store.reviews import reviews, undo
from store.reviews.progress import AcceptedSlot
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.progress.effort import estimate_effort
from workbench.annotate.progress.forecast import forecast
from workbench.annotate.progress.target_state import measure_targets
from workbench.home.targets import TargetCell

TODAY = date(2026, 11, 20)
LAW, TECH, NONE = TargetCell("t", 1, "law"), TargetCell("t", 1, "tech"), TargetCell("t", None, "law")


def days(*counts: int) -> dict[date, int]:
    """Counts of the days before today, the last one yesterday's."""
    return {TODAY - timedelta(len(counts) - n): count for n, count in enumerate(counts)}


def test_a_forecast_has_a_day_and_the_range_of_uneven_days() -> None:
    found = forecast(40, days(6, 10, 8), TODAY)
    # 8 a day: 5 days. Variance 4 is less than chance makes of 8; two standard errors = 2 * sqrt(8 * (1/3 + 1/5)).
    spread = 2 * sqrt(8 * (1 / 3 + 1 / 5))
    assert (found.per_day, found.days, found.day) == (8.0, 3, TODAY + timedelta(5))
    assert found.early == TODAY + timedelta(ceil(40 / (8 + spread))) == TODAY + timedelta(4)
    assert found.late == TODAY + timedelta(ceil(40 / (8 - spread))) == TODAY + timedelta(11)


def test_days_without_work_are_in_the_pace_but_not_those_before_the_first_item_nor_today() -> None:
    found = forecast(10, days(7, 0, 0, 7, 7) | {TODAY: 500, TODAY - timedelta(15): 900}, TODAY)
    assert (found.per_day, found.days, found.day) == (21 / 5, 5, TODAY + timedelta(3))


def test_a_pace_that_may_be_none_has_no_late_end() -> None:
    found = forecast(5, days(1, 0, 0, 0, 1, 0, 0, 0, 1), TODAY)
    assert found.day == TODAY + timedelta(15) and found.early is not None and found.late is None


@pytest.mark.parametrize(
    ("left", "counts", "why"),
    [
        (9, {}, "nothing was accepted there in the last 14 days before today"),
        (9, {TODAY: 5}, "nothing was accepted"),
        (9, {TODAY - timedelta(15): 5}, "nothing was accepted"),
        (9, days(4), "on only one day of the last 14, and a forecast needs 3"),
        (9, days(4, 4), "on only 2 days"),
        (1_000_000, days(1, 1, 1), "more than ten years"),
        (0, {}, ""),
    ],
)
def test_thin_data_give_no_forecast_and_say_why(left: int, counts: dict[date, int], why: str) -> None:
    found = forecast(left, counts, TODAY)
    assert (found.day, found.early, found.late) == (None, None, None)
    assert why in found.why and bool(found.why) == bool(why)


def test_a_cell_is_accepted_waiting_or_missing_and_none_counts_beyond_its_number() -> None:
    counts = [
        ("t", 1, "law", "accepted", 3),
        ("t", 1, "law", "drafted", 4),
        ("t", 1, "law", "discarded", 9),
        ("t", 1, "tech", "accepted", 12),
        ("t", 1, "tech", "drafted", 2),
        ("t", None, "law", "accepted", 50),
    ]
    found = measure_targets({LAW: 10, TECH: 8, NONE: 60}, counts, [], TODAY)
    law, tech, none = (found.cells[place] for place in (LAW, TECH, NONE))
    assert (law.accepted, law.waiting, law.missing) == (3, 4, 3)
    assert (tech.accepted, tech.waiting, tech.missing) == (8, 0, 0)
    assert (none.accepted, none.waiting, none.missing) == (50, 0, 10)
    assert (found.whole.wanted, found.whole.accepted, found.whole.waiting, found.whole.missing) == (78, 61, 4, 13)
    assert found.whole.forecast.left == 17


def test_the_pace_of_all_is_that_of_cells_that_are_not_full() -> None:
    accepted = [
        AcceptedSlot(f"2026-11-{day}T12:0", "t", 1, domain, n)
        for day in (17, 18, 19)
        for domain, n in (("law", 2), ("tech", 40))
    ]
    counts = [("t", 1, "law", "accepted", 6), ("t", 1, "tech", "accepted", 120)]
    found = measure_targets({LAW: 10, TECH: 120}, counts, accepted, TODAY)
    assert (found.whole.forecast.per_day, found.whole.forecast.day) == (2.0, TODAY + timedelta(2))
    assert found.cells[TECH].forecast.left == 0


def test_what_is_accepted_counts_once_by_its_last_decision_that_stands(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        db = bench.database
        items.add(db, [Item(id, "t", f"{id}?", (id,), level=1, domain="law") for id in "abcd"])

        def decide(id: str, decision: str, day: int) -> None:
            at = f"2026-11-{day}T12:00:00.000+00:00"
            reviews.decide(db, Review(f"{id}{day}", id, 1, "Ada", decision, at=at))  # type: ignore[arg-type]

        for id, decision, day in (("a", "accept", 17), ("a", "accept", 18), ("b", "accept", 18), ("c", "accept", 18)):
            decide(id, decision, day)
        undo.undo(db, "Ada", "undo-c")
        decide("d", "accept", 18)
        decide("d", "discard", 19)
        bench.board.set_target("t", 1, "law", 5)
        until(lambda: bench.progress.measure_targets(TODAY).is_ready)
        found = bench.progress.measure_targets(TODAY).value
        assert found is not None
        cell = found.cells[TargetCell("t", 1, "law")]
        assert (cell.accepted, cell.waiting, cell.missing) == (2, 1, 2)
        assert cell.forecast.why == "items were accepted there on only one day of the last 14, and a forecast needs 3"


def took(domain: str = "law", task: str = "t", **sums: float) -> DraftEffort:
    given = {
        "drafts": 0,
        "refused": 0,
        "accepted": 0,
        "discarded": 0,
        "timed": 0,
        "seconds": 0.0,
        "squares": 0.0,
        "priced": 0,
        "price": 0.0,
        "price_squares": 0.0,
    } | sums
    return DraftEffort(task, 1, domain, **given)  # type: ignore[arg-type]


LAW_TOOK = took(
    drafts=100,
    refused=20,
    accepted=40,
    discarded=20,
    timed=60,
    seconds=3_600.0,
    squares=3_600.0 * 60,
    priced=100,
    price=5.0,
    price_squares=0.25,
)
"""60 seconds each, 5 cents each: nothing varies."""


def test_the_rest_takes_hours_and_money_with_their_ranges() -> None:
    found = estimate_effort(20, 6, "t", 1, "law", [LAW_TOOK])
    # 2 of 3 are accepted: 30 reads of a minute each; 6 of them wait, 24 are to be made, and of 100 drafts 80 come through.
    share = wilson(40, 60)
    assert share.low is not None and share.high is not None
    assert found.hours == pytest.approx((0.5, 20 / share.high / 60, 20 / share.low / 60))
    each = 0.05 / 0.8
    assert found.money == pytest.approx((24 * each, (20 / share.high - 6) * each, (20 / share.low - 6) * each))
    assert (found.basis, found.read, found.why) == ("drafts of its own kind", 60, "")


def test_a_target_with_few_reads_rests_on_its_task_and_level_then_on_all_then_on_nothing() -> None:
    own = took("tech", drafts=5, accepted=3, discarded=2, timed=5, seconds=500.0, squares=50_000.0)
    assert estimate_effort(5, 0, "t", 1, "tech", [own, LAW_TOOK]).basis == "drafts of its task and level"
    assert estimate_effort(5, 0, "other", 3, "tech", [own, LAW_TOOK]).basis == "all drafts"
    none = estimate_effort(5, 0, "t", 1, "tech", [own])
    assert (none.hours, none.money, none.why) == (None, None, "5 drafts were read so far, but 50 are needed")
    assert estimate_effort(0, 0, "t", 1, "tech", []).hours == (0.0, 0.0, 0.0)


def test_what_was_never_timed_or_priced_is_not_told_and_nothing_accepted_tells_nothing() -> None:
    untimed = estimate_effort(20, 0, "t", 1, "law", [LAW_TOOK._replace(timed=0, priced=1)])
    assert (untimed.hours, untimed.money) == (None, None) and "time of fewer than two" in untimed.why
    assert estimate_effort(20, 10**6, "t", 1, "law", [LAW_TOOK._replace(priced=0)]).money == (0.0, 0.0, 0.0)
    assert "none of 60 drafts" in estimate_effort(20, 0, "t", 1, "law", [LAW_TOOK._replace(accepted=0, discarded=60)]).why


def test_all_targets_together_add_up() -> None:
    counts = [("t", 1, "law", "accepted", 10), ("t", 1, "law", "drafted", 6), ("t", 1, "tech", "accepted", 0)]
    found = measure_targets({LAW: 30, TECH: 20}, counts, [], TODAY, [LAW_TOOK])
    law, tech = found.cells[LAW].effort, found.cells[TECH].effort
    assert law.hours and tech.hours and found.whole.effort.hours
    assert found.whole.effort.hours.mid == pytest.approx(law.hours.mid + tech.hours.mid) == pytest.approx(1.0)


def test_what_drafts_took_is_counted_from_those_that_somebody_read(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        drafted = Provenance("openai:m", "p@1", 1, ("call",))
        items.add(bench.database, [Item(id, "t", f"{id}?", (id,), level=1, domain="law", provenance=drafted) for id in "abc"])
        for id, decision, seconds in (("a", "accept", 10.0), ("b", "discard", 30.0)):
            reviews.decide(bench.database, Review(id, id, 1, "Ada", decision, seconds=seconds))  # type: ignore[arg-type]
        [found] = draft_costs.load_efforts(bench.database)
        assert (found.drafts, found.accepted, found.discarded, found.timed) == (3, 1, 1, 2)
        assert (found.seconds, found.squares) == (40.0, 1_000.0)
        assert (found.priced, found.price) == (0, 0.0)
