"""Phrases of refusal that the answer prompts prescribe, and a check for these phrases."""

REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")


def is_refusal(text: str) -> bool:
    """Check whether the text starts with a phrase of refusal."""
    return text.strip().strip("\"'“”「」").lower().startswith(REFUSALS)
