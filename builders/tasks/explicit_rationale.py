"""Draft level 3 questions: the question names its subject, but the answer combines reasons from several places in a long
text."""

from functools import partial

from builders.drafting.rationale import draft_rationale
from builders.task import RATIONALE_METRICS, Task, WindowRule

TASK = Task(
    label={"en": "Explicit rationale", "zh": "显性论证"},
    definition={
        "en": "The question names what it is about and asks why or how; the answer joins reasons from several places "
        "of the text, in a few sentences.",
        "zh": "问题点明所问的对象，询问原因、过程或理由；答案须把散见于原文多处的内容综合成几句话。",
    },
    level=3,
    window=WindowRule(tokens=120_000),
    prompt="draft/explicit_rationale",
    draft=partial(draft_rationale, "explicit_rationale", 3),
    gates=("evidence", "language", "figures", "self_contained", "duplicate", "level"),
    answer_prompt="answer/long",
    metrics=RATIONALE_METRICS,
    length_hint=256,
)
