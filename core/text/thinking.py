"""Removes the thinking that a model writes before its reply."""

_BEGINS, _ENDS = "<think>", "</think>"


def strip_thinking(text: str) -> str:
    """The reply without the text from <think> to </think>; thinking without an end stays."""
    parts, at = [], 0
    while (start := text.find(_BEGINS, at)) >= 0 and (end := text.find(_ENDS, start)) >= 0:
        parts.append(text[at:start])
        at = end + len(_ENDS)
    return "".join(parts) + text[at:]
