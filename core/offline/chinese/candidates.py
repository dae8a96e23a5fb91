"""Everything in a prepared Chinese sentence that a question could ask for."""

import re
from collections.abc import Iterator

from core.offline.chinese.actors import actors, doers, places
from core.offline.chinese.figures import figures
from core.offline.chinese.lists import lists_and_aims, quoted_names, ranks_and_causes, things_done
from core.offline.chinese.sentences import Prepared
from core.offline.chinese.slots import Slot
from core.offline.chinese.times import DAY, times
from core.offline.chinese.works import reasons, superlatives, works_and_names
from core.offline.factoid import Kind


def slots(sentence: Prepared) -> Iterator[Slot]:
    """Everything in the sentence that could be asked for, in no particular order."""
    for find in (
        figures,
        times,
        places,
        actors,
        doers,
        works_and_names,
        reasons,
        superlatives,
        lists_and_aims,
        quoted_names,
        ranks_and_causes,
        things_done,
    ):
        yield from find(sentence)


def same_kind_texts(text: str, kind: Kind, answer: str) -> set[str]:
    """What else in a text is of the answer's kind: figures of its unit, days, years, works in 《》."""
    if kind == "number":
        unit = re.sub(r"^[\d.千百万亿多余]+", "", answer)
        return {m[0] for m in re.finditer(rf"\d+(?:\.\d+)?[千百万亿多余]*{re.escape(unit)}", text)}
    pattern = {"date": DAY, "year": r"\d{4}年(?:\d{1,2}月(?!\d))?", "work": r"《[^《》]+》"}.get(kind)
    return set(re.findall(pattern, text)) if pattern else set()
