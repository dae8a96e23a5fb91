"""Outcomes of items and their twins are told by rules, and rates leave out what failed or was not asked."""

import json
from dataclasses import replace

import pytest

from core.nouns import Item, Run, Span, System, Trace
from eval.absence.layout import build_page
from eval.absence.outcomes import AbsencePair, AbsenceResult, compare_twins, measure_rates, read_outcome
from eval.reports.renderer import renderers

RUN = Run("r1", "b2:1", System("vanilla", {}), "v1", "b2:2", None, {}, 0)
PASSAGE = Span("d9", 0, 40)


def item(name: str, document: str = "") -> Item:
    return Item(name, "question_answering", f"Who built {name}?", ("Ada Quill",), (Span(document or f"d-{name}", 0, 9),))


def trace(name: str, answer: str | None, stop: str = "answered", retrieved: tuple[Span, ...] = ()) -> Trace:
    return Trace("r1", name, answer=answer, stop=stop, retrieved=retrieved)


@pytest.mark.parametrize(
    ("answer", "stop", "outcome"),
    [
        ("Ada Quill.", "answered", "gold"),
        ("It was built by Ada Quill in 1902.", "answered", "gold"),
        ("Bert Vane", "answered", "other"),
        ("", "answered", "refused"),
        ("I don't know, perhaps Ada Quill.", "answered", "refused"),
        ("It cannot be answered from the given text.", "answered", "refused"),
        (None, "refused", "refused"),
        (None, "timeout", "failed"),
    ],
)
def test_an_answer_is_told_by_rules_and_refusals_come_first(answer: str | None, stop: str, outcome: str) -> None:
    assert read_outcome(trace("a", answer, stop), item("a")) == outcome


def test_rates_leave_out_what_failed_or_was_not_asked() -> None:
    pairs = [
        AbsencePair("a", "gold", "refused"),
        AbsencePair("b", "gold", "gold"),
        AbsencePair("c", "refused", "other"),
        AbsencePair("d", "other", "failed"),
        AbsencePair("e", "gold", None),
    ]
    rates = measure_rates(pairs, {pair.item: item(pair.item) for pair in pairs})
    assert {name: (rate.mean, rate.n) for name, rate in rates.items()} == {
        "refuses_with": (1 / 5, 5),
        "answers_without": (2 / 3, 3),
        "gold_without": (1 / 2, 2),
        "right_on_both": (1 / 3, 3),
    }


def test_items_with_evidence_in_one_document_are_resampled_together() -> None:
    pairs = [AbsencePair(str(n), "gold", "gold" if n < 10 else "refused") for n in range(20)]
    alone = measure_rates(pairs, {pair.item: item(pair.item) for pair in pairs})["answers_without"]
    shared = {pair.item: item(pair.item, f"d{int(pair.item) // 5}") for pair in pairs}
    together = measure_rates(pairs, shared)["answers_without"]
    assert together.high is not None and alone.high is not None and together.high > alone.high
    assert measure_rates([], {})["answers_without"].mean is None


def test_a_gold_answer_without_evidence_is_a_leak_a_guess_or_remembered() -> None:
    items = {name: item(name) for name in ("leaked", "remembered", "guessed", "open")}
    items["guessed"] = replace(items["guessed"], question="Was it built by Ada Quill or by Bert Vane?")
    twins = {
        "leaked": trace("leaked", "Ada Quill", retrieved=(PASSAGE,)),
        "remembered": trace("remembered", "Ada Quill", retrieved=(Span("d8", 0, 9),)),
        "guessed": trace("guessed", "Ada Quill"),
    }
    texts = {"d9": "Quill, Ada: the builder.", "d8": "Nothing of that."}
    originals = {name: trace(name, "Ada Quill") for name in items}
    result = compare_twins(RUN, items, originals, twins, list(items), lambda span: texts[span.document])
    assert result.count("twin")["gold"] == 3 and result.sources == {"passage": 1, "question": 1, "neither": 1}
    page = build_page([result], ["vanilla"])
    assert any("1 are in a passage" in note and "1 only in the question" in note for note in page.tables[0].notes)
    assert "vanilla: 1 of 4 twins are not asked yet." in page.notes
    data = json.loads(renderers()["json"].render(page))["runs"][0]
    assert data["twin"] == {"gold": 3, "refused": 0, "other": 0, "failed": 0}
    text = renderers()["markdown"].render(page)
    assert "| vanilla | evidence gone | Refused | 3 | 3 | 0 | 0 | 0 |" in text


def test_a_run_whose_twins_are_not_asked_has_the_reason_in_place_of_rows() -> None:
    pairs = [AbsencePair("a", "gold", None)]
    result = AbsenceResult(RUN, pairs, measure_rates(pairs, {"a": item("a")}), "it reads the whole corpus")
    page = build_page([result], ["graph"])
    assert list(page.tables) == [] and "graph: it reads the whole corpus." in page.notes
