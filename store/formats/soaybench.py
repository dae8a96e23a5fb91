"""SoAyBench: files 1 to 44, one for each chain of calls, of JSON lines {"Query_en", "Query", "Answer", "Base_Question_en",
"Inputs", "Outputs", "Entity_Information": {"name", "organization", "interest"}}. Files 1 to 7 are easy (KS), the others hard
(KA). Its makers filled their templates by replacing letters one after the other, which spoilt some questions: where a question
is not what its template gives when it is filled in one pass, it is kept out, and its row is told. Read only."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from store.format import Bundle, Format, joined
from store.formats import _streamed
from store.formats._golds import golds
from store.formats._outside import Outside, outside, read_question
from store.formats._r_eval import TASKS, as_golds
from store.formats._streamed import Place

EASY, FILES = 7, 44
_SLOT = re.compile(r"XXX|XX|X ?institution\b|\bX\b")
_KEPT = ("Query", "Base_Question_en", "Inputs", "Outputs")


def pieces(path: Path) -> Iterator[Bundle]:
    """One file, or the files of a folder."""
    return _streamed.pieces(path, '"Query_en" and "Answer" of each question', _question)


def filled(template: str, entity: Mapping[str, str]) -> str | None:
    """The template filled in one pass: XXX is a person, X or X institution an organization, XX an interest; None where a value
    is missing. Nothing that was filled in is filled again."""
    if any(not entity.get(_of(slot)) for slot in _SLOT.finditer(template)):
        return None
    return _SLOT.sub(lambda slot: entity[_of(slot)], template)


def _question(row: Mapping[str, Any], place: Place) -> Outside:
    asked = read_question(row, "Query_en")
    if row.get("Answer") is None:
        raise ValueError("has no gold answer")
    given, parts = as_golds(row["Answer"])
    answers, labels = golds(given)
    entity = row.get("Entity_Information")
    entity = {k: v for k, v in entity.items() if isinstance(v, str)} if isinstance(entity, Mapping) else {}
    template = row.get("Base_Question_en")
    right = filled(template, entity) if template and isinstance(template, str) else None
    if right is not None and right not in (asked, asked.strip()):
        raise ValueError(f"is one of SoAyBench's whose places were filled wrongly: it asks {asked[:160]!r}, where its template "
                         f"gives {right[:160]!r}; it is kept out")  # fmt: skip
    number = _file_number(place)
    key = "" if number is None else "soay_easy" if number <= EASY else "soay_hard"
    about = {name: row[name] for name in _KEPT if isinstance(row.get(name), str)} | ({"entity": entity} if entity else {})
    labels |= {"dataset": key or "soaybench", "soaybench": about | {"file": number, "is_checked": right is not None}}
    labels |= {"difficulty": key.removeprefix("soay_")} if key else {}
    labels |= {"answer_set": parts, "question_type": "set"} if parts else {}
    return outside({
        "question": asked, "answers": list(answers), "labels": labels, "domain": "aminer", "language": "en",
        "level": TASKS[key].level if key else None,
    }, place.origin)  # fmt: skip


def _of(slot: re.Match[str]) -> str:
    """What a place of the template is filled from."""
    if slot[0] == "XX" or (slot[0] == "XXX" and slot.string.startswith(" field", slot.end())):
        return "interest"
    return "name" if slot[0] == "XXX" else "organization"


def _file_number(place: Place) -> int | None:
    """The number of the chain: of its file, or of its line where a file holds a question of each chain (000, 001, ...)."""
    stem = place.file.rsplit(".", 1)[0]
    found = re.search(r"(\d+)$", stem)
    if found is None:
        return None
    number = place.number if re.fullmatch(r"00\d+", stem) else int(found[1])
    return number if 1 <= number <= FILES else None


FORMAT = Format(label="SoAyBench", read=lambda path: joined(pieces(path)), pieces=pieces)
