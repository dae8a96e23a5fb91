"""parrot: an agent that replies to every prompt with one given word: `--agent parrot:Inverlash`."""

from collections.abc import Mapping
from typing import Any

from benchwright import AgentKind, AgentOrder, Completion, Prompt, Sampling


class Parrot:
    """An agent without a language model, so its answers are marked offline."""

    is_offline = True
    context = None

    def __init__(self, word: str) -> None:
        self.word, self.name = word, f"parrot:{word}"

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return everything on which the reply depends: requests that may get different replies must differ in the result."""
        return {"agent": self.name, "prompt": prompt.identity, "inputs": {name: str(value) for name, value in inputs.items()}}

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        return Completion(self.word, price=0.0, attempts=0)


def make(order: AgentOrder) -> Parrot:
    return Parrot(order.what)


KIND = AgentKind(label="Says one word", make=make, takes="WORD", takes_label="Word", needs_no_model=True)
