"""Answers, verdicts and statements without a model, in English and Chinese."""

import pytest

from agents.offline import answerer, judge, nuggets, statements
from agents.offline.corpus import OfflineCorpus
from core.nouns import Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences

CONTEXT = "Tarn is a village in Norway. The Velmont Bridge was opened in 1931 by Karl Harl. It is 42 metres long."
ZH = "青石大桥于1931年建成。大桥全长42米。《盐路》由李明创作。"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("In which year was the Velmont Bridge opened?", "1931"),
        ("By whom was the Velmont Bridge opened?", "Karl Harl"),
        ("In which country is the village of Tarn?", "Norway"),
        ("What did Napoleon eat at Waterloo?", answerer.REFUSAL["en"]),
    ],
)
def test_english_answers_are_short_spans_or_the_refusal(question: str, expected: str) -> None:
    assert answerer.answer(question, CONTEXT, "en") == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("青石大桥于哪一年建成？", "1931年"),
        ("大桥全长多少米？", "42米"),
        ("拿破仑在滑铁卢吃了什么？", answerer.REFUSAL["zh"]),
    ],
)
def test_chinese_answers_are_short_spans_or_the_refusal(question: str, expected: str) -> None:
    assert answerer.answer(question, ZH, "zh") == expected


def test_a_long_answer_keeps_the_order_of_the_context() -> None:
    text = "The dam failed because of rust. Birds sang. The dam was rebuilt because the town needed water."
    assert answerer.answer("Why was the dam rebuilt after it failed?", text, "en", sentences=5) == (
        "The dam failed because of rust. The dam was rebuilt because the town needed water."
    )


def test_an_empty_context_is_refused() -> None:
    assert answerer.answer("Who?", "", "en") == answerer.REFUSAL["en"]


@pytest.mark.parametrize(
    ("answer", "prediction", "language", "low", "high"),
    [
        ("Karl Harl", "Karl Harl", "en", 9, 9),
        ("the Velmont Bridge", "Velmont Bridge.", "en", 9, 9),
        ("1931", "It was opened in 1931.", "en", 5, 8),
        ("1931", "1932", "en", 0, 0),
        ("It was opened", "It was not opened", "en", 0, 4),
        ("Karl Harl", "", "en", 0, 0),
        ("大桥全长42米", "大桥全长42米。", "zh", 5, 9),
        ("大桥全长42米", "大桥全长45米", "zh", 0, 4),
    ],
)
def test_agreement(answer: str, prediction: str, language: str, low: int, high: int) -> None:
    assert low <= judge.agreement(answer, prediction, language) <= high


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The Velmont Bridge was opened in 1931.", 1),
        ("The bridge is 42 metres long.", 1),
        ("The Velmont Bridge was opened in 1935.", 0),
        ("The Velmont Bridge was not opened in 1931.", 0),
        ("The Velmont Bridge was opened by Ida Crake.", 0),
        ("", 0),
    ],
)
def test_containment(sentence: str, expected: int) -> None:
    assert judge.containment(CONTEXT, sentence, "en") == expected


def test_chinese_containment_sees_a_changed_figure() -> None:
    assert judge.containment(ZH, "青石大桥于1931年建成。", "zh") == 1
    assert judge.containment(ZH, "青石大桥于1935年建成。", "zh") == 0


def test_supported_gives_the_letters_of_what_the_prediction_says() -> None:
    lines = "a. The Velmont Bridge was opened in 1931.\nb. It was opened in 1935.\n(c) The bridge is 42 metres long."
    assert judge.list_supported(CONTEXT, lines, "en") == ["a", "c"]


def shown(*texts: str) -> NumberedSentences:
    return number_sentences([Sentence(Span("d", 100 * i, 100 * i + len(t)), t) for i, t in enumerate(texts)])


@pytest.mark.parametrize(
    ("answer", "language"),
    [
        ("Karl Harl opened the Velmont Bridge in 1931. The town grew because of the bridge.", "en"),
        ("Tarn is small.", "en"),
        ("青石大桥于1931年建成。大桥建成后，小镇的人口增长到3200人。", "zh"),
        ("小镇很小。", "zh"),
    ],
)
def test_false_statements_are_three_to_five_and_none_is_true(answer: str, language: str) -> None:
    given = shown("Ida Crake opened the Harl Bridge in Tarn.") if language == "en" else shown(answer)
    made = statements.true_and_false(answer, given, OfflineCorpus(()), language)
    assert 1 <= len(made.true) <= 5 and 3 <= len(made.false) <= 5
    assert len({*made.true, *made.false}) == len(made.true) + len(made.false)
    assert not any(judge.containment(answer, false, language) for false in made.false)


def test_an_ordinal_and_a_range_are_not_turned_into_nonsense() -> None:
    answer = "The 20th Harl Cup was held between 1931 and 1935."
    made = statements.true_and_false(answer, shown(answer), OfflineCorpus(()), "en")
    assert not any("21th" in s or "1934 and" in s for s in made.false)


ASKED = "Why could the quarries of Corran sell no slate after 1908?"


def test_a_draft_of_nuggets_is_the_clauses_of_the_answer_with_their_evidence() -> None:
    answer = (
        "The railway was washed away in the spring of 1908, and the line stayed closed for fourteen months; "
        "it cost Ida Crake 400."
    )
    sentences = "[1] In spring 1908 the railway was washed away.\n[2] Birds sang.\n[3] The line stayed closed for 14 months."
    drafted = nuggets.draft(ASKED, answer, sentences, "en")
    assert drafted == [
        {"text": "The railway was washed away in the spring of 1908.", "importance": "vital", "sentences": [1]},
        {"text": "The line stayed closed for fourteen months.", "importance": "okay", "sentences": [3]},
        {"text": "It cost Ida Crake 400.", "importance": "vital", "sentences": []},
    ]
    assert nuggets.draft(ASKED, answerer.REFUSAL["en"], "", "en") == []
    assert [one["text"] for one in nuggets.draft(ASKED, f"{ASKED[:-1]}. It rained for weeks.", "", "en")] == [
        "It rained for weeks."
    ]
    assert [one["text"] for one in nuggets.draft("在哪里？", "云栖湖位于临川高原东缘；湖面长9公里。", "", "zh")] == [
        "云栖湖位于临川高原东缘。",
        "湖面长9公里。",
    ]


@pytest.mark.parametrize(
    ("nugget", "prediction", "language", "expected"),
    [
        ("The railway was washed away.", "A flood washed away the railway.", "en", "support"),
        ("The railway was washed away.", "The railway was not washed away.", "en", "not_support"),
        ("The railway was washed away.", "Was the railway washed away?", "en", "not_support"),
        ("The railway was washed away.", "", "en", "not_support"),
        ("The line stayed closed for 14 months.", "The line stayed closed.", "en", "partial_support"),
        ("The line stayed closed for 14 months.", "The line stayed closed for 15 months.", "en", "not_support"),
        ("The line stayed closed for 14 months.", "The line stayed closed for fourteen months.", "en", "support"),
        ("Ida Crake closed the line.", "Karl Harl closed the line.", "en", "not_support"),
        ("水电站有五个月无法发电。", "水电站五个月无法发电。", "zh", "support"),
        ("水电站有五个月无法发电。", "水电站有三个月无法发电。", "zh", "not_support"),
        ("修复钢轨比购买汽车更贵。", "《盐路》由李明创作。", "zh", "not_support"),
    ],
)
def test_a_nugget_is_judged_by_its_words_figures_and_names(nugget: str, prediction: str, language: str, expected: str) -> None:
    asked = ASKED if language == "en" else "石泉为什么停办了电车？"
    assert nuggets.verdicts(asked, prediction, f"[1] {nugget}", language) == [{"nugget": 1, "verdict": expected}]
