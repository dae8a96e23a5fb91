"""The worked examples of a run: drawn by seed from the accepted items that its release does not hold, of the same task and
language as the questions that they are shown with, and kept by id and revision in the run's configuration."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from builders.known_items import normalise_words
from builders.templates.template_answers import calls_in_words
from core.errors import BenchError
from core.nouns import Item
from eval.settings import read_whole_number
from eval.system import Question, Shot, SystemAdapter
from store.engine.database import Database
from store.items import items
from workbench.annotate.desk.reading import DocumentCache

MOST = 50
PIECES, CHARACTERS = 6, 400
"""Of what an answer rests on: pieces at most, and characters of each."""


def drawn(
    database: Database,
    held: Mapping[str, str],
    questions: Sequence[Question],
    adapter: SystemAdapter,
    settings: Mapping[str, Any],
) -> tuple[list[Question], list[dict[str, Any]]]:
    """The questions with their examples, and which items these are: {"task", "language", "items": ["id@revision"]} for each
    kind. `held` = id -> question of what the release holds. Raises BenchError where fewer items are there than are asked
    for."""
    count, seed = read_whole_number(settings, "shots", 0), read_whole_number(settings, "shot_seed", 0)
    if not count or "shots" not in adapter.settings:
        return list(questions), []
    if count > MOST:
        raise BenchError(f"The setting shots is {count}: give a number from 0 to {MOST}.")
    kinds = sorted({(question.task, question.language) for question in questions})
    reading, chosen = DocumentCache(database), dict[tuple[str, str], list[Item]]()
    worded = set(map(normalise_words, held.values()))
    for task, language in kinds:
        pool = [
            item
            for item in items.list_items(database, task=task, status="accepted", language=language)
            if item.id not in held and item.answers and normalise_words(item.question) not in worded
        ]
        if len(pool) < count:
            raise BenchError(
                f"{count} shots are asked for, and {len(pool)} accepted items of {task} in {language} stand "
                f"outside the release: accept or import more of them, or give shots={len(pool)}."
            )
        pool.sort(key=lambda item: item.id)
        chosen[task, language] = random.Random(f"{seed} {task} {language}").sample(pool, count)
    shots = {kind: tuple(_shot(item, reading) for item in found) for kind, found in chosen.items()}
    told = [
        {"task": task, "language": language, "items": [f"{item.id}@{item.revision}" for item in found]}
        for (task, language), found in chosen.items()
    ]
    return [replace(question, shots=shots[question.task, question.language]) for question in questions], told


def _shot(item: Item, reading: DocumentCache) -> Shot:
    """The item with its evidence, or where it has none with the steps that lead to its answer."""
    steps = [*calls_in_words(item.steps), *filter(None, map(_line, item.steps))]
    found = [reading.text(span) for span in item.evidence] or steps
    shown = [" ".join(text.split()) for text in found[:PIECES]]
    cut = [text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}..." for text in shown]
    return Shot("\n\n".join([item.question, *item.inputs.values()]), tuple(cut), item.answers[0])


def _line(step: Mapping[str, Any]) -> str:
    """A step of an imported question as a reader sees it; "" for one that leads to no answer."""
    if step.get("kind") == "hop":
        return f"{step.get('question')} {step.get('answer')}"
    return " - ".join(str(value) for name, value in step.items() if name != "kind") if step.get("kind") == "triple" else ""
