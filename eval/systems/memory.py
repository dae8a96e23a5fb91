"""memory: the agent recalls clues for a question from a memory of the corpus, or of each document, and the system searches with
them (after MemoRAG). The memory is built in advance: summaries of chunks, then summaries of summaries, until they have at most
`memory_tokens` tokens. For a question, the agent writes a surrogate question and clues from the memory; the system searches
with the question and with each surrogate question or clue of more than 3 words, and the agent answers from all results."""

from collections import defaultdict
from collections.abc import Sequence

from core.errors import BenchError
from core.nouns import Document, Step
from core.retrieval.chunks import chunk
from core.text.text import count_tokens
from core.text.words import words
from eval.running.building import run_each
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from_passages, ask_fields, ask_text, date_question_text, join_passages, merge_hits

DIGEST, CLUES = "extract/digest", "rewrite/memory_clues"
MIN_CLUE_WORDS = 3
"""Number of words that a clue must exceed to be searched for."""
MAX_CLUES = 8
"""Maximum number of recalled clues that are searched for."""
REPLY_TOKENS = 384


async def build(documents: Sequence[Document], tools: Tools, settings: Settings) -> Settings:
    groups: dict[str, list[Document]] = defaultdict(list)
    for document in documents:
        groups[document.id if settings["memory_of"] == "document" else document.language].append(document)
    memories, messages = {}, []
    for name, group in groups.items():
        memories[name], left_out = await build_memory(group, tools, settings)
        messages += (
            [f"{left_out} pieces of {name} could not be summarized and are missing from the memory."] if left_out else []
        )
    return {**settings, "memories": memories, "messages": messages}


async def build_memory(documents: Sequence[Document], tools: Tools, settings: Settings) -> tuple[str, int]:
    """Return (the memory of the documents, which are in one language; the number of pieces of text left out of it)."""
    language, size, length = documents[0].language, settings["memory_chunk_tokens"], settings["summary_tokens"]

    async def digest(text: str) -> str:
        return await ask_text(tools, DIGEST, language, {"text": text}, settings, length)

    pieces = [d.text[s.start : s.end] for d in documents for s in chunk(d, size) if d.text[s.start : s.end].strip()]
    left_out, level = 0, 1
    while pieces:
        replies, lost = await run_each(digest, pieces, tools, f"summaries of level {level}")
        summaries = [text for text in replies if text]
        left_out += lost
        total = sum(count_tokens(text, language) for text in summaries)
        if len(summaries) < 2 or total <= settings["memory_tokens"]:
            return join_passages(summaries), left_out
        together = max(2, size // length)
        pieces = [join_passages(summaries[at : at + together]) for at in range(0, len(summaries), together)]
        level += 1
    return "", left_out


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    search, k = tools.search_for("memory"), settings["top_k"]
    if "memories" not in settings:
        raise BenchError("The system 'memory' has not read the corpus yet: start a run, which first builds the memory.")
    names = question.given if settings["memory_of"] == "document" else (question.language,)
    memory = join_passages(text for name in names if (text := settings["memories"].get(name)))
    if not memory:
        raise SystemFailed("The system memory has stored nothing about this question's documents.", stop="no_documents")
    inputs = {"memory": memory, "question": date_question_text(question)}
    reply = await ask_fields(tools, CLUES, question.language, inputs, settings, REPLY_TOKENS)
    recalled = list(dict.fromkeys([reply["surrogate"], *reply["clues"]]))
    clues = [clue for clue in recalled if len(words(clue, question.language)) > MIN_CLUE_WORDS][:MAX_CLUES]
    tools.note(
        Step("observation", f"{len(clues)} of {len(recalled)} recalled clues are searched for in addition to the question.")
    )
    union = merge_hits([search(query, k) for query in (question.query, *clues)])
    note = f"{len(union)} different passages from {1 + len(clues)} searches"
    tools.note(Step("observation", note, spans=tuple(union)))
    return await answer_from_passages(question, tools, union, settings)


SYSTEM = SystemAdapter(
    label="Memory",
    family="global",
    needs_agent=True,
    needs_retriever=True,
    prompts=(DIGEST, CLUES),
    build=build,
    settings={
        "top_k": TOP_K,
        "memory_of": Setting(
            "corpus",
            "corpus: one memory for all documents of a language; document: one for each document, and a question uses those of "
            "its own documents.",
            choices=("corpus", "document"),
        ),
        "memory_tokens": Setting(1024, "Maximum number of tokens of a memory.", 1),
        "memory_chunk_tokens": Setting(1024, "Number of tokens summarized per call.", 1),
        "summary_tokens": Setting(200, "Maximum number of tokens of one summary.", 1),
    },
    answer=answer,
)
