"""The offline agent's frame: what it dispatches on, what it says when there is nothing, and that it never varies."""

import json

import pytest

from agents.offline.agent import REPLIES, OfflineAgent, reply_for
from agents.offline.corpus import OfflineCorpus
from agents.scripted.scripted import ScriptedAgent
from core.agent import Sampling, can_complete
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Message, Prompt, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from core.text.text import split_sentences
from prompts.prompt import load

TEXT = "Ida Crake was the second director of the Velmont Opera.\n\n"
DOCUMENT = Document(content_hash(TEXT), TEXT, "test")


def prompt(skill: str, fields: tuple[str, ...], inputs: tuple[str, ...] = (), language: str = "en", name: str = "p") -> Prompt:
    schema = {"type": "object", "properties": {field: {} for field in fields}} if fields else None
    return Prompt(name, skill, (Message("user", " ".join(f"${i}" for i in inputs)),), inputs, schema, language)


def shown(doc: Document) -> NumberedSentences:
    return number_sentences(
        [Sentence(Span(doc.id, a, b), doc.text[a:b], doc.title) for a, b in split_sentences(doc.text, "en")]
    )


DRAFT = prompt("draft", ("question", "answer", "evidence", "none"), ("sentences", "domain", "reason", "previous"))
GIVEN = {"sentences": shown(DOCUMENT), "domain": "arts", "reason": "", "previous": ""}


async def test_a_draft_is_json_of_the_schemas_fields_and_costs_nothing() -> None:
    completion = await OfflineAgent(OfflineCorpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling())
    reply = json.loads(completion.text)
    assert set(reply) == {"question", "answer", "evidence"}
    assert (reply["answer"], reply["evidence"]) == ("Ida Crake", [1])
    assert (completion.price, completion.attempts) == (0.0, 0)


async def test_nothing_worth_asking_is_said_with_empty_fields() -> None:
    text = "It went on for a while.\n\nNobody knew why."
    doc = Document(content_hash(text), text, "test")
    completion = await OfflineAgent().ask(DRAFT, GIVEN | {"sentences": shown(doc)}, Sampling())
    reply = json.loads(completion.text)
    assert reply["none"] and (reply["question"], reply["answer"], reply["evidence"]) == ("", "", [])


async def test_the_same_request_gives_the_same_reply_in_a_new_agent() -> None:
    first = await OfflineAgent(OfflineCorpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling(seed=1))
    second = await OfflineAgent(OfflineCorpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling(seed=2))
    assert first.text == second.text


def test_two_corpora_are_two_requests() -> None:
    other = Document(content_hash("Another text."), "Another text.", "other")
    one = OfflineAgent(OfflineCorpus([DOCUMENT])).request(DRAFT, GIVEN, Sampling())
    assert one != OfflineAgent(OfflineCorpus([DOCUMENT, other])).request(DRAFT, GIVEN, Sampling())
    assert one == OfflineAgent(OfflineCorpus([DOCUMENT])).request(DRAFT, GIVEN, Sampling())


async def test_an_unknown_skill_or_field_is_named_in_one_sentence() -> None:
    with pytest.raises(BenchError, match="has no rules for rewrite"):
        await OfflineAgent().ask(prompt("rewrite", ("text",)), {}, Sampling())
    with pytest.raises(BenchError, match="sonnet"):
        await OfflineAgent().ask(prompt("draft", ("sonnet",)), {}, Sampling())


def test_it_says_beforehand_what_it_has_no_rules_for() -> None:
    agent = OfflineAgent()
    for task in ("explicit_factoid", "summary", "qa_one_document", "hallucination_repair"):
        assert can_complete(agent, load(f"draft/{task}", "en"))
    for task in ("implicit_factoid", "explicit_rationale", "implicit_rationale", "common_elements"):
        assert not can_complete(agent, load(f"draft/{task}", "en"))
    assert can_complete(ScriptedAgent([]), load("draft/implicit_factoid", "en")), "it may try"


def test_only_skill_and_fields_decide() -> None:
    for skill, fields in REPLIES:
        assert reply_for(prompt(skill, tuple(fields), name="any name")) is REPLIES[skill, fields]


async def test_sentences_without_numbers_are_refused() -> None:
    with pytest.raises(BenchError, match="numbered sentences"):
        await OfflineAgent().ask(DRAFT, GIVEN | {"sentences": "just a text"}, Sampling())


async def test_select_passages_gives_numbers_of_those_shown() -> None:
    passages = number_sentences(
        [Sentence(Span("d", i, i + 1), text) for i, text in enumerate(["Oslo has a port.", TEXT, "Rain fell."])]
    )
    asked = prompt("extract", ("passages",), ("question", "passages", "count"))
    given = {"question": "Who was the second director of the Velmont Opera?", "passages": passages, "count": 1}
    completion = await OfflineAgent(OfflineCorpus([DOCUMENT])).ask(asked, given, Sampling())
    assert json.loads(completion.text) == {"passages": [2]}


async def test_it_answers_in_plain_text() -> None:
    asked = prompt("answer", (), ("question", "context"), name="answer/short.en")
    given = {"question": "Who was the second director of the Velmont Opera?", "context": TEXT}
    assert (await OfflineAgent().ask(asked, given, Sampling())).text == "Ida Crake"
