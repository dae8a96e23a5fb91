"""Share code between workflows in which a model calls functions: steps of the trace, limits, and stop reasons. The work on a
question ends with a stop reason: finished (with or without an answer), max_steps, context, tool_error or parse_error; if the
model fails, the stop reason is model_error, and there is no answer."""

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
    "distractors": Setting(
        "", "Number of random table rows besides those that the questions are about; empty = all rows.", kind="json"
    ),
    "nearest": Setting(
        0,
        "With distractors: number of rows with similar names that are added for each table row which a question is about.",
    ),
    "distractor_seed": Setting(0, "Seed of the random choice of distractors."),
    "environment": Setting("documents", "Where the functions come from: documents, tables, or both, separated by a comma."),
}
LIMITS: Mapping[str, Setting] = {
    **COMMON,
    "max_steps": Setting(10, "Maximum number of function calls.", 1),
    "observation": Setting(1024, "Number of characters of a call's result that the model is shown.", 1),
    "tolerance": Setting(3, "Maximum number of unreadable or wrong calls in a row.", 1),
    "max_tokens": Setting(512, "Maximum number of tokens of one reply.", 1),
}


class WorkflowEnd(Exception):
    """Raised to end the work on a question, with its stop reason."""

    def __init__(self, stop: str, text: str = "") -> None:
        super().__init__(stop)
        self.stop, self.text = stop, text


@dataclass
class WorkflowRun:
    """The state of a model's work with function calls on one question: trace, counts and limits."""

    question: Question
    tools: Tools
    settings: Settings
    functions: Registry
    seen: dict[Span, None] = field(default_factory=dict)
    """Distinct passages that the model was shown, in order."""
    errors: int = 0
    """Number of failed calls or unreadable replies in a row, up to now."""

    @property
    def language(self) -> str:
        return self.question.language

    async def ask(self, prompt: Prompt, inputs: Inputs, **more: Any) -> Completion:
        """Send the prompt to the model and return its reply. Raises SystemFailed if the reply is withheld, or WorkflowEnd if
        the prompt does not fit in the context window."""
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
            raise SystemFailed("The endpoint's content filter withheld a reply.", stop="model_error")
        return completion

    async def call(self, functions: Registry, name: str, written: str) -> Observation:
        """Carry out a call as the model wrote it, outside the event loop. If the call is too slow, the observation is an error
        message."""
        try:
            return await call_off_loop(name, partial(functions.call_text, name, written))
        except SlowCall as slow:
            return Observation(str(slow), ok=False, error=str(slow), trouble="failed")

    def note_thought(self, text: str) -> None:
        if text.strip():
            self.tools.note(Step("thought", text.strip()))

    def note_call(self, name: str, written: str, observation: Observation) -> str:
        """Record a call and its result in the trace, and return the result in the form in which the model is shown it."""
        about = {"function": name, "arguments": dict(observation.arguments)}
        self.tools.note(Step("action", f"{name}({written.strip()})", about=about))
        text = cut_text(observation.text, self.settings["observation"])
        trouble = {"trouble": observation.trouble} if observation.trouble else {}
        self.tools.note(Step("observation", text, spans=observation.spans, about={"ok": observation.ok, **trouble}))
        self.seen.update(dict.fromkeys(observation.spans))
        return text

    def note_unread(self, text: str, why: str) -> None:
        """Record an unreadable reply in the trace, with `why`, the error message that the model is shown."""
        self.note_thought(text)
        self.tools.note(Step("observation", why, about={"ok": False, "trouble": "unreadable"}))
        self.count_outcome(False, "parse_error")

    def count_outcome(self, is_right: bool, stop: str) -> None:
        """Count whether a call or reply succeeded. Raises WorkflowEnd with the reason `stop` after too many failures in a
        row."""
        self.errors = 0 if is_right else self.errors + 1
        if self.errors >= self.settings["tolerance"]:
            raise WorkflowEnd(stop)

    def end_with(self, text: str) -> NoReturn:
        """Record the answer `text` in the trace and end the work; "" = the model gives up."""
        words = f"Finish({json.dumps(text, ensure_ascii=False)})" if text else "Finish: gives up"
        self.tools.note(Step("action", words, about={"ends": True, "gave_up": not text}))
        raise WorkflowEnd("finished", text)


async def run_workflow(
    question: Question, tools: Tools, settings: Settings, work: Callable[[WorkflowRun], Awaitable[None]]
) -> Answer:
    """Return the Answer that a workflow gives; `work` raises WorkflowEnd when the work ends, or returns when all steps are used
    up."""
    if tools.functions is None:
        raise BenchError(
            "This system calls the functions of an environment, but the run has no environment: give --set "
            "environment=documents."
        )
    functions = tools.functions if "Finish" in tools.functions else tools.functions.add_functions(finish_function())
    run = WorkflowRun(question, tools, settings, functions)
    try:
        await work(run)
    except WorkflowEnd as end:
        return Answer(end.text, retrieved=tuple(run.seen), stop=end.stop)
    return Answer("", retrieved=tuple(run.seen), stop="max_steps")


def load_workflow_prompt(name: str, question: Question) -> Prompt:
    """Return the prompt `name` in the question's language, with the question's worked examples."""
    return add_shots(load(f"workflow/{name}", question.language), question)


def cut_text(text: str, length: int) -> str:
    """Return the first `length` characters of the text, with "..." if it is longer."""
    return text if len(text) <= length else f"{text[:length]}..."


def format_answer(value: object) -> str:
    """Return a function's value as the text of an answer: the parts of a list, yes or no for a boolean, "" for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple | set | frozenset):
        parts: Sequence[object] = sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)
        return ", ".join(format_answer(part) for part in parts)
    return as_text(value)
