"""Separates a model's thinking (its reasoning before the answer, between tags) from its text: the module handles complete
thoughts, a thought whose start tag is in the prompt, and a thought without an end tag."""

from typing import NamedTuple

TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"), ("[THINK]", "[/THINK]"))
"""Opening and closing tags that models write around their thinking: DeepSeek, Qwen and most others; older templates; Gemini;
Magistral."""


class SplitText(NamedTuple):
    """Text of a model, split into its reply and its thinking."""

    text: str
    """Text of the reply; white space before it is removed if a thought preceded it."""
    thinking: str
    is_open: bool
    """Whether the text consists only of a thought without an end, and so contains no reply."""


def split_thinking(text: str) -> SplitText:
    """Split the text of a model into its reply and its thinking. A thought without an end tag stays in the reply if visible
    text precedes it, because the reply may be about the tag itself."""
    thoughts: list[str] = []
    for begins, ends in TAGS:
        first_end = text.find(ends)
        if first_end >= 0 and not 0 <= text.find(begins) < first_end:  # the prompt has opened the thought
            thoughts.append(text[:first_end])
            text = text[first_end + len(ends) :].lstrip()
        parts, at = list[str](), 0
        while (start := text.find(begins, at)) >= 0 and (end := text.find(ends, start)) >= 0:
            parts.append(text[at:start])
            thoughts.append(text[start + len(begins) : end])
            at = end + len(ends)
        if at:
            text = ("".join(parts) + text[at:]).lstrip()
        if text.lstrip().startswith(begins):
            thoughts.append(text.lstrip()[len(begins) :])
            return SplitText("", "\n\n".join(t.strip() for t in thoughts).strip(), True)
    return SplitText(text, "\n\n".join(t.strip() for t in thoughts).strip(), False)


def find_opened(prompt: str) -> str:
    """Return the opening tag that a prompt ends with, so that the model begins with a thought; "" if the prompt does not end
    with such a tag."""
    return next((begins for begins, _ in TAGS if prompt.rstrip().endswith(begins)), "")
