"""Records the local models and endpoints that a computation uses: the caller collects the records, the models write them."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from core.as_json import Json

ModelUses = dict[tuple[str, str], dict[str, Json]]
"""(role, name of the model) -> facts about its use."""
_uses: ContextVar[ModelUses | None] = ContextVar("model_uses", default=None)


def list_model_uses(uses: ModelUses) -> list[dict[str, Json]]:
    """Return the model uses as JSON values in a fixed order: {"role", "model"} with the facts about the use."""
    return [{"role": role, "model": model, **facts} for (role, model), facts in sorted(uses.items())]


@contextmanager
def collect_model_uses() -> Iterator[ModelUses]:
    """Collect the model uses noted inside the block, in this thread and in threads that share its context."""
    uses: ModelUses = {}
    token = _uses.set(uses)
    try:
        yield uses
    finally:
        _uses.reset(token)


def note_model_use(role: str, model: str, **facts: Any) -> None:
    """Record that the current computation uses the model in this role (embedding, reranker, metric, ...). Facts with the value
    None are ignored."""
    uses = _uses.get()
    if uses is not None:
        uses.setdefault((role, model), {}).update({name: value for name, value in facts.items() if value is not None})
