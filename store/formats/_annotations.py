"""Annotations of a hallucinated text, as UHGEval writes them ("KEYWORD<sep>不合理，WHY"), and as our items hold them."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_ONE = re.compile(r"(.+?)<sep>(不合理|合理|unreasonable|reasonable)(.*)", re.DOTALL)
_WRONG = ("不合理", "unreasonable")


def read_annotations(found: Any) -> list[dict[str, Any]]:
    """[{"keyword", "is_right", "reason"}] of a list of texts; "as_read" = the text, where we would write it with other marks.
    Raises ValueError with the end of a sentence."""
    if not isinstance(found, list):
        raise ValueError("has annotations that are no list")
    read = []
    for text in found:
        match = _ONE.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f"has the annotation {str(text)[:40]!r}, which is no KEYWORD<sep>合理 or <sep>不合理，WHY")
        one = {"keyword": match[1], "is_right": match[2] not in _WRONG, "reason": match[3].lstrip("，,：: ")}
        read.append(one if _format_annotation(one) == text else one | {"as_read": text})
    return read


def annotation_texts(annotations: Sequence[Mapping[str, Any]]) -> list[str]:
    """The same as texts: as they were read, but for those that say something else by now."""
    return [_as_read(one) or _format_annotation(one) for one in annotations]


def _as_read(one: Mapping[str, Any]) -> str:
    text = one.get("as_read")
    if not isinstance(text, str):
        return ""
    [before] = read_annotations([text])
    return text if all(before[name] == one[name] for name in ("keyword", "is_right", "reason")) else ""


def _format_annotation(one: Mapping[str, Any]) -> str:
    return f"{one['keyword']}<sep>{'合理' if one['is_right'] else '不合理'}{'，' + one['reason'] if one['reason'] else ''}"


def edit_annotation(edit: Mapping[str, Any]) -> dict[str, Any]:
    """The annotation that an edit of our own comes to."""
    return {"keyword": edit["is"], "is_right": False, "reason": f"应为{edit['was']}"}
