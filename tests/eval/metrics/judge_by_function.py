"""A judge that replies by a function, for tests of judged metrics."""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from core.agent import Completion, Sampling
from core.nouns import Prompt
from eval.metric import ScoringCase
from eval.scoring.scoring import ScoredCase, ScoringJudge, score_cases

Reply = Callable[[Prompt, Mapping[str, object]], Any]


class Asked:
    """A judge that replies by a function, and remembers what it was asked, the same only once, like the ledger."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.asked: dict[str, Prompt] = {}

    @property
    def judge(self) -> ScoringJudge:
        return ScoringJudge("j", False, self.ask)

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        self.asked[repr((prompt.name, sorted(inputs.items()), sampling.index))] = prompt
        reply = self.reply(prompt, inputs)
        return Completion(reply if isinstance(reply, str) else json.dumps(reply), call=f"c{len(self.asked)}")


async def scored(
    case: ScoringCase, reply: Reply | Asked, *names: str, votes: int = 1, settings: Mapping[str, Any] = MappingProxyType({})
) -> ScoredCase:
    asked = reply if isinstance(reply, Asked) else Asked(reply)
    (one,) = [s async for s in score_cases([case], names, judges=[asked.judge], votes=votes, settings=settings)]
    return one


def figures(one: ScoredCase) -> dict[str, float | str | None]:
    return {name: value.why if value.value is None else value.value for name, value in one.values.items()}
