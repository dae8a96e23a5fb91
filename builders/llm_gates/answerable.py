"""Flag a question that an agent cannot answer from only the item's evidence. The agent answers several times; at least two
thirds of its answers must agree with the item's answer or, for an unanswerable question, must be refusals."""

from collections.abc import Sequence

from builders.drafting.answers import EQUALITY, SampledAnswer, calls, cost, details, is_unanswerable, sample_answers, share
from builders.gate import Finding
from builders.llm_gate import LlmGate, LlmGateContext, not_run
from core.errors import BenchError
from core.nouns import Item


async def check(item: Item, context: LlmGateContext) -> Finding:
    try:
        shown = "\n\n".join(context.text_of(span).strip() for span in item.evidence)
    except BenchError as error:
        return not_run(f"its evidence cannot be read: {error}")
    if not shown:
        return not_run("it has no evidence")
    answers = await sample_answers(item, context, context.judges, context.task.answer_prompt, {"context": shown})
    counted = share(answers)
    record = {
        "right": counted.right,
        "of": counted.of,
        "calls": len(calls(answers)),
        "cost_usd": cost(answers),
        "asked": details(answers),
    }
    if counted.is_enough is None:
        why = next(answer.by for answer in answers if answer.is_right is None)
        return Finding(
            "not run", f"Not run: {counted.of} of {counted.asked} answers could be used ({why})", record, calls(answers)
        )
    if counted.is_enough:
        return Finding("pass", "", record, calls(answers))
    other = "said it cannot be answered" if is_unanswerable(item) else "agreed with the item's"
    why = f"From the evidence alone, {counted.right} of {counted.of} answers {other}{_quote_wrong_answer(answers)}."
    return Finding("flag", why, record, calls(answers))


def _quote_wrong_answer(answers: Sequence[SampledAnswer]) -> str:
    wrong = next((answer.text for answer in answers if answer.is_right is False and answer.text), "")
    return f"; one said: {' '.join(wrong.split())[:120]!r}" if wrong else ""


LLM_GATE = LlmGate(
    label="Answerable",
    about="An agent answers from the evidence alone; most of its answers must agree with the item's.",
    version="1",
    check=check,
    prompts=lambda task: (task.answer_prompt, EQUALITY),
)
