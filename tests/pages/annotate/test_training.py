"""Qualification and control items on the pages: what a lead sets and reads, and what a person is told of it."""

from dataclasses import replace
from typing import Any

import pytest

from core.nouns import Provenance
from pages.parts.evaluate.results import paper_table
from store.controls import control_items
from store.items import items
from tests.pages.conftest import Show
from tests.waiting import until
from tests.workbench.annotate.reviewing.test_training import press
from workbench import Workbench
from workbench.annotate.reviewing.reviews import ItemKind


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, list[str]]]:
    """Key of each table that was drawn -> first cell of each row -> the texts of the others."""
    seen: dict[str, dict[str, list[str]]] = {}

    def show(columns: Any, rows: Any, key: str, **rest: Any) -> None:
        seen[key] = {row["cells"][0]["text"]: [cell["text"] for cell in row["cells"][1:]] for row in rows}

    monkeypatch.setattr(paper_table, "show", show)
    return seen


def words(at: Any) -> str:
    kinds = (at.caption, at.markdown, at.text, at.info, at.warning, at.error)
    bars = [one.proto.json for one in at.get("bidi_component") if one.proto.component_name == "benchwright_desk_bar"]
    return " ".join([*(element.value for kind in kinds for element in kind), *bars])


def test_a_lead_sets_qualification_and_is_told_when_there_are_too_few_items(bench: Workbench, show: Show) -> None:
    at = show("annotate/progress", person="Lea", view="trust")
    at.number_input(key="trust_n").set_value(4)
    at.number_input(key="trust_passing").set_value(3)
    next(button for button in at.button if button.label == "Set qualification").click().run()
    rule = bench.reviews.qualification.rule()
    assert (rule.n, rule.passing) == (4, 3) and not at.warning
    at.number_input(key="trust_passing").set_value(9)
    next(button for button in at.button if button.label == "Set qualification").click().run()
    assert "is not possible" in words(at) and bench.reviews.qualification.rule().passing == 3
    bench.reviews.qualification.set_rule(50, 3, "Lea")
    assert "Qualification still needs" in words(show("annotate/progress", person="Lea", view="trust")).replace("\\", "")


def test_a_lead_sets_the_share_without_a_draft_and_sees_the_effect(bench: Workbench, show: Show, tables: Any) -> None:
    at = show("annotate/progress", person="Lea", view="trust")
    assert "while a share of the drafts was hidden" in words(at)
    at.number_input(key="trust_share").set_value(20)
    at.number_input(key="trust_alone").set_value(30)
    next(button for button in at.button if button.label == "Set share").click().run()
    rule = bench.reviews.blind.rule()
    assert (rule.share, rule.alone) == (0.2, 0.3)
    sample = bench.reviews.items(status="accepted")[0]
    made = [replace(sample, id=f"d{n}", question=f"Which is {n}?", answers=("One two",), status="drafted") for n in range(120)]
    items.add(bench.database, made)
    for number, item in enumerate(made):
        person = ("Ada", "Bo", "Cy")[number % 3]
        kind = rule.draw(item.id)
        if kind == "blind reveal":
            bench.reviews.reveal(item.id, person, "two", 1.0)
        answer = "two" if kind == "none" else "One two"
        request = press(bench.reviews.desk(item.id, person), item.id, person=person)
        bench.reviews.settle(replace(request, answer=answer, evidence=item.evidence))
    show("annotate/progress", person="Lea", view="trust")
    until(lambda: "progress_effect" in tables or not show("annotate/progress", person="Lea", view="trust"))
    table = tables["progress_effect"]
    assert table["Like the draft"][:3] == ["1.00", "1.00", "0.67"] and table["Anchoring"][:2] == ["1.00", "1.00"]
    assert (
        table["As drafted"] == ["1.00", "1.00", "0.00", "0.00", "\u22121.00"] and table["Like the adjudicated"][0] == "\u2013"
    )
    assert table["Seconds"][3:] == ["\u00d71.00", "\u00d71.00"]


def test_the_desk_says_how_far_qualification_is_and_not_the_rate(bench: Workbench, show: Show) -> None:
    bench.reviews.qualification.set_rule(4, 3, "Lea")
    bench.reviews.control_sampling.set_rule(5, 0, "Lea")
    said = words(show("annotate/review", person="Ada"))
    assert "Qualification: 0 of 4 done, 3 right needed to pass" in said and "control item" not in said
    bench.reviews.qualification.excuse("Ada", "Lea")
    assert "One item in 5 is a control item" in words(show("annotate/review", person="Ada"))


def test_hits_stand_in_ones_own_week_and_on_the_leads_page(bench: Workbench, show: Show, tables: Any) -> None:
    by = Provenance("offline", "draft/x.en@b2:1", 1)
    sample = [items.get(bench.database, one.id) for one in bench.reviews.items()]
    items.add(bench.database, [replace(one, id=f"{n:016x}", provenance=by) for n, one in enumerate(sample)])
    items.add(bench.database, [replace(sample[0], id=f"{n:016x}", status="drafted", provenance=by) for n in range(100, 110)])
    bench.reviews.control_sampling.set_rule(2, 0, "Lea")
    after = None
    for number in range(6):
        after = str(bench.reviews.find_next(ItemKind(), "Ada", after))
        plant = control_items.get(bench.database, after)
        wanted = "discard" if plant and plant.injected_error != "no_flaw" else "accept"
        bench.reviews.settle(press(bench.reviews.desk(after, "Ada"), f"k{number}", wanted))
    until(lambda: bench.progress.count_own_control_results("Ada").is_ready)
    show("annotate/progress", person="Ada", view="week")
    show("annotate/progress", person="Lea", view="trust")
    mine, everybody = tables["progress_my_hits"], tables["progress_hits"]
    assert mine == everybody and mine["Ada"][0] == "100.0 %"
