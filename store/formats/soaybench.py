"""Read SoAyBench. Files 1 to 44, one for each chain of API calls, have JSON lines {"Query_en", "Query", "Answer",
"Base_Question_en", "Inputs", "Outputs", "Entity_Information": {"name", "organization", "interest"}}. Files 000, 001, ... have
one line for each chain, whose "Query_EN" is worded differently from the template. Files 1 to 7 are easy (KS), the others hard
(KA). SoAyBench's makers filled in their templates by replacing letters one after the other, which corrupted some questions. A
question is rejected if it differs from its template filled in at once. The program does not export in this format."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from core.shapes import check_shape
from store.format import Bundle, Format
from store.formats import _streamed
from store.formats._golds import read_golds
from store.formats._outside import OutsideQuestion, parse_outside, read_question
from store.formats._r_eval import TASKS, parse_golds
from store.formats._streamed import QuestionPosition

EASY_FILES, FILES = 7, 44
_SLOT = re.compile(r"XXX|XX|X ?institution\b|\bX\b")
QUERY_KEYS = ("Query_en", "Query_EN")
"""Keys of the question in a line. Query_en is the filled-in template. Query_EN, in the set behind the published results, is
worded differently, so it cannot be compared with a template."""
_KEPT_KEYS = ("Query", "Base_Question_en", "Inputs", "Outputs")


class InfoShape(TypedDict, total=False):
    name: str | None
    name_s: str | None


class VenueShape(TypedDict, total=False):
    info: InfoShape | None
    name: str | None


def pieces(path: Path) -> Iterator[Bundle]:
    """Yield bundles of questions from one SoAyBench file, or from all files of a folder."""
    return _streamed.stream_bundles(path, '"Query_en" and "Answer" of each question', _parse_question)


def fill_template(template: str, entity: Mapping[str, str]) -> str | None:
    """Return the question template with all values filled in, or None if a value is missing. All placeholders are replaced at
    once, so that inserted text is never replaced again. XXX stands for a person, X or X institution for an organization, XX for
    an interest."""
    if any(not entity.get(_find_slot_source(slot)) for slot in _SLOT.finditer(template)):
        return None
    return _SLOT.sub(lambda slot: entity[_find_slot_source(slot)], template)


def _parse_question(row: Mapping[str, Any], place: QuestionPosition) -> OutsideQuestion:
    key = next((name for name in QUERY_KEYS if name in row), QUERY_KEYS[0])
    question = read_question(row, key)
    if row.get("Answer") is None:
        raise ValueError("has no gold answer")
    golds, parts = (_list_venue_names(row["Answer"]), []) if isinstance(row["Answer"], Mapping) else parse_golds(row["Answer"])
    answers, labels = read_golds(golds)
    entity = row.get("Entity_Information")
    entity = {k: v for k, v in entity.items() if isinstance(v, str)} if isinstance(entity, Mapping) else {}
    template = row.get("Base_Question_en")
    filled = fill_template(template, entity) if template and isinstance(template, str) and key == QUERY_KEYS[0] else None
    if filled is not None and filled not in (question, question.strip()):
        raise ValueError(
            f"is not imported: SoAyBench filled its placeholders with wrong values. Its question is {question[:160]!r}; "
            f"its template, filled with the correct values, is {filled[:160]!r}"
        )
    number = _find_file_number(place)
    task = "" if number is None else "soay_easy" if number <= EASY_FILES else "soay_hard"
    kept = {name: row[name] for name in _KEPT_KEYS if isinstance(row.get(name), str)} | ({"entity": entity} if entity else {})
    labels |= {"dataset": task or "soaybench", "soaybench": kept | {"file": number, "is_checked": filled is not None}}
    labels |= {"difficulty": task.removeprefix("soay_")} if task else {}
    labels |= {"answer_set": parts, "question_type": "set"} if parts else {}
    return parse_outside(
        {
            "question": question,
            "answers": list(answers),
            "labels": labels,
            "domain": "aminer",
            "language": "en",
            "level": TASKS[task].level if task else None,
        },
        place.origin,
    )


def _list_venue_names(answer: Mapping[str, Any]) -> list[str]:
    """Return the names of a journal or conference in an answer of the form {"info": {"name", "name_s"?}, "name"?, "issue",
    "volume"}. Raises ValueError if there is no name; the caller adds the position in the file to the message."""
    check_shape(answer, VenueShape)
    info = answer.get("info") or {}
    names = [" ".join((name or "").split()) for name in (info.get("name"), answer.get("name"), info.get("name_s"))]
    if not any(names):
        raise ValueError("has an object without a name as its Answer")
    return list(dict.fromkeys(name for name in names if name))


def _find_slot_source(slot: re.Match[str]) -> str:
    """Return the field of the entity (name, organization or interest) that fills a placeholder of the template."""
    if slot[0] == "XX" or (slot[0] == "XXX" and slot.string.startswith(" field", slot.end())):
        return "interest"
    return "name" if slot[0] == "XXX" else "organization"


def _find_file_number(place: QuestionPosition) -> int | None:
    """Return the number of the question's chain of calls: the number of its file, or the number of its line if the file has one
    question per chain (000, 001, ...)."""
    stem = place.file.rsplit(".", 1)[0]
    match = re.search(r"(?<!\d)(\d+)$", stem)
    if match is None:
        return None
    number = place.number if re.fullmatch(r"00\d+", stem) else int(match[1])
    return number if 1 <= number <= FILES else None


FORMAT = Format(label="SoAyBench", pieces=pieces)
