"""What workflows share that work with functions: the steps of a trace, the limits, when too many calls went wrong in a row, and
how it all ends. Every end has its stop reason: finished (an answer, or given up), max_steps, context, tool_error, parse_error;
the model's own failure is model_error, and no answer."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError, BudgetReached
from core.functions.function import Function, Observation
from core.functions.functions import Registry, as_text, finish_function
from core.nouns import Prompt, Span, Step
from core.text.text import count_tokens
from eval.running.settings import read_number, read_share, read_whole_number
from eval.system import Answer, Question, SystemFailed, Tools
from eval.workflows.off_loop import SlowCall, call_off_loop
from eval.workflows.shots import SETTINGS as SHOTS
from eval.workflows.shots import add_shots
from prompts.prompt import load

TABLES: Mapping[str, Any] = {"distractors": "", "nearest": 0, "distractor_seed": 0}
"""Settings of the environment tables: how many rows at random stand beside those that the release's questions are about ("" =
every row of the table stays), for each of these how many rows of the likest names, and the seed of the draw."""
LIMITS: Mapping[str, Any] = {
    **SHOTS,
    **TABLES,
    "environment": "documents",
    "max_steps": 10,
    "observation": 1024,
    "tolerance": 3,
    "max_tokens": 512,
}
"""Settings that every workflow has: its worked examples (eval/workflows/shots.py), where its functions come from, calls of
functions at most, characters of what a call gave that the model is shown, calls in a row that may go wrong, tokens of one
reply."""


class WorkflowEnd(Exception):
    """The work is over."""

    def __init__(self, stop: str, text: str = "") -> None:
        super().__init__(stop)
        self.stop, self.text = stop, text


@dataclass
class WorkflowRun:
    """One question's work with functions."""

    question: Question
    tools: Tools
    settings: Mapping[str, Any]
    functions: Registry
    seen: dict[Span, None] = field(default_factory=dict)
    """Passages that were shown, in the order of their first showing."""
    wrong: int = 0
    """Calls in a row that could not be made, or replies that could not be read."""

    @property
    def language(self) -> str:
        return self.question.language

    async def ask(self, prompt: Prompt, inputs: Mapping[str, object], **more: Any) -> Completion:
        """One call of the model. Raises Ended when what is sent does not fit its window, SystemFailed when it fails."""
        if self.tools.ask is None:
            raise BenchError("This system asks an agent and the run has none: name one with --agent.")
        most = read_whole_number(self.settings, "max_tokens", 512, 1)
        sampling = Sampling(
            temperature=read_number(self.settings, "temperature", 0.0),
            top_p=read_share(self.settings, "top_p", 1.0),
            max_tokens=most,
            seed=self.settings.get("seed"),
            **more,
        )
        sent = sum(count_tokens(message.content, self.language) for message in prompt.fill(inputs))
        sent += (
            count_tokens(json.dumps(sampling.continuation, ensure_ascii=False), self.language) if sampling.continuation else 0
        )
        if self.tools.context is not None and sent + most > self.tools.context:
            raise WorkflowEnd("context")
        try:
            completion = await self.tools.ask(prompt, inputs, sampling)
        except BudgetReached:
            raise
        except AgentError as error:
            if error.stops_job:
                raise
            raise SystemFailed(str(error), stop="model_error") from error
        if completion.finish in ("filter", "content_filter"):
            raise SystemFailed("The endpoint's filter held a reply back.", stop="model_error")
        return completion

    async def call(self, functions: Registry, name: str, written: str) -> Observation:
        """Carry a call out as the model wrote it, off the event loop; one that takes too long gives an observation of that."""
        try:
            return await call_off_loop(name, partial(functions.call_text, name, written))
        except SlowCall as slow:
            return Observation(str(slow), ok=False, error=str(slow), trouble="failed")

    def note_thought(self, text: str) -> None:
        if text.strip():
            self.tools.note(Step("thought", text.strip()))

    def note_call(self, name: str, written: str, observation: Observation) -> str:
        """Put a call with what came of it into the trace; what the model is shown of it."""
        call = f"{name}({written.strip()})"
        self.tools.note(Step("action", call, about={"function": name, "arguments": dict(observation.arguments)}))
        shown = cut_text(observation.text, read_whole_number(self.settings, "observation", 1024, 1))
        about = {"ok": observation.ok, **({"trouble": observation.trouble} if observation.trouble else {})}
        self.tools.note(Step("observation", shown, spans=observation.spans, about=about))
        self.seen.update(dict.fromkeys(observation.spans))
        return shown

    def note_unread(self, text: str, why: str) -> None:
        """Put a reply that could not be read into the trace, with what the model is told of it."""
        self.note_thought(text)
        self.tools.note(Step("observation", why, about={"ok": False, "trouble": "unreadable"}))
        self.count_outcome(False, "parse_error")

    def count_outcome(self, well: bool, stop: str) -> None:
        """Raises Ended with that reason when too many in a row went wrong."""
        self.wrong = 0 if well else self.wrong + 1
        if self.wrong >= read_whole_number(self.settings, "tolerance", 3, 1):
            raise WorkflowEnd(stop)

    def end_with(self, text: str) -> NoReturn:
        """Put the end into the trace, and end; no answer is giving up."""
        gave_up = not text
        told = "Finish: gives up" if gave_up else f"Finish({json.dumps(text, ensure_ascii=False)})"
        self.tools.note(Step("action", told, about={"ends": True, "gave_up": gave_up}))
        raise WorkflowEnd("finished", text)


async def run_workflow(
    question: Question, tools: Tools, settings: Mapping[str, Any], go: Callable[[WorkflowRun], Awaitable[None]]
) -> Answer:
    """The answer of one workflow; `go` ends by raising Ended, or returns when its steps are used up."""
    if tools.functions is None:
        raise BenchError(
            "This system works with functions and the run has none: name an environment, as in --set environment=documents."
        )
    functions = tools.functions if "Finish" in tools.functions else tools.functions.add_functions(finish_function())
    work = WorkflowRun(question, tools, settings, functions)
    try:
        await go(work)
    except WorkflowEnd as end:
        return Answer(end.text, retrieved=tuple(work.seen), stop=end.stop)
    return Answer("", retrieved=tuple(work.seen), stop="max_steps")


def load_workflow_prompt(name: str, question: Question) -> Prompt:
    """With the worked examples of the question."""
    return add_shots(load(f"workflow/{name}", question.language), question)


def cut_text(text: str, most: int) -> str:
    """At most so many characters; what is cut is marked."""
    return text if len(text) <= most else f"{text[:most]}..."


def format_answer(value: object) -> str:
    """A value as an answer: a list as its parts, a yes or no in words, nothing as ""."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | set | frozenset):
        parts: Sequence[object] = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
        return ", ".join(format_answer(part) for part in parts)
    return as_text(value)


def list_working_functions(functions: Registry) -> list[Function]:
    """The functions but the one that ends the work."""
    return [function for function in functions.values() if not function.ends]
