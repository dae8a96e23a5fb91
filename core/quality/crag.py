"""CRAG's taxonomy: the closed lists of its labels with what each value means, and the time at which a question was asked.
Values are spelled as CRAG's files spell them, hyphens and underscores included."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

DOMAINS: Mapping[str, str] = {
    "finance": "Companies on the stock market: prices, dividends, earnings, figures of a company.",
    "sports": "Matches, teams, players and their records.",
    "music": "Songs, albums, artists, charts and awards.",
    "movie": "Films, their people, dates, languages and prizes.",
    "open": "Any question for facts outside the other four.",
}
QUESTION_TYPES: Mapping[str, str] = {
    "simple": "Asks for one fact that is unlikely to change, such as a birth date or the author of a book.",
    "simple_w_condition": "Asks for one fact under a condition, such as a price on a given date or a director's recent films "
    "of one kind.",
    "set": "The answer is a set of things.",
    "comparison": "Compares two things.",
    "aggregation": "What was found must be put together: counted or summed up.",
    "multi-hop": "Several facts must be chained to get to the answer.",
    "post-processing": "What was found must be reasoned or reckoned with, such as a length of time from two dates.",
    "false_premise": "Takes something for granted that is not so; the answer is usually “invalid question”, or a sentence that "
    "sets it right.",
}
DYNAMISMS: Mapping[str, str] = {
    "real-time": "The answer changes within seconds.",
    "fast-changing": "The answer changes at most once a day.",
    "slow-changing": "The answer changes at most once a year.",
    "static": "The answer never changes.",
}
POPULARITIES: Mapping[str, str] = {
    "head": "Of a table: its entity is among the most popular ones, which hold a third of all popularity.",
    "torso": "Of a table: its entity is between the two.",
    "tail": "Of a table: its entity is among the least popular ones, which hold a third of all popularity.",
    "": "Of the web: not drawn from a table.",
}
LABELS: Mapping[str, Mapping[str, str]] = {
    "question_type": QUESTION_TYPES,
    "static_or_dynamic": DYNAMISMS,
    "popularity": POPULARITIES,
}
"""Label of an item -> its values with what they mean. The domain is the item's own."""
NAMES: Mapping[str, str] = {
    "domain": "Domain",
    "question_type": "Question type",
    "static_or_dynamic": "Answer changes",
    "popularity": "Popularity",
}
"""What people read."""
INVALID_QUESTION = "invalid question"
UNANSWERING_GOLDS: Mapping[str, str] = {
    "nan": "is “nan”, what a program prints for a missing number",
    "i don't know": "is “i don't know”: an answer that says the same counts as missing, not as right",
}
"""Golds that stand in CRAG's files and answer nothing -> why, to stand after "its gold"."""
ASKED_AT = {"en": "Asked at: ", "zh": "提问时间："}
"""The words before the time of asking; both stand in a paragraph of their own under the question."""
QUERY_TIME = "%m/%d/%Y, %H:%M:%S"
ZONE = "America/Los_Angeles"
"""What "PT" stands for, in summer and in winter."""
_TIME = re.compile(r"\d{2}/\d{2}/\d{4}, \d{2}:\d{2}:\d{2} PT")


def explain_label_fault(label: str, value: object) -> str:
    """Why the value is none of the label's or the domain's list, as the end of a sentence; "" when it is one."""
    known = DOMAINS if label == "domain" else LABELS[label]
    if isinstance(value, str) and value in known:
        return ""
    return f"has the {label} {str(value)[:40]!r}: {', '.join(one or '“”' for one in known)} are known"


def is_labelled(labels: Mapping[str, Any]) -> bool:
    """Whether an item carries CRAG's labels."""
    return "question_type" in labels or "static_or_dynamic" in labels


def read_query_time(text: str) -> datetime:
    """The moment of "MM/DD/YYYY, HH:MM:SS PT". Raises ValueError with the end of a sentence."""
    if not _TIME.fullmatch(text):
        raise ValueError(f"has the query_time {text[:40]!r}, which is not written as 02/28/2024, 08:35:24 PT")
    try:
        return datetime.strptime(text.removesuffix(" PT"), QUERY_TIME).replace(tzinfo=ZoneInfo(ZONE))
    except ValueError as error:
        raise ValueError(f"has the query_time {text!r}, which is no date and time of the calendar") from error


def format_query_time(moment: datetime) -> str:
    """The moment as CRAG writes it; one without a zone is taken to be Pacific time."""
    local = moment.astimezone(ZoneInfo(ZONE)) if moment.tzinfo else moment
    return f"{local.strftime(QUERY_TIME)} PT"


def find_query_time(labels: Mapping[str, Any]) -> datetime | None:
    """When the item's question was asked; None where it does not say, or not in a way that can be read."""
    text = labels.get("query_time")
    try:
        return read_query_time(text) if isinstance(text, str) else None
    except ValueError:
        return None


def explain_unanswering(gold: str) -> str:
    """Why a gold answers nothing, to stand after "its gold"; "" for any other."""
    return UNANSWERING_GOLDS.get(" ".join(gold.replace("’", "'").lower().split()).rstrip("."), "")
