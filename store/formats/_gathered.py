"""Outside questions of one file, gathered: an id comes in once, what cannot be read is told with its place, and the rest goes
on."""

from collections.abc import Mapping
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
    """What was read so far."""

    where: str
    """The file's name."""
    unit: str = "Line"
    """What its numbers count."""
    items: dict[str, Item] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    refused: list[Mapping[str, Any]] = field(default_factory=list)
    _first: dict[str, int] = field(default_factory=dict)

    def add(self, number: int, found: OutsideQuestion) -> None:
        """Raises ValueError with the end of a sentence when the file had that id before, or a field cannot be used."""
        check_item(found.item)
        if found.item.id in self.items and self.items[found.item.id].language != found.item.language:
            found = found._replace(item=give_own_id(found.item))
        if found.item.id in self.items:
            raise ValueError(f"repeats the id {found.item.id} of {self.unit.lower()} {self._first[found.item.id]}")
        self.items[found.item.id], self._first[found.item.id] = found.item, number
        for document in found.documents:
            self.documents.setdefault(document.id, document)

    def refuse(self, number: int | None, why: str) -> None:
        self.refused.append(describe_refusal(self.where, number, why, self.unit))

    def bundle(self, path: Path, wanted: str) -> Bundle:
        """Raises BenchError when not one question came in; `wanted` says what the file should hold."""
        if not self.items:
            raise BenchError(str(self.refused[0]["message"]) if self.refused else f"{path} holds no questions: give {wanted}.")
        return Bundle(documents=list(self.documents.values()), items=list(self.items.values()), refused=self.refused)
