"""Draft the items of the two rationale tasks: a question answered by several claims, each with its own evidence, and the
decomposition of the answer into true and false statements."""

from collections.abc import AsyncIterator
from typing import Any

from builders.drafting.decomposition import decompose
from builders.drafting.prompting import ask_draft, draft_item, places
from builders.task import Kit, Window
from core.nouns import Item, Level
from core.text.language import find_row
from core.text.numbered import number_sentences


async def draft_rationale(task: str, level: Level, window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item for a rationale task: its answer joins the claims in order, and its evidence is the evidence of
    all claims."""
    prompt = f"draft/{task}"
    reply = await ask_draft(prompt, window, kit, window.sentences, {}, max_tokens=1536)
    if "none" in reply.values:
        return
    claims = [(claim["claim"], window.sentences.spans(claim["evidence"])) for claim in reply.values["claims"]]
    answer = find_row(window.language).separator.join(claim for claim, _ in claims)
    cited = sorted({span for _, spans in claims for span in spans})
    shown = number_sentences([sentence for sentence in window.sentences.sentences if sentence.span in set(cited)])
    parts = await decompose(kit, reply.values["question"], answer, shown, window.language, window.key)
    labels: dict[str, Any] = {"selections": parts.selections, "selection_answers": parts.answers}
    if reply.values.get("theme"):
        labels["theme"] = reply.values["theme"]
    step = {"kind": "claims", "claims": [{"claim": claim, "evidence": places(spans)} for claim, spans in claims]}
    calls = (*reply.calls, *parts.calls)
    yield draft_item(task, level, window, kit, reply, prompt, answer, cited, labels, [step], calls)
