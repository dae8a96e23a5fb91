"""Removes a model's thinking from its text: complete thoughts, a thought that starts in the prompt, and a thought without an
end."""

from typing import NamedTuple

TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"), ("[THINK]", "[/THINK]"))
"""Opening and closing tags of thoughts: DeepSeek, Qwen and most others; older templates; Gemini; Magistral."""


class SplitText(NamedTuple):
    """The text of a model, split into the reply and the thinking."""

    text: str
    """The reply for the reader; leading white space after a removed thought is stripped."""
    thinking: str
    is_open: bool
    """Whether the text is only a thought without an end, and so has no reply."""


def split_thinking(text: str) -> SplitText:
    """Split the text into the reply and the thinking. A thought without an end tag after visible text remains in the reply,
    because the reply may be about the tag itself."""
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
    """Return the opening tag at the end of a prompt, after which the model continues a thought; "" if there is none."""
    return next((begins for begins, _ in TAGS if prompt.rstrip().endswith(begins)), "")
