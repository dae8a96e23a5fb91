"""What a person edits on the page of nuggets: the rows of each item's form, which the session keeps until they are saved."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import streamlit as st

from core.errors import BenchError
from core.text.numbered import Sentence
from workbench.evaluate.scoring.nuggets import NuggetCard, NuggetFields, encode_rows

OPEN = "nugget_edits"
"""Session key of a dict from item to the Edits of that item."""


class Row(TypedDict):
    """One nugget as the form shows it."""

    text: str
    importance: str
    """vital or okay."""
    sentences: str
    """Numbers of the sentences that state the fact, as typed: "1, 3"."""


class Edits(TypedDict):
    """What a person has made of the nuggets of one item."""

    number: int
    """Number of the version that was current when the person opened the item; 0 = there was none."""
    rows: list[Row]
    is_changed: bool
    """Whether the rows may differ from the version."""
    turn: int
    """Number of times that the rows were replaced, which is part of the keys of the form's fields."""


def load_edits(card: NuggetCard) -> Edits:
    """Return what this person edits of the item. They keep the version that was current when they opened the item, even if
    somebody else saves a newer one; a form without changes shows the first set that an agent drafts."""
    every: dict[str, Edits] = st.session_state.setdefault(OPEN, {})
    edits = every.get(card.item.id)
    is_first = edits and not edits["number"] and not edits["is_changed"] and card.current and not card.current.is_written
    if edits is None or is_first:
        number = card.current.number if card.current else 0
        rows = build_rows(encode_rows(card.current), card.sentences)
        edits = every[card.item.id] = Edits(number=number, rows=rows, is_changed=False, turn=0)
    return edits


def keep_rows(item: str, rows: Sequence[Row]) -> None:
    """Keep the rows until they are saved; the form shows them from now on."""
    edits: Edits = st.session_state[OPEN][item]
    if list(rows) != edits["rows"]:
        st.session_state[OPEN][item] = Edits(number=edits["number"], rows=list(rows), is_changed=True, turn=edits["turn"] + 1)


def forget_edits(item: str, unless_changed: bool = False) -> None:
    """Forget what this person edited of the item, so that the form shows its current version."""
    every: dict[str, Edits] = st.session_state.get(OPEN, {})
    if item in every and not (unless_changed and every[item]["is_changed"]):
        del every[item]


def build_rows(rows: Sequence[Mapping[str, Any]], sentences: Sequence[Sentence]) -> list[Row]:
    """Return the rows of the form for rows with evidence."""
    numbers = {(one.span.document, one.span.start, one.span.end): number for number, one in enumerate(sentences, 1)}
    built = []
    for row in rows:
        cited = sorted(numbers[tuple(span)] for span in row["evidence"] if tuple(span) in numbers)
        built.append(Row(text=row["text"], importance=row["importance"] or "vital", sentences=", ".join(map(str, cited))))
    return built


def read_rows(rows: Sequence[Row], sentences: Sequence[Sentence]) -> list[NuggetFields]:
    """Return rows with evidence for the rows of the form. Raises BenchError if a row names a sentence that does not exist."""
    read: list[NuggetFields] = []
    for place, row in enumerate(rows, 1):
        words = row["sentences"]
        numbers = list(map(int, re.findall(r"\d{1,6}", words)))
        if re.sub(r"[\d\s,;、，]", "", words) or any(not 1 <= number <= len(sentences) for number in numbers):
            raise BenchError(
                f"Row {place} names the sentences {words!r}: give numbers from 1 to {len(sentences)}, separated by commas."
            )
        spans = [sentences[number - 1].span for number in sorted(set(numbers))]
        evidence = [[span.document, span.start, span.end] for span in spans]
        read.append({"text": row["text"], "importance": row["importance"], "evidence": evidence})
    return read


def quote_sentences(words: str, sentences: Sequence[Sentence]) -> str:
    """Return the sentences with the numbers in `words`, as one text. Numbers of no sentence are passed over."""
    numbers = sorted(set(map(int, re.findall(r"\d{1,6}", words))))
    cited = [sentences[number - 1] for number in numbers if 1 <= number <= len(sentences)]
    return " … ".join(" ".join(sentence.text.split()) for sentence in cited)
