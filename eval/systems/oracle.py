"""oracle: the agent answers from the gold evidence in document order; this is an upper bound for systems with retrieval. The
evidence_recall of this system is always 1."""

from eval.settings import Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from_passages


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    if not question.evidence:
        raise SystemFailed("This item has no gold evidence to answer from.", stop="no_evidence")
    return await answer_from_passages(question, tools, question.evidence, settings, is_ranked=True)


SYSTEM = SystemAdapter(label="Oracle", family="ceiling", needs_agent=True, answer=answer)
