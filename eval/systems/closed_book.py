"""closed_book: the agent answers from its own knowledge, with a prompt that contains no context."""

from eval.settings import Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import date_question_text, reply_to


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    inputs = {"question": date_question_text(question)}
    return Answer(await reply_to(question.closed_prompt, question, tools, inputs, settings))


SYSTEM = SystemAdapter(label="Closed book", family="floor", needs_agent=True, answer=answer)
