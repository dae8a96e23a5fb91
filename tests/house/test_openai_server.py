"""The test endpoint itself: its replies fit what is asked, its faults come when told, its counts are true."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.openai.openai import OpenAIAgent
from agents.openai.openai_settings import OpenAISettings
from core.agent import Sampling
from prompts.prompt import load, names
from prompts.reply import parse
from tests.openai_replies import text_for
from tests.openai_server import Running, running

EN = """# The Mill
[1] The old mill by the river was bought by Ada Quill in 1911 for 4,200 crowns.
[2] In 1932 the council of Harrow Bridge turned the mill into a school.
[3] Because the river rose in 1947, the school moved to Copper Street.
[4] The school has taught weaving to 38 pupils a year ever since."""
ZH = """# 磨坊
[1] 一九一一年，河边的旧磨坊由青石镇的宋玉兰以4200元买下。
[2] 1932年，青石镇议事会把磨坊改建成一所学校。
[3] 由于1947年河水上涨，学校迁到了铜街。
[4] 从那以后，学校每年教38个人织布。"""
INTEGERS = {"type": "array", "items": {"type": "integer"}}


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with running(seed=5) as started:
        yield started


def reply(user: str, **fields: object) -> dict:
    """The endpoint's reply to a request with that user message and those reply fields."""
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    form = {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}
    return json.loads(text_for({"messages": [{"role": "user", "content": user}], "response_format": form}))


def cited(text: str, number: int) -> str:
    return next(line for line in text.splitlines() if line.startswith(f"[{number}] "))


@pytest.mark.parametrize("text", [EN, ZH])
def test_factoid_answer_is_cut_from_the_cited_sentence_and_not_in_the_question(text):
    made = reply(text, question={}, answer={}, evidence=INTEGERS)
    assert made["answer"] in cited(text, made["evidence"][0]) and made["answer"] not in made["question"]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (EN, "Question: Who bought the old mill from Harrow Bridge?\nAnswer: Ada Quill"),
        (ZH, "问题：旧磨坊由谁买下？\n答案：宋玉兰"),
    ],
)
def test_implicit_question_hides_a_name_of_the_first_one(text, first):
    made = reply(f"{first}\n\n{text}", question={}, answer={}, evidence=INTEGERS, referent={})
    assert made["referent"] in first and made["referent"] not in made["question"]
    assert made["answer"] in first and made["answer"] in cited(text, made["evidence"][0])


@pytest.mark.parametrize("text", [EN, ZH])
def test_claims_are_three_cited_sentences(text):
    made = reply(text, question={}, theme={}, claims={})
    assert len({c["evidence"][0] for c in made["claims"]}) == 3
    assert all(cited(text, c["evidence"][0]) == f"[{c['evidence'][0]}] {c['claim']}" for c in made["claims"])


@pytest.mark.parametrize("answer", ["The mill cost 4,200. It became a school.", "它值4200元。后来成了学校。"])
def test_statements_are_the_answers_own_and_three_others(answer):
    label = "Answer: " if answer.isascii() else "答案："
    made = reply(label + answer, true={}, false={})
    assert all(s in answer for s in made["true"]) and len(made["true"]) == 2
    assert len(set(made["false"])) == 3 and not any(s in answer for s in made["false"])


def test_at_most_as_many_passages_as_asked():
    made = reply(f"Question: When did the river rise?\nChoose at most 2 passages.\n\n{EN}", passages=INTEGERS)
    assert len(made["passages"]) == 2 and 3 in made["passages"]


def test_judges_go_by_shared_words():
    assert reply("Reference: The mill became a school.\nSentence: A school became the mill.", contained={}) == {"contained": 1}
    assert reply("Reference: The mill became a school.\nSentence: Rain fell on London.", contained={}) == {"contained": 0}
    assert reply("Prediction: The mill became a school.\n\na. The mill became a school.\nb. Rain fell.", supported={}) == {
        "supported": ["a"]
    }
    assert reply("Question: Why?\nAnswer: So.\nPrediction: So.", score={}) == {"score": 7}


TABLES = json.dumps(
    {
        "table": "mills",
        "one_row_is": "mill",
        "key": "id",
        "name": "name",
        "asked_for": ["built"],
        "columns": {"id": "text", "name": "text", "built": "integer"},
        "leads_to": {},
    }
)
INPUTS = {
    "en": {
        "sentences": EN,
        "passages": EN,
        "context": EN,
        "domain": "arts",
        "count": 2,
        "first": "",
        "goal": "",
        "wanted": "Who bought it?",
        "idle": 1,
        "patience": 3,
        "reason": "",
        "previous": "",
        "question": "Who bought the old mill from Harrow Bridge?",
        "answer": "Ada Quill",
        "prediction": "It was Ada Quill.",
        "statements": "a. It was Ada Quill.\nb. It was the council.",
        "nuggets": "[1] It was Ada Quill.\n[2] It was the council.",
        "reference": EN,
        "sentence": "Ada Quill bought the mill.",
        "beginning": "Harrow Bridge had a mill.",
        "classes": "number, time",
        "hallucinated": "It was sold in 1902 for little.",
        "text": EN,
        "language": "Chinese",
        "title": "The Mill",
        "answers": "[1] Ada Quill",
        "known": "",
        "memory": EN,
        "questions": "[1] Who bought the old mill from Harrow Bridge?",
        "annotations": "- 1902",
        "contact": "Ada Quill",
        "common": "- Ada Quill [1]",
        "differences": "- Ada bought it. [1]",
        "now": "03/05/2024, 10:04:54 PT",
        "so_far": "",
        "searches": 2,
        "query": "Harrow Bridge mill",
        "documents": EN,
        "reasoning": "1. Who bought it?",
        "steps": "",
        "functions": "Search(entity)\n  Opens a page.",
        "target": "an imperative sentence",
        "tables": TABLES,
        "kinds": "simple",
        "error_kinds": "1. verb form",
        "asked": "",
        "conversation": "User: Who bought it?\nAssistant: Ada Quill",
    },
    "zh": {
        "sentences": ZH,
        "passages": ZH,
        "context": ZH,
        "domain": "arts",
        "count": 2,
        "first": "",
        "goal": "",
        "wanted": "Who bought it?",
        "idle": 1,
        "patience": 3,
        "reason": "",
        "previous": "",
        "question": "旧磨坊由谁买下？",
        "answer": "宋玉兰",
        "prediction": "是宋玉兰。",
        "statements": "a. 是宋玉兰。\nb. 是议事会。",
        "nuggets": "[1] 是宋玉兰。\n[2] 是议事会。",
        "reference": ZH,
        "sentence": "宋玉兰买下旧磨坊。",
        "beginning": "石泉有一座磨坊。",
        "classes": "number, time",
        "hallucinated": "磨坊于1902年低价卖出。",
        "text": ZH,
        "language": "English",
        "title": "磨坊",
        "answers": "[1] 宋玉兰",
        "known": "",
        "memory": ZH,
        "questions": "[1] 旧磨坊由谁买下？",
        "annotations": "- 1902年",
        "contact": "宋玉兰",
        "common": "- 宋玉兰 [1]",
        "differences": "- 宋玉兰买下旧磨坊。 [1]",
        "now": "03/05/2024, 10:04:54 PT",
        "so_far": "",
        "searches": 2,
        "query": "石泉 磨坊",
        "documents": ZH,
        "reasoning": "1. 由谁买下？",
        "steps": "",
        "functions": "Search(entity)\n  打开页面。",
        "target": "祈使句",
        "tables": TABLES,
        "kinds": "simple",
        "error_kinds": "1. verb form",
        "asked": "",
        "conversation": "用户：谁买下它？\n助手：宋玉兰",
    },
}


@pytest.mark.parametrize("structured", ["schema", "prompt"])
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", names())
async def test_reply_to_each_prompt_of_the_house_can_be_used(server, name, language, structured):
    server.script([])
    prompt = load(name, language)
    agent = OpenAIAgent("m", server.url, "none", OpenAISettings(structured=structured))
    done = await agent.ask(prompt, INPUTS[language], Sampling(max_tokens=400))
    await agent.close()
    values = parse(prompt, done)
    if name == "draft/implicit_factoid":
        assert values["answer"] == INPUTS[language]["answer"] and values["referent"] not in values["question"]
    if name == "judge/statements":
        assert values == {"supported": ["a"]}
    if name == "judge/nuggets":
        assert [row["verdict"] for row in values["verdicts"]] == ["support", "not_support"]
    if name == "judge/containment":
        assert values == {"contained": 1}
    if name == "extract/select_passages":
        assert len(values["passages"]) == 2
    if name.startswith("answer/") and name not in ("answer/closed_book", "answer/step_by_step"):
        assert values["text"].split()[0] in INPUTS[language]["context"]
    assert not values.get("none")


def test_fields_are_found_in_words_when_no_schema_is_sent():
    asked = [{"role": "system", "content": 'Reply as {"question", "answer", "evidence"}.'}, {"role": "user", "content": EN}]
    assert set(json.loads(text_for({"messages": asked}))) == {"question", "answer", "evidence"}


def test_unknown_fields_get_values_of_their_type():
    schema = {"names": {"type": "array", "items": {"type": "string"}}, "share": {"type": "number"}, "sure": {"type": "boolean"}}
    assert reply("Anything.", **schema) == {"names": ["something"], "share": 1.0, "sure": True}


def test_plain_answer_is_from_the_context():
    asked = [{"role": "user", "content": f"Question: Who bought the old mill?\n\n{EN}"}]
    assert text_for({"messages": asked, "max_tokens": 50}) in EN


async def test_tools_embeddings_and_models_through_the_package(server):
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:
        assert [m.id async for m in client.models.list()] == ["test-model"]
        texts = ["old mill", "mill old", "rain"]
        vectors = (await client.embeddings.create(model="e", input=texts)).data
        assert vectors[0].embedding == vectors[1].embedding != vectors[2].embedding
        tool = {"name": "search", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}}
        messages = [{"role": "user", "content": "Who?"}]
        tools = [{"type": "function", "function": tool}]
        choice = (await client.chat.completions.create(model="m", messages=messages, tools=tools)).choices[0]
        assert choice.finish_reason == "tool_calls"
        assert json.loads(choice.message.tool_calls[0].function.arguments) == {"query": "something"}


async def test_counts_tell_repeats_from_questions_asked_again_after_an_answer(server):
    from openai import AsyncOpenAI, InternalServerError

    server.reset()
    server.script([{"requests": [1], "fault": "status", "status": 500}])
    async with AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0) as client:

        async def ask(text: str) -> None:
            await client.chat.completions.create(model="m", messages=[{"role": "user", "content": text}])

        with pytest.raises(InternalServerError):
            await ask("one")
        for text in ("one", "one", "two"):
            await ask(text)
    assert server.count() == {
        "requests": 4,
        "by_status": {"500": 1, "200": 3},
        "keys": 2,
        "repeats": 2,
        "asked_again": 1,
        "at_once": 0,
        "most_at_once": 1,
        "refused": {},
    }


def test_script_from_a_file_and_the_process_ends_with_its_parent(tmp_path):
    script = tmp_path / "script.jsonl"
    script.write_text('{"fault": "empty"}\n{"fault": "prose"}\n', encoding="utf-8")
    file = Path(__file__).parents[1] / "openai_server.py"
    command = [sys.executable, str(file), "--script", str(script), "--parent", "1"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    assert ended.returncode == 0 and int(ended.stdout) > 0
