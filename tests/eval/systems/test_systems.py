"""Floor and standard systems: what each shows to the agent, and what it says it retrieved."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.agent import Completion, Sampling
from core.errors import BenchError
from core.nouns import Document, Hit, Message, Prompt, Span, Trace
from core.text.text import count_tokens
from eval.running.retrieval import make_tools
from eval.running.runner import answer_all
from eval.system import Question, systems

SHORT = Prompt("answer/short.en", "answer", (Message("user", "$question\n$context"),), ("question", "context"))
CLOSED = Prompt("answer/closed_book.en", "answer", (Message("user", "$question"),), ("question",))
BRIDGE = Document("d1", "The bridge opened in 1890. It was paid by the mill. It fell in 1901.", "Bridge")
COURT = Document("d2", "The court met in June. It freed the miller.", "Court")
FIRST, SECOND, THIRD = Span("d1", 0, 26), Span("d1", 27, 51), Span("d2", 0, 22)


def question(name: str = "q1", **given: Any) -> Question:
    own = {"prompt": SHORT, "closed_prompt": CLOSED, "given": ("d1", "d2"), "evidence": (FIRST,), **given}
    return Question(name, "When did it open?", "open", "en", "explicit_factoid", max_tokens=32, **own)


class Sent:
    """An agent that keeps what it was sent and answers 1890."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.samplings: list[Sampling] = []

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        self.messages.append(prompt.fill(inputs)[0].content)
        self.samplings.append(sampling)
        return Completion(" 1890\n")


async def answered(
    name: str, *questions: Question, agent: Sent | None = None, context: int | None = None, search: bool = True, **settings: Any
) -> list[Trace]:
    found = {"en": lambda query, k: [Hit(s, 1.0) for s in (THIRD, SECOND, FIRST)][:k]} if search else {}
    tools = make_tools([BRIDGE, COURT], found, agent.ask if agent else None, context)
    asked = questions or (question(),)
    return [trace async for trace in answer_all(list(asked), systems()[name], settings, tools, run_id="r", concurrency=1)]


async def test_echo_gives_the_question_back_and_searches_only_with_a_retriever() -> None:
    (alone,) = await answered("echo", search=False)
    assert (alone.answer, alone.retrieved, alone.calls) == ("When did it open?", None, 0)
    (searching,) = await answered("echo", top_k=2)
    assert searching.retrieved == (THIRD, SECOND)
    (task,) = await answered("echo", question(inputs={"beginning": "It rained."}))
    assert task.answer == "It rained."


async def test_vanilla_shows_passages_in_document_order_and_keeps_them_ranked() -> None:
    agent = Sent()
    (trace,) = await answered("vanilla", agent=agent)
    passages = "The bridge opened in 1890.\n\nIt was paid by the mill.\n\nThe court met in June."
    assert agent.messages == [f"When did it open?\n{passages}"]
    assert (trace.answer, trace.retrieved, agent.samplings[0].max_tokens) == ("1890", (THIRD, SECOND, FIRST), 32)
    await answered("vanilla", agent=agent, order="rank", top_k=2, max_tokens=9)
    assert agent.messages[1] == "When did it open?\nThe court met in June.\n\nIt was paid by the mill."
    assert agent.samplings[1].max_tokens == 9


async def test_closed_book_has_no_context_in_its_prompt() -> None:
    agent = Sent()
    (trace,) = await answered("closed_book", agent=agent)
    assert agent.messages == ["When did it open?"] and trace.retrieved is None


async def test_oracle_answers_from_the_gold_evidence_alone() -> None:
    agent = Sent()
    whole, none = await answered("oracle", question("a"), question("b", evidence=()), agent=agent)
    assert agent.messages == ["When did it open?\nThe bridge opened in 1890."]
    assert (whole.retrieved, none.answer, none.stop) == ((FIRST,), None, "no_evidence")


async def test_oracle_reads_the_whole_source_of_an_item_without_evidence() -> None:
    agent = Sent()
    summary, lost = question("a", evidence=(), sources=("d2",)), question("b", evidence=(), sources=("d9",))
    read, none = await answered("oracle", summary, lost, agent=agent)
    assert agent.messages == [f"When did it open?\n{COURT.text}"]
    assert (read.retrieved, none.stop) == ((Span("d2", 0, len(COURT.text)),), "no_evidence")


async def test_long_context_shows_whole_documents_and_says_what_it_cut() -> None:
    agent = Sent()
    (whole,) = await answered("long_context", agent=agent)
    assert agent.messages[0].endswith(f"{BRIDGE.text}\n\n{COURT.text}") and whole.steps[-1].text == "whole documents"
    text = "Much rain fell. " * 4000
    long = Document("d9", f"Begin. {text} End.", "Rain")
    tools = make_tools([long], {}, agent.ask, 1000)
    (cut,) = [t async for t in answer_all([question(given=("d9",))], systems()["long_context"], {}, tools, run_id="r")]
    front, back = cut.steps[-1].spans
    assert front.start == 0 and back.end == len(long.text) and front.end < back.start
    assert agent.messages[1].rstrip().endswith("End.") and 500 < count_tokens(agent.messages[1], "en") <= 1000 - 32
    (none,) = await answered("long_context", question(given=()), agent=agent)
    assert none.stop == "no_documents"


async def test_a_setting_that_makes_no_sense_is_named() -> None:
    with pytest.raises(BenchError, match=r"^The setting top_k is 'many': give a whole number of at least 1\.$"):
        await answered("vanilla", agent=Sent(), top_k="many")


def recorded(folder: Path, *lines: Any) -> str:
    path = folder / "system.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return str(path)


async def test_recorded_answers_are_found_by_id_and_their_contexts_in_the_documents(tmp_path: Path) -> None:
    path = recorded(
        tmp_path,
        {"id": "a", "prediction": "1890", "contexts": ["It was paid by the mill.", "Nowhere to be found."], "seconds": 2.5},
        {"id": "b", "prediction": None, "error": "HTTP 503"},
        '{"id": "c", broken',
        {"id": "d", "prediction": ""},
    )
    traces = await answered("recorded", *map(question, "abcd"), predictions=path)
    a, b, c, d = sorted(traces, key=lambda t: t.item)
    assert (a.answer, a.seconds) == ("1890", 2.5)
    assert a.retrieved and a.retrieved[0] == SECOND and a.retrieved[1].document not in ("d1", "d2")
    assert (b.answer, b.stop, b.error) == (None, "failed_elsewhere", "HTTP 503")
    assert (c.answer, c.stop) == (None, "missing") and "Line 3" in str(c.error)
    assert (d.answer, d.stop) == ("", "answered")


async def test_a_file_of_another_release_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"No id in .* is an item of this release"):
        await answered("recorded", predictions=recorded(tmp_path, {"id": "zzz", "prediction": "x"}))
    with pytest.raises(BenchError, match=r"name it with --set predictions=FILE.jsonl"):
        await answered("recorded")
