"""Measure how well a simple RAG system answers a new question: recall and precision of five retrieved passages against the
evidence, token F1 of an answer generated from them, a judge's grade of this answer (0 to 9), and for rationale items the
multiple-choice score."""

from collections.abc import Callable, Sequence
from typing import Any

from builders.drafting.prompting import places
from builders.task import Kit, Task
from core.agent import Sampling
from core.errors import AgentError, Unreadable
from core.nouns import Item, Span, Verdict
from core.text.text import token_f1
from prompts.prompt import load
from prompts.reply import ask_for

RETRIEVED_PASSAGES = 5
MIN_COVERED_SHARE = 0.5
"""Least share (0..1) of a piece of evidence that a retrieved passage must cover to count as having found it."""
VERSION = "1"


async def rag_check(item: Item, task: Task, kit: Kit, text_of: Callable[[Span], str]) -> Verdict:
    """Return a verdict that always passes. Its details contain the measures of the RAG check: recall, precision, f1 (0..1),
    judge (0..9), multi_choice (0..1), answer, retrieved, and under `why` the reason for each measure that is None. Raises
    BudgetReached, or AgentError if the error stops the whole job."""
    hits = kit.search(item.given, task.query(item), RETRIEVED_PASSAGES)
    retrieved = [hit.span for hit in hits]
    details: dict[str, Any] = dict.fromkeys(("recall", "precision", "f1", "judge", "answer", "multi_choice"))
    why: dict[str, str] = {}
    details |= {"retrieved": places(retrieved), "agent": kit.agent, "why": why}
    if {span.document for span in item.evidence} & set(task.excluded_documents(item)):
        why |= dict.fromkeys(("recall", "precision"), "its source is left out")
    else:
        details["recall"], details["precision"] = recall_and_precision(item.evidence, retrieved)
    calls: list[str] = []

    async def ask(figure: str, prompt: str, max_tokens: int, **inputs: object) -> dict[str, Any]:
        """Return the fields of the agent's reply. If no reply is usable, return an empty dict and store the reason under the
        name of the measure, `figure`."""
        try:
            sampling = Sampling(max_tokens=max_tokens, seed=kit.seed)
            reply = await ask_for(kit.ask, load(prompt, item.language), inputs, sampling)
        except (Unreadable, AgentError) as error:
            if isinstance(error, AgentError) and error.stops_job:
                raise
            calls.extend(error.calls if isinstance(error, Unreadable) else ())
            why[figure] = str(error)
            return {}
        calls.extend(reply.calls)
        return reply.values

    context = "\n\n".join(text_of(span) for span in sorted(retrieved))
    reply = await ask("answer", task.answer_prompt, task.length_hint, context=context, **task.fill(item))
    answer = reply.get("text")
    if answer is None:
        why |= dict.fromkeys(("f1", "judge", "multi_choice"), "no answer")
    else:
        details["answer"] = answer
        details["f1"] = max((token_f1(answer, gold, item.language) for gold in item.answers), default=None)
        judged = await ask("judge", "judge/agreement", 128, question=item.question, answer=item.answers[0], prediction=answer)
        details["judge"] = judged.get("score")
        if item.labels.get("selections"):
            lines = "\n".join(f"{sign}. {statement}" for sign, statement in item.labels["selections"].items())
            chosen = await ask("multi_choice", "judge/statements", 128, prediction=answer, statements=lines)
            if chosen:
                details["multi_choice"] = multi_choice(chosen["supported"], item.labels["selection_answers"])
        else:
            why["multi_choice"] = "the item has no statements"
    return Verdict(item.id, item.revision, "rag_check", VERSION, "pass", details=details, calls=tuple(calls))


def recall_and_precision(evidence: Sequence[Span], retrieved: Sequence[Span]) -> tuple[float | None, float | None]:
    """Return two shares: the share of the evidence that retrieved passages cover, and the share of the passages that cover
    evidence. A share that cannot be computed is None."""
    covered = [any(_is_covered(passage, piece) for passage in retrieved) for piece in evidence]
    useful = [any(_is_covered(passage, piece) for piece in evidence) for passage in retrieved]
    return (sum(covered) / len(covered) if covered else None, sum(useful) / len(useful) if useful else None)


def multi_choice(chosen: Sequence[str], right: Sequence[str]) -> float | None:
    """Return the multiple-choice score by HawkBench's rule: 0 if any chosen letter is wrong, else the share of the right
    letters that were chosen; None if the question has no right letter."""
    letters = {letter.strip(" .()").lower() for letter in chosen}
    if not right:
        return None
    return 0.0 if letters - set(right) else len(letters & set(right)) / len(set(right))


def _is_covered(passage: Span, piece: Span) -> bool:
    if passage.document != piece.document:
        return False
    shared = min(passage.end, piece.end) - max(passage.start, piece.start)
    return shared >= MIN_COVERED_SHARE * (piece.end - piece.start) and shared > 0
