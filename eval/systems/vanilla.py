"""vanilla: plain RAG. Retrieve top_k passages, join them by a blank line, answer. The trace keeps them ranked."""

from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import answer_from_passages

ORDER = Setting(
    "document",
    "document: passages stand as in their documents (HawkBench's choice); rank: as the retriever ranked them.",
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
