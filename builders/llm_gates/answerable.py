"""Gate G4: an agent that is given the evidence alone answers the question, several times over. At least two thirds of its
answers must agree with the item's; those to a question that cannot be answered must be refusals."""

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
        return not_run(f"its evidence cannot be cut: {error}")
    if not shown:
        return not_run("it has no evidence")
    found = await sample_answers(item, context, context.judges, context.task.answer_prompt, {"context": shown})
    counted = share(found)
    told = {
        "right": counted.right,
        "of": counted.of,
        "calls": len(calls(found)),
        "cost_usd": cost(found),
        "asked": details(found),
    }
    if counted.is_enough is None:
        why = next(one.by for one in found if one.is_right is None)
        return Finding("not run", f"Not run: {counted.of} of {counted.asked} answers could be used ({why})", told, calls(found))
    if counted.is_enough:
        return Finding("pass", "", told, calls(found))
    other = "said it cannot be answered" if is_unanswerable(item) else "agreed with the item's"
    why = f"From the evidence alone, {counted.right} of {counted.of} answers {other}{_quote_wrong_answer(found)}."
    return Finding("flag", why, told, calls(found))


def _quote_wrong_answer(found: Sequence[SampledAnswer]) -> str:
    wrong = next((one.text for one in found if one.is_right is False and one.text), "")
    return f"; one said: {' '.join(wrong.split())[:120]!r}" if wrong else ""


LLM_GATE = LlmGate(
    label="Answerable",
    about="An agent answers from the evidence alone; most of its answers must agree with the item's.",
    version="1",
    check=check,
    prompts=lambda task: (task.answer_prompt, EQUALITY),
)
