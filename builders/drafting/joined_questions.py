"""Draft questions on two or three related documents. Each step is a separate agent call: find what the documents have in
common, and choose one common element; find the facts that only one of the documents reports; ask a question about several of
these facts; rewrite the question around the chosen element, so that the question's parts depend on each other. The item records
every step."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from builders.drafting.groups import gather
from builders.drafting.prompting import draft_item, places, regeneration, sampling
from builders.task import TEXT_METRICS, Kit, Task, Window, WindowRule
from core.errors import BenchError
from core.nouns import Item
from core.text.numbered import NumberedSentences
from prompts.prompt import load
from prompts.reply import Reply, ask_for

COMMON, DIFFERENCES, QUESTION, REWRITTEN = (
    "draft/common_elements",
    "draft/differences",
    "draft/joined_question",
    "draft/reconstruction",
)
MAX_GROUP_TOKENS = 24_000
"""Maximum number of tokens of all documents of a group together, from which one question is drafted."""

Check = Callable[[dict[str, Any]], str | None]


def build_task(name: str, documents: int, label: Mapping[str, str], definition: Mapping[str, str]) -> Task:
    """Return the Task whose questions join `documents` related documents; `label` and `definition` are dicts from language to a
    text in that language."""
    return Task(
        label=label,
        definition=definition,
        level=None,
        window=WindowRule(tokens=MAX_GROUP_TOKENS, whole_documents=True, documents=documents, min_sentences=2),
        draft=partial(draft_joined, name),
        prompt=COMMON,
        gather=partial(gather, name, documents),
        gates=("evidence", "language", "every_document", "figures", "self_contained", "duplicate"),
        llm_gates=("necessity",),
        answer_prompt="answer/reports",
        metrics=TEXT_METRICS,
        length_hint=512,
    )


async def draft_joined(task: str, window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item on the group of documents in the window. Yield none if the agent decides that the documents are
    unrelated, or that no good question can be asked about them. Raises Unreadable if a reply is unusable, or AgentError if a
    call fails."""
    calls: list[str] = []
    shown, language = window.sentences, window.language

    async def ask(prompt: str, most: int, check: Check | None, more: Mapping[str, object]) -> dict[str, Any] | None:
        inputs = {"sentences": shown, "domain": window.domain} | regeneration(kit, language) | dict(more)
        reply = await ask_for(kit.ask, load(prompt, language), inputs, sampling(kit, most), check)
        calls.extend(reply.calls)
        return None if "none" in reply.values else reply.values

    common = await ask(COMMON, 1024, _check_common_elements(window), {})
    if common is None:
        return
    elements = common["common"]
    contact = elements[common["contact"] - 1]["element"]
    differences = await ask(DIFFERENCES, 1536, _differences(window), {"contact": contact})
    if differences is None:
        return
    points = differences["differences"]
    analysis = {"contact": contact, "common": list_rows(elements, "element"), "differences": list_rows(points, "point")}
    drafted = await ask(QUESTION, 1024, _question(window), analysis)
    if drafted is None:
        return
    draft = {"contact": contact, "question": drafted["question"], "answer": drafted["answer"]}
    rebuilt = await ask(REWRITTEN, 512, None, draft)
    if rebuilt is None:
        return
    evidence = shown.spans(drafted["evidence"])
    steps: list[Mapping[str, Any]] = [
        *window.steps,
        {
            "kind": "common",
            "contact": contact,
            "elements": _locate_evidence(elements, "element", shown),
            "prompt": _identity(COMMON, window),
        },
        {"kind": "differences", "points": _locate_evidence(points, "point", shown), "prompt": _identity(DIFFERENCES, window)},
        {
            "kind": "draft",
            "question": drafted["question"],
            "answer": drafted["answer"],
            "focus": drafted["focus"],
            "evidence": places(evidence),
            "prompt": _identity(QUESTION, window),
        },
        {
            "kind": "reconstruction",
            "question": rebuilt["rewritten"],
            "depends": rebuilt["depends"],
            "prompt": _identity(REWRITTEN, window),
        },
    ]
    whole = Reply({"question": rebuilt["rewritten"]}, tuple(calls))
    yield draft_item(
        task, None, window, kit, whole, REWRITTEN, drafted["answer"], evidence, {"event": contact}, steps, tuple(calls)
    )


def list_rows(rows: Sequence[Mapping[str, Any]], name: str) -> str:
    """Return the agent's findings from an earlier step as text for the next prompt, with one line "- WORDS [1, 4]" per finding;
    the numbers are those of the cited sentences."""
    return "\n".join(f"- {' '.join(row[name].split())} {sorted(set(row['evidence']))}" for row in rows)


def _locate_evidence(rows: Sequence[Mapping[str, Any]], name: str, shown: NumberedSentences) -> list[dict[str, Any]]:
    """Return the agent's findings with the positions of the cited sentences in the documents, in place of the numbers of these
    sentences."""
    return [{name: row[name], "evidence": places(shown.spans(row["evidence"]))} for row in rows]


def _identity(prompt: str, window: Window) -> str:
    return load(prompt, window.language).identity


def _check_common_elements(window: Window) -> Check:
    def check(values: dict[str, Any]) -> str | None:
        elements, contact = values["common"], values["contact"]
        for element in elements:
            if why := _check_citation(window, element["evidence"]):
                return why
        if not 1 <= contact <= len(elements):
            return f"contact is {contact}, but common has {len(elements)} elements"
        gone = _find_uncited_document(window, elements[contact - 1]["evidence"])
        return f"the contact point must stand in every document, and document {gone} is not cited for it" if gone else None

    return check


def _differences(window: Window) -> Check:
    def check(values: dict[str, Any]) -> str | None:
        cited: list[int] = []
        for point in values["differences"]:
            if why := _check_citation(window, point["evidence"]):
                return why
            cited += point["evidence"]
        gone = _find_uncited_document(window, cited)
        return f"no point is told of document {gone}" if gone else None

    return check


def _question(window: Window) -> Check:
    def check(values: dict[str, Any]) -> str | None:
        if why := _check_citation(window, values["evidence"]):
            return why
        gone = _find_uncited_document(window, values["evidence"])
        return f"the answer needs every document, and no sentence of document {gone} is cited" if gone else None

    return check


def _check_citation(window: Window, numbers: Sequence[int]) -> str | None:
    if not numbers:
        return "something is told without a sentence"
    try:
        window.sentences.spans(numbers)
    except BenchError as error:
        return str(error).rstrip(".")
    return None


def _find_uncited_document(window: Window, numbers: Sequence[int]) -> int | None:
    """Return the number, counted from 1, of the first document in the window without a cited sentence, or None if every
    document is cited."""
    cited = {span.document for span in window.sentences.spans(numbers)}
    return next((place for place, document in enumerate(window.given_documents, 1) if document not in cited), None)
