"""Takes the thinking that a model writes into its text off the text: whole thoughts, a thought whose beginning stands in the
prompt, and a thought that never ends."""

from typing import NamedTuple

TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"), ("[THINK]", "[/THINK]"))
"""What opens and ends a thought: DeepSeek, Qwen and most others; older templates; Gemini; Magistral."""


class SplitText(NamedTuple):
    """A text in two parts."""

    text: str
    """What is meant for the reader, without blank space at its beginning where a thought stood before it."""
    thinking: str
    is_open: bool
    """Whether the text ends within a thought and has nothing before it: it holds no answer."""


def split_thinking(text: str) -> SplitText:
    """The text without its thoughts, and the thoughts. A thought that opens behind visible text and never ends stays in it:
    the text may speak of the tag itself."""
    thoughts: list[str] = []
    for begins, ends in TAGS:
        first_end = text.find(ends)
        if first_end >= 0 and not 0 <= text.find(begins) < first_end:  # the prompt opened it
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
