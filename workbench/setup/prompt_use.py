"""Find out what uses a prompt: tasks, checks, kinds of variants, systems and metrics."""

from builders.task import Task
from builders.variation.perturbation import perturbations
from core.catalog import catalog, find_module
from eval.metric import metrics

JOINING_TASKS = ("task qa_two_documents", "task qa_three_documents")
NUGGET_METRICS = ("nuggets", "context_recall", "faithfulness", "rag_quest_eval", "s_f1")
OTHER_USES = {
    "draft/common_elements": JOINING_TASKS,
    "draft/differences": JOINING_TASKS,
    "draft/joined_question": JOINING_TASKS,
    "draft/reconstruction": JOINING_TASKS,
    "draft/template": ("templates that are proposed",),
    "judge/agreement": ("RAG check of every draft",),
    "judge/statements": ("RAG check of rationale drafts",),
    "judge/containment": ("gate edit of hallucination_repair",),
    "judge/critic": ("gate critic",),
    "judge/grammar": ("second opinion on variants of kind grammar",),
    "draft/hallucinated_span": ("task hallucination_repair",),
    "extract/select_passages": ("task implicit_factoid",),
    "judge/claims": tuple(
        f"metric {name}"
        for name in ("faithfulness", "context_precision", "context_recall", "citation_precision", "citation_recall")
    ),
    "extract/claims": ("metric faithfulness", "metric context_precision", "metric context_recall"),
    "extract/key_questions": ("metric rag_quest_eval",),
    "extract/short_answers": ("metric rag_quest_eval",),
    "extract/nuggets": (*(f"metric {name}" for name in NUGGET_METRICS), "nugget sets"),
    "extract/nugget_questions": ("metric rag_quest_eval",),
    "judge/nuggets": ("metric nuggets", "metric faithfulness"),
    "extract/statements": ("task explicit_rationale", "task implicit_rationale"),
    "extract/digest": ("system memory", "system graph"),
    "extract/entities": ("system graph",),
    "rewrite/hypothetical_passage": ("system hyde",),
    "rewrite/memory_clues": ("system memory",),
    "rewrite/standalone_question": ("runs on conversations with history=rewrite",),
    "rewrite/user_message": ("runs on conversations with user=llm",),
    "rewrite/translated_passage": ("language pairs by translation",),
    "rewrite/translated_question": ("language pairs by translation",),
    "rewrite/search_queries": ("system query_decomposition",),
    "answer/closed_book": ("system closed_book",),
    "answer/step_by_step": ("system flare", "system dragin"),
    "workflow/search_loop": ("system search_o1",),
    "workflow/react": ("system react",),
    "workflow/pal": ("system pal",),
    "workflow/function_calling": ("system function_calling", "system dfsdt"),
    "workflow/search_findings": ("system search_o1",),
}
"""Dict from prompt to its uses, for uses that no plug-in declares."""


def list_uses(name: str) -> tuple[str, ...]:
    """Return what uses the prompt, as texts such as "task explicit_factoid" or "metric s_f1"."""
    tasks = catalog("builders.tasks", "TASK", Task)
    drafting = [f"task {task}" for task in tasks if name == f"draft/{task}"]
    answering = [f"answers to {task}" for task, kind in tasks.items() if kind.answer_prompt == name]
    checks = ("RAG check of drafts",) if answering else ()
    judging = [f"metric {metric}" for metric in metrics() if metric_prompt(metric) == name]
    varying = [f"variants of kind {kind}" for kind, made in perturbations().items() if made.prompt == name]
    return (*drafting, *varying, *answering, *checks, *judging, *OTHER_USES.get(name, ()))


def metric_prompt(metric: str) -> str | None:
    """Return the name of the prompt that the metric's module declares, or None if it declares none."""
    prompt = getattr(find_module("eval.metrics", metric), "PROMPT", None)
    return str(prompt) if prompt else None
