"""The new answer was read, the old one is remembered; each rate has its own n, and failures are in none."""

from core.nouns import Item, Run, Span, System, Trace
from core.quality.counterfactual import Origin
from eval.counterfactual.layout import build_page
from eval.counterfactual.outcomes import WorldResult, compare_worlds, read_world_outcome

RUN = Run("r1", "b2:r1", System("vanilla", {}), "cf", "b2:cf", None, {})
REAL = Run("r0", "b2:r0", System("vanilla", {}), "v1", "b2:v1", None, {})


def item(name: str, answer: str) -> Item:
    return Item(name, "question_answering", "Who bought the mill?", (answer,), evidence=(Span(f"doc {name}", 0, 9),))


def trace(name: str, answer: str | None) -> Trace:
    return Trace(run=RUN.id, item=name, answer=answer)


def test_outcomes_are_told_by_both_answers() -> None:
    new = item("q", "Bert Vane")
    told = {
        answer: read_world_outcome(trace("q", answer), new, ["Ada Quill"])
        for answer in ("Bert Vane", "It was Ada Quill.", "Ada Quill or Bert Vane", "Cleo Marsh", "I don't know", None)
    }
    assert list(told.values()) == ["reads", "remembers", "both", "other", "refused", "failed"]


def compare(answers: dict[str, str | None], real: dict[str, str | None]) -> WorldResult:
    items = {f"{name}2": item(f"{name}2", "Bert Vane") for name in "abcd"}
    origins = {f"{name}2": Origin(name, ("Ada Quill",), "name") for name in "abcd"}
    return compare_worlds(
        RUN,
        REAL,
        items,
        origins,
        {name: item(name, "Ada Quill") for name in "abcd"},
        {name: trace(name, answer) for name, answer in answers.items()},
        {name: trace(name, answer) for name, answer in real.items()},
    )


def test_a_system_that_answers_from_memory_loses_although_it_was_right_before() -> None:
    names = [f"{name}2" for name in "abcd"]
    result = compare(dict.fromkeys(names, "Ada Quill"), dict.fromkeys("abcd", "Ada Quill"))
    assert result.count() == {"remembers": 4} and result.count_real() == {"gold": 4}
    rates = {name: (rate.mean, rate.n) for name, rate in result.rates.items()}
    assert rates["remembers"] == rates["remembers_known"] == (1.0, 4)
    assert rates["reads"] == rates["right_in_both"] == (0.0, 4)


def test_failed_and_unasked_answers_are_in_no_rate() -> None:
    result = compare({"a2": "Bert Vane", "b2": None, "c2": "I don't know"}, {"a": "Ada Quill", "b": "Ada Quill", "c": None})
    rates = {name: (rate.mean, rate.n) for name, rate in result.rates.items()}
    assert rates["reads"] == rates["refused"] == (0.5, 2)
    assert rates["remembers_known"] == (0.0, 1) and rates["right_in_both"] == (1.0, 1)
    page = build_page([result], ["vanilla"], {})
    [cells] = page.tables[0].rows
    told = dict(zip(page.tables[0].columns, (cell.text for cell in cells), strict=True))
    assert told["Right in the real world"] == "2 of 3" and (told["Reads"], told["Refused"], told["Failed"]) == ("1", "1", "1")
    assert "vanilla: 1 of 4 items are not asked yet." in page.notes


def test_without_a_run_in_the_real_world_nothing_is_said_of_it() -> None:
    result = compare_worlds(RUN, None, {"a2": item("a2", "Bert Vane")}, {"a2": Origin("a", ("Ada Quill",))}, {}, {}, {})
    assert result.rates["right_in_both"].mean is None and result.rates["reads"].n == 0
    page = build_page([result], ["vanilla"], {})
    assert any("no run of the same system" in note for note in page.notes)
