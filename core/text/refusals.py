"""Phrases with which the answer prompts tell an agent to refuse a question, and a check for them."""

REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")


def is_refusal(text: str) -> bool:
    """Return whether the text starts with one of the phrases of refusal."""
    return text.strip().strip("\"'“”「」").lower().startswith(REFUSALS)
