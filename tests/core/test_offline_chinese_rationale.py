"""Chinese rationale questions stand on claims from several places, each cited. All facts are invented."""

from core.ids import content_hash
from core.nouns import Document, Span
from core.numbered import Numbered, Sentence, number
from core.offline.chinese.rationale import draft_explicit_rationale, draft_implicit_rationale
from core.offline.corpus import Corpus
from core.offline.factoid import Rationale
from core.sentences import split_sentences

STEPS = (
    "梨江大学于2029年3月启动竹材实验室建设，并为此调集了12名研究人员。",
    "有学生在校园里养了一只猫。",
    "2030年9月，梨江大学组织师生加固图书馆的旧书架，保护馆藏竹简。",
    "操场边的银杏叶黄了又落了。",
    "2031年2月，梨江大学出台新的奖学金办法，资助研究江豚的学生。",
    "食堂的师傅在门口晒太阳。",
    "2031年4月，梨江大学投入300万元翻修旧体育馆，并向附近居民开放。",
)


def sentences_of(*texts: str) -> tuple[Numbered, Corpus]:
    told = Document(content_hash("".join(texts)), "".join(texts), "栖云新闻", language="zh", published="2031-05-20")
    spans = split_sentences(told.text, "zh")
    return number([Sentence(Span(told.id, a, b), told.text[a:b]) for a, b in spans]), Corpus([told])


def evidence(found: Rationale) -> list[int]:
    return [n for claim in found.claims for n in claim.evidence]


def test_an_explicit_rationale_gathers_at_least_three_places() -> None:
    sentences, corpus = sentences_of(*STEPS)
    found = draft_explicit_rationale(sentences, corpus, "seed", "")
    assert found is not None
    assert "梨江大学" in found.question
    assert found.theme == ""
    assert len(found.claims) >= 3
    assert set(evidence(found)) <= {1, 3, 5, 7}


def test_each_claim_is_what_its_sentence_says() -> None:
    sentences, corpus = sentences_of(*STEPS)
    found = draft_explicit_rationale(sentences, corpus, "seed", "")
    assert found is not None
    for claim in found.claims:
        (n,) = claim.evidence
        assert claim.claim == sentences.sentences[n - 1].text


def test_two_places_are_not_enough() -> None:
    sentences, corpus = sentences_of(*STEPS[:3])
    assert draft_explicit_rationale(sentences, corpus, "seed", "") is None


def test_an_implicit_rationale_follows_the_dates() -> None:
    sentences, corpus = sentences_of(*reversed(STEPS))
    found = draft_implicit_rationale(sentences, corpus, "seed", "")
    assert found is not None
    assert found.question == "从2029年3月到2031年4月，梨江大学经历了怎样的发展变化？"
    assert found.theme == "梨江大学"
    assert evidence(found) == [7, 5, 3, 1]


def test_a_chain_of_two_dates_is_not_enough() -> None:
    sentences, corpus = sentences_of(*STEPS[:3])
    assert draft_implicit_rationale(sentences, corpus, "seed", "") is None


def test_the_seed_settles_whose_name_it_is_among_good_ones() -> None:
    other = tuple(step.replace("梨江大学", "栖云银行") for step in STEPS)
    sentences, corpus = sentences_of(*STEPS, *other)
    drafts = [draft_explicit_rationale(sentences, corpus, f"window {n}", "") for n in range(12)]
    asked = {name for draft in drafts if draft for name in ("梨江大学", "栖云银行") if name in draft.question}
    assert asked == {"梨江大学", "栖云银行"}


def test_a_word_for_many_is_no_topic() -> None:
    sentences, corpus = sentences_of(*(step.replace("梨江大学", "上市公司") for step in STEPS))
    assert draft_explicit_rationale(sentences, corpus, "seed", "") is None


def test_a_question_to_avoid_is_not_asked_again() -> None:
    sentences, corpus = sentences_of(*STEPS)
    first = draft_implicit_rationale(sentences, corpus, "seed", "")
    assert first is not None
    again = draft_implicit_rationale(sentences, corpus, "seed", first.question)
    assert again is None or again.question != first.question


def test_the_same_seed_gives_the_same_question() -> None:
    sentences, corpus = sentences_of(*STEPS)
    assert draft_explicit_rationale(sentences, corpus, "a", "") == draft_explicit_rationale(sentences, corpus, "a", "")
