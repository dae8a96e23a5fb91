"""Write text, tables and counts in Markdown for the dataset card. All text from data is escaped, so that it is shown as plain
text."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

_SPECIAL = re.compile(r"[\\`*_{}\[\]#|!$~:@^=]")


def escape_markdown(text: object) -> str:
    """Return the text on one line and escaped, so that Markdown shows it without markup, HTML or links."""
    plain = " ".join(str(text).split())
    plain = plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _SPECIAL.sub(r"\\\g<0>", plain)


def render_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table with escaped cells."""
    lines = [head, ["---"] * len(head), *([escape_markdown(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def count_values(values: Iterable[Any]) -> list[tuple[Any, int]]:
    """Return (value, number of occurrences) of each distinct value, sorted by value."""
    return sorted(Counter(values).items(), key=lambda pair: str(pair[0]))


def list_counts(values: Iterable[Any]) -> str:
    """Return one line that lists the distinct values, escaped, and how often each occurs."""
    return ", ".join(f"{escape_markdown(value)} ({n})" for value, n in count_values(values))


def count_noun(n: int, word: str, several: str = "") -> str:
    """Return the number and the noun in singular or plural; `several` is the plural, needed only if the plural is not the noun
    with an "s"."""
    return f"{n:,} {word if n == 1 else several or word + 's'}"
