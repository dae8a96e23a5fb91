"""react: the model alternates thought, action and observation (after ReAct, Yao et al. 2023, as R-Eval runs it). In each call
the model writes a thought and one action, `Name[arguments]`, and the system appends the function's result. Unlike R-Eval's
code, this system does not ask for thought and action in separate calls. The trace has all thoughts, actions and
observations."""

import re
from functools import partial

from core.text.language import ByLanguage
from eval.system import SystemAdapter
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.workflow import LIMITS, WorkflowRun, format_answer, load_workflow_prompt, run_workflow

STOP = "\nObservation"
_ACTION = re.compile(r"^[ \t]*(?:Action|行动)[ \t]*+(?:\d++[ \t]*+)?[:：][ \t]*(.+)", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^[`*\s]*(\w+)[ \t]*([\[(])(.*)$", re.DOTALL)
_CLOSING = {"[": "]", "(": ")"}
INVALID = ByLanguage(
    {
        "en": "Invalid action. Write one action as Name[arguments]; there are: {names}.",
        "zh": "行动无效。请写一个行动，形式为 名称[参数]；可用的有：{names}。",
    }
)


async def _take_steps(work: WorkflowRun) -> None:
    prompt = load_workflow_prompt("react", work.question)
    inputs = {"functions": work.functions.as_prompt(work.language), "question": date_question_text(work.question)}
    steps: list[str] = []
    for _ in range(work.settings["max_steps"]):
        text = read_answer(await work.ask(prompt, {**inputs, "steps": "\n".join(steps)}, stop=(STOP,)))
        text = text.split(STOP.strip())[0].strip()
        thought, call = parse_step(text)
        if call is None:
            refusal = INVALID[work.language].format(names=", ".join(work.functions))
            work.note_unread(text, refusal)
            steps.append(f"{text}\nObservation: {refusal}")
            continue
        name, arguments = call
        work.note_thought(thought)
        observation = await work.call(work.functions, name, arguments)
        if name in work.functions and work.functions[name].ends:
            work.end_with(
                format_answer(observation.value).strip() if observation.ok else arguments.strip()
            )  # arguments as the model wrote them
        steps.append(f"{text}\nObservation: {work.note_call(name, arguments, observation)}")
        work.count_outcome(observation.ok, "tool_error")


def parse_step(text: str) -> tuple[str, tuple[str, str] | None]:
    """Return (the thought without its label; the action as (name, arguments as written), or None). An action whose bracket is
    not closed, e.g. because it was cut off at the token limit, does not count."""
    action = _ACTION.search(text)
    thought = re.sub(r"^\s*(?:Thought|思考)\s*+(?:\d++\s*+)?[:：]\s*", "", text[: action.start()] if action else text)
    call = _CALL.match(action[1] if action else text)
    if call is None:
        return thought.strip(), None
    name, opening, rest = call.groups()
    end = rest.rfind(_CLOSING[opening])
    return (thought.strip() if action else ""), None if end < 0 else (name, rest[:end])


SYSTEM = SystemAdapter(
    label="ReAct",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    prompts=("workflow/react",),
    settings=LIMITS,
    answer=partial(run_workflow, work=_take_steps),
)
