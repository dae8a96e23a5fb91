"""The questions of an LLM gate and the replies, one line each, for the reader of an item."""

from collections.abc import Mapping
from typing import Any

WORDS = {True: "right", False: "not right", None: "not known"}


def asked_lines(details: Mapping[str, Any]) -> list[str]:
    """Empty for a gate that asked nobody."""
    found = details.get("asked") or ()
    lines = [line for row in found for line in _lines(row)]
    if lines:
        cost = details.get("cost_usd")
        calls = details.get("calls", 0)
        price = "price unknown" if cost is None else f"{cost:.4f} USD"
        lines.append(f"{calls} {'call' if calls == 1 else 'calls'}, {price}; seed {details.get('seed')}")
    return lines


def _lines(row: Mapping[str, Any]) -> list[str]:
    if "without" in row:  # a piece of evidence, or a document, was taken away
        place = row["without"]
        what = place if isinstance(place, str) else f"characters {place[1]} to {place[2]}"
        inner = [f"  {line}" for one in row["asked"] for line in _lines(one)]
        return [f"Without {what}: {row['right']} of {row['of']} right", *inner]
    if "verdict" in row:
        return [f"{row['agent']}: {row['verdict'].replace('_', ' ')}. {row['text']}"]
    said = "no usable reply" if row["text"] is None else f"“{row['text']}”"
    return [f"{row['agent']}, {row['sample'] + 1}: {said}, {WORDS[row['is_right']]} ({row['by']})"]
