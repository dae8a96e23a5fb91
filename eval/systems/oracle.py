"""oracle: the agent answers from the gold evidence in its stored order; this is an upper bound for systems with retrieval. The
evidence_recall of this system is always 1. For an item without evidence, such as CRUD-RAG's summaries, the agent answers from
the whole document that the gold answer was written from."""

from eval.settings import Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from_passages, list_whole_documents


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    passages = question.evidence or list_whole_documents(question.sources, tools)
    if not passages:
        raise SystemFailed("This item has no gold evidence to answer from, and no source document.", stop="no_evidence")
    return await answer_from_passages(question, tools, passages, settings, is_ranked=True)


SYSTEM = SystemAdapter(label="Oracle", family="ceiling", needs_agent=True, answer=answer)
