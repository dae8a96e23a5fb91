"""Flag a question that agents can answer from memory. Up to two agents answer the question without any text; if most of their
answers are right, the question tests a model's training and not the retrieval, and should be excluded from a release's main
results."""

from builders.drafting.answers import EQUALITY, calls, cost, details, is_unanswerable, sample_answers, share
from builders.gate import Finding
from builders.llm_gate import LlmGate, LlmGateContext, not_run
from core.nouns import Item

PROMPT = "answer/closed_book"


async def check(item: Item, context: LlmGateContext) -> Finding:
    if is_unanswerable(item):
        return not_run("its right answer is a refusal, which no agent can have memorised")
    answers = await sample_answers(item, context, context.judges, PROMPT, {})
    counted = share(answers)
    record = {
        "leak": counted.value,
        "right": counted.right,
        "of": counted.of,
        "calls": len(calls(answers)),
        "cost_usd": cost(answers),
        "by_agent": {
            judge.name: share([answer for answer in answers if answer.agent == judge.name]).value for judge in context.judges
        },
        "asked": details(answers),
    }
    if counted.is_enough is None:
        why = next(answer.by for answer in answers if answer.is_right is None)
        return Finding(
            "not run", f"Not run: {counted.of} of {counted.asked} answers could be used ({why})", record, calls(answers)
        )
    if not counted.is_enough:
        return Finding("pass", "", record, calls(answers))
    why = f"Without any text, {counted.right} of {counted.of} answers were right: the question can be answered from memory."
    return Finding("flag", why, record, calls(answers))


LLM_GATE = LlmGate(
    label="Closed book",
    about="Up to two agents answer without any text; a question that they mostly get right tests memory, not retrieval.",
    version="1",
    check=check,
    prompts=lambda task: (PROMPT, EQUALITY),
    judges=2,
)
