"""What systems ask the offline agent on the way to an answer: words to search with, a memory, entities. All of it is cut from
what was given, the same each time."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from agents.offline.agent import OfflineAgent
from agents.offline.workflow import step
from core.agent import Sampling
from core.text.language import FULL_LANGUAGES
from prompts.prompt import load

TEXT = {
    "en": "The mill of Ada Quill burned down in Wend on 4 May 1904. She lost 300 sacks of grain. It rained that day. "
    "Ada Quill sold the tower of Orvel to the Lantern Players in 1905.",
    "zh": "2031年7月18日，石泉大桥正式开工建设。市民驻足观看。天气晴朗。中国银行为石泉大桥提供贷款3.2亿元。",
}
QUESTION = {"en": "When did the mill of Ada Quill burn down in Wend?", "zh": "石泉大桥在哪一天正式开工建设？"}


async def said(name: str, language: str, **inputs: str) -> str:
    return (await OfflineAgent().ask(load(name, language), inputs, Sampling())).text


async def fields(name: str, language: str, **inputs: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(await said(name, language, **inputs))
    return found


async def test_the_passage_is_the_question_without_what_makes_it_one() -> None:
    prompt = "rewrite/hypothetical_passage"
    assert await said(prompt, "en", question=QUESTION["en"]) == "The mill of Ada Quill burn down in Wend."
    assert await said(prompt, "zh", question=QUESTION["zh"]) == "石泉大桥正式开工建设。"
    assert await said(prompt, "en", question="Who was it?") == "Who was it?", "nothing would be left"


async def test_a_question_on_two_things_becomes_a_query_for_each() -> None:
    asked = "Which film was released first, The Iron Tower or Blue Harbor?"
    found = await fields("rewrite/search_queries", "en", question=asked)
    assert found == {"queries": [asked, "The Iron Tower film released first", "Blue Harbor film released first"]}
    assert await fields("rewrite/search_queries", "zh", question=QUESTION["zh"]) == {"queries": [QUESTION["zh"]]}


async def test_clues_are_sentences_of_the_memory_that_bear_on_the_question() -> None:
    english = await fields("rewrite/memory_clues", "en", question=QUESTION["en"], memory=TEXT["en"])
    assert english["surrogate"] == QUESTION["en"] and english["clues"][0].startswith("The mill of Ada Quill burned")
    chinese = await fields("rewrite/memory_clues", "zh", question=QUESTION["zh"], memory=TEXT["zh"])
    assert chinese["clues"][0] == "2031年7月18日，石泉大桥正式开工建设。"
    foreign = await fields("rewrite/memory_clues", "en", question=QUESTION["en"], memory="Line 4 stops at the market.")
    assert foreign["clues"] == []


async def test_entities_are_names_with_their_sentence_and_stand_together_where_a_sentence_joins_them() -> None:
    found = await fields("extract/entities", "en", text=TEXT["en"], known="")
    names = [one["name"] for one in found["entities"]]
    assert {"Ada Quill", "Wend", "Orvel", "Lantern Players"} <= set(names) and len(names) == len(set(names))
    assert {"source": "Ada Quill", "target": "Wend", "description": TEXT["en"].split(" She")[0]} in found["relations"]
    again = await fields("extract/entities", "en", text=TEXT["en"], known=", ".join(names))
    assert again == {"entities": [], "relations": []}, "nothing was overlooked"
    chinese = await fields("extract/entities", "zh", text=TEXT["zh"], known="")
    assert "中国银行" in [one["name"] for one in chinese["entities"]]


@pytest.mark.parametrize("language", FULL_LANGUAGES)
async def test_a_digest_is_shorter_than_its_text_and_says_what_stands_in_it(language: str) -> None:
    digest = await said("extract/digest", language, text=TEXT[language])
    assert 0 < len(digest) < len(TEXT[language])
    assert all(sentence in TEXT[language] for sentence in digest.replace("。", "。\n").replace(". ", ".\n").splitlines())
    assert await said("extract/digest", language, text="- 3 -") in ("This text says nothing.", "这里没有讲述任何内容。")


def test_a_page_that_is_not_there_is_no_answer() -> None:
    asked, offered = "who is the captain of the ferry to port ellery?", "Search(entity)\nFinish(answer)"
    seen = "Observation: There is no page 'captain ferry port ellery', and none like it."
    assert step(offered, asked, seen, "en").endswith("Finish[]")
    told = f"{seen}\nThought: On.\nAction: Search[Ferry]\nObservation: Ada Quill was made captain of the ferry in 1904."
    assert "Ada Quill" in step(offered, asked, told, "en")


def test_where_one_table_has_no_such_name_the_next_is_searched() -> None:
    asked = "In which town is Marrow North?"
    offered = (
        "search_line(name)\nOf lines, each with line_id, name.\n\nsearch_station(name)\nOf stations, each with town, name."
    )
    steps = step(offered, asked, "", "en")
    assert steps.endswith("search_line[Marrow North]")
    steps += "\nObservation: No result."
    assert step(offered, asked, steps, "en").endswith("search_station[Marrow North]")
    found = steps + "\nThought: On.\nAction: search_station[Marrow North]\nObservation: "
    assert step(offered, asked, found + "No result.", "en").endswith("Finish[]")
    assert step(offered, asked, found + 'One result: {"name": "Marrow North", "town": "Vorl"}', "en").endswith("Finish[Vorl]")
    others = '2 results: [{"name": "Marrow", "town": "Ost"}, {"name": "Marrow North", "town": "Vorl"}, {"name": "Cut o...'
    assert step(offered, asked, found + others, "en").endswith("Finish[Vorl]")
