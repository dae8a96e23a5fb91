"""Replies that were written during development for exactly the filled sample prompts: "recorded, no call made". A recording
is found by the prompt's name and its inputs, so that better wording of the instructions keeps it.

A recording is one line of JSON: {"prompt": "draft/explicit_factoid.en", "inputs": {name: text}, "reply": text}, with "key"
in place of "inputs" where these would be long; "tokens_in", "tokens_out" and "finish" may follow. Several lines for one
request are its successive replies: the second answers the first regeneration, and so on; the last answers all further ones."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError
from core.ids import content_hash
from core.json_lines import describe_json_error
from core.nouns import Prompt


class RecordedAgent:
    """Looks replies up; makes no call."""

    is_offline = False
    name = "recorded"
    label = "recorded, no call made"
    context = None
    width = 1
    """One question at a time: what a later prompt says of earlier drafts is then always the same, and found again."""

    def __init__(self, files: Sequence[Path]) -> None:
        """Raises BenchError on a file that cannot be read, or on a line that is not a recording."""
        self.misses: list[dict[str, Any]] = []
        """What was asked for and is not recorded: {"prompt", "inputs"}, to write recordings for."""
        self._replies: dict[str, list[Completion]] = {}
        for file in files:
            for key, completion in _read(file):
                self._replies.setdefault(key, []).append(completion)

    def __len__(self) -> int:
        return sum(map(len, self._replies.values()))

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """The reply is part of the request: another recording is another answer."""
        recording = self._find(prompt, inputs)
        return {
            "agent": self.name,
            "prompt": prompt.identity,
            "key": recording_key(prompt, inputs),
            "reply": content_hash([recording.text, recording.finish]) if recording else None,
            "index": sampling.index,
        }

    def worst_price(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> float | None:
        return 0.0

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Completion:
        """Raises AgentError of kind "unrecorded" when there is no reply for these inputs, and remembers the miss."""
        prompt.fill(inputs)
        recording = self._find(prompt, inputs)
        if recording is None:
            self.misses.append({"prompt": prompt.name, "inputs": _texts(prompt, inputs)})
            raise AgentError(
                f"Nothing is recorded for {prompt.name} with these inputs: the recorded agent answers the sample prompts only.",
                kind="unrecorded",
                attempts=0,
            )
        return recording

    def _find(self, prompt: Prompt, inputs: Mapping[str, object]) -> Completion | None:
        replies = self._replies.get(recording_key(prompt, inputs))
        asked_before = sum(m.role == "assistant" for m in prompt.messages)
        return replies[min(asked_before, len(replies) - 1)] if replies else None


def make_recording(prompt: Prompt, inputs: Mapping[str, object], reply: str, whole: bool = True) -> dict[str, Any]:
    """The line that makes the recorded agent give this reply; `whole` = with the inputs, else with their key alone."""
    place = {"inputs": _texts(prompt, inputs)} if whole else {"key": recording_key(prompt, inputs)}
    return {"prompt": prompt.name, **place, "reply": reply}


def recording_key(prompt: Prompt, inputs: Mapping[str, object]) -> str:
    """The key of a recording: prompt name (with the language) and inputs as text."""
    return content_hash([prompt.name, _texts(prompt, inputs)])


def _texts(prompt: Prompt, inputs: Mapping[str, object]) -> dict[str, str]:
    return {name: str(inputs[name]) for name in prompt.inputs if name in inputs}


def _read(file: Path) -> list[tuple[str, Completion]]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")  # U+2028 may stand within a line of JSON
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"The recordings {file} cannot be read: {error}.") from error
    recordings = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            key = record["key"] if "key" in record else content_hash([record["prompt"], dict(record["inputs"])])
            reply, finish = str(record["reply"]), str(record.get("finish", "stop"))
        except json.JSONDecodeError as error:
            said = f"{file.name}, line {number} is not JSON ({describe_json_error(error)})"
            raise BenchError(f"{said}: it needs prompt, inputs and reply.") from error
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise BenchError(f"{file.name}, line {number} is not a recording: it needs prompt, inputs and reply.") from error
        tokens = (record.get("tokens_in"), record.get("tokens_out"))
        recordings.append((key, Completion(reply, *tokens, finish=finish, price=0.0, attempts=0)))
    return recordings
