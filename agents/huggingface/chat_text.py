"""Formats chat messages as prompt text with the chat template of a local model."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError, first_line
from core.nouns import Message

PLAIN = "plain"
"""Value of the setting `template` for base models: the messages are joined as paragraphs, without a chat template."""


def write_chat(
    tokenizer: Any, messages: Sequence[Message], name: str, template: str = "auto", variables: Mapping[str, Any] | None = None
) -> str:
    """Return the messages as prompt text that ends where the model's reply begins. If the chat template rejects or drops system
    messages, puts their text at the beginning of the first user message. Raises BenchError if the template is missing or
    rejects the messages."""
    if template == PLAIN:
        return "\n\n".join(message.content for message in messages) + "\n\n"
    if not tokenizer.chat_template:
        raise BenchError(
            f"The model {name} has no chat template: copy chat_template.jinja from the model's chat version into its folder, "
            f"or set agent.template={PLAIN} for a base model, which gets the messages as plain paragraphs."
        )
    chat = [{"role": message.role, "content": message.content} for message in messages]
    first = _apply(tokenizer, chat, variables or {})
    has_system = any(message.role == "system" for message in messages)
    if isinstance(first, str) and (not has_system or _holds_all(first, messages)):
        return first
    merged = _apply(tokenizer, merge_system(chat), variables or {}) if has_system else first
    if isinstance(merged, str):
        return merged
    raise BenchError(f"The chat template of {name} rejects these messages ({first_line(merged)[:200]}).") from merged


def merge_system(chat: Sequence[Mapping[str, str]]) -> list[dict[str, str]]:
    """Return the messages with the texts of system messages moved to the front of the first user message."""
    head = [message["content"] for message in chat if message["role"] == "system"]
    rest = [dict(message) for message in chat if message["role"] != "system"]
    user = next((message for message in rest if message["role"] == "user"), None)
    if user is None:
        return [{"role": "user", "content": "\n\n".join(head)}, *rest]
    user["content"] = "\n\n".join([*head, user["content"]])
    return rest


def list_template_variables(extra: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the chat template variables from the setting agent.extra: the entries of this setting, and the entries of its
    object `chat_template_kwargs` (vLLM's name for such variables)."""
    own = dict(extra or {})
    inner = own.pop("chat_template_kwargs", {})
    return {**own, **(inner if isinstance(inner, Mapping) else {})}


def _apply(tokenizer: Any, chat: Sequence[Mapping[str, str]], variables: Mapping[str, Any]) -> str | Exception:
    """Apply the chat template. Return the formatted text, or the exception that the template raised."""
    try:
        return str(tokenizer.apply_chat_template(list(chat), tokenize=False, add_generation_prompt=True, **variables))
    except Exception as error:  # noqa: BLE001 - a template is a program of the folder's authors
        return error


def _holds_all(text: str, messages: Sequence[Message]) -> bool:
    """Return whether the formatted text contains every system message; some templates silently drop system messages."""
    return all(message.content.strip() in text for message in messages if message.role == "system")
