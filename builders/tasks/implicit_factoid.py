"""Draft level 2 questions, which do not name their subject, so that the reader must first infer the subject. Ten passages are
retrieved with the question of a level 1 item; the agent chooses up to five of the passages and asks a new question that does
not name its subject."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from builders.drafting.prompting import ask_draft, draft_item, places, sampling
from builders.task import FACTOID_METRICS, Kit, Task, Window, WindowRule
from core.errors import BenchError
from core.nouns import Hit, Item, Span
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from prompts.prompt import load
from prompts.reply import Reply, ask_for

NAME = "implicit_factoid"
PROMPT = "draft/implicit_factoid"
RETRIEVED_PASSAGES = 10
"""Number of passages that a level 1 question retrieves for a level 2 draft, as in HawkBench."""
MAX_CHOSEN_PASSAGES = 5
"""Maximum number of the retrieved passages that the agent may choose for a draft."""


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item; yield none if the agent finds no retrieved passage useful. Raises BenchError if the window has no
    level 1 item to start from."""
    source = window.source
    if source is None:
        raise BenchError("A level 2 draft starts from a stored level 1 item: draft explicit_factoid first.")
    hits = kit.search(window.given_documents, source.question, RETRIEVED_PASSAGES)
    if not hits:
        return
    chosen = await _choose(source, hits, window, kit)
    spans = [hits[n - 1].span for n in chosen.values["passages"]]
    if not spans:
        return
    sentences = _sentences(spans, kit)
    asked = {"question": source.question, "answer": source.answers[0]}
    reply = await ask_draft(PROMPT, window, kit, sentences, asked, max_tokens=512)
    if "none" in reply.values:
        return
    steps: list[dict[str, Any]] = [
        {"kind": "source_item", "item": source.id, "revision": source.revision} | asked,
        {"kind": "passages", "spans": places([hit.span for hit in hits])},
        {"kind": "chosen", "spans": places(spans)},
    ]
    evidence = sentences.spans(reply.values["evidence"])
    labels = {"referent": reply.values["referent"]}
    calls = (*chosen.calls, *reply.calls)
    yield draft_item(NAME, 2, window, kit, reply, PROMPT, reply.values["answer"], evidence, labels, steps, calls)


async def _choose(source: Item, hits: Sequence[Hit], window: Window, kit: Kit) -> Reply:
    """Return the agent's reply with the numbers (from 1) of the passages that the agent chose, which are at most
    MAX_CHOSEN_PASSAGES and may be none."""
    passages = number_sentences([_passage(hit.span, kit) for hit in hits])

    def check(values: dict[str, Any]) -> str | None:
        wrong = [n for n in values["passages"] if not 1 <= n <= len(hits)]
        if wrong:
            return f"passage {wrong[0]} was chosen, but only 1 to {len(hits)} were shown"
        many = len(set(values["passages"]))
        return None if many <= MAX_CHOSEN_PASSAGES else f"{many} passages were chosen; choose at most {MAX_CHOSEN_PASSAGES}"

    inputs = {"question": source.question, "passages": passages, "count": min(MAX_CHOSEN_PASSAGES, len(hits))}
    prompt = load("extract/select_passages", window.language)
    reply = await ask_for(kit.ask, prompt, inputs, sampling(kit, 256, temperature=0.0), check)
    return Reply({"passages": sorted(set(reply.values["passages"]))}, reply.calls)


def _passage(span: Span, kit: Kit) -> Sentence:
    """Return a whole passage as one Sentence, so that the passage gets a single number in the prompt."""
    parts = kit.cut_sentences(span)
    return Sentence(span, " ".join(part.text for part in parts), parts[0].title if parts else "")


def _sentences(spans: Sequence[Span], kit: Kit) -> NumberedSentences:
    """Return the distinct sentences of the chosen passages, numbered in the order of the documents."""
    order = sorted(spans)
    by_span = {sentence.span: sentence for span in order for sentence in kit.cut_sentences(span)}
    return number_sentences(tuple(by_span.values()))


TASK = Task(
    label={"en": "Implicit factoid", "zh": "隐性事实"},
    definition={
        "en": "The question does not name the thing it asks about but describes it; the reader must first find out what is "
        "meant, then find the fact. The answer is a short span or phrase.",
        "zh": "问题不直接点名所问的对象，而是描述它；回答者须先弄清所指为何，再找出事实。答案是简短的词语或短句。",
    },
    level=2,
    window=WindowRule(tokens=1024, source_task="explicit_factoid"),
    draft=draft,
    prompt=PROMPT,
    gates=("evidence", "language", "referent", "figures", "self_contained", "duplicate", "level"),
    answer_prompt="answer/short",
    metrics=FACTOID_METRICS,
    length_hint=256,
)
