"""Draft level 4 questions, which ask about the text as a whole (theme, change, influence, outlook): the reader must infer what
to look for."""

from functools import partial

from builders.drafting.rationale import draft_rationale
from builders.task import RATIONALE_METRICS, Task, WindowRule

TASK = Task(
    label={"en": "Implicit rationale", "zh": "隐性论证"},
    definition={
        "en": "The question asks about a theme, a change, an influence or an outlook that no single place of the text states; "
        "the answer is a synthesis over the whole.",
        "zh": "问题涉及主题、变化、影响或前景，原文没有任何一处直接写明；答案是对全文的综合。",
    },
    level=4,
    window=WindowRule(tokens=120_000),
    prompt="draft/implicit_rationale",
    draft=partial(draft_rationale, "implicit_rationale", 4),
    gates=("evidence", "language", "figures", "self_contained", "duplicate", "level"),
    answer_prompt="answer/long",
    metrics=RATIONALE_METRICS,
    length_hint=256,
)
