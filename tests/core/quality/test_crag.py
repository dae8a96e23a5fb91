"""CRAG's closed lists and the time at which a question was asked."""

from datetime import UTC, datetime

import pytest

from core.quality import crag


def test_the_lists_are_crags_to_the_letter() -> None:
    assert list(crag.DOMAINS) == ["finance", "sports", "music", "movie", "open"]
    assert list(crag.QUESTION_TYPES) == [
        "simple",
        "simple_w_condition",
        "set",
        "comparison",
        "aggregation",
        "multi-hop",
        "post-processing",
        "false_premise",
    ]
    assert list(crag.DYNAMISMS) == ["real-time", "fast-changing", "slow-changing", "static"]
    assert list(crag.POPULARITIES) == ["head", "torso", "tail", ""]
    assert all(about for values in (crag.DOMAINS, *crag.LABELS.values()) for about in values.values())


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("question_type", "multi_hop"),
        ("question_type", "post-processing heavy"),
        ("question_type", None),
        ("domain", "Finance"),
        ("static_or_dynamic", ""),
        ("popularity", 1),
        ("popularity", None),
    ],
)
def test_a_value_outside_its_list_is_told_with_the_list(label: str, value: object) -> None:
    assert crag.explain_label_fault(label, value).startswith(f"has the {label} {str(value)!r}: ")


def test_a_value_of_its_list_is_fine() -> None:
    assert not any(
        (
            crag.explain_label_fault("popularity", ""),
            crag.explain_label_fault("question_type", "multi-hop"),
            crag.explain_label_fault("domain", "open"),
        )
    )


@pytest.mark.parametrize(("text", "hours"), [("02/28/2024, 08:35:24 PT", 16), ("03/13/2024, 09:30:59 PT", 16)])
def test_pacific_time_is_read_in_winter_and_in_summer(text: str, hours: int) -> None:
    found = crag.read_query_time(text)
    assert found.astimezone(UTC).hour == hours and crag.format_query_time(found) == text


@pytest.mark.parametrize(
    "text", ["2024-02-28", "02/28/2024, 08:35:24", "13/28/2024, 08:35:24 PT", "02/30/2024, 25:00:00 PT", ""]
)
def test_another_form_of_time_is_told_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="has the query_time"):
        crag.read_query_time(text)
    assert crag.find_query_time({"query_time": text}) is None


def test_a_moment_without_a_zone_is_pacific_time() -> None:
    assert crag.format_query_time(datetime(2024, 2, 28, 8, 35, 24)) == "02/28/2024, 08:35:24 PT"


@pytest.mark.parametrize("gold", ["nan", "NaN", "I don’t know.", "i don't  know"])
def test_a_gold_that_answers_nothing_is_known(gold: str) -> None:
    assert crag.explain_unanswering(gold)


@pytest.mark.parametrize("gold", ["invalid question", "en", "nancy", "he said i don't know"])
def test_other_golds_answer_something(gold: str) -> None:
    assert not crag.explain_unanswering(gold)
