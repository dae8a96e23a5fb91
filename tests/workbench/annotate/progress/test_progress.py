"""Progress of a simulated project whose decisions are known: Table 1 and what stands beside it, computed here by hand."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from core.agent import Completion
from core.nouns import Item, Provenance, Review
from store.items import items
from store.ledger.calls import Call, Ledger
from store.reviews import reviews, undo
from store.reviews.opinion_table import load_opinions
from store.reviews.progress import TimeSlot
from tests.waiting import until
from workbench import Workbench
from workbench.annotate.progress.agreement import AgreementReport, compare_opinions
from workbench.annotate.progress.pace import WorkDay, count_days, measure_pace

TODAY = date(2026, 11, 20)


def draft(id: str, level: int, status: Any = "drafted", **fields: Any) -> Item:
    provenance = fields.pop("provenance", Provenance("openai:m", "draft/x.en@b2:1", 1, (f"call-{id}",)))
    return Item(id, "explicit_factoid", f"Who is {id}?", (id,), level=level, status=status, provenance=provenance, **fields)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Level 1: seven drafts: a saved as drafted (10 s), b saved with a new question (20 s), c saved with other labels (not
    timed), d discarded (30 s), e discarded and undone, f refused, g saved with a new answer, edited twice (40 s). Level 3: h
    discarded, nothing measured, its call not in the ledger. Beside them one written item and one that was imported."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        db, ledger = bench.database, Ledger(bench.database)
        made = [draft(id, 1) for id in "abcdeg"] + [draft("f", 1, "refused"), draft("h", 3)]
        made += [draft(n, 1, "accepted", provenance=Provenance(origin=n)) for n in ("written", "imported")]
        items.add(db, made)
        for id in "abcdefg":  # 7 calls of 2 s and half a dollar
            done = Completion(text="", tokens_in=1, tokens_out=1, seconds=2.0, waited=9.0, finish="stop", price=0.5)
            key = f"call-{id}"
            ledger.store(Call(key, key, "openai:m", "p@1", "draft", None, {}, done, 0.5, 1, None, None, "t")).result()

        def decide(id: str, decision: Any, seconds: float | None, new: Item | None = None, **fields: Any) -> None:
            at = datetime(2026, 11, 19, 12, tzinfo=UTC).isoformat(timespec="milliseconds")
            revision = items.get(db, id).revision
            given = {"person": "Ada", "seconds": seconds, "at": at} | fields
            reviews.decide(db, Review(f"{id}-{revision}-{given['person']}", id, revision, decision=decision, **given), new)

        decide("a", "accept", 10.0)
        decide("b", "accept", 20.0, replace(draft("b", 1), question="Who is bb?"))
        decide("c", "accept", None, replace(draft("c", 1), labels={"referent": "x"}))
        decide("d", "discard", 30.0, reason="ambiguous")
        decide("e", "discard", 50.0, reason="other")
        undo.undo(db, "Ada", "undo-e")
        edited = items.edit(db, replace(draft("g", 1), answers=("gg",)), "Bo")
        assert edited is not None
        decide("g", "accept", 40.0, replace(edited, answers=("ggg",)), person="=Bo")
        decide("h", "discard", None, reason="ambiguous", person="=Bo")
        yield bench


def ready(ask: Any, seconds: float = 30.0) -> Any:
    """What is counted beside the page, when it is there."""
    until(lambda: ask().is_ready, seconds)
    return ask().value


def test_table_1_is_what_a_hand_computes(bench: Workbench) -> None:
    table = ready(bench.progress.build_construction)
    one, three = table.lines
    assert (one.name, one.drafted, one.refused, one.waiting, one.saved, one.discarded, one.edited) == ((1,), 7, 1, 1, 4, 1, 2)
    assert (one.discard_share, one.edit_share) == (1 / 5, 2 / 4)
    assert (one.active, one.measured, one.active_mean, one.reviews) == (100.0, 4, 25.0, 5)
    assert (one.generation, one.timed, one.total, one.cost, one.cost_each) == (14.0, 7, 114.0, 3.5, 0.875)
    assert (three.discard_share, three.edit_share, three.active_mean, three.generation, three.total, three.cost) == (
        1.0,
        None,
        None,
        None,
        None,
        None,
    )
    assert (table.whole.drafted, table.whole.discard_share) == (8, 2 / 6)
    assert (table.others, table.offline) == ({"imported": 1, "written": 1}, 0)


def test_the_files_hold_the_papers_columns_first_and_no_value_is_empty(bench: Workbench) -> None:
    lines = bench.progress.render_construction("level", "csv").splitlines()
    assert lines[0].startswith("level,discard %,edit %,avg. time (s),total (h),drafts,refused,waiting,saved,discarded,edited")
    assert lines[1].startswith(f"1,20.0,50.0,25.0,{114 / 3600},7,1,1,4,1,2,4,")
    assert lines[2] == "3,100.0,,,,1,0,0,0,1,0,0,,0,,,0"
    latex = bench.progress.render_construction("level", "latex")
    assert r"1 & 20.0 & 50.0 & 25.0 & 0.03 & 7 & 1 & 1 & 4 & 1 & 2 & 4 & 0.03 & 7 & 0.00 & " in latex
    assert "% Not counted in the table, because they are not drafts: 1 imported, 1 written." in latex


def test_by_domain_and_by_agent_the_same_drafts_are_told_apart(bench: Workbench) -> None:
    assert [line.name for line in ready(lambda: bench.progress.build_construction("domain")).lines] == [("general",)]
    [maker] = ready(bench.progress.count_by_agent)
    line = maker.line
    assert (maker.agent, maker.prompt, line.drafted, line.saved - line.edited) == ("openai:m", "draft/x.en@b2:1", 8, 2)
    assert (line.timed, line.generation, line.cost) == (7, 14.0, None)  # what h cost is not known
    assert (line.unchanged_share, line.active_mean, line.measured) == (2 / 6, 25.0, 4)
    assert maker.characters == 1 + 2  # b -> bb, g -> ggg


def test_each_person_has_their_own_edits_measured_against_the_draft(bench: Workbench) -> None:
    ada, bo = ready(bench.progress.count_by_person)
    assert (ada.name, ada.accepted, ada.edited, ada.discarded, ada.characters) == ("Ada", 3, 1, 1, 1)
    assert (ada.unchanged_share, ada.median, ada.active, ada.measured) == (2 / 4, 20.0, 60.0, 3)
    assert ada.reasons == [("ambiguous", 1)]
    assert (bo.name, bo.edited, bo.characters, bo.median) == ("=Bo", 1, 2, 40.0)  # g -> ggg, whoever wrote gg
    # Ada accepted a, b, c and discarded d: four calls of half a dollar for three drafts. What h cost is not known.
    assert (ada.mean, ada.saved, ada.cost, ada.cost_each) == (20.0, 3, 2.0, 2 / 3)
    assert (bo.saved, bo.cost, bo.cost_each) == (1, None, None)


def test_files_of_people_and_makers_run_no_formula_and_leave_what_nobody_measured_empty(bench: Workbench) -> None:
    head, ada, bo = (line.split(",") for line in bench.progress.render_people("csv").splitlines())
    found = dict(zip(head, ada, strict=True))
    assert (found["person"], found["accepted unchanged"], found["minutes"], found["USD"]) == ("Ada", "2", "1.0", "2.0")
    assert (bo[0], dict(zip(head, bo, strict=True))["USD"]) == ("'=Bo", "")
    head, maker = (line.split(",") for line in bench.progress.render_agents("csv").splitlines())
    assert (maker[0], dict(zip(head, maker, strict=True))["characters edited"]) == ("openai:m", "3")


@pytest.mark.fault(9)
def test_a_timesheet_runs_no_formula(bench: Workbench) -> None:
    head, row = bench.progress.render_timesheet("=Bo").splitlines()
    assert head == "date,person,decisions,active minutes,decisions timed"
    [day] = ready(lambda: bench.progress.count_days("=Bo"))
    assert row.split(",")[:3] == [day.date.isoformat(), "'=Bo", "2"]
    assert float(row.split(",")[3]) == pytest.approx(40 / 60) and row.endswith(",1")


@pytest.mark.fault(42)
def test_agreement_of_single_decisions_is_undefined_with_the_reason(bench: Workbench) -> None:
    found = ready(bench.progress.compare_opinions)
    assert found.items == 0 and {line.value for line in found.lines} == {None}
    assert found.lines[0].why == "undefined, because no unit was labelled by two people"


def test_agreement_counts_each_ones_last_decision_on_an_item(bench: Workbench) -> None:
    for n, (id, decision) in enumerate([("a", "accept"), ("d", "accept")]):
        reviews.decide(bench.database, Review(f"k{n}", id, 1, "Cy", decision))
    found = ready(bench.progress.compare_opinions)
    assert (found.items, found.people, found.left_out) == (2, 2, 0)
    [kappa] = [line for line in found.lines if line.measure == "Cohen's kappa"]
    assert (kappa.people, kappa.value) == ("Ada and Cy", 0.0)  # observed 1/2, expected 1/2 * 1 + 1/2 * 0
    [alike] = ready(bench.progress.compare_meaning, seconds=180.0)  # a model is loaded
    assert (alike.what, alike.items, alike.value) == ("Answer (en)", 1, pytest.approx(1.0, abs=1e-3))
    assert bench.progress.render_agreement("csv").splitlines()[0].startswith("what,measure,people,value,low,high,items,chance")


def test_figures_are_counted_anew_after_a_decision(bench: Workbench) -> None:
    assert ready(bench.progress.measure_pace).waiting == 1
    assert ready(bench.progress.build_construction).whole.waiting == 1
    reviews.decide(bench.database, Review("late", "e", 1, "Ada", "accept"))
    assert ready(bench.progress.build_construction).whole.waiting == 0


def test_a_forecast_rests_on_whole_days_with_decisions() -> None:
    days = [WorkDay(date(2026, 11, n), accepted=n) for n in (1, 9, 12, 13, 16, 19)] + [WorkDay(TODAY, accepted=500)]
    found = measure_pace(days, 50, 100, TODAY)
    assert [day.date.day for day in found.rests_on] == [9, 12, 13, 16, 19]
    assert (found.per_day, found.needed, found.is_today) == (69 / 5, 8, False)  # 100 / 13.8 = 7.2
    alone = measure_pace(days[-1:], 501, 501, TODAY)
    assert (alone.per_day, alone.needed, alone.is_today) == (500, 2, True)
    assert measure_pace([], 5, 5, TODAY).needed is None and measure_pace(days, 0, 0, TODAY).needed == 0


@pytest.mark.fault(41)
def test_days_are_those_of_the_servers_time_zone(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    slots = [TimeSlot("2026-11-19T18:2", "Ada", 1, 0, 0, 1, 5.0), TimeSlot("2026-11-19T18:3", "Bo", 0, 2, 0, 0, None)]
    try:
        monkeypatch.setenv("TZ", "Asia/Kolkata")
        time.tzset()
        assert [(d.date.day, d.decisions, d.active) for d in count_days(slots).everybody] == [(19, 1, 5.0), (20, 2, None)]
        assert [d.decisions for d in count_days(slots).of["Bo"]] == [2]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_agreement_is_not_counted_again_for_a_call_and_does_not_wait_for_a_model(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage, go, model_ready = bench.progress, threading.Event(), threading.Event()
    counted = []

    def slow_model() -> list[Any]:
        model_ready.wait(30)
        return []

    def count() -> AgreementReport:
        counted.append(1)
        assert go.wait(30)
        return compare_opinions(load_opinions(bench.database), lambda documents: {})

    monkeypatch.setattr(stage, "_compare_meaning", slow_model)
    monkeypatch.setattr(stage, "_compare_opinions", count)
    assert stage.compare_meaning().value is None and stage.compare_opinions().value is None
    done = Completion(text="", tokens_in=1, tokens_out=1, seconds=2.0, waited=9.0, finish="stop", price=0.5)
    Ledger(bench.database).store(
        Call("new", "new", "openai:m", "p@1", "draft", None, {}, done, 0.5, 1, None, None, "t")
    ).result()
    assert stage.compare_opinions().value is None
    go.set()
    ready(stage.compare_opinions)
    assert len(counted) == 1 and stage.compare_meaning().value is None
    model_ready.set()
