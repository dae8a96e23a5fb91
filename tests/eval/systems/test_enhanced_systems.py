"""hyde, query_decomposition, memory, graph and compressed, each worked by hand with a scripted agent: what it asks, what it
searches for, which passages it answers from, and what its building comes to."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached
from core.nouns import Document, Hit, Message, Prompt, Span, Trace
from eval.running.building import build_system
from eval.running.retrieval import make_tools
from eval.running.runner import RunStopped, answer_all
from eval.system import Question, Tools, systems
from eval.systems.hyde import average_hits
from eval.workflows.entity_graph import EntityGraph, find_communities, normalise_name
from tests.eval.tiny_model import tiny_compressor

SHORT = Prompt("answer/short.en", "answer", (Message("user", "$question\n$context"),), ("question", "context"))
MILL = Document("d1", "Ada Quill built the mill of Wend. The mill burned down in 1904. Nobody was hurt in the fire.", "Mill")
TOWER = Document("d2", "Orvel sold its tower to Ada Quill. The bell of the tower went to a school.", "Tower")
BUILT, BURNED = Span("d1", 0, 33), Span("d1", 34, 62)
SOLD, BELL = Span("d2", 0, 34), Span("d2", 35, 75)
FOUND = {"mill": (BURNED, BUILT), "tower": (SOLD, BELL, BURNED)}
"""What a search finds, by a word of the query."""


class Scripted:
    """Answers by the prompt's name and keeps what it was asked."""

    def __init__(self, **replies: Any) -> None:
        self.replies, self.asked = replies, list[tuple[str, str]]()

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        name = prompt.name.partition("/")[2].partition(".")[0]
        self.asked.append((name, str(inputs.get("context", inputs.get("text", "")))))
        reply = self.replies.get(name, "1904")
        if isinstance(reply, list):
            reply = reply.pop(0)
        if isinstance(reply, Exception):
            raise reply
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return Completion(text, tokens_in=10, tokens_out=5, price=0.5, seconds=1.0)

    def names(self) -> list[str]:
        return [name for name, _ in self.asked]


def found(query: str, k: int) -> list[Hit]:
    return [Hit(span, 9.0 - i) for i, span in enumerate(FOUND["tower" if "tower" in query else "mill"])][:k]


def question(text: str = "When did the mill burn down?", **given: Any) -> Question:
    own = {"prompt": SHORT, "given": ("d1", "d2"), **given}
    return Question("q1", text, text, "en", "explicit_factoid", max_tokens=32, **own)


def tools_for(agent: Scripted, documents: tuple[Document, ...] = (MILL, TOWER), search: bool = True) -> Any:
    return make_tools(documents, {"en": found} if search else {}, agent.ask, None)


async def answered(
    name: str,
    agent: Scripted,
    one: Question | None = None,
    documents: tuple[Document, ...] = (MILL, TOWER),
    search: bool = True,
    **settings: Any,
) -> Trace:
    adapter, tools = systems()[name], tools_for(agent, documents, search)
    asked = one or question()
    made = await build_system(adapter, documents, tools(asked), settings)
    opened = made.settings if made else settings
    (trace,) = [trace async for trace in answer_all([asked], adapter, opened, tools, run_id="r")]
    return trace


def steps(trace: Trace) -> list[tuple[str, str]]:
    return [(step.kind, step.text.partition("@")[0]) for step in trace.steps]


async def test_hyde_searches_with_the_passage_that_it_had_written() -> None:
    agent = Scripted(hypothetical_passage="The tower was sold.")
    trace = await answered("hyde", agent, top_k=2)
    assert trace.retrieved == (SOLD, BELL) and agent.names() == ["hypothetical_passage", "short"]
    assert steps(trace) == [
        ("call", "rewrite/hypothetical_passage.en"),
        ("retrieve", "The tower was sold."),
        ("call", "answer/short.en"),
    ]
    both = await answered("hyde", Scripted(hypothetical_passage="The tower was sold."), top_k=2, embed="averaged")
    assert both.retrieved == (SOLD, BURNED), "SOLD has 9 + 8 of the last that the question found, BURNED 9 + 7"


def test_scores_of_two_searches_are_added_and_what_one_lacks_counts_as_its_last() -> None:
    a, b, c = (Span("d", i, i + 1) for i in range(3))
    assert average_hits([Hit(a, 0.9), Hit(b, 0.5)], [Hit(c, 0.6), Hit(b, 0.58)]) == [a, c, b]


async def test_a_question_taken_apart_is_searched_for_part_by_part_and_the_union_cut() -> None:
    agent = Scripted(search_queries={"queries": ["mill fire", "tower sale", "mill fire"]})
    trace = await answered("query_decomposition", agent, top_k=3)
    assert trace.retrieved == (BURNED, SOLD, BUILT), "first of each, then the second of each, each once"
    assert [text for kind, text in steps(trace) if kind == "retrieve"] == ["mill fire", "tower sale"]
    assert steps(trace)[-2][1] == "3 of 4 different passages kept, in rank order over 2 searches"


async def test_of_forty_queries_four_are_searched_for_and_a_reply_of_prose_is_a_failed_trace() -> None:
    many = await answered("query_decomposition", Scripted(search_queries={"queries": [f"mill {n}" for n in range(40)]}))
    assert sum(kind == "retrieve" for kind, _ in steps(many)) == 4 and many.answer == "1904"
    assert any("40 queries were given" in text for _, text in steps(many))
    prose = Scripted(search_queries="I would look in the archive.")
    trace = await answered("query_decomposition", prose)
    assert (trace.answer, trace.stop) == (None, "unparsed") and prose.names() == ["search_queries"] * 3


async def test_a_memory_is_summaries_of_summaries_until_one_fits_and_clues_of_four_words_are_searched_for() -> None:
    clues = {"surrogate": "When did the mill of Wend burn?", "clues": ["the tower", "Ada Quill bought the tower of Orvel"]}
    agent = Scripted(digest="A mill and a tower of Ada Quill are told of here at length.", memory_clues=clues)
    settings = {"memory_chunk_tokens": 12, "summary_tokens": 6, "memory_tokens": 20, "top_k": 2}
    trace = await answered("memory", agent, **settings)
    digests = [text for name, text in agent.asked if name == "digest"]
    assert len(digests) > 3 and digests[-1].count("A mill and a tower") == 2, "the last one sums up two summaries"
    assert [text for kind, text in steps(trace) if kind == "retrieve"] == [
        "When did the mill burn down?",
        "When did the mill of Wend burn?",
        "Ada Quill bought the tower of Orvel",
    ]
    assert trace.retrieved == (BURNED, SOLD, BUILT, BELL)
    assert trace.calls == 2, "what the building asked is not a question's cost"


async def test_a_memory_of_each_document_shows_a_question_those_that_belong_to_it() -> None:
    agent = Scripted(digest=["Of the mill.", "Of the tower."], memory_clues={"surrogate": "", "clues": []})
    await answered("memory", agent, question(given=("d2",)), memory_of="document")
    none = await answered("memory", Scripted(digest="x"), question(given=()), memory_of="document")
    assert none.stop == "no_documents"


ENTITIES = [
    {
        "entities": [{"name": "Ada Quill", "description": "She built the mill."}, {"name": "Wend", "description": "A place."}],
        "relations": [
            {"source": "ada quill", "target": "Wend", "description": "She built there."},
            {"source": "Ada Quill", "target": "Nobody", "description": "names no entity"},
        ],
    },
    {"entities": [{"name": "the Mill", "description": "It burned."}], "relations": []},
    {
        "entities": [{"name": "“Ada  Quill”", "description": "She bought the tower."}, {"name": "Orvel", "description": ""}],
        "relations": [{"source": "Orvel", "target": "Ada Quill", "description": "sold its tower to"}],
    },
    {"entities": [], "relations": []},
]


async def test_a_graph_leads_from_the_entities_of_a_question_over_relations_to_their_chunks() -> None:
    agent = Scripted(entities=[dict(one) for one in ENTITIES])
    trace = await answered("graph", agent, question("What did Orvel sell?"), search=False)
    assert agent.names() == ["entities"] * 4 + ["short"], "each chunk once, and once more for what was overlooked"
    told = [text for kind, text in steps(trace) if kind == "observation"]
    assert told[0].startswith("Entities named in the question: Orvel")
    assert "Orvel - Ada Quill" in told[1] or "Ada Quill - Orvel" in told[1]
    assert trace.retrieved is not None and trace.retrieved[0].document == "d2"
    assert "She built the mill. She bought the tower." in agent.asked[-1][1], "one entity under two spellings"
    assert trace.calls == 1


async def test_a_graph_keeps_to_its_budget_and_says_where_nothing_matches() -> None:
    agent = Scripted(entities=[dict(one) for one in ENTITIES])
    trace = await answered("graph", agent, question("What did Orvel sell?"), search=False, budget_tokens=30)
    assert trace.retrieved is not None and len(trace.retrieved) <= 1
    empty = await answered("graph", Scripted(entities={"entities": [], "relations": []}), search=False)
    assert empty.stop == "no_documents"
    nothing = await answered("graph", Scripted(), search=False, documents=())
    assert nothing.stop == "no_documents"


async def test_ten_thousand_names_of_one_chunk_are_cut_to_sixty_and_counted() -> None:
    flood = {"entities": [{"name": f"Name {n}", "description": ""} for n in range(10_000)], "relations": []}
    agent, adapter = Scripted(entities=flood), systems()["graph"]
    made = await build_system(adapter, [MILL], tools_for(agent)(question()), {"gleanings": 0})
    assert made is not None and len(made.settings["graphs"]["en"].graph.entities) == 60
    assert made.settings["messages"] == ["9940 names beyond 60 of a reply, or too long to be names, were left out."]


async def test_communities_are_summed_up_and_shown_to_a_question_that_meets_them() -> None:
    ring = [{"source": a, "target": b, "description": "x"} for a, b in (("A1", "B1"), ("B1", "C1"), ("A1", "C1"))]
    reply = {"entities": [{"name": name, "description": ""} for name in ("A1", "B1", "C1")], "relations": ring}
    agent = Scripted(entities=reply, digest="A, B and C belong together.")
    await answered("graph", agent, question("Who is A1?"), search=False, documents=(MILL,), gleanings=0, communities=True)
    assert "A, B and C belong together." in agent.asked[-1][1]


def test_names_are_one_whatever_their_case_marks_and_article_and_a_ring_is_a_community() -> None:
    assert normalise_name("The  “Mill” of Wend") == normalise_name("mill OF wend") and normalise_name("《北岸》") == "北岸"
    graph = EntityGraph(())
    pairs = [("a", "b"), ("b", "c"), ("a", "c"), ("x", "y")]
    told = {
        "entities": [{"name": n, "description": ""} for n in "abcxy"],
        "relations": [{"source": s, "target": t, "description": ""} for s, t in pairs],
    }
    graph.add(0, told, 60)
    assert find_communities(graph) == [["a", "b", "c"]], "a pair is none"


async def test_the_extractive_compressor_keeps_the_sentences_nearest_the_question() -> None:
    agent = Scripted()
    trace = await answered("compressed", agent, search=False, documents=(MILL,), rate=0.4)
    assert agent.asked[-1][1] == "The mill burned down in 1904."
    (step,) = [step for step in trace.steps if step.kind == "observation"]
    assert "tokens before" in step.text and "rate 0.4" in step.text and step.spans[0].start == 34
    assert trace.retrieved is None
    with pytest.raises(BenchError, match="No compressor is named: set compressor"):
        await answered("compressed", Scripted(), method="llmlingua2")


async def test_a_token_classifier_of_any_name_drops_words_and_keeps_the_rest_as_it_stands(tmp_path: Path) -> None:
    folder, kept = str(tiny_compressor(tmp_path / "any name")), {}
    for rate in (0.3, 0.7, 1.0):
        agent = Scripted()
        trace = await answered(
            "compressed", agent, search=False, documents=(MILL,), method="llmlingua2", compressor=folder, rate=rate
        )
        (step,) = [step for step in trace.steps if step.kind == "observation"]
        kept[rate] = agent.asked[-1][1]
        assert "words dropped by LLMLingua-2" in step.text and step.text.endswith(kept[rate])
    assert kept[1.0] == MILL.text
    words = MILL.text.replace(".", " .").split()
    for rate, text in kept.items():
        left = iter(words)
        assert all(word in left for word in text.replace(".", " .").split()), "in their order, letters as they stand"
        assert len(text.replace(".", " .").split()) <= rate * len(words) + 2
    assert 0 < len(kept[0.3]) < len(kept[0.7]) < len(MILL.text)


async def test_building_is_counted_apart_and_ends_where_money_or_the_endpoint_does() -> None:
    agent, adapter = Scripted(digest="Of the mill."), systems()["memory"]
    tools: Tools = tools_for(agent)(question())
    made = await build_system(adapter, [MILL, TOWER], tools, {})
    assert made is not None and (made.calls, made.tokens_in, made.tokens_out, made.price) == (2, 20, 10, 1.0)
    for error, reason in (
        (BudgetReached("Spent."), "budget"),
        (AgentError("Gone.", kind="endpoint", attempts=3, stops_job=True), "endpoint"),
        (AgentError("Slow.", kind="timeout", attempts=3), "endpoint"),
    ):
        with pytest.raises(RunStopped) as stopped:
            await build_system(adapter, [MILL, TOWER], tools_for(Scripted(digest=["Of the mill.", error]))(question()), {})
        assert stopped.value.reason == reason
    cancel = asyncio.Event()
    cancel.set()
    with pytest.raises(RunStopped, match="Cancelled while building, after 0 calls"):
        await build_system(adapter, [MILL], tools, {}, cancel)


async def test_a_piece_that_an_endpoint_will_not_take_is_left_out_and_counted() -> None:
    held = AgentError("Held back.", kind="filter", attempts=1)
    made = await build_system(
        systems()["memory"], [MILL, TOWER], tools_for(Scripted(digest=["Of the mill.", held]))(question()), {}
    )
    assert made is not None and made.settings["memories"] == {"en": "Of the mill."}
    assert made.settings["messages"] == ["1 pieces of en could not be summarized and are missing from the memory."]
