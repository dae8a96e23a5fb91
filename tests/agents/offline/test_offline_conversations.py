"""The offline agent drafts conversations in English, and understands follow-ups by rules."""

import pytest

from agents.offline import conversations
from agents.offline.corpus import OfflineCorpus
from agents.offline.follow_ups import resolve, resolve_text, standalone
from builders.gates.follow_up import explain_unfit
from core.ids import content_hash
from core.nouns import Document, Span
from core.quality.conversations import Exchange, format_history
from core.text.numbered import NumberedSentences, Sentence
from core.text.text import split_sentences

LIFE = "Ada Quill (born 7 July 1931) is a Norwegian painter. She painted the town hall of Orvel in 1962."
BEFORE = [Exchange("Who owned the mill of Orvel?", "Ada Quill")]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("When was she born?", "When was Ada Quill born?"),
        ("What is her nationality?", "What is Ada Quill's nationality?"),
        ("Where did that person die?", "Where did Ada Quill die?"),
        ("Where is that person's grave?", "Where is Ada Quill's grave?"),
        ("And in which year?", "Who owned the mill of Orvel? And in which year?"),
        ("Who owned the forge of Tarn?", "Who owned the forge of Tarn?"),
    ],
)
def test_a_pronoun_stands_for_the_last_answer(question: str, wanted: str) -> None:
    assert resolve(question, BEFORE, "en") == wanted
    assert resolve_text(format_history(BEFORE, question, "en"), "en") == wanted
    assert standalone("User: Who owned the mill of Orvel?\nAssistant: Ada Quill", question, "en") == wanted


def test_a_refusal_or_a_number_is_no_referent_and_the_last_name_is() -> None:
    for answer in ("Cannot be answered from the given text", "22 minutes", ""):
        assert resolve("How deep is it?", [Exchange("Who owned Orvel Mill?", answer)], "en") == "How deep is Orvel Mill?"
    assert resolve("When was she born?", [], "en") == "When was she born?"


def test_chinese_pronouns_are_replaced() -> None:
    before = [Exchange("谁记下最后一个低潮？", "阿格尼丝")]
    assert resolve("接替她的是什么？", before, "zh") == "接替阿格尼丝的是什么？"
    assert standalone("用户：谁记下最后一个低潮？\n助手：阿格尼丝", "接替她的是什么？", "zh") == "接替阿格尼丝的是什么？"


def sentences(text: str) -> tuple[NumberedSentences, OfflineCorpus]:
    document = Document(content_hash(text), text, "Ada Quill")
    cut = (Sentence(Span(document.id, a, b), text[a:b], document.title) for a, b in split_sentences(text, "en"))
    return NumberedSentences(tuple(cut)), OfflineCorpus([document])


def test_two_questions_on_one_person_become_a_conversation() -> None:
    shown, corpus = sentences(LIFE)
    drafted = conversations.draft(shown, corpus, "en", "seed", "")
    assert drafted is not None
    first, second = drafted["turns"][:2]
    assert "Ada Quill" in first["question"] and "Ada" not in second["question"] and "that person" in second["question"]
    assert "Ada Quill" in second["standalone"] and {first["answer"], second["answer"]} == {"Norwegian", "7 July 1931"}
    before = [Exchange(first["question"], first["answer"])]
    assert explain_unfit(second["question"], second["standalone"], before, "en") == ""


def test_a_given_first_turn_is_followed_by_questions_on_what_it_names() -> None:
    shown, corpus = sentences(LIFE)
    drafted = conversations.draft(shown, corpus, "en", "seed", "", Exchange("Who painted the town hall of Orvel?", "Ada Quill"))
    assert drafted is not None
    first, *more = drafted["turns"]
    assert (first["question"], first["answer"]) == ("Who painted the town hall of Orvel?", "Ada Quill")
    assert more and all("that person" in turn["question"] and "Ada Quill" in turn["standalone"] for turn in more)
    other = Exchange("Who built the mill of Tarn?", "Bert Vane")
    assert conversations.draft(shown, corpus, "en", "seed", "", other) is None, "nothing is asked about Bert Vane"


def test_one_question_or_chinese_gives_no_conversation() -> None:
    shown, corpus = sentences("The pump of Hollin Street ran dry in 1911.")
    assert conversations.draft(shown, corpus, "en", "seed", "") is None
    assert conversations.draft(*sentences(LIFE), "zh", "seed", "") is None
