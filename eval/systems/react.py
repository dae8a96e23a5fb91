"""react: thought, action, observation in turn (after ReAct, Yao et al. 2023, as R-Eval runs it): each call of the model writes
a thought and one action, `Name[arguments]`; what the function gave is put behind it. One call a step, where R-Eval's code asks
for thought and action apart.

environment   where the functions come from: documents, tables, or both, parted by a comma
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release
distractors, nearest, distractor_seed   see eval/workflows/workflow.py: rows of tables beside those that questions are about
max_steps     actions at most
observation   characters of an observation that the model is shown
tolerance     actions in a row that may be unreadable or wrong
max_tokens    tokens of one reply at most"""

import re
from collections.abc import Mapping
from typing import Any

from eval.running.settings import read_whole_number
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.answering import date_question_text, read_answer
from eval.workflows.workflow import LIMITS, WorkflowRun, format_answer, load_workflow_prompt, run_workflow

STOP = "\nObservation"
_ACTION = re.compile(r"^[ \t]*(?:Action|行动)[ \t]*+(?:\d++[ \t]*+)?[:：][ \t]*(.+)", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"^[`*\s]*(\w+)[ \t]*([\[(])(.*)$", re.DOTALL)
_CLOSING = {"[": "]", "(": ")"}
INVALID = {
    "en": "Invalid action. Write one action as Name[arguments]; there are: {names}.",
    "zh": "行动无效。请写一个行动，形式为 名称[参数]；可用的有：{names}。",
}


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds every thought, action and observation."""
    return await run_workflow(question, tools, settings, _steps)


async def _steps(work: WorkflowRun) -> None:
    prompt = load_workflow_prompt("react", work.question)
    inputs = {"functions": work.functions.as_prompt(work.language), "question": date_question_text(work.question)}
    written: list[str] = []
    for _ in range(read_whole_number(work.settings, "max_steps", 10, 1)):
        text = read_answer(await work.ask(prompt, {**inputs, "steps": "\n".join(written)}, stop=(STOP,)))
        text = text.split(STOP.strip())[0].strip()
        thought, call = parse_step(text)
        if call is None:
            told = INVALID[work.language].format(names=", ".join(work.functions))
            work.note_unread(text, told)
            written.append(f"{text}\nObservation: {told}")
            continue
        name, arguments = call
        work.note_thought(thought)
        observation = await work.call(work.functions, name, arguments)
        if name in work.functions and work.functions[name].ends:
            work.end_with(format_answer(observation.value).strip() if observation.ok else arguments.strip())  # as it stands
        written.append(f"{text}\nObservation: {work.note_call(name, arguments, observation)}")
        work.count_outcome(observation.ok, "tool_error")


def parse_step(text: str) -> tuple[str, tuple[str, str] | None]:
    """The thought, and the action as (name, arguments as written); None where there is no action. The thought's label is left
    out; an action whose bracket is not closed, as one that its length limit cut, is none."""
    found = _ACTION.search(text)
    thought = re.sub(r"^\s*(?:Thought|思考)\s*+(?:\d++\s*+)?[:：]\s*", "", text[: found.start()] if found else text)
    call = _CALL.match(found[1] if found else text)
    if call is None:
        return thought.strip(), None
    name, opening, rest = call.groups()
    end = rest.rfind(_CLOSING[opening])
    return (thought.strip() if found else ""), None if end < 0 else (name, rest[:end])


SYSTEM = SystemAdapter(
    label="ReAct",
    family="agent",
    needs_agent=True,
    needs_functions=True,
    prompts=("workflow/react",),
    settings=dict(LIMITS),
    answer=answer,
)
