"""Records which local models and endpoints a computation uses: the caller starts the recording, and each model adds an entry
when it is used."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from core.as_json import Json

ModelUses = dict[tuple[str, str], dict[str, Json]]
"""Dict from (role, name of the model) to facts about its use, such as the device."""
_uses: ContextVar[ModelUses | None] = ContextVar("model_uses", default=None)


def list_model_uses(uses: ModelUses) -> list[dict[str, Json]]:
    """Return a list of the models that were used, as JSON values in a fixed order: each is {"role", "model"} with facts about
    the model's use."""
    return [{"role": role, "model": model, **facts} for (role, model), facts in sorted(uses.items())]


@contextmanager
def collect_model_uses() -> Iterator[ModelUses]:
    """Record which models are used inside the block, in this thread and in threads that share its context."""
    uses: ModelUses = {}
    token = _uses.set(uses)
    try:
        yield uses
    finally:
        _uses.reset(token)


def note_model_use(role: str, model: str, **facts: Any) -> None:
    """Record that the current computation uses a model in a role such as embedding, reranker or metric. Facts with the value
    None are left out."""
    uses = _uses.get()
    if uses is not None:
        uses.setdefault((role, model), {}).update({name: value for name, value in facts.items() if value is not None})
