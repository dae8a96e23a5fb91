"""Draft benchmark items from one window (an excerpt of documents). Each draft is yielded as soon as it is ready, with its id,
the overlap of its question with the evidence, and the verdicts of the gates. A draft that a gate refuses is not discarded: its
status is `refused`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from builders.drafting.rag_check import rag_check
from builders.drafting.turns import WindowTurn
from builders.gate import GateContext, is_refused, run_gates
from builders.gates.evidence import repair_evidence
from builders.near_duplicate_index import NearDuplicateIndex
from builders.task import DraftWithVerdicts, Kit, Task, Window
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Span, Status, Verdict
from core.text.text import overlap


async def draft_window(
    task_name: str,
    task: Task,
    window: Window,
    kit: Kit,
    known: NearDuplicateIndex,
    text_of: Callable[[Span], str],
    turn: WindowTurn | None = None,
) -> AsyncIterator[DraftWithVerdicts]:
    """Yield every draft that is made from the window, an excerpt of documents. The same window, kit and task always give the
    same ids. Drafts that are not refused are added to the index `known`, so that windows which are drafted concurrently do not
    give the same questions. If each window has a `turn`, drafts are added in the order of the windows. The prompt lists the
    questions of earlier drafts on the same text. The RAG check (unless the kit's setting `rag_check` is false) and the LLM
    gates then check each draft. Raises Unreadable or AgentError if the agent gives no usable reply, or BenchError if the window
    cannot be drafted."""
    context = GateContext(text_of=text_of, near_duplicates=known)
    turn = turn or WindowTurn(known.list_asked(task_name, window.spans))
    drafts: list[tuple[Item, list[Verdict]]] = []
    try:
        if window.source is None:
            kit = replace(kit, earlier_questions=turn.asked)
        try:
            drafted = [made async for made in task.draft(window, kit)]
        except Exception:
            await turn.wait_for_earlier()
            raise
        await turn.wait_for_earlier()
        for index, made in enumerate(drafted):
            item_id = derived_id(task_name, window.key, kit.agent, kit.seed, kit.reason, kit.previous, index)
            item = repair_evidence(replace(made, id=item_id, task=task_name), context, window.sentences)
            verdicts = [Verdict(item.id, item.revision, "parse", "1", "pass"), *run_gates(item, task.gates, context)]
            status: Status = "refused" if is_refused(verdicts) else "drafted"
            drafts.append((replace(item, status=status, overlap=overlap_of(item, text_of)), verdicts))
            if status == "drafted":
                known.add(drafts[-1][0])
    finally:
        turn.end(len(known))
    for item, verdicts in drafts:
        if item.status == "drafted":
            if kit.settings.get("rag_check", True):
                verdicts.append(await rag_check(item, task, kit, text_of))
            verdicts += await kit.run_llm_gates(item)
        yield DraftWithVerdicts(item, tuple(verdicts))


def overlap_of(item: Item, text_of: Callable[[Span], str]) -> float | None:
    """Return the share (0..1) of the question's content words that occur in its evidence, or None if the text of the evidence
    is missing or the question has no content words."""
    try:
        evidence = "\n".join(text_of(span) for span in item.evidence)
    except BenchError:
        return None
    return overlap(item.question, evidence, item.language) if evidence.strip() else None
