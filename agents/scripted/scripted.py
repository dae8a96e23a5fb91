"""Agent that returns predefined replies in a fixed order and records the calls. The agent is used in tests, and on the command
line as `scripted:FILE.jsonl` with a file whose lines are {"text": ..., "finish"?, "tokens_in"?, "tokens_out"?} or {"error":
kind, "message"?, "stops_job"?}, where ? marks an optional field."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agents.thinking import take_off_thinking
from core.agent import Capability, Completion, Sampling
from core.errors import AgentError, BenchError
from core.ids import content_hash
from core.json_lines import describe_json_error
from core.nouns import Message, Prompt


class RecordedCall(NamedTuple):
    """One call of the scripted agent, as recorded for tests."""

    prompt: Prompt
    inputs: Mapping[str, object]
    sampling: Sampling
    messages: tuple[Message, ...]


Reply = str | Completion | Exception | Callable[[RecordedCall], str]


class ScriptedAgent:
    """Agent that returns its given replies in order. A reply that is an exception is raised; a reply that is a function is
    called with the RecordedCall."""

    is_offline = False
    context = None
    gives: frozenset[Capability] = frozenset({"logprobs", "tools"})
    """Capabilities of the agent; a completion has them if the script gives its values."""

    def __init__(self, replies: Sequence[Reply], name: str = "scripted") -> None:
        self.name = name
        self.history: list[RecordedCall] = []
        self._replies = list(replies)

    @classmethod
    def from_file(cls, file: Path) -> "ScriptedAgent":
        """Return an agent that returns the replies of a file. Raises BenchError if the file or one of its lines cannot be
        read."""
        try:
            lines = file.read_text(encoding="utf-8").split("\n")  # not splitlines(): JSON strings may contain U+2028
        except (OSError, UnicodeDecodeError) as error:
            raise BenchError(f"The file of scripted replies {file} cannot be read: {error}.") from error
        replies = [_reply(file, number, line) for number, line in enumerate(lines, 1) if line.strip()]
        return cls(replies, f"scripted:{file}")

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return the record that identifies a request; it includes the script's texts, so that another script counts as another
        agent."""
        return {
            "agent": self.name,
            "script": content_hash([r.text if isinstance(r, Completion) else str(r) for r in self._replies if not callable(r)]),
            "messages": [{"role": m.role, "content": m.content} for m in prompt.fill(inputs)],
            "params": {"temperature": sampling.temperature, "max_tokens": sampling.max_tokens, "seed": sampling.seed},
            "prompt": prompt.identity,
            "index": sampling.index,
            **sampling.continuation,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        asked = RecordedCall(prompt, inputs, sampling, prompt.fill(inputs))
        if len(self.history) == len(self._replies):
            raise BenchError(
                f"{self.name} has {len(self._replies)} replies, but {prompt.name} needed another one: add a reply to the file."
            )
        reply = self._replies[len(self.history)]
        self.history.append(asked)
        if isinstance(reply, Exception):
            raise reply
        if not isinstance(reply, Completion):
            reply = Completion(reply if isinstance(reply, str) else reply(asked), price=0.0, attempts=0)
        return take_off_thinking(reply, self.name)


def _reply(file: Path, number: int, line: str) -> Reply:
    try:
        record = json.loads(line)
        if "error" in record:
            message = str(record.get("message") or f"{file.name}, line {number} is the error {record['error']}.")
            return AgentError(message, kind=str(record["error"]), attempts=0, stops_job=bool(record.get("stops_job")))
        tokens = (record.get("tokens_in"), record.get("tokens_out"))
        return Completion(str(record["text"]), *tokens, finish=str(record.get("finish", "stop")), price=0.0, attempts=0)
    except json.JSONDecodeError as error:
        raise BenchError(
            f"{file.name}, line {number} is not JSON ({describe_json_error(error)}): a line needs the field text or error."
        ) from error
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError) as error:
        raise BenchError(f"{file.name}, line {number} is not a reply: a line needs the field text or error.") from error
