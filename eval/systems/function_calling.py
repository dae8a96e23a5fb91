"""function_calling: the model calls functions by the endpoint's own tool calls, one message a step, until it calls Finish with
the answer or gives up (a single chain, as ToolBench's CoT and R-Eval's FC).

environment   where the functions come from: documents, tables, or both, parted by a comma
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release
distractors, nearest, distractor_seed   see eval/workflows/workflow.py: rows of tables beside those that questions are about
max_steps     replies of the model at most
observation   characters of what a call gave that the model is shown
tolerance     calls in a row that may be wrong
max_tokens    tokens of one reply at most"""

from collections.abc import Mapping
from typing import Any

from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.tool_calls import (
    CALL_INSTRUCTION,
    PROMPT,
    Turn,
    add_end_function,
    ask_reply,
    carry_out_call,
    check_ready,
    make_reply_message,
    read_final_answer,
)
from eval.workflows.workflow import LIMITS, WorkflowRun, run_workflow


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds every thought, call and observation."""
    return await run_workflow(question, tools, settings, _chain)


async def _chain(work: WorkflowRun) -> None:
    functions = add_end_function(work.functions)
    turns: list[Turn] = []
    for _ in range(read_whole_number(work.settings, "max_steps", 10, 1)):
        completion = await ask_reply(work, functions, turns)
        turns.append(make_reply_message(completion))
        if not completion.actions:
            work.note_unread(completion.text, CALL_INSTRUCTION[work.language])
            turns.append({"role": "user", "content": CALL_INSTRUCTION[work.language]})
            continue
        work.note_thought(completion.text)
        for action in completion.actions:
            one = await carry_out_call(work, functions, action)
            if one.observation.ends:
                work.end_with(read_final_answer(one.observation))
            turns.append(one.turn)


SYSTEM = SystemAdapter(
    label="Function calling",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    wants="tools",
    prompts=(PROMPT,),
    settings=dict(LIMITS),
    ready=check_ready,
    answer=answer,
)
