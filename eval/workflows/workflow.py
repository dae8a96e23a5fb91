"""What workflows share that work with functions: the steps of a trace, the limits, and how it all ends. Every end has its stop
reason: finished (an answer, or given up), max_steps, context, tool_error, parse_error; the model's own failure is model_error,
and no answer."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

from core.agent import Completion
from core.errors import AgentError, BenchError
from core.functions.function import Observation
from core.functions.functions import Registry, as_text, finish_function
from core.nouns import Prompt, Span, Step
from core.text.text import count_tokens
from eval.settings import Setting, Settings
from eval.system import Answer, Inputs, Question, SystemFailed, Tools
from eval.workflows.answering import make_sampling
from eval.workflows.off_loop import SlowCall, call_off_loop
from eval.workflows.shots import SHOTS, add_shots
from prompts.prompt import load

COMMON: Mapping[str, Setting] = {
    **SHOTS,
    "distractors": Setting("", "Rows at random beside those that the questions are about; empty = all rows.", kind="json"),
    "nearest": Setting(0, "With distractors: for each row of a question, how many rows of the most similar names."),
    "distractor_seed": Setting(0, "Seed of the draw of distractors."),
    "environment": Setting("documents", "Where the functions come from: documents, tables, or both, separated by a comma."),
}
LIMITS: Mapping[str, Setting] = {
    **COMMON,
    "max_steps": Setting(10, "Calls of functions at most.", 1),
    "observation": Setting(1024, "Characters of a call's result that the model is shown.", 1),
    "tolerance": Setting(3, "Calls in a row that may be unreadable or wrong.", 1),
    "max_tokens": Setting(512, "Tokens of one reply at most.", 1),
}


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
    settings: Settings
    functions: Registry
    seen: dict[Span, None] = field(default_factory=dict)
    """Passages that were shown, in the order of their first showing."""
    errors: int = 0
    """Calls in a row that could not be made, or replies that could not be read."""

    @property
    def language(self) -> str:
        return self.question.language

    async def ask(self, prompt: Prompt, inputs: Inputs, **more: Any) -> Completion:
        """Returns a reply of the model. Raises SystemFailed, WorkflowEnd when the prompt does not fit its window."""
        ask, max_tokens = self.tools.agent, self.settings["max_tokens"]
        sampling = make_sampling(self.settings, max_tokens, **more)
        if self.tools.context is not None:
            turns = json.dumps(sampling.continuation, ensure_ascii=False) if sampling.continuation else ""
            texts = [*(message.content for message in prompt.fill(inputs)), turns]
            if sum(count_tokens(text, self.language) for text in texts) + max_tokens > self.tools.context:
                raise WorkflowEnd("context")
        try:
            completion = await ask(prompt, inputs, sampling)
        except AgentError as error:
            if error.stops_job:
                raise
            raise SystemFailed(str(error), stop="model_error") from error
        if completion.finish in ("filter", "content_filter"):
            raise SystemFailed("The endpoint's filter held a reply back.", stop="model_error")
        return completion

    async def call(self, functions: Registry, name: str, written: str) -> Observation:
        """Carries a call out as the model wrote it, off the event loop; a slow call gives a sentence as observation."""
        try:
            return await call_off_loop(name, partial(functions.call_text, name, written))
        except SlowCall as slow:
            return Observation(str(slow), ok=False, error=str(slow), trouble="failed")

    def note_thought(self, text: str) -> None:
        if text.strip():
            self.tools.note(Step("thought", text.strip()))

    def note_call(self, name: str, written: str, observation: Observation) -> str:
        """Puts a call and its result into the trace; returns what the model is shown of it."""
        about = {"function": name, "arguments": dict(observation.arguments)}
        self.tools.note(Step("action", f"{name}({written.strip()})", about=about))
        text = cut_text(observation.text, self.settings["observation"])
        trouble = {"trouble": observation.trouble} if observation.trouble else {}
        self.tools.note(Step("observation", text, spans=observation.spans, about={"ok": observation.ok, **trouble}))
        self.seen.update(dict.fromkeys(observation.spans))
        return text

    def note_unread(self, text: str, why: str) -> None:
        """Puts a reply that could not be read into the trace, with what the model is told about it."""
        self.note_thought(text)
        self.tools.note(Step("observation", why, about={"ok": False, "trouble": "unreadable"}))
        self.count_outcome(False, "parse_error")

    def count_outcome(self, is_right: bool, stop: str) -> None:
        """Raises WorkflowEnd with that reason when too many in a row went wrong."""
        self.errors = 0 if is_right else self.errors + 1
        if self.errors >= self.settings["tolerance"]:
            raise WorkflowEnd(stop)

    def end_with(self, text: str) -> NoReturn:
        """Puts the end into the trace and ends the work; no answer is giving up."""
        words = f"Finish({json.dumps(text, ensure_ascii=False)})" if text else "Finish: gives up"
        self.tools.note(Step("action", words, about={"ends": True, "gave_up": not text}))
        raise WorkflowEnd("finished", text)


async def run_workflow(
    question: Question, tools: Tools, settings: Settings, work: Callable[[WorkflowRun], Awaitable[None]]
) -> Answer:
    """Returns a workflow's answer; `work` raises WorkflowEnd, or returns when its steps are used up."""
    if tools.functions is None:
        raise BenchError("This system calls functions and the run has none: name an environment: --set environment=documents.")
    functions = tools.functions if "Finish" in tools.functions else tools.functions.add_functions(finish_function())
    run = WorkflowRun(question, tools, settings, functions)
    try:
        await work(run)
    except WorkflowEnd as end:
        return Answer(end.text, retrieved=tuple(run.seen), stop=end.stop)
    return Answer("", retrieved=tuple(run.seen), stop="max_steps")


def load_workflow_prompt(name: str, question: Question) -> Prompt:
    """Returns the prompt with the worked examples of the question."""
    return add_shots(load(f"workflow/{name}", question.language), question)


def cut_text(text: str, length: int) -> str:
    """Returns at most so many characters; a cut is marked."""
    return text if len(text) <= length else f"{text[:length]}..."


def format_answer(value: object) -> str:
    """Returns a value as an answer: a list as its parts, a yes or no in words, None as ""."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | set | frozenset):
        parts: Sequence[object] = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
        return ", ".join(format_answer(part) for part in parts)
    return as_text(value)
