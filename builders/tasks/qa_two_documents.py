"""Draft CRUD-RAG's questions on two related documents: the answer needs both."""

from builders.drafting.joined_questions import build_task

TASK = build_task(
    "qa_two_documents",
    2,
    label={"en": "Question on two documents", "zh": "两篇文档问答"},
    definition={
        "en": "The question joins what two related documents say of one thing from different angles; no one of them answers "
        "it alone, and its parts depend on each other.",
        "zh": "问题把两篇相关文档从不同角度对同一事物的叙述结合起来；任何一篇都不足以单独作答，问题的各部分相互依存。",
    },
)
