"""graph: a graph of entities and relations is made of the corpus beforehand, chunk by chunk, with one gleaning pass for what
was overlooked (GraphRAG's local search). For a question the entities that it names, or that lie near it, lead to their
neighbours, their relations and the chunks of both, filled up to a budget of tokens and answered from.

chunk_tokens    tokens of a chunk
gleanings       0 or 1: ask once more for what was overlooked
communities     true: groups of entities are summed up, too, and the summaries of those that a question meets are shown
entities        entities that a question is matched to at most
budget_tokens   tokens that the answer is given at most; half of them may go to descriptions and summaries
embedding_model    by which entities lie near a question: lexical_vectors, minilm, or a model's folder"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Span, Step
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import Embedder, explain_unusable
from core.text.text import count_tokens
from eval.running.building import run_each
from eval.running.settings import read_flag, read_text, read_whole_number
from eval.system import Answer, PreparedSettings, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages, join_question_text
from eval.workflows.entity_graph import (
    EntityGraph,
    GraphNeighbourhood,
    describe_lines,
    find_communities,
    find_neighbourhood,
    normalise_name,
)
from eval.workflows.prompting import ask_fields, ask_text

ENTITIES, DIGEST = "extract/entities", "extract/digest"
MAX_ENTITIES = 60
"""Entities, and relations, that are taken of one reply."""
REPLY = 1024
SUMMARY = 200


@dataclass(slots=True)
class LanguageGraph:
    """The graph of one language, ready to be asked."""

    graph: EntityGraph
    model: Embedder | None = None
    vectors: Any = None
    """Of the entities, in the graph's order."""
    summaries: dict[str, str] = field(default_factory=dict)
    """Entity -> the summary of its community."""


async def build(documents: Sequence[Document], tools: Tools, settings: Mapping[str, Any]) -> PreparedSettings:
    graphs, messages = {}, []
    for language in sorted({document.language for document in documents}):
        own = [document for document in documents if document.language == language]
        graphs[language], told = await _build_graph(own, language, tools, settings)
        messages += told
    return {**settings, "graphs": graphs, "messages": messages}


async def _build_graph(
    documents: Sequence[Document], language: str, tools: Tools, settings: Mapping[str, Any]
) -> tuple[LanguageGraph, list[str]]:
    size, gleanings = read_whole_number(settings, "chunk_tokens", 600, 1), read_whole_number(settings, "gleanings", 1)
    if gleanings > 1:
        raise BenchError(f"The setting gleanings is {gleanings}: give 0 or 1.")
    cut = [(d.text[s.start : s.end], s) for d in documents for s in chunk(d, size) if d.text[s.start : s.end].strip()]

    async def extract_entities(words: str) -> list[dict[str, Any]]:
        found = [await ask_fields(tools, ENTITIES, language, {"text": words, "known": ""}, settings, REPLY)]
        names = ", ".join(dict.fromkeys(one["name"] for one in found[0]["entities"][:MAX_ENTITIES]))
        if gleanings and names:
            found.append(await ask_fields(tools, ENTITIES, language, {"text": words, "known": names}, settings, REPLY))
        return found

    replies, left_out = await run_each(extract_entities, [words for words, _ in cut], tools, "chunks read for entities")
    graph, dropped = EntityGraph([span for _, span in cut]), 0
    for number, found in enumerate(replies):
        dropped += sum(graph.add(number, one, MAX_ENTITIES) for one in found or ())
    messages = [f"{left_out} of {len(cut)} {language} chunks could not be read for entities."] if left_out else []
    messages += (
        [f"{dropped} names beyond {MAX_ENTITIES} of a reply, or too long to be names, were left out."] if dropped else []
    )
    ready = LanguageGraph(graph)
    if graph.entities:
        lines = describe_lines(graph, graph.entities, ())
        ready.model = tools.embedder(read_text(settings, "embedding_model", "lexical_vectors"), lines, language)
        if (why := explain_unusable(ready.model, language, lines)) is not None:
            raise BenchError(f"Entities cannot be compared in {language}: {why}")
        ready.vectors = ready.model.encode([_cut_to_model(line, ready.model) for line in lines])
    if read_flag(settings, "communities", False):
        ready.summaries = await _summed_up(graph, language, tools, settings)
    return ready, messages


async def _summed_up(graph: EntityGraph, language: str, tools: Tools, settings: Mapping[str, Any]) -> dict[str, str]:
    groups = find_communities(graph)
    size = read_whole_number(settings, "chunk_tokens", 600, 1)

    async def digest(group: Sequence[str]) -> str:
        members = set(group)
        inner = [r for r in graph.relations.values() if {r.source, r.target} <= members]
        lines = _take_lines(describe_lines(graph, group, inner), size, language)
        return await ask_text(tools, DIGEST, language, {"text": "\n".join(lines)}, settings, SUMMARY)

    made, _ = await run_each(digest, groups, tools, "communities summed up")
    return {name: words for group, words in zip(groups, made, strict=True) if words for name in group}


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    if "graphs" not in settings:
        raise BenchError("The system graph has not read the corpus yet: run it as a run, which builds its graph first.")
    ready: LanguageGraph | None = settings["graphs"].get(question.language)
    if ready is None or not ready.graph.entities:
        raise SystemFailed("The graph holds no entity in the question's language.", stop="no_documents")
    named, near = match_entities(ready, join_question_text(question), read_whole_number(settings, "entities", 10, 1))
    entities, by = ready.graph.entities, {"named in the question": named, "near the question": near}
    told = "; ".join(f"{how}: {', '.join(entities[name].name for name in found)}" for how, found in by.items() if found)
    tools.note(Step("observation", f"Entities {told}"))
    local = find_neighbourhood(ready.graph, [*named, *near])
    tools.note(Step("observation", _neighbours(ready.graph, local, len(named) + len(near))))
    budget = read_whole_number(settings, "budget_tokens", 2000, 1)
    words, spans = fill_context(ready, local, budget, question.language, tools)
    used = count_tokens(words, question.language)
    tools.note(
        Step(
            "observation",
            f"{used:,} of {budget:,} tokens filled, {len(spans)} of {len(local.chunks)} chunks",
            spans=tuple(spans),
        )
    )
    return Answer(await answer_from(question, tools, words, settings), retrieved=tuple(spans))


def match_entities(ready: LanguageGraph, words: str, most: int) -> tuple[list[str], list[str]]:
    """(entities whose names stand in the question, longest first; those whose lines lie nearest it)."""
    import numpy as np

    plain = f" {normalise_name(words)} "
    names = [name for name in ready.graph.entities if len(name) > 1 and _contains_name(name, plain)]
    named = sorted(names, key=lambda name: -len(name))[:most]
    if ready.model is None:
        return named, []
    scores = ready.vectors @ ready.model.encode([_cut_to_model(words, ready.model)])[0]
    every, known = list(ready.graph.entities), set(named)
    order = [int(place) for place in np.argsort(-scores, kind="stable")]
    return named, [every[place] for place in order if every[place] not in known][: most - len(named)]


def _contains_name(name: str, words: str) -> bool:
    """As whole words, where a language parts its words."""
    at = words.find(name)
    while at >= 0:
        before, after = words[at - 1], words[at + len(name)]
        if not (before.isascii() and before.isalnum()) and not (after.isascii() and after.isalnum()):
            return True
        at = words.find(name, at + 1)
    return False


def _neighbours(graph: EntityGraph, local: GraphNeighbourhood, inner: int) -> str:
    """What the matched entities are joined to, in words."""
    names = [graph.entities[name].name for name in local.entities[inner:]]
    shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
    relations = "\n".join(describe_lines(graph, (), local.relations[:20]))
    return f"Neighbours: {shown or 'none'}\n{len(local.relations)} relations\n{relations}".strip()


def fill_context(
    ready: LanguageGraph, local: GraphNeighbourhood, budget: int, language: str, tools: Tools
) -> tuple[str, list[Span]]:
    """(context, chunks in it, nearest first) within the budget: half of it at most for what is said of entities, the rest for
    chunks; the first chunk that does not fit ends them."""
    summaries = list(dict.fromkeys(ready.summaries[name] for name in local.entities if name in ready.summaries))
    lines = _take_lines([*summaries, *describe_lines(ready.graph, local.entities, local.relations)], budget // 2, language)
    left = budget - sum(count_tokens(line, language) for line in lines)
    spans: list[Span] = []
    for number in local.chunks:
        span = ready.graph.chunks[number]
        left -= count_tokens(tools.text(span), language)
        if left < 0:
            break
        spans.append(span)
    return join_passages(["\n".join(lines), *(tools.text(span) for span in sorted(spans))]), spans


def _take_lines(lines: Sequence[str], tokens: int, language: str) -> list[str]:
    """As many lines from the first on as have so many tokens."""
    kept = []
    for line in lines:
        tokens -= count_tokens(line, language)
        if tokens < 0:
            break
        kept.append(line)
    return kept


def _cut_to_model(words: str, model: Embedder) -> str:
    """As much of it as the model reads: an entity is told by how its line begins."""
    if model.max_tokens is None or model.count_tokens(words) <= model.max_tokens:
        return words
    return words[: model.offsets(words)[model.max_tokens - 1][0]]


SYSTEM = SystemAdapter(
    label="Graph",
    family="global",
    needs_agent=True,
    prompts=(ENTITIES, DIGEST),
    build=build,
    answer=answer,
    settings={
        "chunk_tokens": 600,
        "gleanings": 1,
        "communities": False,
        "entities": 10,
        "budget_tokens": 2000,
        "embedding_model": "lexical_vectors",
    },
)
