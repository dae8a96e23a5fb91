"""What a model thinks aloud before it replies."""

_BEGINS, _ENDS = "<think>", "</think>"


def strip_thinking(text: str) -> str:
    """The reply without what stands between <think> and </think>; thinking that never ends stays."""
    kept, at = [], 0
    while (start := text.find(_BEGINS, at)) >= 0 and (end := text.find(_ENDS, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_ENDS)
    return "".join(kept) + text[at:]
