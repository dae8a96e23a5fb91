"""pal: one call of the model writes a program over the functions, which is run once; the value of its last line is the answer
(after PAL, Gao et al. 2023, as R-Eval and SoAy run it). The program runs in a sandbox of its own process: no files, no network,
a limit of time (sleep included), of memory and of calls; the functions are all that it can reach.

environment   where the functions come from: documents, tables, or both, parted by a comma
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release
distractors, nearest, distractor_seed   see eval/workflows/workflow.py: rows of tables beside those that questions are about
max_steps     calls of functions that the program may make
program_seconds, program_bytes   the sandbox's limits: seconds of its own work and sleep, bytes
observation   characters of what a call gave that the trace keeps
max_tokens    tokens of the program at most"""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from core.cancellation import go_on
from core.errors import BenchError
from core.functions.arguments import MAX_READ_CHARACTERS as LONGEST_ARGUMENTS
from core.functions.function import Function, Observation
from core.functions.functions import by_name
from core.functions.small_values import TooLarge, shrink_value
from core.nouns import Step
from eval.running.settings import read_seconds, read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.off_loop import SlowCall, call_off_loop
from eval.workflows.shots import SETTINGS as SHOTS
from eval.workflows.workflow import (
    TABLES,
    WorkflowEnd,
    WorkflowRun,
    cut_text,
    format_answer,
    list_working_functions,
    load_workflow_prompt,
    run_workflow,
)

_FENCED_PROGRAM = re.compile(r"```[ \t]*+(?:\w++[ \t]*+)?\n(.*?)(?:```|\Z)", re.DOTALL)
MAX_OUTPUT_CHARACTERS = 100_000
"""Characters of a program's value or of its print that are read."""
LOOK, GRACE = 0.1, 1.0
"""Seconds between two looks at a program, and beyond its limit before it is killed: the sandbox keeps the limit itself."""


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds the program, every call that it made, and what it printed."""
    return await run_workflow(question, tools, settings, _program)


async def _program(work: WorkflowRun) -> None:
    functions = list_working_functions(work.functions)
    prompt = load_workflow_prompt("pal", work.question)
    told = work.functions.remove_functions(*(name for name, f in work.functions.items() if f.ends)).as_prompt(work.language)
    text = read_answer(await work.ask(prompt, {"functions": told, "question": date_question_text(work.question)}))
    code = find_program(text)
    if not code:
        work.tools.note(Step("observation", "The reply holds no program.", about={"ok": False, "trouble": "unreadable"}))
        raise WorkflowEnd("parse_error")
    work.tools.note(Step("action", code, about={"program": True}))
    made: list[tuple[str, str, Observation]] = []
    value, printed, trouble = await _run(code, work, functions, made)
    for name, written, observation in made:
        work.note_call(name, written, observation)
    if printed:
        most = read_whole_number(work.settings, "observation", 1024, 1)
        work.tools.note(Step("observation", cut_text(printed, most), about={"ok": True, "printed": True}))
    if trouble:
        work.tools.note(Step("observation", trouble, about={"ok": False, "trouble": "program"}))
        raise WorkflowEnd("tool_error")
    work.end_with(cut_text(format_answer(value).strip() or printed.strip(), MAX_OUTPUT_CHARACTERS))


def find_program(text: str) -> str:
    """The program of a reply: what stands in its first fence, else the whole reply."""
    fenced = _FENCED_PROGRAM.search(text)
    return (fenced[1] if fenced else text).strip()


@dataclass(slots=True)
class _Host:
    """What a program calls outside its sandbox."""

    work: WorkflowRun
    functions: Mapping[str, Function]
    made: list[tuple[str, str, Observation]]
    limit: float
    """Seconds of the program's own work, its sleep included."""
    began: float = field(default_factory=time.monotonic)
    away: float = 0.0
    """Seconds in functions, which are none of the program's time."""
    slept: float = 0.0
    """Seconds that it wanted to sleep: they count, and nobody waits for them."""

    @property
    def is_over(self) -> bool:
        """Whether the program has used up its time and the grace."""
        return time.monotonic() - self.began - self.away > self.limit + GRACE

    async def answer(self, call: Any) -> Any:
        """What the sandbox is told of a call; None = it deals with it itself."""
        if call.is_os_function and call.function_name == "time.sleep":
            self.slept += float(call.args[0])
            used = time.monotonic() - self.began - self.away + self.slept
            return (
                {"return_value": None}
                if used <= self.limit
                else {"exception": TimeoutError(f"time limit: {_describe_limit(self)}")}
            )
        function = None if call.is_os_function else self.functions.get(call.function_name)
        if function is None:
            return None
        began = time.monotonic()
        try:
            called = partial(self._call, function, call.args, call.kwargs)
            return {"return_value": await call_off_loop(function.name, called)}
        except SlowCall as slow:
            self.made.append((function.name, "", Observation(str(slow), ok=False, error=str(slow), trouble="failed")))
            return {"exception": ValueError(str(slow))}
        except ValueError as error:
            return {"exception": error}
        finally:
            self.away += time.monotonic() - began

    def _call(self, function: Function, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """The function's value; raises ValueError, with its sentence, where it could not be carried out."""
        try:
            placed, named = shrink_value([list(args), dict(kwargs)], LONGEST_ARGUMENTS)
        except TooLarge as error:
            raise ValueError(f"The arguments of {function.name} are too large: {error}") from None
        written = ", ".join([*map(repr, placed), *(f"{name}={value!r}" for name, value in named.items())])
        try:
            observation = self.work.functions.call(function.name, by_name(function, placed, named))
        except BenchError as error:
            observation = Observation(str(error), ok=False, error=str(error), trouble="bad_arguments")
        self.made.append((function.name, written, observation))
        if not observation.ok:
            raise ValueError(observation.text)
        return observation.value


def _describe_limit(host: _Host) -> str:
    return f"a program has {host.limit:g} s, its sleep included"


async def _run(
    code: str, work: WorkflowRun, functions: list[Function], made: list[tuple[str, str, Observation]]
) -> tuple[object, str, str]:
    """(value, what it printed, what went wrong in one sentence or ""). The program of a run that is broken off
    (core/cancellation.py) is killed. Raises core.cancellation.Ended."""
    from pydantic_monty import AsyncFunctionSnapshot, AsyncMonty, CollectString, MontyComplete, MontyError

    limit = read_seconds(work.settings, "program_seconds", 5.0)
    limits: Any = {
        "max_feed_duration_secs": limit,
        "max_memory": read_whole_number(work.settings, "program_bytes", 50_000_000, 1_000_000),
        "max_suspensions": read_whole_number(work.settings, "max_steps", 200, 1),
    }
    printed, known = CollectString(), {function.name: function for function in functions}
    host = _Host(work, known, made, limit)

    async def run() -> object:
        async with AsyncMonty() as pool, pool.checkout(limits=limits, os_policy={"sleep": "call_host"}) as session:
            at = await session.feed_start(code, external_lookup=dict.fromkeys(known, len), print_callback=printed)
            while not isinstance(at, MontyComplete):
                if isinstance(at, AsyncFunctionSnapshot) and (answer := await host.answer(at)) is not None:
                    at = await at.resume(answer)
                else:
                    at = await at.resume_auto()
            return at.output

    trouble, value = "", None
    running = asyncio.create_task(run())
    try:
        while not (await asyncio.wait({running}, timeout=LOOK))[0] and not host.is_over:
            go_on()
        if running.done():
            value = shrink_value(running.result(), MAX_OUTPUT_CHARACTERS)
        else:
            trouble = f"The program ended in an error: time limit: {_describe_limit(host)}."
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
        **SHOTS,
        **TABLES,
        "environment": "documents",
        "max_steps": 200,
        "observation": 1024,
        "max_tokens": 1024,
        "program_seconds": 5.0,
        "program_bytes": 50_000_000,
    },
    answer=answer,
)
