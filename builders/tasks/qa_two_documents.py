"""CRUD-RAG's question on two related documents: the answer requires both."""

from functools import partial

from builders.drafting.groups import gather
from builders.drafting.joined_questions import COMMON, MAX_GROUP_TOKENS, draft_joined
from builders.task import Task, WindowRule

NAME = "qa_two_documents"

TASK = Task(
    label={"en": "Question on two documents", "zh": "两篇文档问答"},
    definition={
        "en": "The question joins what two related documents tell of one thing from different angles; no one of them answers "
        "it alone, and its parts depend on each other.",
        "zh": "问题把两篇相关文档从不同角度对同一事物的叙述结合起来；任何一篇都不足以单独作答，问题的各部分相互依存。",
    },
    level=None,
    window=WindowRule(tokens=MAX_GROUP_TOKENS, whole_documents=True, documents=2, min_sentences=2),
    draft=partial(draft_joined, NAME),
    prompt=COMMON,
    gather=partial(gather, NAME, 2),
    gates=("evidence", "language", "every_document", "figures", "self_contained", "duplicate"),
    llm_gates=("necessity",),
    answer_prompt="answer/reports",
    metrics=(
        "rouge_l_crud",
        "rouge_l",
        "bleu",
        "bleu_crud",
        "token_f1",
        "evidence_recall",
        "length",
        "seconds",
        "calls",
        "tokens",
    ),
    length_hint=512,
)
