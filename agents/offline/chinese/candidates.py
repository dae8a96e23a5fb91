"""Finds all pieces of a prepared Chinese sentence that a question can ask for: numbers, dates, places, names and others."""

import re
from collections.abc import Iterator

from agents.offline.chinese.figures import figures
from agents.offline.chinese.lists import lists, quoted_names, ranks, things_done
from agents.offline.chinese.places import places
from agents.offline.chinese.sentences import PreparedSentence
from agents.offline.chinese.slots import TextSlot
from agents.offline.chinese.times import DAY, times
from agents.offline.chinese.works import works_and_names
from agents.offline.factoid import Kind


def slots(sentence: PreparedSentence) -> Iterator[TextSlot]:
    """Yield all pieces of the sentence that a question can ask for, in no particular order."""
    for find in (
        figures,
        times,
        places,
        works_and_names,
        lists,
        quoted_names,
        ranks,
        things_done,
    ):
        yield from find(sentence)


def same_kind_texts(text: str, kind: Kind, answer: str) -> set[str]:
    """Return all pieces of `text` that are of the same kind as the answer and could be mistaken for the answer: numbers with
    the answer's unit, days, years, or titles of works in 《》."""
    if kind == "number":
        unit = re.sub(r"^[\d.千百万亿多余]+", "", answer)
        return {m[0] for m in re.finditer(rf"\d+(?:\.\d+)?[千百万亿多余]*{re.escape(unit)}", text)}
    pattern = {"date": DAY, "year": r"\d{4}年(?:\d{1,2}月(?!\d))?", "work": r"《[^《》]+》"}.get(kind)
    return set(re.findall(pattern, text)) if pattern else set()
