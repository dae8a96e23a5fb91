"""Define the task of imported questions and answers that fit no other task. Systems can answer such questions, and the answers
can be scored, but no such question can be drafted."""

from collections.abc import AsyncIterator

from builders.task import Kit, Task, Window, WindowRule
from core.errors import BenchError
from core.nouns import Item


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Raise BenchError, because imported questions cannot be drafted."""
    raise BenchError("The task question_answering is for imported questions, which cannot be drafted: choose another task.")
    yield  # makes this function a generator, like every draft


TASK = Task(
    label={"en": "Question answering (imported)", "zh": "问答（外部导入）"},
    definition={
        "en": "A question with its answers from outside this workspace, with or without the texts it belongs to.",
        "zh": "来自外部数据的问题与答案，可附带其所属文本。",
    },
    level=None,
    window=WindowRule(tokens=1024),
    draft=draft,
    gates=(),
    answer_prompt="answer/short",
    metrics=("exact_match", "token_f1", "rouge_l", "evidence_recall", "length", "seconds", "calls", "tokens"),
    length_hint=256,
)
