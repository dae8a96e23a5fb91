"""function_calling: the model calls functions by the endpoint's native tool calls, one message per step, until it calls Finish
with the answer or gives up. The system follows a single chain of calls, as ToolBench's CoT and R-Eval's FC do. The trace has
all thoughts, calls and observations."""

from functools import partial

from eval.system import SystemAdapter
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


async def _run_chain(work: WorkflowRun) -> None:
    functions = add_end_function(work.functions)
    turns: list[Turn] = []
    for _ in range(work.settings["max_steps"]):
        completion = await ask_reply(work, functions, turns)
        turns.append(make_reply_message(completion))
        if not completion.actions:
            work.note_unread(completion.text, CALL_INSTRUCTION[work.language])
            turns.append({"role": "user", "content": CALL_INSTRUCTION[work.language]})
            continue
        work.note_thought(completion.text)
        for action in completion.actions:
            call = await carry_out_call(work, functions, action)
            if call.observation.ends:
                work.end_with(read_final_answer(call.observation))
            turns.append(call.turn)


SYSTEM = SystemAdapter(
    label="Function calling",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    capability="tools",
    prompts=(PROMPT,),
    settings=LIMITS,
    check_ready=check_ready,
    answer=partial(run_workflow, work=_run_chain),
)
