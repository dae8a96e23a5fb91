"""The phrases with which the answer prompts ask an agent to refuse, and whether an answer is such a refusal."""

REFUSALS = ("cannot be answered from the given text", "无法根据所给文本回答", "i do not know", "我不知道")


def is_refusal(text: str) -> bool:
    """Whether the text opens with one."""
    return text.strip().strip("\"'“”「」").lower().startswith(REFUSALS)
