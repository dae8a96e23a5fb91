"""Define the task of imported questions and answers that fit no other task. Systems can answer such questions, and the answers
can be scored, but no such question can be drafted."""

from builders.task import Task, WindowRule, refuse_drafts

TASK = Task(
    label={"en": "Question answering (imported)", "zh": "问答（外部导入）"},
    definition={
        "en": "A question with its answers from outside this workspace, with or without the texts it belongs to.",
        "zh": "来自外部数据的问题与答案，可附带其所属文本。",
    },
    level=None,
    window=WindowRule(tokens=1024),
    draft=refuse_drafts("The task question_answering is for imported questions, which cannot be drafted: choose another task."),
    gates=(),
    answer_prompt="answer/short",
    metrics=("exact_match", "token_f1", "rouge_l", "evidence_recall", "length", "seconds", "calls", "tokens"),
    length_hint=256,
)
