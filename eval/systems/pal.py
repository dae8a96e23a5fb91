"""pal: the model writes a program over the functions in one call, the system runs it once, and the value of its last line is
the answer (after PAL, Gao et al. 2023, as R-Eval and SoAy run it). The program runs in a sandbox in a process of its own, with
limits on time (including sleep), memory and calls; it can use only the functions, no files and no network. If the program's
value is empty, its printed output is the answer. The trace has the program, all calls that it made, and its printed output."""

import asyncio
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from core.cancellation import raise_if_cancelled
from core.errors import BenchError, EngineFailed
from core.functions.arguments import MAX_READ_CHARACTERS as MAX_ARGUMENT_CHARACTERS
from core.functions.function import Function, Observation
from core.functions.functions import by_name
from core.installation import IMPORT_FOLDER
from core.nouns import Step
from eval.settings import Setting, Settings
from eval.system import Question, SystemAdapter, SystemFailed
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.child_pool import Child, ChildPool, close_pool
from eval.workflows.off_loop import POLL_SECONDS, SlowCall, call_off_loop, wait_unless_cancelled
from eval.workflows.pickled import pack_value, unpack_value
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
"""Maximum number of characters that are read of a program's value or printed output."""
CHILD = Path(__file__).with_name("_pal_child.py")
MAX_PROCESSES = 8
"""Maximum number of programs that one run executes at the same time; others wait."""
LOAD_SECONDS = 60.0
"""Maximum number of seconds that a process may take to start before it can run programs."""
GRACE_SECONDS = 1.0
"""Seconds after a program's time limit at which its process is killed, if the sandbox does not enforce the limit."""
Call = tuple[str, str, Observation]
"""A call of a function by the program: its name, its arguments as written, and its result."""


async def _run_reply(work: WorkflowRun) -> None:
    prompt = load_workflow_prompt("pal", work.question)
    ends = [name for name, function in work.functions.items() if function.ends]
    inputs = {
        "functions": work.functions.remove_functions(*ends).as_prompt(work.language),
        "question": date_question_text(work.question),
    }
    code = find_program(read_answer(await work.ask(prompt, inputs)))
    if not code:
        work.tools.note(Step("observation", "The reply contains no program.", about={"ok": False, "trouble": "unreadable"}))
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
    """Return the program in the model's reply: the content of its first code fence, else the whole reply."""
    fenced = _FENCED_PROGRAM.search(text)
    return (fenced[1] if fenced else text).strip()


@dataclass(slots=True)
class _Host:
    """Answers the calls of functions that a program makes from its sandbox."""

    work: WorkflowRun
    functions: Mapping[str, Function]
    calls: list[Call]
    limit: float
    """Time limit of the program in seconds, without the time that functions take."""
    began: float = field(default_factory=time.monotonic)
    away: float = 0.0
    """Seconds that the called functions took, which do not count as the program's time."""

    @property
    def is_over(self) -> bool:
        """Check whether the program has exceeded its time limit plus GRACE_SECONDS."""
        return time.monotonic() - self.began - self.away > self.limit + GRACE_SECONDS

    async def answer(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, str]:
        """Call the function `name` for the program, and return the reply to send to its process."""
        began = time.monotonic()
        try:
            return {"value": pack_value(await call_off_loop(name, partial(self._call, self.functions[name], args, kwargs)))}
        except SlowCall as slow:
            self.calls.append((name, "", Observation(str(slow), ok=False, error=str(slow), trouble="failed")))
            return {"error": pack_value(ValueError(str(slow)))}
        except ValueError as error:
            return {"error": pack_value(ValueError(str(error)))}
        finally:
            self.away += time.monotonic() - began

    def _call(self, function: Function, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """Return the function's value. Raises ValueError with an error sentence if the call fails."""
        written = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])
        try:
            observation = self.work.functions.call(function.name, by_name(function, args, kwargs))
        except EngineFailed:
            raise
        except BenchError as error:
            observation = Observation(str(error), ok=False, error=str(error), trouble="bad_arguments")
        self.calls.append((function.name, written, observation))
        if not observation.ok:
            raise ValueError(observation.text)
        return observation.value


async def open_pool(_questions: Sequence[Question], settings: Settings) -> Settings:
    """Return the settings with the pool of child processes that run the programs."""
    return {
        **settings,
        "pool": ChildPool([str(CHILD), str(IMPORT_FOLDER)], "The sandbox", MAX_PROCESSES, LOAD_SECONDS).start_first(),
    }


async def _run_program(code: str, work: WorkflowRun, calls: list[Call]) -> tuple[object, str, str]:
    """Run the program and return (value, printed output, error as a sentence or ""). If the run is cancelled, kills the program
    and raises core.cancellation.Cancelled."""
    pool: ChildPool | None = work.settings.get("pool")
    if pool is None:  # a dry run, which only counts the model's calls, has no pool
        return None, "", ""
    limit = work.settings["program_seconds"]
    functions = {function.name: function for function in work.functions.values() if not function.ends}
    order = {
        "code": code,
        "names": list(functions),
        "seconds": limit,
        "limits": {
            "max_feed_duration_secs": limit,
            "max_memory": work.settings["program_bytes"],
            "max_suspensions": work.settings["max_steps"],
        },
        "longest": MAX_OUTPUT_CHARACTERS,
        "longest_arguments": MAX_ARGUMENT_CHARACTERS,
    }
    child = await wait_unless_cancelled(pool.take())
    host, is_healthy = _Host(work, functions, calls, limit), False
    running = asyncio.create_task(_converse(child, order, host))
    try:
        while not (await asyncio.wait({running}, timeout=POLL_SECONDS))[0] and not host.is_over:
            raise_if_cancelled()
        if not running.done():
            return None, "", f"The program ended in an error: time limit: a program may run {limit:g} s, including time.sleep."
        result = running.result()
        is_healthy = True
    except SystemFailed as failed:
        return None, "", f"The program ended in an error: {cut_text(str(failed), 500)}"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await pool.give_back(child, is_healthy)
    trouble = f"The program ended in an error: {cut_text(result['trouble'], 500)}." if result["trouble"] else ""
    return unpack_value(result["value"]), result["printed"], trouble


async def _converse(child: Child, order: Mapping[str, Any], host: _Host) -> Mapping[str, Any]:
    """Answer the calls of a program until it ends, and return the last message from its process."""
    await child.send(order)
    while "call" in (message := await child.receive()):
        args, kwargs = unpack_value(message["arguments"])
        await child.send(await host.answer(message["call"], args, kwargs))
    return message


SYSTEM = SystemAdapter(
    label="PAL",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    prompts=("workflow/pal",),
    settings={
        **COMMON,
        "max_steps": Setting(200, "Maximum number of function calls that the program may make.", 1),
        "observation": Setting(1024, "Number of characters of a call's result that the trace keeps.", 1),
        "max_tokens": Setting(1024, "Maximum number of tokens of the program.", 1),
        "program_seconds": Setting(5.0, "The sandbox's limit: seconds of the program's own work and sleep.", kind="seconds"),
        "program_bytes": Setting(50_000_000, "The sandbox's limit: bytes of memory.", 1_000_000),
    },
    answer=partial(run_workflow, work=_run_reply),
    open=open_pool,
    close=close_pool,
)
