"""The offline agent on several documents: dated events about one thing, put in order; it declines rather than ask nonsense."""

import pytest

from core.nouns import Span
from core.numbered import Sentence, number
from core.offline.chinese.events import events as chinese_events
from core.offline.corpus import Corpus
from core.offline.english.events import events as english_events
from core.offline.joined import answer, asked, cited, days_in, elements, joints, parts, rewritten
from core.text import split_sentences


def shown(*texts, language="zh"):
    found = []
    for place, text in enumerate(texts):
        found += [Sentence(Span(f"d{place}", a, b), text[a:b], f"T{place}") for a, b in split_sentences(text, language)]
    return number(found)


def joined(*texts, language="zh"):
    sentences = shown(*texts, language=language)
    return joints(sentences, days_in(sentences, Corpus.of(sentences, language)), language), sentences


BRIDGE = "2031-07-20 16:50，正文：石泉大桥7月18日正式开工建设。市民驻足观看。"
OPENED = "2031-07-28 10:00，正文：27日，石泉大桥首批钢梁运抵施工现场。工期为两年。"
NAMED = "2031-08-03，正文：8月2日，石泉大桥建设指挥部公布了大桥的设计方案。方案共三种。"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2031-07-20，正文：7月18日，石泉大桥正式开工建设。", ["石泉大桥正式开工建设"]),
        ("2031-07-20，正文：石泉博物馆于7月18日在石泉市对外开放。", ["石泉博物馆在石泉市对外开放"]),
        ("2031-07-20，正文：18日，该馆对外开放，市民入场参观。", []),
        ("2031-07-20，正文：石泉博物馆将于7月30日对外开放。", []),
        ("2031-07-20，正文：25日，石泉博物馆对外开放并举行仪式。", []),
        ("正文：7月18日，石泉博物馆在石泉市对外开放。", []),
        ("2031-07-20，正文：7月18日至20日，石泉博物馆对外开放三天。", []),
        ("2031-07-20，正文：7月18日，石泉市召开新闻发布会。", []),
    ],
)
def test_chinese_events_can_be_read_alone_or_are_left_out(text, told):
    sentences = shown(text)
    assert [event.told for event in chinese_events(sentences, days_in(sentences, Corpus.of(sentences, "zh")))] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The mill of Wend burned down on 4 May 1904.", ["the mill of Wend burned down"]),
        ("In 1911, Ada Quill founded a school of weaving.", ["Ada Quill founded a school of weaving"]),
        ("She sold the tower of Orvel in 1904.", []),
        ("From 1904 to 1911 Ada Quill lived in Orvel.", []),
        ("Ada Quill said that the tower was sold in 1904.", []),
        ("The tower of Orvel, the tallest since 1904.", []),
    ],
)
def test_english_events_can_be_read_alone_or_are_left_out(text, told):
    assert [event.told for event in english_events(shown(text, language="en"))] == told


def test_three_documents_are_joined_by_what_all_name_and_put_in_order():
    found, sentences = joined(BRIDGE, OPENED, NAMED)
    joint = found[0]
    assert "石泉大桥" in joint.contact and [event.when[1:] for event in joint.in_order] == [(7, 18), (7, 27), (8, 2)]
    question = rewritten(joint, "zh")
    assert question.startswith(f"与{joint.contact}有关的三件事") and parts(question) == 3
    assert not any(day in question for day in ("7月", "8月", "27日"))
    said = answer(joint, "zh")
    assert said.index("7月18日") < said.index("7月27日") < said.index("8月2日")
    assert {sentences.sentences[n - 1].span.document for n in cited(joint, sentences)} == {"d0", "d1", "d2"}
    assert next(elements(joint, sentences))[0] == joint.contact and asked(joint, "zh").count("？") == 3


def test_a_bare_day_is_cited_with_the_sentence_that_dates_its_report():
    [joint, *_], sentences = joined(BRIDGE, "2031-07-28，正文：市民十分期待。27日，石泉大桥首批钢梁运抵施工现场。")
    assert cited(joint, sentences)[-2:] == [3, 4]


@pytest.mark.parametrize(
    "texts",
    [
        (BRIDGE, "2031-07-20，正文：7月18日，石泉大桥正式开工建设。"),  # one thing told twice
        (BRIDGE, "2031-07-28，正文：7月18日，石泉大桥首批钢梁运抵施工现场。"),  # no order
        (BRIDGE, "2031-07-28，正文：7月27日，云栖图书馆首批新书上架开放。"),  # nothing in common
        (BRIDGE, "石泉大桥的首批钢梁已经运抵施工现场。"),  # nothing dated
        (BRIDGE,),
    ],
)
def test_it_says_that_there_is_nothing_rather_than_ask_nonsense(texts):
    assert joined(*texts)[0] == []


def test_years_alone_order_only_what_they_settle():
    early, late = "In 1904 Ada Quill sold the tower of Orvel.", "Ada Quill founded a school of weaving on 3 May 1904."
    assert joined(early, late, language="en")[0] == []
    [joint, *_], _ = joined(early, late.replace("1904", "1911"), language="en")
    assert answer(joint, "en").startswith("1904: Ada Quill sold")
    assert "came first" in rewritten(joint, "en") and parts(rewritten(joint, "en")) == 2
