"""pal: one call of the model writes a program over the functions, which is run once; the value of its last line is the answer
(after PAL, Gao et al. 2023, as R-Eval and SoAy run it). The program runs in a sandbox of its own process: no files, no network,
a limit of time (sleep included), of memory and of calls; it can reach nothing but the functions."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.cancellation import go_on
from core.errors import BenchError
from core.functions.arguments import MAX_READ_CHARACTERS as MAX_ARGUMENT_CHARACTERS
from core.functions.function import Function, Observation
from core.functions.functions import by_name
from core.functions.small_values import TooLarge, shrink_value
from core.nouns import Step
from eval.settings import Setting, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.off_loop import POLL_SECONDS, SlowCall, call_off_loop
from eval.workflows.workflow import (
    COMMON,
    WorkflowEnd,
    WorkflowRun,
    cut_text,
    format_answer,
    load_workflow_prompt,
    run_workflow,
)

_FENCED_PROGRAM = re.compile(r"```[ \t]*+(?:\w++[ \t]*+)?\n(.*?)(?:```|\Z)", re.DOTALL)
MAX_OUTPUT_CHARACTERS = 100_000
"""Characters of a program's value or of its print that are read."""
GRACE_SECONDS = 1.0
"""Beyond a program's limit before it is killed: the sandbox keeps the limit itself."""
Call = tuple[str, str, Observation]
"""A function's name, the arguments as written, and what it gave."""


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    """The trace holds the program, every call that it made, and what it printed."""
    return await run_workflow(question, tools, settings, _run_reply)


async def _run_reply(work: WorkflowRun) -> None:
    prompt = load_workflow_prompt("pal", work.question)
    ends = [name for name, function in work.functions.items() if function.ends]
    inputs = {
        "functions": work.functions.remove_functions(*ends).as_prompt(work.language),
        "question": date_question_text(work.question),
    }
    code = find_program(read_answer(await work.ask(prompt, inputs)))
    if not code:
        work.tools.note(Step("observation", "The reply holds no program.", about={"ok": False, "trouble": "unreadable"}))
        raise WorkflowEnd("parse_error")
    work.tools.note(Step("action", code, about={"program": True}))
    calls: list[Call] = []
    value, printed, trouble = await _run_program(code, work, calls)
    for name, written, observation in calls:
        work.note_call(name, written, observation)
    if printed:
        text = cut_text(printed, work.settings["observation"])
        work.tools.note(Step("observation", text, about={"ok": True, "printed": True}))
    if trouble:
        work.tools.note(Step("observation", trouble, about={"ok": False, "trouble": "program"}))
        raise WorkflowEnd("tool_error")
    work.end_with(cut_text(format_answer(value).strip() or printed.strip(), MAX_OUTPUT_CHARACTERS))


def find_program(text: str) -> str:
    """Returns the program of a reply: the content of its first fence, else the whole reply."""
    fenced = _FENCED_PROGRAM.search(text)
    return (fenced[1] if fenced else text).strip()


@dataclass(slots=True)
class _Host:
    """Serves what a program calls outside its sandbox."""

    work: WorkflowRun
    functions: Mapping[str, Function]
    calls: list[Call]
    limit: float
    """Seconds of the program's own work, its sleep included."""
    began: float = field(default_factory=time.monotonic)
    away: float = 0.0
    """Seconds in functions, which are none of the program's time."""
    slept: float = 0.0
    """Seconds that it wanted to sleep: they count, without any waiting."""

    @property
    def used(self) -> float:
        """Seconds of the program's own work, without its sleep."""
        return time.monotonic() - self.began - self.away

    @property
    def limit_words(self) -> str:
        return f"time limit: a program has {self.limit:g} s, its sleep included"

    async def answer(self, call: Any) -> Any:
        """Returns what the sandbox is told of a call; None = the sandbox serves it itself."""
        if call.is_os_function and call.function_name == "time.sleep":
            self.slept += float(call.args[0])
            is_over = self.used + self.slept > self.limit
            return {"exception": TimeoutError(self.limit_words)} if is_over else {"return_value": None}
        function = None if call.is_os_function else self.functions.get(call.function_name)
        if function is None:
            return None
        began = time.monotonic()
        try:
            return {"return_value": await call_off_loop(function.name, partial(self._call, function, call.args, call.kwargs))}
        except SlowCall as slow:
            self.calls.append((function.name, "", Observation(str(slow), ok=False, error=str(slow), trouble="failed")))
            return {"exception": ValueError(str(slow))}
        except ValueError as error:
            return {"exception": error}
        finally:
            self.away += time.monotonic() - began

    def _call(self, function: Function, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """Returns the function's value. Raises ValueError, with its sentence, where it could not be carried out."""
        try:
            positional, named = shrink_value([list(args), dict(kwargs)], MAX_ARGUMENT_CHARACTERS)
        except TooLarge as error:
            raise ValueError(f"The arguments of {function.name} are too large: {error}") from None
        written = ", ".join([*map(repr, positional), *(f"{name}={value!r}" for name, value in named.items())])
        try:
            observation = self.work.functions.call(function.name, by_name(function, positional, named))
        except BenchError as error:
            observation = Observation(str(error), ok=False, error=str(error), trouble="bad_arguments")
        self.calls.append((function.name, written, observation))
        if not observation.ok:
            raise ValueError(observation.text)
        return observation.value


async def _run_program(code: str, work: WorkflowRun, calls: list[Call]) -> tuple[object, str, str]:
    """Returns (value, what it printed, what went wrong in one sentence or "").
    The program of a run that is cancelled is killed. Raises core.cancellation.Cancelled."""
    from pydantic_monty import AsyncFunctionSnapshot, AsyncMonty, CollectString, MontyComplete, MontyError

    limits: Any = {
        "max_feed_duration_secs": work.settings["program_seconds"],
        "max_memory": work.settings["program_bytes"],
        "max_suspensions": work.settings["max_steps"],
    }
    functions = {function.name: function for function in work.functions.values() if not function.ends}
    printed, host = CollectString(), _Host(work, functions, calls, work.settings["program_seconds"])

    async def run() -> object:
        async with AsyncMonty() as pool, pool.checkout(limits=limits, os_policy={"sleep": "call_host"}) as session:
            at = await session.feed_start(code, external_lookup=dict.fromkeys(functions, len), print_callback=printed)
            while not isinstance(at, MontyComplete):
                if isinstance(at, AsyncFunctionSnapshot) and (reply := await host.answer(at)) is not None:
                    at = await at.resume(reply)
                else:
                    at = await at.resume_auto()
            return at.output

    trouble, value = "", None
    running = asyncio.create_task(run())
    try:
        while not (await asyncio.wait({running}, timeout=POLL_SECONDS))[0] and host.used <= host.limit + GRACE_SECONDS:
            go_on()
        if running.done():
            value = shrink_value(running.result(), MAX_OUTPUT_CHARACTERS)
        else:
            trouble = f"The program ended in an error: {host.limit_words}."
    except MontyError as error:
        trouble = f"The program ended in an error: {cut_text(str(error), 500)}."
    except TooLarge as error:
        trouble = f"The program ended in an error: its value is too large ({error})."
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    return value, printed.output[:MAX_OUTPUT_CHARACTERS], trouble


SYSTEM = SystemAdapter(
    label="PAL",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    prompts=("workflow/pal",),
    settings={
        **COMMON,
        "max_steps": Setting(200, "Calls of functions that the program may make.", 1),
        "observation": Setting(1024, "Characters of a call's result that the trace keeps.", 1),
        "max_tokens": Setting(1024, "Tokens of the program at most.", 1),
        "program_seconds": Setting(5.0, "The sandbox's limit: seconds of the program's own work and sleep.", kind="seconds"),
        "program_bytes": Setting(50_000_000, "The sandbox's limit: bytes of memory.", 1_000_000),
    },
    answer=answer,
)
