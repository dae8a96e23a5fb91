"""Collect the questions from one or several files of other projects. An id is accepted once per file and language; rejected
records are listed with their positions in the file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.nouns import Document, Item
from store.format import Bundle
from store.formats._lines import describe_refusal
from store.formats._outside import OutsideQuestion, check_item, give_own_id


@dataclass(slots=True)
class QuestionCollector:
    """Collects the questions that are read from files, and a message about each rejected record."""

    where: str
    """Name of the file that the questions are read from; it changes with each file."""
    unit: str = "Line"
    """What the positions in messages count, such as lines or rows."""
    items: dict[str, Item] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    refused: list[Mapping[str, Any]] = field(default_factory=list)
    _first: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Dict from question id to the file and the number of its record."""

    def collect(
        self,
        rows: Iterable[tuple[int, Mapping[str, Any] | None, str]],
        read: Callable[[Mapping[str, Any], str], OutsideQuestion | None],
    ) -> None:
        """Add the questions that `read` builds from the rows. Each row is given as (number, row or None, reason why the row is
        missing). `read` gets the row and its origin; it returns None to skip the row and raises ValueError to reject it."""
        for number, row, why in rows:
            try:
                if row is None:
                    raise ValueError(why)
                if question := read(row, f"{self.where}:{number}"):
                    self._add(number, question)
            except ValueError as error:
                self.refused.append(describe_refusal(self.where, number, str(error), self.unit))

    def bundle(self, path: Path, wanted: str) -> Bundle:
        """Return the collected questions as a bundle. Raises BenchError if no question was read; the message says with `wanted`
        what the file should contain."""
        if not self.items:
            raise BenchError(str(self.refused[0]["message"]) if self.refused else f"{path} holds no questions: give {wanted}.")
        return Bundle(documents=list(self.documents.values()), items=list(self.items.values()), refused=self.refused)

    def _add(self, number: int, question: OutsideQuestion) -> None:
        """Add one question. Raises ValueError if a question with the same id was read before or a field is invalid."""
        item = check_item(question.item)
        if self._is_another(item):
            item = give_own_id(item)
        if item.id in self.items:
            file, first = self._first[item.id]
            of = "" if file == self.where else f" of {file}"
            raise ValueError(f"repeats the id {item.id} of {self.unit.lower()} {first}{of}")
        self.items[item.id], self._first[item.id] = item, (self.where, number)
        for document in question.documents:
            self.documents.setdefault(document.id, document)

    def _is_another(self, item: Item) -> bool:
        """Return whether the item's id already belongs to a different question: one in another language, or one with another
        content from another file."""
        known = self.items.get(item.id)
        if known is None:
            return False
        is_elsewhere = self._first[item.id][0] != self.where
        differs = (known.question, known.answers) != (item.question, item.answers)
        return known.language != item.language or (is_elsewhere and differs)
