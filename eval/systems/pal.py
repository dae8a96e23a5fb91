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
from pathlib import Path
from typing import Any

from core.cancellation import raise_if_cancelled
from core.errors import BenchError
from core.functions.arguments import MAX_READ_CHARACTERS as LONGEST_ARGUMENTS
from core.functions.function import Function, Observation
from core.functions.functions import by_name
from core.nouns import Step
from eval.running.settings import read_seconds, read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.child_pool import Child, ChildPool
from eval.workflows.off_loop import SlowCall, call_off_loop, wait_unless_over
from eval.workflows.pickled import pack, unpack
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
CHILD = Path(__file__).with_name("_pal_child.py")
PROCESSES = 8
"""Programs of a run that run at once, at most; others wait."""
LOAD_SECONDS = 60.0
"""In which such a process is ready."""
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
    """Seconds of the program's own work."""
    began: float = field(default_factory=time.monotonic)
    away: float = 0.0
    """Seconds in functions, which are none of the program's time."""

    @property
    def is_over(self) -> bool:
        """Whether the program has used up its time and the grace."""
        return time.monotonic() - self.began - self.away > self.limit + GRACE

    async def answer(self, name: str, args: Sequence[object], kwargs: Mapping[str, object]) -> dict[str, str]:
        """What the program's process is told of a call."""
        function = self.functions[name]
        began = time.monotonic()
        try:
            return {"value": pack(await call_off_loop(name, partial(self._call, function, args, kwargs)))}
        except SlowCall as slow:
            self.made.append((name, "", Observation(str(slow), ok=False, error=str(slow), trouble="failed")))
            return {"error": pack(ValueError(str(slow)))}
        except ValueError as error:
            return {"error": pack(ValueError(str(error)))}
        finally:
            self.away += time.monotonic() - began

    def _call(self, function: Function, args: Sequence[object], kwargs: Mapping[str, object]) -> object:
        """The function's value; raises ValueError, with its sentence, where it could not be carried out."""
        written = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])
        try:
            observation = self.work.functions.call(function.name, by_name(function, args, kwargs))
        except BenchError as error:
            observation = Observation(str(error), ok=False, error=str(error), trouble="bad_arguments")
        self.made.append((function.name, written, observation))
        if not observation.ok:
            raise ValueError(observation.text)
        return observation.value


def open_pool(_questions: Sequence[Question], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The processes that programs of the run are given to."""
    return {**settings, "pool": ChildPool([str(CHILD)], "The sandbox", PROCESSES, LOAD_SECONDS)}


async def close_pool(settings: Mapping[str, Any]) -> None:
    await settings["pool"].close()


async def _run(
    code: str, work: WorkflowRun, functions: list[Function], made: list[tuple[str, str, Observation]]
) -> tuple[object, str, str]:
    """(value, what it printed, what went wrong in one sentence or ""). The program of a run that is broken off
    (core/cancellation.py) is killed. Raises core.cancellation.Ended."""
    limit = read_seconds(work.settings, "program_seconds", 5.0)
    known = {function.name: function for function in functions}
    order = {
        "code": code,
        "names": list(known),
        "seconds": limit,
        "limits": {
            "max_feed_duration_secs": limit,
            "max_memory": read_whole_number(work.settings, "program_bytes", 50_000_000, 1_000_000),
            "max_suspensions": read_whole_number(work.settings, "max_steps", 200, 1),
        },
        "longest": MAX_OUTPUT_CHARACTERS,
        "longest_arguments": LONGEST_ARGUMENTS,
    }
    pool: ChildPool | None = work.settings.get("pool")
    if pool is None:  # a rehearsal, which counts the model's calls and has opened nothing
        return None, "", ""
    child = await wait_unless_over(pool.take())
    host, is_whole = _Host(work, known, made, limit), False
    running = asyncio.create_task(_converse(child, order, host))
    try:
        while not (await asyncio.wait({running}, timeout=LOOK))[0] and not host.is_over:
            raise_if_cancelled()
        if not running.done():
            return None, "", f"The program ended in an error: time limit: a program has {limit:g} s, its sleep included."
        said = running.result()
        is_whole = True
    except SystemFailed as failed:
        return None, "", f"The program ended in an error: {cut_text(str(failed), 500)}"
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await pool.give_back(child, is_whole)
    trouble = f"The program ended in an error: {cut_text(said['trouble'], 500)}." if said["trouble"] else ""
    return unpack(said["value"]), said["printed"], trouble


async def _converse(child: Child, order: Mapping[str, Any], host: _Host) -> Mapping[str, Any]:
    """Answers calls until the program is over."""
    await child.send(order)
    while "call" in (message := await child.receive()):
        args, kwargs = unpack(message["arguments"])
        await child.send(await host.answer(message["call"], args, kwargs))
    return message


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
    open=open_pool,
    close=close_pool,
)
