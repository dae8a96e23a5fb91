"""Separates a model's thinking (its reasoning before the answer) from the answer in replies that contain both in one text. For
other forms in which endpoints return thinking, see agents/openai/openai_wire.py."""

from dataclasses import replace

from core.agent import Completion
from core.errors import AgentError
from core.text.thinking import split_thinking

DEFAULT_THINKING_TOKENS = 4096
"""Default number of tokens that are added to a reply's limit for a model that returned thinking before."""
THINKING_RETRY_FACTOR = 4
"""Factor by which the tokens for thinking grow when a reply was cut off within its thinking and is requested once more."""


def take_off_thinking(completion: Completion, agent: str, opened: str = "") -> Completion:
    """Separate the thinking in a completion from its text. `opened` is the tag at the end of the prompt that opens the
    thinking; "" = none. Raises AgentError of kind "thinking" if the text never ends its thinking or contains only thinking."""
    split = split_thinking(opened + completion.text)
    if split.thinking and not split.text.strip():
        spent = f"spent all its {completion.tokens_out or 0:,} tokens on thinking"
        why = spent if completion.finish == "length" else describe_thought(split.is_open)
        raise AgentError(f"{agent} {why}.", kind="thinking", attempts=completion.attempts)
    if not split.thinking:
        return completion
    logs, tops = completion.logprobs, completion.alternatives
    if logs is not None:
        hidden, end = 0, max(0, len(completion.text) - len(split.text))
        while hidden < len(logs) and (end := end - len(logs[hidden][0])) >= 0:
            hidden += 1
        logs, tops = logs[hidden:], None if tops is None else tops[hidden:]
    return replace(completion, text=split.text, thinking=split.thinking, logprobs=logs, alternatives=tops)


def describe_thought(is_open: bool) -> str:
    """Return what is wrong with a reply that contains only thinking; `is_open` is true if the reply never ends its thinking."""
    return "never ends its thinking, so its reply has no answer" if is_open else "returned its thinking and no answer"
