"""dfsdt: tool calls searched as a tree, depth first (ToolLLM, Qin et al. 2024, as R-Eval runs it: without a ranking of the
tries at one place). A step that gives up is left, and its parent is tried again with the word to do something else; the first
step that gives an answer ends the search.

environment   where the functions come from: documents, tables, or both, parted by a comma
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release
distractors, nearest, distractor_seed   see eval/workflows/workflow.py: rows of tables beside those that questions are about
max_steps     steps one below the other (ToolBench counts three nodes a step: its 12 are 4)
width         tries at one place
max_queries   calls of the model at most
observation   characters of what a call gave that the model is shown
tolerance     calls in a row that may be wrong
max_tokens    tokens of one reply at most"""

from collections.abc import Mapping, Sequence
from typing import Any

from core.functions.functions import Registry
from core.nouns import Step
from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.tool_calls import (
    CALL_INSTRUCTION,
    PROMPT,
    CalledFunction,
    Turn,
    add_end_function,
    ask_reply,
    carry_out_call,
    check_ready,
    list_calls,
    make_reply_message,
    read_final_answer,
)
from eval.workflows.workflow import LIMITS, WorkflowEnd, WorkflowRun, run_workflow

TRY_ELSE_NOTE = {
    "en": "This is not the first time you are here; all before led nowhere. These were tried at this place:\n{tried}\n"
    "Do something different from every one of them.",
    "zh": "你不是第一次来到这一步，此前的尝试都没有结果。在这一步已经试过：\n{tried}\n请采取与它们都不同的行动。",
}
LEVELS_BACK = 2
"""Levels that the search goes back from a step that gave up."""


class _Tree:
    """One search."""

    def __init__(self, work: WorkflowRun) -> None:
        self.work = work
        self.left = read_whole_number(work.settings, "max_queries", 200, 1)
        self.width = read_whole_number(work.settings, "width", 2, 1)
        self.deepest = read_whole_number(work.settings, "max_steps", 4, 1)
        self.gave_up = False
        """Whether a step gave up; an end without an answer is then its word."""

    async def explore_below(self, functions: Registry, turns: Sequence[Turn], depth: int) -> int:
        """Try what can be done from here; how many levels to go back. Raises Ended with an answer."""
        if depth >= self.deepest:
            return 1
        tried: list[CalledFunction] = []
        for _ in range(self.width):
            if self.left == 0:
                raise WorkflowEnd("max_steps")
            self.left -= 1
            other = TRY_ELSE_NOTE[self.work.language].format(tried=list_calls(tried))
            asked = [*turns, {"role": "user", "content": other}] if tried else turns
            completion = await ask_reply(self.work, functions, asked)
            if not completion.actions:
                self.work.note_unread(completion.text, CALL_INSTRUCTION[self.work.language])
                continue
            self.work.note_thought(completion.text)
            here = functions.start_branch()  # a page that this try opens is not open for the next one
            ones: list[CalledFunction] = []
            for action in completion.actions:
                one = await carry_out_call(self.work, here, action)
                if one.observation.ends:
                    if text := read_final_answer(one.observation):
                        self.work.end_with(text)
                    self.gave_up = True
                    self.work.tools.note(Step("action", "Finish: gives up", about={"gave_up": True, "depth": depth}))
                    return LEVELS_BACK - 1
                ones.append(one)
            tried += ones
            back = await self.explore_below(
                here, [*turns, make_reply_message(completion), *(one.turn for one in ones)], depth + 1
            )
            if back > 1:
                return back - 1
        return 1


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds every try in the order in which it was made."""
    return await run_workflow(question, tools, settings, _search)


async def _search(work: WorkflowRun) -> None:
    tree = _Tree(work)
    await tree.explore_below(add_end_function(work.functions), (), 0)
    if tree.gave_up:
        work.end_with("")


SYSTEM = SystemAdapter(
    label="DFSDT",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    wants="tools",
    prompts=(PROMPT,),
    settings={**LIMITS, "max_steps": 4, "width": 2, "max_queries": 200},
    ready=check_ready,
    answer=answer,
)
