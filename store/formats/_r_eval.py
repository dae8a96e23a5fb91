"""Define R-Eval's tasks by the names of their data sets, with levels and domains, and parse gold answers that are not plain
text."""

import re
from typing import Any, NamedTuple

from core.nouns import Level


class RevalTask(NamedTuple):
    """One of the twelve tasks of R-Eval."""

    number: str
    level: Level
    domain: str


TASKS = {
    "high_freq_ent": RevalTask("1-1", "KS", "wiki"),
    "low_freq_ent": RevalTask("1-2", "KS", "wiki"),
    "soay_easy": RevalTask("1-3", "KS", "aminer"),
    "csj": RevalTask("2-1", "KU", "wiki"),
    "cpj": RevalTask("2-2", "KU", "wiki"),
    "cic": RevalTask("2-3", "KU", "wiki"),
    "profiling": RevalTask("2-4", "KU", "aminer"),
    "hotpotqa": RevalTask("3-1", "KA", "wiki"),
    "2wikimultihopqa": RevalTask("3-2", "KA", "wiki"),
    "musique": RevalTask("3-3", "KA", "wiki"),
    "kqapro": RevalTask("3-4", "KA", "wiki"),
    "soay_hard": RevalTask("3-5", "KA", "aminer"),
}
_PREFIX = re.compile(r"(?:KS|KU|KA|[1-3](?:-\d)?)[_-]", re.IGNORECASE)


def task_key(name: str) -> str:
    """Return the key of the R-Eval task that a data set or file with this name belongs to; "" if there is none. A prefix with a
    level or number is ignored."""
    key = _PREFIX.sub("", name, count=1).lower() if _PREFIX.match(name) else name.lower()
    return key if key in TASKS else ""


def parse_golds(value: Any) -> tuple[list[str], list[str]]:
    """Return (gold answers, parts of a gold answer that is a list of parts). A list becomes one answer: its parts, joined by
    commas. Raises ValueError if `value` is faulty; the caller adds the position in the file to the message."""
    if isinstance(value, list):
        parts = list(dict.fromkeys(part for element in value for part in parse_golds(element)[0]))
        return ([", ".join(parts)], parts) if len(parts) > 1 else (parts, [])
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("has a gold answer that is not text, a number, or a list of texts or numbers")
    return [str(value).strip()], []
