"""echo: returns the question, or the task's input text, as the answer; a lower bound for all systems. With a retriever, the
system also searches, so that retrieval can be measured without an agent."""

from eval.settings import TOP_K, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import join_passages


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    hits = tools.retrieve(question.query, settings["top_k"]) if tools.retrieve else None
    text = join_passages(question.inputs.values()) if question.inputs else question.text
    return Answer(text, retrieved=None if hits is None else tuple(hit.span for hit in hits))


SYSTEM = SystemAdapter(label="Echo", family="floor", settings={"top_k": TOP_K}, answer=answer)
