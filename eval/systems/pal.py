"""pal: one call of the model writes a program over the functions, which is run once; the value of its last line is the answer
(after PAL, Gao et al. 2023, as R-Eval and SoAy run it). The program runs in a sandbox of its own process: no files, no network,
a limit of time, of memory and of calls; the functions are all that it can reach.

environment   where the functions come from: documents, tables, or both, parted by a comma
distractors, nearest, distractor_seed   see eval/workflow.py: rows of tables beside those that questions are about
max_steps     calls of functions that the program may make
program_seconds, program_bytes   the sandbox's limits
observation   characters of what a call gave that the trace keeps
max_tokens    tokens of the program at most"""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

from core.errors import BenchError
from core.function import Function, Observation
from core.functions import by_name
from core.nouns import Step
from eval.answering import said
from eval.settings import seconds, whole
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflow import TABLES, Ended, Work, cut, prompt_of, said_as, without_finish, words_of, worked

_FENCED = re.compile(r"```[ \t]*\w*[ \t]*\n(.*?)(?:```|\Z)", re.DOTALL)
LONGEST = 100_000
"""Characters of a program's value or of its print that are read."""


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds the program, every call that it made, and what it printed."""
    return await worked(question, tools, settings, _program)


async def _program(work: Work) -> None:
    functions = without_finish(work.functions)
    prompt = prompt_of("pal", work.question)
    told = work.functions.without(*(name for name, f in work.functions.items() if f.ends)).as_prompt(work.language)
    text = said(await work.ask(prompt, {"functions": told, "question": words_of(work.question)}))
    code = program_in(text)
    if not code:
        work.tools.note(Step("observation", "The reply holds no program.", about={"ok": False, "trouble": "unreadable"}))
        raise Ended("parse_error")
    work.tools.note(Step("action", code, about={"program": True}))
    made: list[tuple[str, str, Observation]] = []
    value, printed, trouble = await asyncio.to_thread(_run, code, work, functions, made)
    for name, written, observation in made:
        work.note_call(name, written, observation)
    if printed:
        most = whole(work.settings, "observation", 1024, 1)
        work.tools.note(Step("observation", cut(printed, most), about={"ok": True, "printed": True}))
    if trouble:
        work.tools.note(Step("observation", trouble, about={"ok": False, "trouble": "program"}))
        raise Ended("tool_error")
    work.ends(cut(said_as(value).strip() or printed.strip(), LONGEST))


def program_in(text: str) -> str:
    """The program of a reply: what stands in its first fence, else the whole reply."""
    fenced = _FENCED.search(text)
    return (fenced[1] if fenced else text).strip()


def _run(
    code: str, work: Work, functions: list[Function], made: list[tuple[str, str, Observation]]
) -> tuple[object, str, str]:
    """(value, what it printed, what went wrong in one sentence or "")."""
    from pydantic_monty import CollectString, Monty, MontyError

    limits = {
        "max_feed_duration_secs": seconds(work.settings, "program_seconds", 5.0),
        "max_memory": whole(work.settings, "program_bytes", 50_000_000, 1_000_000),
        "max_suspensions": whole(work.settings, "max_steps", 200, 1),
    }
    printed = CollectString()
    try:
        with Monty() as pool, pool.checkout(limits=limits) as session:  # type: ignore[arg-type]
            known = {function.name: _external(function, work, made) for function in functions}
            value = session.feed_run(code, external_lookup=known, print_callback=printed)
    except MontyError as error:
        return None, printed.output[:LONGEST], f"The program ended in an error: {cut(str(error), 500)}."
    return value, printed.output[:LONGEST], ""


def _external(function: Function, work: Work, made: list[tuple[str, str, Observation]]) -> Callable[..., object]:
    """The function as the program calls it; one that could not be carried out raises there, with its sentence."""

    def call(*args: object, **kwargs: object) -> object:
        written = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])
        try:
            observation = work.functions.call(function.name, by_name(function, args, kwargs))
        except BenchError as error:
            observation = Observation(str(error), ok=False, error=str(error), trouble="bad_arguments")
        made.append((function.name, cut(written, LONGEST), observation))
        if not observation.ok:
            raise ValueError(observation.text)
        return observation.value

    return call


SYSTEM = SystemAdapter(
    label="PAL", family="agent", needs_agent=True, needs_functions=True, prompts=("workflow/pal",),
    settings={
        **TABLES, "environment": "documents", "max_steps": 200, "observation": 1024, "max_tokens": 1024, "program_seconds": 5.0,
        "program_bytes": 50_000_000,
    },
    answer=answer,
)  # fmt: skip
