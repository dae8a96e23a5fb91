"""Agreement over plain opinions, computed here by hand: decisions, reasons, evidence, answers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest

from core.nouns import Span
from core.statistics.ratings import RESAMPLES
from core.statistics.statistics import bootstrap
from store.reviews.opinion_table import OpinionTable, OpinionText
from workbench.annotate.progress import agreement
from workbench.annotate.progress.agreement import (
    AgreementLine,
    AgreementReport,
    build_page,
    cited_sentences,
    compare_meaning,
    compare_opinions,
)

SENTENCES = {"d": [(0, 10), (11, 20), (21, 30)], "e": [(0, 10)]}


class Opinion(NamedTuple):
    item: str
    person: str
    decision: str
    reason: str
    text: OpinionText


def opinion(item: str, person: str, decision: str = "accept", **fields: Any) -> Opinion:
    given = {"evidence": (Span("d", 0, 10),), "answer": "a b", "language": "en", "is_edited": False} | fields
    reason = str(given.pop("reason", ""))
    return Opinion(item, person, decision, reason, OpinionText(*given.values()))


def tabulate(opinions: Sequence[Opinion]) -> OpinionTable:
    columns = list(zip(*opinions, strict=True)) or [()] * 5
    places, values = [], []
    for column in columns:
        values.append(list(dict.fromkeys(column)))
        places.append(np.array([values[-1].index(value) for value in column], np.int64))
    none = np.zeros(len(opinions), np.int64)
    return OpinionTable(*places, none, none, none > 0, *values[1:], [("task", "law", "en")], [{}])


def measured(found: AgreementReport, what: str, measure: str) -> AgreementLine:
    [line] = [line for line in found.lines if line.what == what and line.measure.startswith(measure)]
    return line


def compared(*opinions: Opinion) -> AgreementReport:
    return compare_opinions(tabulate(opinions), lambda documents: {one: SENTENCES[one] for one in documents})


def test_intervals_of_many_items_are_computed_from_fewer_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "MAX_DRAWN_UNITS", 0)
    given = [
        opinion(str(n), who, evidence=(Span("d", 0, end),)) for n in range(20) for who, end in (("Ada", n + 1), ("Bo", 20))
    ]
    found = measured(compared(*given), "Evidence", "Jaccard")
    few, usual = (bootstrap([(n + 1) / 20 for n in range(20)], resamples=n) for n in (agreement.MIN_RESAMPLES, RESAMPLES))
    assert (found.low, found.high) == (pytest.approx(few.low), pytest.approx(few.high)) and few.low != usual.low


def test_decisions_have_every_coefficient_a_share_and_its_chance() -> None:
    found = compared(
        opinion("1", "Ada"),
        opinion("1", "Bo"),
        opinion("2", "Ada", is_edited=True),
        opinion("2", "Bo"),
        opinion("3", "Ada", "discard"),
        opinion("3", "Bo", "discard"),
        opinion("4", "Ada"),
        opinion("4", "Bo", "discard"),
    )
    assert (found.items, found.people, found.left_out) == (4, 2, 0)
    # Observed 3/4. Ada accepts 3/4, Bo 1/2: expected 3/8 + 1/8 = 1/2. Pooled 5/8 accept: Fleiss expects 25/64 + 9/64.
    kappa = measured(found, "Accept or discard", "Cohen")
    assert (kappa.people, kappa.value, kappa.items) == ("Ada and Bo", pytest.approx((0.75 - 0.5) / 0.5), 4)
    assert measured(found, "Accept or discard", "Fleiss").value == pytest.approx((0.75 - 34 / 64) / (1 - 34 / 64))
    # Alpha: observed disagreement 2/8, expected 2 * 5 * 3 / (8 * 7).
    assert measured(found, "Accept or discard", "Kripp").value == pytest.approx(1 - (2 / 8) / (30 / 56))
    alike = measured(found, "Accept or discard", "pairs")
    assert (alike.value, alike.items) == (0.75, 4)
    assert alike.chance == pytest.approx(10 / 24, abs=0.05)  # 24 pairs on different items: 8 accept, 2 discard twice
    assert alike.low is not None and alike.low < 0.75
    assert measured(found, "As drafted, edited or discarded", "pairs").value == 0.5


def test_reasons_are_compared_where_both_discarded() -> None:
    found = compared(
        opinion("1", "Ada", "discard", reason="ambiguous"),
        opinion("1", "Bo", "discard", reason="ambiguous"),
        opinion("2", "Ada", "discard", reason="trivial"),
        opinion("2", "Bo", "discard", reason="ambiguous"),
        opinion("3", "Ada", "discard", reason="trivial"),
        opinion("3", "Bo"),
    )
    line = measured(found, "Reason of discards", "Kripp")
    assert (line.items, line.value) == (2, pytest.approx(1 - (2 / 4) / (6 / 12)))  # 3 ambiguous, 1 trivial
    assert measured(found, "Reason of discards", "pairs").value == 0.5


def test_evidence_is_compared_by_characters_and_by_sentences() -> None:
    found = compared(
        opinion("1", "Ada", evidence=(Span("d", 0, 10),)),
        opinion("1", "Bo", evidence=(Span("d", 0, 20),)),
        opinion("2", "Ada", evidence=(Span("e", 2, 8),)),
        opinion("2", "Bo", evidence=(Span("e", 2, 8),)),
        opinion("3", "Ada"),
        opinion("3", "Bo", "discard"),
    )
    line = measured(found, "Evidence", "Jaccard")
    assert (line.value, line.items) == ((10 / 20 + 1) / 2, 2)
    assert line.chance is not None and line.chance < 0.1  # different documents never overlap
    # Sentences: {d0} and {d0, d1}: MASI 1 - 1/2 * 2/3 = 2/3; {e0} twice. Observed 2 * (2/3) / 4 = 1/3. Expected over the
    # 12 ordered pairs of four labels: 2 of distance 2/3, 2 of 0, 8 of 1.
    alpha = measured(found, "Evidence", "Kripp")
    assert alpha.value == pytest.approx(1 - (1 / 3) / ((2 * 2 / 3 + 8) / 12))


def test_evidence_cites_each_sentence_that_it_touches() -> None:
    assert cited_sentences([Span("d", 9, 12), Span("e", 0, 1)], SENTENCES) == {("d", 0), ("d", 1), ("e", 0)}
    assert cited_sentences([Span("d", 10, 11)], SENTENCES) == set()  # between two of them
    assert cited_sentences([], SENTENCES) == set()


def test_answers_are_compared_by_their_words() -> None:
    found = compared(
        opinion("1", "Ada", answer="red mill"),
        opinion("1", "Bo", answer="red barn"),
        opinion("2", "Ada", answer="1902"),
        opinion("2", "Bo", answer="1902"),
    )
    line = measured(found, "Answer", "token F1")
    assert (line.value, line.items) == (0.75, 2)
    assert line.chance == 0.0


def test_answers_are_compared_in_meaning_where_the_model_knows_the_language() -> None:
    vectors = {"red": np.array([1.0, 0.0]), "crimson": np.array([0.8, 0.6]), "far": np.array([0.0, 1.0])}
    opinions = [
        opinion("1", "Ada", answer="red"),
        opinion("1", "Bo", answer="crimson"),
        opinion("2", "Ada", answer="far"),
        opinion("2", "Bo", answer="far"),
        opinion("3", "Ada", answer="too long"),
        opinion("3", "Bo", answer="far"),
        opinion("4", "Ada", answer="红", language="zh"),
        opinion("4", "Bo", answer="红", language="zh"),
    ]
    asked: list[list[str]] = []

    def of(texts: Any) -> dict[str, Any]:
        asked.append(list(texts))
        return {text: vectors[text] for text in texts if text in vectors}

    en, zh = compare_meaning(tabulate(opinions), ("en",), "minilm", of)
    assert (en.value, en.items) == (pytest.approx((0.8 + 1) / 2), 2)
    assert (zh.value, zh.items, zh.why) == (None, 1, "not available for zh with this model")
    assert asked == [["crimson", "far", "red", "too long"]]


@pytest.mark.parametrize(
    ("opinions", "what", "measure", "why"),
    [
        ([], "Accept or discard", "Kripp", "no unit was labelled by two people"),
        ([opinion("1", "Ada"), opinion("2", "Ada")], "Accept or discard", "Kripp", "no unit was labelled by two people"),
        ([opinion("1", "Ada")], "Accept or discard", "pairs", "no item has it from two people"),
        ([opinion("1", "Ada"), opinion("1", "Bo")], "Accept or discard", "Kripp", "one and the same label"),
        ([opinion("1", "Ada"), opinion("1", "Bo")], "Accept or discard", "Cohen", "one and the same label"),
        ([opinion("1", "Ada"), opinion("1", "Bo")], "Reason of discards", "Kripp", "no unit"),
        (
            [opinion("1", p) for p in "abc"] + [opinion("2", p, "discard") for p in "ab"],
            "Accept or discard",
            "Fleiss",
            "the number of people who labelled a unit differs between units",
        ),
    ],
)
def test_thin_data_is_undefined_and_says_why(opinions: list[Opinion], what: str, measure: str, why: str) -> None:
    line = measured(compared(*opinions), what, measure)
    assert line.value is None and line.low is None and line.why.startswith("undefined, because") and why in line.why


def test_one_item_has_a_value_and_neither_interval_nor_chance() -> None:
    line = measured(compared(opinion("1", "Ada"), opinion("1", "Bo", "discard")), "Accept or discard", "pairs")
    assert (line.value, line.low, line.chance) == (0.0, None, None)


def test_a_file_of_it_has_every_line_with_its_reason() -> None:
    found = compared(opinion("1", "=Ada"), opinion("1", "Bo"))
    [table] = build_page(found, []).tables
    first = dict(zip(table.columns, (cell.value for cell in table.rows[0]), strict=True))
    assert (first["value"], first["items"]) == (None, 1) and str(first["undefined"]).startswith("undefined, because everybody")
    assert any("seed 0" in note for note in table.notes)
