"""Flag evidence that is not necessary. For each piece of evidence, an agent answers the question without this piece; if most of
these answers are right, the piece is not necessary, and the gate proposes a task that needs fewer pieces. For an item on
several documents, a piece is a whole document, and the agent reads the other documents in full."""

from collections.abc import Sequence
from typing import Any

from builders.drafting.answers import EQUALITY, SampledAnswer, calls, cost, details, is_unanswerable, sample_answers, share
from builders.gate import Finding
from builders.llm_gate import LlmGate, LlmGateContext, not_run
from core.agent import WaitingCalls
from core.errors import BenchError
from core.nouns import Item

LOWER_TASKS = {
    "qa_three_documents": "qa_two_documents",
    "qa_two_documents": "qa_one_document",
    "implicit_factoid": "explicit_factoid",
    "implicit_rationale": "explicit_rationale",
}
"""A dict from an item's task to the task that fits the question if one piece of evidence is not necessary."""
BY_DOCUMENT = ("qa_two_documents", "qa_three_documents")
"""Tasks for which each piece of evidence is a whole document, because their questions are about several documents."""


async def check(item: Item, context: LlmGateContext) -> Finding:
    if is_unanswerable(item):
        return not_run("its right answer is a refusal, which needs no evidence")
    try:
        pieces = _pieces(item, context)
    except BenchError as error:
        return not_run(f"its evidence cannot be read: {error}")
    unit = "document" if item.task in BY_DOCUMENT else "piece of evidence"
    if len(pieces) < 2:
        return not_run(f"it has {'one' if pieces else 'no'} {unit}, so nothing can be left out")
    judge, every = context.judges[:1], list[SampledAnswer]()
    looked: list[dict[str, Any]] = []
    spare: list[int] = []
    open_ = 0
    waiting = WaitingCalls()
    for place, (name, _) in enumerate(pieces):
        rest = "\n\n".join(text for other, (_, text) in enumerate(pieces) if other != place)
        with waiting.hold():
            answers = await sample_answers(item, context, judge, context.task.answer_prompt, {"context": rest})
            every += answers
            counted = share(answers)
            looked.append({"without": name, "right": counted.right, "of": counted.of, "asked": details(answers)})
            if counted.is_enough:
                spare.append(place + 1)
            open_ += counted.is_enough is None
    waiting.raise_first()
    record: dict[str, Any] = {
        "pieces": len(pieces),
        "not_needed": spare,
        "calls": len(calls(every)),
        "cost_usd": cost(every),
        "asked": looked,
    }
    if spare:
        record["proposed"] = LOWER_TASKS.get(item.task)
        return Finding("flag", _explain_spare(spare, looked, unit, LOWER_TASKS.get(item.task)), record, calls(every))
    if open_:
        why = next(answer.by for answer in every if answer.is_right is None)
        return Finding("not run", f"Not run: too few answers could be used ({why})", record, calls(every))
    return Finding("pass", "", record, calls(every))


def _pieces(item: Item, context: LlmGateContext) -> list[tuple[Any, str]]:
    """Return (identifier, text) of each piece of evidence: the identifier is a document id for tasks on whole documents, else
    [document id, start, end]."""
    if item.task in BY_DOCUMENT:
        return [(document, context.whole(document).strip()) for document in item.given]
    return [(span.triple, context.text_of(span).strip()) for span in item.evidence]


def _explain_spare(spare: Sequence[int], looked: Sequence[dict[str, Any]], unit: str, lower: str | None) -> str:
    first = looked[spare[0] - 1]
    several = f" (nor {', '.join(map(str, spare[1:]))})" if len(spare) > 1 else ""
    proposed = f": make it {lower.replace('_', ' ')}" if lower else ""
    return (
        f"Without {unit} {spare[0]}, {first['right']} of {first['of']} answers are still right, so it is not "
        f"needed{several}{proposed}."
    )


LLM_GATE = LlmGate(
    label="Necessity",
    about="One piece of evidence, or one document, is left out at a time; answers without it should then be wrong.",
    version="1",
    check=check,
    prompts=lambda task: (task.answer_prompt, EQUALITY),
)
