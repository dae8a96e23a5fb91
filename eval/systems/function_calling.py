"""function_calling: the model calls functions by the endpoint's own tool calls, one message a step, until it calls Finish with
the answer or gives up (a single chain, as ToolBench's CoT and R-Eval's FC).

environment   where the functions come from: documents, tables, or both, parted by a comma
distractors, nearest, distractor_seed   see eval/workflow.py: rows of tables beside those that questions are about
max_steps     replies of the model at most
observation   characters of what a call gave that the model is shown
tolerance     calls in a row that may be wrong
max_tokens    tokens of one reply at most"""

from collections.abc import Mapping
from typing import Any

from eval.calling import PROMPT, TOLD, Turn, called, ending, ready, reply, said, with_end
from eval.settings import whole
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflow import LIMITS, Work, worked


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The trace holds every thought, call and observation."""
    return await worked(question, tools, settings, _chain)


async def _chain(work: Work) -> None:
    functions = with_end(work.functions)
    turns: list[Turn] = []
    for _ in range(whole(work.settings, "max_steps", 10, 1)):
        completion = await reply(work, functions, turns)
        turns.append(said(completion))
        if not completion.actions:
            work.unread(completion.text, TOLD[work.language])
            turns.append({"role": "user", "content": TOLD[work.language]})
            continue
        work.think(completion.text)
        for action in completion.actions:
            one = called(work, functions, action)
            if one.observation.ends:
                work.ends(ending(one.observation))
            turns.append(one.turn)


SYSTEM = SystemAdapter(
    label="Function calling", family="agent", needs_agent=True, needs_functions=True, wants="tools", prompts=(PROMPT,),
    settings=dict(LIMITS), ready=ready, answer=answer,
)  # fmt: skip
