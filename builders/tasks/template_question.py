"""Define the task of questions that are made from templates over the workspace's tables; the answers are computed from the
tables and never written by a model. The items are made on the page Templates (builders/templates/template_questions.py) and not
drafted from documents."""

from builders.task import Task, WindowRule, refuse_drafts

TASK = Task(
    label={"en": "Question from a template", "zh": "模板问题"},
    definition={
        "en": "A template whose placeholders are filled from a row of a table. It fits exactly one entity; its answer is a "
        "column, or a chain over up to three relations, computed from the table.",
        "zh": "用表格中一行的值填入模板得到的问题，只对应唯一的实体；答案为某一列，或沿至多三步关系由表格计算得出。",
    },
    level=None,
    window=WindowRule(tokens=1024),
    draft=refuse_drafts(
        "template_question makes its questions from tables, not from documents: write a template on the page Templates."
    ),
    gates=(),
    answer_prompt="answer/short",
    metrics=("r_eval_f1", "exact_match", "token_f1", "length", "seconds", "calls", "tokens"),
    length_hint=64,
)
