"""vanilla: retrieves top_k passages, joins them with blank lines, and lets the agent answer from them (plain RAG). The trace
keeps the passages in rank order."""

from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import answer_from_passages

ORDER = Setting(
    "document",
    "document: passages are in the order of their documents (HawkBench's choice); rank: as the retriever ranked them.",
    choices=("document", "rank"),
)


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    passages = [hit.span for hit in tools.search_for("vanilla")(question.query, settings["top_k"])]
    return await answer_from_passages(question, tools, passages, settings, is_ranked=settings["order"] == "rank")


SYSTEM = SystemAdapter(
    label="Vanilla RAG",
    family="standard",
    needs_agent=True,
    needs_retriever=True,
    settings={"top_k": TOP_K, "order": ORDER},
    answer=answer,
)
