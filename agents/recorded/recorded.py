"""Replies to the sample prompts that were recorded during development, labelled "recorded, no call made". A reply is found by
its prompt's name and inputs, so that a recording stays valid when the prompt's instructions change.

A recording is one line of JSON: {"prompt": "draft/explicit_factoid.en", "inputs": {name: text}, "reply": text}, with "key" (see
recording_key) instead of "inputs" if the inputs are long; "tokens_in", "tokens_out" and "finish" are optional. Several lines
for one request are its successive replies: the second line answers the first regeneration, and so on; the last line answers all
later regenerations."""

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
    """Agent that returns recorded replies and makes no call."""

    is_offline = False
    name = "recorded"
    label = "recorded, no call made"
    context = None
    width = 1
    """Number of questions that a job asks this agent at once: one, so that a later prompt always quotes the same earlier drafts
    and its recording is found."""

    def __init__(self, files: Sequence[Path]) -> None:
        """Raise BenchError if a file cannot be read or a line is not a recording."""
        self.misses: list[dict[str, Any]] = []
        """Prompts for which no reply is recorded, as {"prompt", "inputs"}, from which new recordings can be written."""
        self._replies: dict[str, list[Completion]] = {}
        for file in files:
            for key, completion in _read(file):
                self._replies.setdefault(key, []).append(completion)

    def __len__(self) -> int:
        return sum(map(len, self._replies.values()))

    def request(self, prompt: Prompt, inputs: Mapping[str, object], sampling: Sampling) -> Mapping[str, Any]:
        """Return the record that identifies a request; it includes the recorded reply, so that a changed recording counts as
        another request."""
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
        """Return the recorded reply. If there is none, store the prompt in `misses` and raise AgentError of kind
        "unrecorded"."""
        prompt.fill(inputs)
        recording = self._find(prompt, inputs)
        if recording is None:
            self.misses.append({"prompt": prompt.name, "inputs": _texts(prompt, inputs)})
            raise AgentError(
                f"No reply is recorded for prompt {prompt.name} with these inputs: the recorded agent answers only the sample "
                "prompts.",
                kind="unrecorded",
                attempts=0,
            )
        return recording

    def _find(self, prompt: Prompt, inputs: Mapping[str, object]) -> Completion | None:
        replies = self._replies.get(recording_key(prompt, inputs))
        asked_before = sum(m.role == "assistant" for m in prompt.messages)
        return replies[min(asked_before, len(replies) - 1)] if replies else None


def make_recording(prompt: Prompt, inputs: Mapping[str, object], reply: str, whole: bool = True) -> dict[str, Any]:
    """Return the record of a reply, for one JSON line; the record contains the inputs if `whole` is true, else only their
    key."""
    place = {"inputs": _texts(prompt, inputs)} if whole else {"key": recording_key(prompt, inputs)}
    return {"prompt": prompt.name, **place, "reply": reply}


def recording_key(prompt: Prompt, inputs: Mapping[str, object]) -> str:
    """Return the key under which a reply is recorded: the hash of the prompt's name (including its language) and its inputs as
    text."""
    return content_hash([prompt.name, _texts(prompt, inputs)])


def _texts(prompt: Prompt, inputs: Mapping[str, object]) -> dict[str, str]:
    return {name: str(inputs[name]) for name in prompt.inputs if name in inputs}


def _read(file: Path) -> list[tuple[str, Completion]]:
    try:
        lines = file.read_text(encoding="utf-8").split("\n")  # not splitlines(): JSON strings may contain U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise BenchError(f"The file of recordings {file} cannot be read: {error}.") from error
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
            raise BenchError(f"{said}: a recording needs the fields prompt, inputs and reply.") from error
        except (ValueError, RecursionError, KeyError, TypeError) as error:
            raise BenchError(
                f"{file.name}, line {number} is not a recording: a recording needs the fields prompt, inputs and reply."
            ) from error
        tokens = (record.get("tokens_in"), record.get("tokens_out"))
        recordings.append((key, Completion(reply, *tokens, finish=finish, price=0.0, attempts=0)))
    return recordings
