"""Convert annotations of a hallucinated text from UHGEval's format ("KEYWORD<sep>不合理，WHY") to the format of an item's
labels, and back."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_ANNOTATION = re.compile(r"(.+?)<sep>(不合理|合理|unreasonable|reasonable)(.*)", re.DOTALL)
_WRONG = ("不合理", "unreasonable")


def read_annotations(texts: Any) -> list[dict[str, Any]]:
    """Convert a list of UHGEval annotations to [{"keyword", "is_right", "reason"}]. An annotation also has the key "as_read"
    with its original text if `annotation_texts` would punctuate that text differently. Raises ValueError if an annotation is
    faulty; the message leaves out the position in the file, which the caller adds."""
    if not isinstance(texts, list):
        raise ValueError("has annotations that are not a list")
    annotations = []
    for text in texts:
        match = _ANNOTATION.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(
                f"has the annotation {str(text)[:40]!r}, which is not of the form KEYWORD<sep>合理 or <sep>不合理，WHY"
            )
        annotation = {"keyword": match[1], "is_right": match[2] not in _WRONG, "reason": match[3].lstrip("，,：: ")}
        annotations.append(annotation | ({} if _format_annotation(annotation) == text else {"as_read": text}))
    return annotations


def annotation_texts(annotations: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the annotations as texts in UHGEval's format. An annotation that nobody edited keeps its original text; an edited
    one gets a new text."""
    return [_find_text_as_read(annotation) or _format_annotation(annotation) for annotation in annotations]


def _find_text_as_read(annotation: Mapping[str, Any]) -> str:
    text = annotation.get("as_read")
    if not isinstance(text, str):
        return ""
    [before] = read_annotations([text])
    return text if all(before[name] == annotation[name] for name in ("keyword", "is_right", "reason")) else ""


def _format_annotation(annotation: Mapping[str, Any]) -> str:
    mark, reason = "合理" if annotation["is_right"] else "不合理", annotation["reason"]
    return f"{annotation['keyword']}<sep>{mark}{'，' + reason if reason else ''}"


def edit_annotation(edit: Mapping[str, Any]) -> dict[str, Any]:
    """Return the annotation that marks `edit`, an error that this program put into a text."""
    return {"keyword": edit["is"], "is_right": False, "reason": f"应为{edit['was']}"}
