"""Labels of the CRAG benchmark: their values with meanings, and the time at which a question was asked. Values have the
spelling of CRAG's files, including hyphens and underscores."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from core.text.language import ByLanguage

DOMAINS: Mapping[str, str] = {
    "finance": "Companies on the stock market: prices, dividends, earnings, figures of a company.",
    "sports": "Matches, teams, players and their records.",
    "music": "Songs, albums, artists, charts and awards.",
    "movie": "Films, their people, dates, languages and prizes.",
    "open": "Any question about facts outside the four other domains.",
}
QUESTION_TYPES: Mapping[str, str] = {
    "simple": "Asks for one fact that is unlikely to change, such as a birth date or the author of a book.",
    "simple_w_condition": "Asks for one fact under a condition, such as a price on a given date or a director's recent films "
    "of one kind.",
    "set": "The answer is a set of things.",
    "comparison": "Compares two things.",
    "aggregation": "The facts must be combined: counted or summed up.",
    "multi-hop": "The answer needs a chain of several facts.",
    "post-processing": "The answer needs reasoning or arithmetic on the facts, such as a length of time from two dates.",
    "false_premise": "Assumes something that is not true; the answer is usually “invalid question”, or a sentence that "
    "corrects it.",
}
DYNAMISMS: Mapping[str, str] = {
    "real-time": "The answer changes within seconds.",
    "fast-changing": "The answer changes at most once a day.",
    "slow-changing": "The answer changes at most once a year.",
    "static": "The answer never changes.",
}
POPULARITIES: Mapping[str, str] = {
    "head": (
        "The question is about an entity of a table that is among the most popular ones, which together have a third of "
        "all popularity."
    ),
    "torso": "The question is about an entity of a table that is neither among the most nor among the least popular ones.",
    "tail": (
        "The question is about an entity of a table that is among the least popular ones, which together have a third of "
        "all popularity."
    ),
    "": "The question comes from the web, not from a table.",
}
LABELS: Mapping[str, Mapping[str, str]] = {
    "question_type": QUESTION_TYPES,
    "static_or_dynamic": DYNAMISMS,
    "popularity": POPULARITIES,
}
"""Dict from a CRAG label of an item to its values with their meanings. (The domain is a field of the item, not a label.)"""
NAMES: Mapping[str, str] = {
    "domain": "Domain",
    "question_type": "Question type",
    "static_or_dynamic": "Answer changes",
    "popularity": "Popularity",
}
"""Dict from each CRAG label to its name on the screen."""
INVALID_QUESTION = "invalid question"
UNANSWERING_GOLDS: Mapping[str, str] = {
    "nan": "is “nan”, what a program prints for a missing number",
    "i don't know": "is “i don't know”: an answer that says the same counts as missing, not as right",
}
"""Gold texts in CRAG's files that are not answers: a dict from text to the reason, as the end of a sentence that starts with
"its gold"."""
ASKED_AT = ByLanguage({"en": "Asked at: ", "zh": "提问时间："})
"""Dict from language to the words that introduce the time at which the question is asked; these words start a separate
paragraph below the question."""
QUERY_TIME = "%m/%d/%Y, %H:%M:%S"
ZONE = "America/Los_Angeles"
"""Time zone of the "PT" (Pacific time) in CRAG's files, in summer and in winter."""
_TIME = re.compile(r"\d{2}/\d{2}/\d{4}, \d{2}:\d{2}:\d{2} PT")


def explain_label_fault(label: str, value: object) -> str:
    """Return the end of a sentence that says why the value is not valid for the CRAG label or for the domain; "" if the value
    is valid."""
    valid = DOMAINS if label == "domain" else LABELS[label]
    if isinstance(value, str) and value in valid:
        return ""
    return f"has the {label} {str(value)[:40]!r}: {', '.join(name or '“”' for name in valid)} are known"


def is_labelled(labels: Mapping[str, Any]) -> bool:
    """Return whether the item has the labels that CRAG gives to its questions."""
    return "question_type" in labels or "static_or_dynamic" in labels


def read_query_time(text: str) -> datetime:
    """Parse a time as CRAG's files write it: "MM/DD/YYYY, HH:MM:SS PT". Raises ValueError if the text has another form; the
    message is the end of a sentence."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"has the query_time {text[:40]!r}, which is not in the format of 02/28/2024, 08:35:24 PT")
    try:
        return datetime.strptime(text.removesuffix(" PT"), QUERY_TIME).replace(tzinfo=ZoneInfo(ZONE))
    except ValueError as error:
        raise ValueError(f"has the query_time {text!r}, which is not a valid date and time") from error


def format_query_time(moment: datetime) -> str:
    """Return a time in the format of CRAG's files; a time without a time zone is taken as Pacific time."""
    local = moment.astimezone(ZoneInfo(ZONE)) if moment.tzinfo else moment
    return f"{local.strftime(QUERY_TIME)} PT"


def find_query_time(labels: Mapping[str, Any]) -> datetime | None:
    """Return the time at which the item's question was asked, or None if its label is missing or unreadable."""
    text = labels.get("query_time")
    try:
        return read_query_time(text) if isinstance(text, str) else None
    except ValueError:
        return None


def explain_unanswering(gold: str) -> str:
    """Return the end of a sentence ("its gold ...") that says why a gold text in CRAG's files is not an answer; "" if the text
    is an answer."""
    return UNANSWERING_GOLDS.get(" ".join(gold.replace("’", "'").lower().split()).rstrip("."), "")
