"""The phrases of refusal that the answer prompts prescribe, and a check for them."""

REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")


def is_refusal(text: str) -> bool:
    """Whether the text begins with such a phrase."""
    return text.strip().strip("\"'“”「」").lower().startswith(REFUSALS)
