"""oracle: the gold evidence as the context, in document order: the ceiling. Its evidence_recall is 1 by construction."""

from collections.abc import Mapping
from typing import Any

from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    if not question.evidence:
        raise SystemFailed("This item has no gold evidence to answer from.", stop="no_evidence")
    context = join_passages(tools.text(span) for span in question.evidence)
    return Answer(await answer_from(question, tools, context, settings), retrieved=question.evidence)


SYSTEM = SystemAdapter(label="Oracle", family="floor", needs_agent=True, answer=answer)
