"""The offline agent puts questions in other words by rule, always other than they were, and says so where it cannot."""

import asyncio

import pytest

from agents.offline import rewordings
from agents.offline.agent import OfflineAgent
from core.agent import Sampling
from prompts.prompt import load
from prompts.reply import parse

BOTH = (
    ("What is the date of birth of Maud's father?", "en"),
    ("Are both films from the same country?", "en"),
    ("那座桥是哪一年建成的？", "zh"),
    ("湖水为什么变浑了？", "zh"),
)


@pytest.mark.parametrize(
    ("question", "target", "made"),
    [
        ("Who was the first director of the Players?", "an imperative sentence", "Name the first director of the Players."),
        ("What is the date of birth of Maud?", "an imperative sentence", "Give the date of birth of Maud."),
        ("Where did Maud die?", "a declarative sentence", "I want to know where did Maud die."),
        ("Are both from Stoke?", "a declarative sentence", "I want to know, yes or no: are both from Stoke."),
        ("Maud left when?", "an imperative sentence", "Tell me Maud left when."),
    ],
)
def test_statements_and_requests(question: str, target: str, made: str) -> None:
    assert rewordings.restate(question, target, "en") == made


def test_casual_and_harder_words() -> None:
    assert rewordings.reword_casually("What is the name of her mother?", "en") == "What's the name of her mom?"
    assert rewordings.reword_casually("Where did Maud die?", "en") == "Where did Maud die, d'you know?"
    assert rewordings.reword_harder("Who is the child of Maud?", "en") == "Who is the offspring of Maud?"
    assert rewordings.reword_harder("Where did Maud die?", "en") == "May it be ascertained where did Maud die?"


def test_grammar_breaks_in_another_place_at_each_try() -> None:
    tried: list[str] = []
    while found := rewordings.break_grammar("Which play did the Players perform in an hour?", "\n".join(tried), "en"):
        tried.append(found[0])
    assert len(tried) == len(set(tried)) >= 4 and "Which play did the Players perform in a hour?" in tried


@pytest.mark.parametrize(("question", "language"), BOTH)
@pytest.mark.parametrize("name", ["formality", "readability", "sentence_type", "grammar"])
def test_the_agent_answers_each_prompt_of_variants_with_something_else(name: str, question: str, language: str) -> None:
    prompt = load(f"vary/{name}", language)
    inputs = {"question": question, "reason": "", "target": "an imperative sentence", "error_kinds": ""}
    given = {key: inputs[key] for key in prompt.inputs}
    values = parse(prompt, asyncio.run(OfflineAgent().ask(prompt, given, Sampling())))
    assert values[next(iter(prompt.fields - {"none", "error"}))] != question and not values.get("none")


@pytest.mark.parametrize("question", ["Harbour?", "2019?", "🙂", "湖？"])
def test_where_there_is_no_sentence_it_says_so(question: str) -> None:
    prompt = load("vary/formality", "en")
    values = parse(prompt, asyncio.run(OfflineAgent().ask(prompt, {"question": question, "reason": ""}, Sampling())))
    assert values["none"].startswith("It is not a sentence")
