"""Draw the worked examples (few-shot examples) of a run at random, with a seed, from accepted items that are not in the run's
release. Each example has the task and language of the question before which it is shown. The run's configuration stores the ids
and revisions of the examples."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builders.near_duplicate_index import normalise_words
from builders.templates.template_answers import calls_in_words
from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item
from eval.settings import read_whole_number
from eval.system import Question, Shot, SystemAdapter
from store.engine.database import Database
from store.items import items
from workbench.annotate.desk.reading import DocumentCache

MAX_SHOTS = 50
MAX_EVIDENCE_PIECES, MAX_PIECE_CHARACTERS = 6, 400
"""Maximum number of evidence pieces in an example, and of characters in each piece."""


def draw_shots(
    database: Database,
    held: Mapping[str, str],
    questions: Sequence[Question],
    adapter: SystemAdapter,
    settings: Mapping[str, Any],
) -> tuple[list[Question], list[dict[str, Json]]]:
    """Return the questions with their worked examples, and for each task and language a record {"task", "language", "items":
    ["id@revision"]}.

    `held` is a dict from item id to question for all items of the release. Raises BenchError if fewer items are available than
    examples are wanted."""
    count, seed = read_whole_number(settings, "shots", 0), read_whole_number(settings, "shot_seed", 0)
    if not count or "shots" not in adapter.settings:
        return list(questions), []
    if count > MAX_SHOTS:
        raise BenchError(f"The setting shots is {count}: give a number from 0 to {MAX_SHOTS}.")
    cache, worded = DocumentCache(database), set(map(normalise_words, held.values()))
    shots: dict[tuple[str, str], tuple[Shot, ...]] = {}
    record: list[dict[str, Json]] = []
    for task, language in sorted({(question.task, question.language) for question in questions}):
        pool = [
            item
            for item in items.list_items(database, task=task, status="accepted", language=language)
            if item.id not in held and item.answers and normalise_words(item.question) not in worded
        ]
        if len(pool) < count:
            raise BenchError(
                f"{count} shots are requested, but only {len(pool)} accepted items of {task} in {language} are "
                f"outside the release: accept or import more, or give shots={len(pool)}."
            )
        pool.sort(key=lambda item: item.id)
        chosen = random.Random(f"{seed} {task} {language}").sample(pool, count)
        shots[task, language] = tuple(_build_shot(item, cache) for item in chosen)
        record.append({"task": task, "language": language, "items": [f"{item.id}@{item.revision}" for item in chosen]})
    return [replace(question, shots=shots[question.task, question.language]) for question in questions], record


def _build_shot(item: Item, cache: DocumentCache) -> Shot:
    """Return the item as a worked example with its evidence; if it has no evidence, with the steps that lead to the answer."""
    steps = [*calls_in_words(item.steps), *filter(None, map(_describe_step, item.steps))]
    pieces = [" ".join(text.split()) for text in ([cache.text(span) for span in item.evidence] or steps)[:MAX_EVIDENCE_PIECES]]
    cut = [text if len(text) <= MAX_PIECE_CHARACTERS else f"{text[:MAX_PIECE_CHARACTERS]}..." for text in pieces]
    return Shot("\n\n".join([item.question, *item.inputs.values()]), tuple(cut), item.answers[0])


def _describe_step(step: Mapping[str, Any]) -> str:
    """Return a step of an imported question in one line, or "" if the step does not lead to an answer."""
    if step.get("kind") == "hop":
        return f"{step.get('question')} {step.get('answer')}"
    return " - ".join(str(value) for name, value in step.items() if name != "kind") if step.get("kind") == "triple" else ""
