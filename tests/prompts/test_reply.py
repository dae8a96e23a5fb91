"""What can be read as a reply, what cannot, and how it is asked for again."""

import json

import pytest

from core.agent import Completion, Sampling
from core.errors import Unreadable
from core.nouns import Message, Prompt
from prompts import reply
from prompts.reply import ask_for, parse

DRAFT = Prompt(
    name="draft/sample.en",
    skill="draft",
    messages=(Message("user", "$sentences"),),
    inputs=("sentences",),
    schema={
        "type": "object",
        "properties": {
            "question": {"type": "string"},
            "answer": {"type": "string"},
            "evidence": {"type": "array", "items": {"type": "integer"}},
            "none": {"type": "string"},
        },
        "required": ["question", "answer", "evidence"],
        "additionalProperties": False,
    },
)
GOOD = {"question": "Who runs the mill?", "answer": "Ada Quill", "evidence": [2]}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        "```json\n" + json.dumps(GOOD) + "\n```",
        "```\n" + json.dumps(GOOD) + "\n```\nHope that helps {smile}",
        "Here it is:\n" + json.dumps(GOOD) + "\nLet me know!",
        "\ufeff  " + json.dumps(GOOD, indent=2),
        '{"question": "Who runs the mill?", "answer": "Ada Quill", "evidence": [2,],}',
        "{'question': 'Who runs the mill?', 'answer': 'Ada Quill', 'evidence': [2]}",
        "{“question”：“Who runs the mill?”，“answer”：“Ada Quill”，“evidence”：[2]}",
        '{question: "Who runs the mill?", answer: "Ada Quill", evidence: [2]}',
        'For example {"question": "old"} but the answer is ' + json.dumps(GOOD),
        json.dumps(GOOD | {"confidence": 0.9}),
        "[" + json.dumps(GOOD) + "]",
        json.dumps(GOOD | {"none": None}),
        json.dumps(GOOD | {"none": ""}),
        json.dumps(GOOD | {"question": "  Who runs the mill?\n"}),
    ],
)
def test_readable_reply_gives_its_values(text):
    values = parse(DRAFT, Completion(text))
    assert {name: values[name] for name in GOOD} == GOOD
    assert "none" not in values  # null or empty: strict endpoints send every field


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I am sorry, I cannot do that.",
        '{"question": "Who runs the mill?", "ans',
        '{"question": "Who runs the mill?", "evidence": [2], "answer": "Ada Qu',
        '{"question": "Who runs the mill?", "answer": "Ada Quill", "evidence": [2',
        '{"question": "Who runs the mill?", "answer": "Ada Quill", "evidence": [2]',
        '```json\n{"question": "Who runs the mill?"}\n```',
        json.dumps(GOOD | {"evidence": ["2"]}),
        json.dumps(GOOD | {"evidence": [2.5]}),
        json.dumps(GOOD | {"evidence": [True]}),
        json.dumps(GOOD | {"evidence": 2}),
        json.dumps(GOOD | {"answer": None}),
        json.dumps(GOOD | {"answer": 7}),
        json.dumps(GOOD | {"answer": " "}),
        json.dumps(GOOD | {"evidence": []}),
        '["question", "answer"]',
    ],
)
@pytest.mark.fault(26)
def test_unreadable_reply_is_refused_and_its_text_kept(text):
    with pytest.raises(Unreadable) as error:
        parse(DRAFT, Completion(text, call="c1"))
    assert error.value.text == text and error.value.calls == ("c1",)


@pytest.mark.parametrize("finish", ["length", "filter"])
def test_cut_or_filtered_reply_is_unreadable_even_when_it_looks_whole(finish):
    with pytest.raises(Unreadable):
        parse(DRAFT, Completion(json.dumps(GOOD), finish=finish))


def test_chinese_quotes_inside_a_value_stay():
    text = '{"question": "谁说过“风停了”？", "answer": "林远", "evidence": [1]}'
    assert parse(DRAFT, Completion(text))["question"] == "谁说过“风停了”？"


def test_chinese_quotes_around_a_value_go():
    text = '{"question": “谁写了《雨》？”, "answer": “林远”, "evidence": [1]}'
    assert parse(DRAFT, Completion(text)) == {"question": "谁写了《雨》？", "answer": "林远", "evidence": [1]}


def test_none_with_a_reason_needs_no_other_field():
    assert parse(DRAFT, Completion('{"none": "only a table of contents"}')) == {"none": "only a table of contents"}
    empty = '{"question": "", "answer": "", "evidence": [], "none": "nothing"}'
    assert parse(DRAFT, Completion(empty)) == {"none": "nothing"}


def test_score_outside_its_range_is_unreadable():
    score = {"type": "integer", "minimum": 0, "maximum": 9}
    judge = Prompt(
        "judge/agreement.en",
        "judge",
        (Message("user", "x"),),
        (),
        schema={"type": "object", "properties": {"score": score}, "required": ["score"]},
    )
    assert parse(judge, Completion('{"score": 9}')) == {"score": 9}
    for text in ('{"score": 10}', '{"score": -1}', '{"score": "9"}', "9", '{"score": 7.5}'):
        with pytest.raises(Unreadable):
            parse(judge, Completion(text))


class Replies:
    """An agent's side of a conversation: gives the texts in order and keeps the filled messages."""

    def __init__(self, *texts, finish="stop"):
        self.texts, self.finish, self.seen, self.hashes, self.sizes = list(texts), finish, [], [], []

    async def __call__(self, prompt, inputs, sampling):
        self.seen.append(prompt.fill(inputs))
        self.hashes.append(prompt.hash)
        self.sizes.append(sampling.max_tokens)
        return Completion(self.texts[len(self.seen) - 1], finish=self.finish, call=f"c{len(self.seen)}")


async def test_unreadable_reply_is_asked_for_again_with_the_reason():
    ask = Replies('{"question": "costs $5', json.dumps(GOOD))
    reply = await ask_for(ask, DRAFT, {"sentences": "[1] A."}, Sampling())
    assert reply.values == GOOD and reply.calls == ("c1", "c2")
    assert [m.role for m in ask.seen[1]] == ["user", "assistant", "user"]
    assert "costs $5" in ask.seen[1][1].content and "breaks off" in ask.seen[1][2].content
    assert ask.hashes[0] != ask.hashes[1]


async def test_a_check_of_the_values_asks_again_too():
    ask = Replies(json.dumps(GOOD), json.dumps(GOOD | {"evidence": [1]}))
    reply = await ask_for(ask, DRAFT, {"sentences": "x"}, Sampling(), lambda v: "no sentence 2" if 2 in v["evidence"] else None)
    assert reply.values["evidence"] == [1] and "no sentence 2" in ask.seen[1][2].content


async def test_after_two_regenerations_it_is_unreadable_with_all_calls():
    ask = Replies("no", "never", "not ever")
    with pytest.raises(Unreadable) as error:
        await ask_for(ask, DRAFT, {"sentences": "x"}, Sampling())
    assert error.value.calls == ("c1", "c2", "c3") and error.value.text == "not ever"


async def test_a_reply_cut_by_its_length_is_asked_for_again_with_more_room():
    ask = Replies("{", "{", "{", finish="length")
    with pytest.raises(Unreadable):
        await ask_for(ask, DRAFT, {"sentences": "x"}, Sampling(max_tokens=100))
    assert ask.sizes == [100, 200, 200]


async def test_a_filtered_reply_is_not_asked_for_again():
    ask = Replies("", finish="filter")
    with pytest.raises(Unreadable) as error:
        await ask_for(ask, DRAFT, {"sentences": "x"}, Sampling())
    assert error.value.calls == ("c1",)


@pytest.mark.parametrize(
    "text",
    [
        "<think>" + '{"a" 1}' * 100_000,
        "<think>" * 100_000 + '{"question": 1}',
        "{}" * 350_000,
        '{"a" "b"}' * 80_000,
    ],
    ids=["faulty objects", "tags", "empty objects", "no tag"],
)
def test_hundreds_of_kilobytes_are_refused_without_a_repair(text: str, monkeypatch: pytest.MonkeyPatch):
    tried = []
    monkeypatch.setattr("json_repair.loads", tried.append)
    validated = reply._validate_object
    monkeypatch.setattr(reply, "_validate_object", lambda *given: tried.append(given) or validated(*given))
    with pytest.raises(Unreadable):
        parse(DRAFT, Completion(text))
    assert len(tried) <= reply.MAX_OBJECTS
