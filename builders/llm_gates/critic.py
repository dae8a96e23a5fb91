"""Flag a question that a reader would not understand. An agent reads only the question, and names the kind of problem and the
reason. The verdict is a category and not a score, so that the reviewer knows what to correct."""

from builders.drafting.answers import note_prices, total
from builders.gate import Finding
from builders.llm_gate import LlmGate, LlmGateContext
from core.agent import Sampling
from core.nouns import Item
from prompts.prompt import load
from prompts.reply import ask_for

PROMPT = "judge/critic"
PASSING_CATEGORY = "self_contained"
"""The critic's category for a question without a problem, the only one that passes."""
MAX_REPLY_TOKENS = 200
"""Maximum number of tokens in the reply of the agent that reads the question."""


async def check(item: Item, context: LlmGateContext) -> Finding:
    judge, costs = context.judges[0], list[float | None]()
    asked = {"question": context.task.fill(item)["question"]}
    sampling = Sampling(max_tokens=MAX_REPLY_TOKENS, seed=context.seed)
    reply = await ask_for(note_prices(judge.ask, costs), load(PROMPT, item.language), asked, sampling)
    category, reason = reply.values["category"], reply.values["reason"]
    details = {
        "category": category,
        "calls": len(reply.calls),
        "cost_usd": total(costs),
        "asked": [
            {
                "agent": judge.name,
                "asked": asked["question"],
                "text": reason,
                "verdict": category,
                "seed": context.seed,
                "calls": list(reply.calls),
            }
        ],
    }
    if category == PASSING_CATEGORY:
        return Finding("pass", "", details, reply.calls)
    return Finding("flag", f"{category.replace('_', ' ').capitalize()}: {reason}", details, reply.calls)


LLM_GATE = LlmGate(
    label="Critic",
    about="One agent reads the question alone and says whether it can be understood, and if not, why.",
    version="1",
    check=check,
    prompts=lambda task: (PROMPT,),
)
