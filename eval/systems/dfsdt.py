"""dfsdt: the agent searches a tree of tool calls depth first (ToolLLM, Qin et al. 2024). As in R-Eval, the tries at a node are
not ranked. If a step gives up, the search backtracks and tries other calls; the search ends at the first step that gives an
answer. The trace has all tries in order."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.functions.functions import Registry
from core.nouns import Step
from core.text.language import ByLanguage
from eval.settings import Setting
from eval.system import SystemAdapter
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

TRY_ELSE_NOTE = ByLanguage(
    {
        "en": "This is not the first time you are here; all before led nowhere. These were tried at this place:\n{tried}\n"
        "Do something different from every one of them.",
        "zh": "你不是第一次来到这一步，此前的尝试都没有结果。在这一步已经试过：\n{tried}\n请采取与它们都不同的行动。",
    }
)
LEVELS_BACK = 2
"""Number of levels of the tree that the search goes back from a step that gave up."""


@dataclass
class _Tree:
    """The state of one search in the tree of tool calls."""

    work: WorkflowRun
    queries_left: int
    gave_up: bool = False
    """Whether any step gave up; if the search then ends without an answer, it counts as given up."""

    async def explore_below(self, functions: Registry, turns: Sequence[Turn], depth: int) -> int:
        """Try the next tool calls below this node, and return how many levels to go back. Raises WorkflowEnd when a step gives
        an answer."""
        if depth >= self.work.settings["max_steps"]:
            return 1
        tried: list[CalledFunction] = []
        for _ in range(self.work.settings["width"]):
            if self.queries_left == 0:
                raise WorkflowEnd("max_steps")
            self.queries_left -= 1
            note = TRY_ELSE_NOTE[self.work.language].format(tried=list_calls(tried))
            completion = await ask_reply(self.work, functions, [*turns, {"role": "user", "content": note}] if tried else turns)
            if not completion.actions:
                self.work.note_unread(completion.text, CALL_INSTRUCTION[self.work.language])
                continue
            self.work.note_thought(completion.text)
            branch = functions.start_branch()  # a page opened in this try must not stay open in the next one
            calls: list[CalledFunction] = []
            for action in completion.actions:
                call = await carry_out_call(self.work, branch, action)
                if call.observation.ends:
                    if text := read_final_answer(call.observation):
                        self.work.end_with(text)
                    self.gave_up = True
                    self.work.tools.note(Step("action", "Finish: gives up", about={"gave_up": True, "depth": depth}))
                    return LEVELS_BACK - 1
                calls.append(call)
            tried += calls
            path = [*turns, make_reply_message(completion), *(call.turn for call in calls)]
            levels = await self.explore_below(branch, path, depth + 1)
            if levels > 1:
                return levels - 1
        return 1


async def _search_tree(work: WorkflowRun) -> None:
    tree = _Tree(work, work.settings["max_queries"])
    await tree.explore_below(add_end_function(work.functions), (), 0)
    if tree.gave_up:
        work.end_with("")


SYSTEM = SystemAdapter(
    label="DFSDT",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    capability="tools",
    prompts=(PROMPT,),
    settings={
        **LIMITS,
        "max_steps": Setting(
            4, "Maximum depth of the search in steps (ToolBench counts three nodes per step, so its 12 are 4 steps).", 1
        ),
        "width": Setting(2, "Maximum number of tries at one place of the search tree.", 1),
        "max_queries": Setting(200, "Maximum number of calls of the model.", 1),
    },
    check_ready=check_ready,
    answer=partial(run_workflow, work=_search_tree),
)
