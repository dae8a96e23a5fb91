"""The offline agent's frame: what it dispatches on, what it says when there is nothing, and that it never varies."""

import json

import pytest

from core.agents.agent import Sampling
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Message, Prompt, Span
from core.numbered import Numbered, Sentence, number
from core.offline.agent import REPLIES, OfflineAgent, reply_for
from core.offline.corpus import Corpus
from core.text import split_sentences

TEXT = "Salt Road\nSalt Road is a 1931 Norwegian film directed by Anna Velmont.\n\n"
DOCUMENT = Document(content_hash(TEXT), TEXT, "test")


def prompt(skill: str, fields: tuple[str, ...], inputs: tuple[str, ...] = (), language: str = "en", name: str = "p") -> Prompt:
    schema = {"type": "object", "properties": {field: {} for field in fields}} if fields else None
    return Prompt(name, skill, (Message("user", " ".join(f"${i}" for i in inputs)),), inputs, schema, language)


def shown(doc: Document) -> Numbered:
    return number([Sentence(Span(doc.id, a, b), doc.text[a:b], doc.title) for a, b in split_sentences(doc.text, "en")])


DRAFT = prompt("draft", ("question", "answer", "evidence", "none"), ("sentences", "domain", "reason", "previous"))
GIVEN = {"sentences": shown(DOCUMENT), "domain": "arts", "reason": "", "previous": ""}


async def test_a_draft_is_json_of_the_schemas_fields_and_costs_nothing() -> None:
    completion = await OfflineAgent(Corpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling())
    reply = json.loads(completion.text)
    assert set(reply) == {"question", "answer", "evidence"}
    assert (reply["answer"], reply["evidence"]) == ("Anna Velmont", [2])
    assert (completion.price, completion.attempts) == (0.0, 0)


async def test_nothing_worth_asking_is_said_with_empty_fields() -> None:
    text = "It went on for a while.\n\nNobody knew why."
    doc = Document(content_hash(text), text, "test")
    completion = await OfflineAgent().ask(DRAFT, GIVEN | {"sentences": shown(doc)}, Sampling())
    reply = json.loads(completion.text)
    assert reply["none"] and (reply["question"], reply["answer"], reply["evidence"]) == ("", "", [])


async def test_the_same_request_gives_the_same_reply_in_a_new_agent() -> None:
    first = await OfflineAgent(Corpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling(seed=1))
    second = await OfflineAgent(Corpus([DOCUMENT])).ask(DRAFT, GIVEN, Sampling(seed=2))
    assert first.text == second.text


def test_two_corpora_are_two_requests() -> None:
    other = Document(content_hash("Another text."), "Another text.", "other")
    one = OfflineAgent(Corpus([DOCUMENT])).request(DRAFT, GIVEN, Sampling())
    assert one != OfflineAgent(Corpus([DOCUMENT, other])).request(DRAFT, GIVEN, Sampling())
    assert one == OfflineAgent(Corpus([DOCUMENT])).request(DRAFT, GIVEN, Sampling())


async def test_an_unknown_skill_or_field_is_named_in_one_sentence() -> None:
    with pytest.raises(BenchError, match="does not know how to do rewrite"):
        await OfflineAgent().ask(prompt("rewrite", ("text",)), {}, Sampling())
    with pytest.raises(BenchError, match="sonnet"):
        await OfflineAgent().ask(prompt("draft", ("sonnet",)), {}, Sampling())


def test_only_skill_and_fields_decide() -> None:
    for skill, fields in REPLIES:
        assert reply_for(prompt(skill, tuple(fields), name="any name")) is REPLIES[skill, fields]


async def test_sentences_without_numbers_are_refused() -> None:
    with pytest.raises(BenchError, match="numbered sentences"):
        await OfflineAgent().ask(DRAFT, GIVEN | {"sentences": "just a text"}, Sampling())


async def test_select_passages_gives_numbers_of_those_shown() -> None:
    passages = number([Sentence(Span("d", i, i + 1), text) for i, text in enumerate(["Oslo has a port.", TEXT, "Rain fell."])])
    asked = prompt("extract", ("passages",), ("question", "passages", "count"))
    given = {"question": 'Who directed "Salt Road"?', "passages": passages, "count": 1}
    completion = await OfflineAgent(Corpus([DOCUMENT])).ask(asked, given, Sampling())
    assert json.loads(completion.text) == {"passages": [2]}


async def test_it_answers_in_plain_text() -> None:
    asked = prompt("answer", (), ("question", "context"), name="answer/short.en")
    given = {"question": "Who directed Salt Road?", "context": TEXT}
    assert (await OfflineAgent().ask(asked, given, Sampling())).text == "Anna Velmont"
