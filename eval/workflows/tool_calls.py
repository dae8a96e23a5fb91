"""Share code between workflows that use an endpoint's native tool calls: the function that ends the work, the messages of a
call and its result, and the check that the endpoint supports tools."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from core.agent import Action, Completion
from core.errors import AgentError, BenchError
from core.functions.function import Function, Observation, Parameter
from core.functions.functions import FunctionResult, Registry
from core.text.language import ByLanguage
from eval.settings import Settings, list_defaults
from eval.system import Question, SystemFailed, Tools
from eval.workflows.answering import date_question_text
from eval.workflows.workflow import LIMITS, WorkflowEnd, WorkflowRun, format_answer, load_workflow_prompt

GIVE, GIVE_UP = "give_answer", "give_up_and_restart"
PROMPT = "workflow/function_calling"
CALL_INSTRUCTION = ByLanguage(
    {
        "en": "Call a function; when you know the answer, or cannot find it, call Finish.",
        "zh": "请调用一个函数；知道答案或无法找到答案时，调用 Finish。",
    }
)
Turn = Mapping[str, Any]


class CalledFunction(NamedTuple):
    """One function call that the model requested in a reply, with the call's result."""

    name: str
    written: str
    observation: Observation
    turn: Turn
    """Message of the conversation with the result of the call."""
    shown: str


END = Function(
    name="Finish",
    description="Ends the work with the answer, or gives up when the functions cannot answer the question.",
    zh="给出答案并结束；函数无法回答问题时放弃。",
    parameters=(
        Parameter("return_type", "string", "Whether an answer is given.", choices=(GIVE, GIVE_UP), zh="是否给出答案。"),
        Parameter("final_answer", "string", "The answer, with nothing else.", required=False, zh="答案，不含其他内容。"),
    ),
    returns="nothing more.",
    zh_returns="无。",
    ends=True,
    call=lambda return_type, final_answer="": FunctionResult([return_type, final_answer], final_answer),
)


def add_end_function(functions: Registry) -> Registry:
    """Return the functions plus ToolBench's Finish, with which the model gives its answer or gives up."""
    return functions.remove_functions(*(name for name, function in functions.items() if function.ends)).add_functions(END)


async def ask_reply(work: WorkflowRun, functions: Registry, turns: Sequence[Turn]) -> Completion:
    """Send the functions and all earlier turns to the model, and return its reply."""
    prompt, inputs = load_workflow_prompt("function_calling", work.question), {"question": date_question_text(work.question)}
    return await work.ask(prompt, inputs, tools=functions.json_schema, turns=tuple(turns))


def make_reply_message(completion: Completion) -> Turn:
    """Return the model's reply as a message of the conversation, with its thinking, which an agent sends only to endpoints that
    require it."""
    calls = [
        {
            "id": action.id,
            "type": "function",
            "function": {"name": action.name, "arguments": action.arguments},
            **({"extra_content": action.extra_content} if action.extra_content else {}),
        }
        for action in completion.actions
    ]
    thinking = {"reasoning_content": completion.thinking} if calls and completion.thinking else {}
    return {"role": "assistant", "content": completion.text or None, **({"tool_calls": calls} if calls else {}), **thinking}


async def carry_out_call(work: WorkflowRun, functions: Registry, action: Action) -> CalledFunction:
    """Carry out a function call of the model, and record it in the trace. Raises WorkflowEnd after too many failures in a
    row."""
    observation = await work.call(functions, action.name, action.arguments)
    content = "" if observation.ends else work.note_call(action.name, action.arguments, observation)
    work.count_outcome(observation.ok, "tool_error")
    turn = {"role": "tool", "tool_call_id": action.id, "content": content}
    return CalledFunction(action.name, action.arguments, observation, turn, content)


def read_final_answer(observation: Observation) -> str:
    """Return the answer that a call of Finish gives; "" if the model gives up."""
    how, answer = observation.value
    return "" if how == GIVE_UP else format_answer(answer).strip()


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Settings) -> None:
    """Send the first question's first prompt, to check that the endpoint supports tool calls; the reply is stored in the
    ledger, the store of all replies. Raises BenchError if the endpoint does not support tool calls."""
    if tools.functions is None:
        return
    work = WorkflowRun(questions[0], tools, {**list_defaults(LIMITS), **settings}, add_end_function(tools.functions))
    try:
        await ask_reply(work, work.functions, ())
    except (
        AgentError,
        SystemFailed,
        WorkflowEnd,
    ) as failed:  # an end that concerns one question is recorded in that question's trace
        cause = failed if isinstance(failed, AgentError) else failed.__cause__
        if isinstance(cause, AgentError) and cause.kind == "refused" and cause.may_be_its_own:  # not the key or the address
            why = str(cause).rstrip(".")
            raise BenchError(
                f"unsupported: the endpoint takes no functions ({why}). Choose an agent whose endpoint takes tool "
                "calls, or the workflow react or pal."
            ) from failed
        if isinstance(failed, AgentError):
            raise


def list_calls(calls: Sequence[CalledFunction]) -> str:
    """Return the calls already tried at this node of the tree as JSON, to show the model before its next try."""
    records = [{"name": call.name, "arguments": call.written, "function_output": call.shown} for call in calls]
    return json.dumps(records, ensure_ascii=False)
