"""Read, check and replace the values that people fill in during each phase of a review in two phases."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from core.as_json import Json
from core.errors import BenchError
from core.nouns import Item
from core.quality import crag

Phase = Literal["labels", "answers"]
PHASES: tuple[Phase, ...] = ("labels", "answers")
FIELDS: Mapping[Phase, tuple[str, ...]] = {
    "labels": ("question", "domain", *crag.LABELS),
    "answers": ("answers", "answer_url"),
}
"""Dict from phase to the names of the values that people fill in during this phase."""
MAX_CHARACTERS = 20_000
"""Maximum number of characters of one value that a person fills in."""


def values_of(item: Item, phase: Phase) -> dict[str, Json]:
    """Return the item's values for one phase, as a dict from field name (see FIELDS) to value."""
    if phase == "answers":
        return {"answers": list(item.answers), "answer_url": str(item.labels.get("answer_url") or "")}
    labels = {name: item.labels.get(name, "" if name == "popularity" else None) for name in crag.LABELS}
    return {"question": item.question, "domain": item.domain, **labels}


def with_values(item: Item, phase: Phase, values: Mapping[str, Json]) -> Item:
    """Return the item with `values` in place of its values for one phase (labels or answers)."""
    if phase == "answers":
        labels = {key: value for key, value in item.labels.items() if key != "answer_url"}
        url = {"answer_url": values["answer_url"]} if values["answer_url"] else {}
        return replace(item, answers=_list_texts(values["answers"]), labels=labels | url)
    given = {name: values[name] for name in crag.LABELS if name in item.labels or values[name]}
    question, domain = str(values["question"]), str(values["domain"])
    return replace(item, question=question, domain=domain, labels={**item.labels, **given})


def check_values(phase: Phase, values: Mapping[str, Json]) -> dict[str, Json]:
    """Return the values of a phase as they are stored: checked, without white space at their ends and without empty answers.
    Raises BenchError if a value is invalid."""
    if set(values) != set(FIELDS[phase]):
        raise BenchError(
            f"The form of this phase must have exactly the fields {', '.join(FIELDS[phase])}: load the page again."
        )
    if any(len(str(value)) > MAX_CHARACTERS for value in values.values()):
        raise BenchError(f"At most {MAX_CHARACTERS:,} characters can be stored in one field: shorten it.")
    if phase == "labels":
        for name in ("domain", *crag.LABELS):
            if why := crag.explain_label_fault(name, values[name]):
                raise BenchError(f"The question {why}.")
        if not str(values["question"]).strip():
            raise BenchError("The question is empty: write one, or discard it.")
        return {**values, "question": str(values["question"]).strip()}
    answers = [answer.strip() for answer in _list_texts(values["answers"]) if answer.strip()]
    if not answers:
        raise BenchError("The answer is empty: write one, or discard the question.")
    return {"answers": answers, "answer_url": str(values["answer_url"]).strip()}


def _list_texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else (str(value),)
