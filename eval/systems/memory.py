"""memory: a memory of the corpus, or of each document, is made beforehand: summaries of chunks, then of summaries, until they
fit (after MemoRAG). For a question the agent recalls a surrogate question and clues from it; the question and every clue longer
than 3 words are searched for, and the union is answered from.

memory_of            corpus: one memory for all documents of a language; document: one for each, and a question meets those of
                     the documents that belong to it
memory_tokens        tokens of a memory at most
memory_chunk_tokens  tokens that are summed up at once
summary_tokens       tokens of one summary at most"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Step
from core.retrieval.chunks import chunk
from core.text.text import count_tokens
from core.text.words import words
from eval.running.building import run_each
from eval.running.settings import read_choice, read_whole_number
from eval.system import Answer, PreparedSettings, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, date_question_text, join_passages
from eval.workflows.prompting import ask_fields, ask_text, merge_hits, require_search

DIGEST, CLUES = "extract/digest", "rewrite/memory_clues"
MIN_CLUE_WORDS = 3
"""Words that a clue must exceed."""
MAX_CLUES = 8
"""Clues that are searched for."""
REPLY = 384


async def build(documents: Sequence[Document], tools: Tools, settings: Mapping[str, Any]) -> PreparedSettings:
    is_own = read_choice(settings, "memory_of", ("corpus", "document")) == "document"
    shelves: dict[str, list[Document]] = {}
    for document in documents:
        shelves.setdefault(document.id if is_own else document.language, []).append(document)
    memories, messages = {}, []
    for name, shelf in shelves.items():
        memories[name], left_out = await build_memory(shelf, tools, settings)
        messages += [f"{left_out} pieces of {name} could not be summed up: the memory is without them."] if left_out else []
    return {**settings, "memories": memories, "messages": messages}


async def build_memory(documents: Sequence[Document], tools: Tools, settings: Mapping[str, Any]) -> tuple[str, int]:
    """(memory of documents in one language, pieces left out of it)."""
    language = documents[0].language
    most, size = (
        read_whole_number(settings, "memory_tokens", 1024, 1),
        read_whole_number(settings, "memory_chunk_tokens", 1024, 1),
    )
    length = read_whole_number(settings, "summary_tokens", 200, 1)

    async def digest(text: str) -> str:
        return await ask_text(tools, DIGEST, language, {"text": text}, settings, length)

    pieces = [d.text[s.start : s.end] for d in documents for s in chunk(d, size) if d.text[s.start : s.end].strip()]
    left_out, level = 0, 1
    while pieces:
        made, lost = await run_each(digest, pieces, tools, f"summaries of level {level}")
        summaries = [text for text in made if text]
        left_out += lost
        if len(summaries) < 2 or sum(count_tokens(text, language) for text in summaries) <= most:
            return join_passages(summaries), left_out
        together = max(2, size // length)
        pieces = [join_passages(summaries[at : at + together]) for at in range(0, len(summaries), together)]
        level += 1
    return "", left_out


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    search, k = require_search(tools, "memory"), read_whole_number(settings, "top_k", 5, 1)
    if "memories" not in settings:
        raise BenchError("The system memory has not read the corpus yet: run it as a run, which builds its memory first.")
    names = question.given if settings["memory_of"] == "document" else (question.language,)
    memory = join_passages(text for name in names if (text := settings["memories"].get(name)))
    if not memory:
        raise SystemFailed("There is no memory of what belongs to this question.", stop="no_documents")
    inputs = {"memory": memory, "question": date_question_text(question)}
    recalled = await ask_fields(tools, CLUES, question.language, inputs, settings, REPLY)
    given = list(dict.fromkeys([recalled["surrogate"], *recalled["clues"]]))
    clues = [clue for clue in given if len(words(clue, question.language)) > MIN_CLUE_WORDS][:MAX_CLUES]
    tools.note(Step("observation", f"{len(clues)} of {len(given)} recalled clues are searched for beside the question."))
    ranked = tuple(merge_hits([search(query, k) for query in (question.query, *clues)]))
    tools.note(Step("observation", f"{len(ranked)} different passages of {1 + len(clues)} searches", spans=ranked))
    context = join_passages(tools.text(span) for span in sorted(ranked))
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


SYSTEM = SystemAdapter(
    label="Memory",
    family="global",
    needs_agent=True,
    needs_retriever=True,
    prompts=(DIGEST, CLUES),
    build=build,
    settings={"top_k": 5, "memory_of": "corpus", "memory_tokens": 1024, "memory_chunk_tokens": 1024, "summary_tokens": 200},
    answer=answer,
)
