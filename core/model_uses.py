"""Which local models and endpoints a piece of work used, and how: the caller collects, the models note themselves."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from core.as_json import Json

ModelUses = dict[tuple[str, str], dict[str, Json]]
"""(role, name of the model) -> what is known of its use."""
_uses: ContextVar[ModelUses | None] = ContextVar("model_uses", default=None)


def list_model_uses(uses: ModelUses) -> list[dict[str, Json]]:
    """As JSON values: {"role", "model"} with what is known of the use, in a fixed order."""
    return [{"role": role, "model": model, **facts} for (role, model), facts in sorted(uses.items())]


@contextmanager
def collect_model_uses() -> Iterator[ModelUses]:
    """Gives the uses noted inside the block, in this thread or one with its context."""
    uses: ModelUses = {}
    token = _uses.set(uses)
    try:
        yield uses
    finally:
        _uses.reset(token)


def note_model_use(role: str, model: str, **facts: Any) -> None:
    """Note that work under way uses the model in that role (embedding, reranker, compressor); facts that are None are not
    known and change nothing."""
    uses = _uses.get()
    if uses is not None:
        uses.setdefault((role, model), {}).update({name: value for name, value in facts.items() if value is not None})
