"""closed_book: the agent answers from what it knows, with no context and a prompt that does not speak of one."""

from collections.abc import Mapping
from typing import Any

from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import date_question_text, reply_to


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    return Answer(await reply_to(question.closed_prompt, question, tools, {"question": date_question_text(question)}, settings))


SYSTEM = SystemAdapter(label="Closed book", family="floor", needs_agent=True, answer=answer)
