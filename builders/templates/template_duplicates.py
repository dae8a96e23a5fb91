"""Find template questions that already exist, or that differ from an existing question only in one letter or in the order of
the entities. The questions of one template are similar by design, so only questions about the same entities are compared letter
by letter."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from builders.gates.duplicate import answers_alike
from builders.near_duplicate_index import NEAR_JACCARD, NearDuplicateIndex, normalise_words, shingles
from core.nouns import Item

ALREADY, NEARLY = "asked already", "nearly asked already"
_About = tuple[str, frozenset[str]]


class _Known(NamedTuple):
    id: str
    template: str
    """Id of the template from which the question was made; "" for an item without a template."""
    hashes: frozenset[tuple[str, str]]
    """Hashes of the table snapshots from which the question was made."""


class TemplateQuestionIndex:
    """An index of template questions by their words and by their subject. Refused items are not in the index, so that the same
    questions can be made again later."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._same: dict[str, list[_Known]] = {}
        self._about: dict[_About, list[tuple[_Known, Item]]] = {}
        self._others = NearDuplicateIndex()
        for item in items:
            self.add(item)

    def add(self, item: Item) -> None:
        """Add an item's question to the index."""
        if item.status == "refused":
            return
        known, about = _read_origin(item)
        self._same.setdefault(normalise_words(item.question), []).append(known)
        if about is None:
            self._others.add(item)
        else:
            self._about.setdefault(about, []).append((known, item))

    def why_not(self, item: Item) -> str:
        """Return why a template question is refused as a duplicate or near duplicate, or "" if it is neither. The same question
        on another snapshot of the tables belongs to another season and is not a duplicate."""
        known, about = _read_origin(item)
        if any(_is_double(known, other) for other in self._same.get(normalise_words(item.question), ())):
            return ALREADY
        for other, there in self._about.get(about, ()) if about else ():
            if _is_double(known, other) and _is_near(item, there) and answers_alike(item, there.answers[0]):
                return NEARLY
        return (
            NEARLY
            if len(self._others) and any(answers_alike(item, near.answer) for near in self._others.find_near(item))
            else ""
        )


def _is_near(item: Item, other: Item) -> bool:
    signs, having = shingles(item.question, item.language), shingles(other.question, other.language)
    both = len(signs & having)
    return item.language == other.language and both >= NEAR_JACCARD * (len(signs) + len(having) - both)


def _read_origin(item: Item) -> tuple[_Known, _About | None]:
    steps: dict[str, Any] = {str(step.get("kind")): step for step in item.steps if step.get("kind") in ("template", "tables")}
    if "template" not in steps:
        return _Known(item.id, "", frozenset()), None
    made = steps["template"]
    about = made["template"]["table"], frozenset(map(str, made["subjects"]))
    return _Known(item.id, made["template"]["id"], frozenset(steps["tables"]["tables"].items())), about


def _is_double(question: _Known, other: _Known) -> bool:
    is_other_season = question.template == other.template != "" and question.hashes != other.hashes
    return question.id != other.id and not is_other_season
