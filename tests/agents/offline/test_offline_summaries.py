"""Reverse construction without a model: events, summaries, continuations."""

import pytest

from agents.offline import summaries
from core.nouns import Span
from core.text.numbered import Sentence, number_sentences


def numbered(*lines: str):
    return number_sentences([Sentence(Span("d", n, n + 1), line, "t") for n, line in enumerate(lines)])


@pytest.mark.parametrize(
    ("language", "lines", "event"),
    [
        (
            "zh",
            [
                "2023-07-20，正文：中新网三明7月26日电 (吴娟 邱剑林)7月26日，三明市启动防汛预案，各县随即巡线。",
                "他们很忙。",
                "三明市的线路巡查持续了两天。",
                "各县共派出四十人巡查线路。",
            ],
            "7月26日，三明市启动防汛预案，各县随即巡线。",
        ),
        (
            "en",
            [
                "ORVEL (Reuters) - The bridge at Orvel was closed on Monday after the flood.",
                "It is old.",
                "The flood had washed out two piers of the bridge.",
                "Orvel will build a ferry.",
            ],
            "The bridge at Orvel was closed on Monday after the flood.",
        ),
    ],
)
def test_an_event_is_the_lead_without_its_byline(language, lines, event):
    found = summaries.summarise(numbered(*lines), language)
    assert found is not None and found.event == event and found.summary.startswith(event)
    assert found.evidence[0] == 1 and 2 not in found.evidence


def test_an_article_of_lists_and_pronouns_tells_no_event():
    assert summaries.summarise(numbered("He left.", "It is said that they had come back again."), "en") is None


def test_going_on_takes_what_is_new_from_the_context():
    beginning = "The bridge at Orvel was closed after the flood. Two piers were lost."
    context = "The bridge at Orvel was closed after the flood. Orvel lost its bridge piers, so a ferry runs. Wheat is dear."
    assert summaries.go_on(beginning, context, "en") == "Orvel lost its bridge piers, so a ferry runs."
    assert summaries.go_on(beginning, "Wheat is dear.", "en") == ""
