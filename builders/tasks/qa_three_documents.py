"""Draft CRUD-RAG's questions on three related documents: the answer needs all three."""

from builders.drafting.joined_questions import build_task

TASK = build_task(
    "qa_three_documents",
    3,
    label={"en": "Question on three documents", "zh": "三篇文档问答"},
    definition={
        "en": "The question joins what three related documents say of one thing from different angles; no one of them answers "
        "it alone, and its parts depend on each other.",
        "zh": "问题把三篇相关文档从不同角度对同一事物的叙述结合起来；任何一篇都不足以单独作答，问题的各部分相互依存。",
    },
)
