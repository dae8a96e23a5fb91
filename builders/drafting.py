"""One window goes in; its drafts come out as they are made, each with its id, its overlap and its gates' verdicts. A draft
that a gate refuses is kept with the status `refused`."""

from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from builders.gate import GateContext, is_refused, run_gates
from builders.gates.evidence import repaired
from builders.known import KnownItems
from builders.rag_check import rag_check
from builders.task import Drafted, Kit, Task, Window
from core.errors import BenchError
from core.ids import derived_id
from core.nouns import Item, Span, Status, Verdict
from core.text import overlap


async def draft_window(
    task_name: str, task: Task, window: Window, kit: Kit, known: KnownItems, text_of: Callable[[Span], str]
) -> AsyncIterator[Drafted]:
    """Every draft of the window. The same window, kit and task give the same ids again. What is not refused goes into `known`
    before anything is waited for, so that windows drafted at the same time see each other; what earlier drafts ask on the same
    text goes into the prompt. The RAG check follows, unless the kit's setting `rag_check` is false, then the gates that ask
    an agent. Raises Unreadable, AgentError, BenchError."""
    context = GateContext(text_of=text_of, known=known)
    if window.source is None:
        kit = replace(kit, asked=known.asked(task_name, window.spans))
    index = 0
    async for made in task.draft(window, kit):
        item_id = derived_id(task_name, window.key, kit.agent, kit.seed, kit.reason, kit.previous, index)
        index += 1
        item = repaired(replace(made, id=item_id, task=task_name), context, window.sentences)
        verdicts = [Verdict(item.id, item.revision, "parse", "1", "pass"), *run_gates(item, task.gates, context)]
        status: Status = "refused" if is_refused(verdicts) else "drafted"
        item = replace(item, status=status, overlap=overlap_of(item, text_of))
        if status == "drafted":
            known.add(item)
            if kit.settings.get("rag_check", True):
                verdicts.append(await rag_check(item, task, kit, text_of))
            verdicts += await kit.look(item)
        yield Drafted(item, tuple(verdicts))


def overlap_of(item: Item, text_of: Callable[[Span], str]) -> float | None:
    """Share of the question's content words found in its evidence, 0..1; None without evidence that can be cut, or without
    content words."""
    try:
        evidence = "\n".join(text_of(span) for span in item.evidence)
    except BenchError:
        return None
    return overlap(item.question, evidence, item.language) if evidence.strip() else None
