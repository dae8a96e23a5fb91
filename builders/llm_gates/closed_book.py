"""Gate G5: up to two agents answer the question without any text. A question that most of their answers get right can be
answered from memory: it tests a model's training, not its retrieval, and the headline numbers are better without it."""

from builders.drafting.answers import EQUALITY, calls, cost, details, is_unanswerable, sample_answers, share
from builders.gate import Finding
from builders.llm_gate import LlmGate, LlmGateContext, not_run
from core.nouns import Item

PROMPT = "answer/closed_book"


async def check(item: Item, context: LlmGateContext) -> Finding:
    if is_unanswerable(item):
        return not_run("a refusal is its right answer, and nobody can have learned that by heart")
    found = await sample_answers(item, context, context.judges, PROMPT, {})
    counted = share(found)
    told = {
        "leak": counted.value,
        "right": counted.right,
        "of": counted.of,
        "calls": len(calls(found)),
        "cost_usd": cost(found),
        "by_agent": {judge.name: share([one for one in found if one.agent == judge.name]).value for judge in context.judges},
        "asked": details(found),
    }
    if counted.is_enough is None:
        why = next(one.by for one in found if one.is_right is None)
        return Finding("not run", f"Not run: {counted.of} of {counted.asked} answers could be used ({why})", told, calls(found))
    if not counted.is_enough:
        return Finding("pass", "", told, calls(found))
    why = f"Without any text, {counted.right} of {counted.of} answers were right: it can be answered from memory."
    return Finding("flag", why, told, calls(found))


LLM_GATE = LlmGate(
    label="Closed book",
    about="Up to two agents answer without any text; a question that they mostly get right tests memory, not retrieval.",
    version="1",
    check=check,
    prompts=lambda task: (PROMPT, EQUALITY),
    judges=2,
)
