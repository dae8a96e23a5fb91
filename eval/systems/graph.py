"""graph: answers from a graph of entities and relations that an agent extracts from the corpus in advance (GraphRAG's local
search), chunk by chunk, with a second pass for entities that the first pass missed. For a question, the system selects the
entities that the question names and those nearest to the question, with their neighbours, relations and chunks up to a token
budget; the agent answers from these."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from core.errors import BenchError
from core.nouns import Document, Span, Step
from core.retrieval.chunks import chunk
from core.retrieval.embeddings import Embedder, explain_unusable
from core.retrieval.search import encode_index_rows
from core.retrieval.vector_similarity import compare_rows, prepare_rows
from core.text.language import may_match
from core.text.text import count_tokens
from eval.embedding_settings import OPTION_SETTINGS, load_embedder
from eval.running.building import run_each
from eval.settings import Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, ask_fields, ask_text, join_passages, join_question_text
from eval.workflows.entity_graph import (
    EntityGraph,
    GraphNeighbourhood,
    describe_lines,
    find_communities,
    find_neighbourhood,
    normalise_name,
)

ENTITIES, DIGEST = "extract/entities", "extract/digest"
MAX_ENTITIES = 60
"""Maximum number of entities that are read from one reply; the same limit applies to relations."""
MAX_NAMED = 20
"""Maximum number of neighbours that a step of the trace lists; the same limit applies to relations."""
REPLY_TOKENS, SUMMARY_TOKENS = 1024, 200


@dataclass(slots=True)
class LanguageGraph:
    """The graph of the documents in one language, ready for search."""

    graph: EntityGraph
    model: Embedder | None = None
    vectors: Any = None
    """Embedding vectors of the entities, in the order of the graph."""
    summaries: dict[str, str] = field(default_factory=dict)
    """A dict from entity to the summary of its community in the graph."""


async def build(documents: Sequence[Document], tools: Tools, settings: Settings) -> Settings:
    graphs, messages = {}, []
    for language in sorted({document.language for document in documents}):
        own = [document for document in documents if may_match(document.language, language)]
        graphs[language], sentences = await _build_graph(own, language, tools, settings)
        messages += sentences
    return {**settings, "graphs": graphs, "messages": messages}


async def _build_graph(
    documents: Sequence[Document], language: str, tools: Tools, settings: Settings
) -> tuple[LanguageGraph, list[str]]:
    if settings["gleanings"] > 1:
        raise BenchError(f"The setting gleanings is {settings['gleanings']}: give 0 or 1.")
    chunks = [
        (text, span)
        for document in documents
        for span in chunk(document, settings["chunk_tokens"])
        if (text := document.text[span.start : span.end]).strip()
    ]

    async def extract(text: str) -> list[dict[str, Any]]:
        replies = [await ask_fields(tools, ENTITIES, language, {"text": text, "known": ""}, settings, REPLY_TOKENS)]
        names = ", ".join(dict.fromkeys(entity["name"] for entity in replies[0]["entities"][:MAX_ENTITIES]))
        if settings["gleanings"] and names:
            inputs = {"text": text, "known": names}
            replies.append(await ask_fields(tools, ENTITIES, language, inputs, settings, REPLY_TOKENS))
        return replies

    results, left_out = await run_each(extract, [text for text, _ in chunks], tools, "chunks read for entities")
    graph, dropped = EntityGraph([span for _, span in chunks]), 0
    for number, replies in enumerate(results):
        dropped += sum(graph.add(number, reply, MAX_ENTITIES) for reply in replies or ())
    messages = [f"{left_out} of {len(chunks)} {language} chunks could not be read for entities."] if left_out else []
    if dropped:
        messages.append(f"{dropped} names beyond {MAX_ENTITIES} of a reply, or too long to be names, were left out.")
    ready = LanguageGraph(graph)
    if graph.entities:
        lines = describe_lines(graph, graph.entities, ())
        ready.model = load_embedder(settings, tools.embedder, lines, language)
        if (why := explain_unusable(ready.model, language, lines)) is not None:
            raise BenchError(f"Entities cannot be compared in {language}: {why}")
        ready.vectors = encode_index_rows(ready.model, [_cut_to_model(line, ready.model) for line in lines])
    if settings["communities"]:
        ready.summaries = await _summarise_communities(graph, language, tools, settings)
    return ready, messages


async def _summarise_communities(graph: EntityGraph, language: str, tools: Tools, settings: Settings) -> dict[str, str]:
    groups = find_communities(graph)

    async def digest(group: Sequence[str]) -> str:
        members = set(group)
        inner = [r for r in graph.relations.values() if {r.source, r.target} <= members]
        lines = _take_lines(describe_lines(graph, group, inner), settings["chunk_tokens"], language)
        return await ask_text(tools, DIGEST, language, {"text": "\n".join(lines)}, settings, SUMMARY_TOKENS)

    summaries, _ = await run_each(digest, groups, tools, "communities summed up")
    return {name: summary for group, summary in zip(groups, summaries, strict=True) if summary for name in group}


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    if "graphs" not in settings:
        raise BenchError("The system 'graph' has not read the corpus yet: start a run, which first builds the graph.")
    ready: LanguageGraph | None = settings["graphs"].get(question.language)
    if ready is None or not ready.graph.entities:
        raise SystemFailed("The graph has no entity in the question's language.", stop="no_documents")
    named, near = match_entities(ready, join_question_text(question), settings["entities"])
    entities, groups = ready.graph.entities, {"named in the question": named, "near the question": near}
    matches = [f"{how}: {', '.join(entities[name].name for name in names)}" for how, names in groups.items() if names]
    tools.note(Step("observation", f"Entities {'; '.join(matches)}"))
    local = find_neighbourhood(ready.graph, [*named, *near])
    tools.note(Step("observation", _describe_neighbours(ready.graph, local, len(named) + len(near))))
    budget = settings["budget_tokens"]
    context, spans = fill_context(ready, local, budget, question.language, tools)
    used = count_tokens(context, question.language)
    note = f"{used:,} of {budget:,} tokens filled, {len(spans)} of {len(local.chunks)} chunks"
    tools.note(Step("observation", note, spans=tuple(spans)))
    return Answer(await answer_from(question, tools, context, settings), retrieved=tuple(spans))


def match_entities(ready: LanguageGraph, text: str, limit: int) -> tuple[list[str], list[str]]:
    """Return two lists: the entities that the text names, longest name first, and the entities whose descriptions are most
    similar to the text."""
    plain = f" {normalise_name(text)} "
    names = [name for name in ready.graph.entities if len(name) > 1 and _contains_name(name, plain)]
    named = sorted(names, key=lambda name: -len(name))[:limit]
    if ready.model is None:
        return named, []
    similarity = ready.model.similarity
    asked = prepare_rows(ready.model.encode([_cut_to_model(text, ready.model)], "query"), similarity)
    scores = compare_rows(asked, ready.vectors, similarity)[0]
    every = list(ready.graph.entities)
    ranked = [every[int(place)] for place in np.argsort(-scores, kind="stable")]
    return named, [name for name in ranked if name not in named][: limit - len(named)]


def _contains_name(name: str, text: str) -> bool:
    """Check whether the name occurs in the text; as whole words in a language that separates words."""
    at = text.find(name)
    while at >= 0:
        neighbours = text[at - 1], text[at + len(name)]
        if not any(sign.isascii() and sign.isalnum() for sign in neighbours):
            return True
        at = text.find(name, at + 1)
    return False


def _describe_neighbours(graph: EntityGraph, local: GraphNeighbourhood, inner: int) -> str:
    names = [graph.entities[name].name for name in local.entities[inner:]]
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    relations = "\n".join(describe_lines(graph, (), local.relations[:MAX_NAMED]))
    first = ", ".join(names[:MAX_NAMED]) + more or "none"
    return f"Neighbours: {first}\n{len(local.relations)} relations\n{relations}".strip()


def fill_context(
    ready: LanguageGraph, local: GraphNeighbourhood, budget: int, language: str, tools: Tools
) -> tuple[str, list[Span]]:
    """Return (context for the answer prompt, its chunks with the nearest first) within a budget of tokens. Summaries and
    descriptions get at most half of the budget; chunks get the remainder, up to the first chunk that does not fit."""
    summaries = list(dict.fromkeys(ready.summaries[name] for name in local.entities if name in ready.summaries))
    every = [*summaries, *describe_lines(ready.graph, local.entities, local.relations)]
    lines = _take_lines(every, budget // 2, language)
    left = budget - sum(count_tokens(line, language) for line in lines)
    near = [ready.graph.chunks[number] for number in local.chunks]
    spans = near[: len(_take_lines([tools.text(span) for span in near], left, language))]
    return join_passages(["\n".join(lines), *(tools.text(span) for span in sorted(spans))]), spans


def _take_lines(lines: Sequence[str], tokens: int, language: str) -> list[str]:
    """Return the first lines of the list, as many as fit in `tokens` tokens."""
    taken = []
    for line in lines:
        tokens -= count_tokens(line, language)
        if tokens < 0:
            break
        taken.append(line)
    return taken


def _cut_to_model(text: str, model: Embedder) -> str:
    """Return the beginning of an entity's description that the embedding model can read."""
    if model.max_tokens is None or model.count_tokens(text) <= model.max_tokens:
        return text
    return text[: model.offsets(text)[model.max_tokens - 1][0]]


SYSTEM = SystemAdapter(
    label="Graph",
    family="global",
    needs_agent=True,
    prompts=(ENTITIES, DIGEST),
    build=build,
    answer=answer,
    settings={
        "chunk_tokens": Setting(600, "Number of tokens of a chunk.", 1),
        "gleanings": Setting(1, "Number of extra passes over each chunk (0 or 1) for entities that the first one missed."),
        "communities": Setting(
            False,
            "Whether the system also summarizes groups of entities, and gives the model the summaries of the groups that "
            "match a question.",
        ),
        "entities": Setting(10, "Maximum number of entities matched to a question.", 1),
        "budget_tokens": Setting(
            2000, "Maximum number of tokens of context for the answer; descriptions and summaries take up to half of them.", 1
        ),
        "embedding_model": Setting(
            "lexical_vectors", "Finds entities near a question: lexical_vectors, minilm, or a model's folder."
        ),
        **OPTION_SETTINGS,
    },
)
