"""Make items whose answer corrects the error in a hallucinated text and changes nothing else. An item is made from a stored
item with annotations and without an answer (UHGEval's rows), where an agent corrects the parts annotated as wrong; or from an
article, where an agent makes its true continuation wrong in one place. The retriever's query is the beginning of the text, or,
with a run's setting query=beginning_and_continuation, the beginning and the hallucinated continuation."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.drafting.prompting import ask_draft, draft_item, places, regeneration, sampling
from builders.gate import GateContext
from builders.gates.edit import check as check_edit
from builders.task import Kit, Task, Window, WindowRule
from builders.variation.edits import CLASSES, sides, support
from core.nouns import Item, Span
from core.text.language import ByLanguage, find_row
from core.text.numbered import NumberedSentences, Sentence, number_sentences
from prompts.prompt import load
from prompts.reply import Reply, ask_for

NAME = "hallucination_repair"
REPAIR = "draft/hallucination_repair"
EDIT = "draft/hallucinated_span"
MIN_SENTENCES = 4
"""Least number of sentences of an article that can be split into a beginning and a continuation."""
MIN_BEGINNING_CHARACTERS = ByLanguage({"en": 240, "zh": 80})
"""Least number of characters of the beginning of an article, which has two or more sentences."""
MAX_CONTINUATION_SENTENCES = 3
"""Maximum number of sentences of the continuation of an article."""
MAX_SHOWN_SENTENCES = 160
"""Maximum number of an article's sentences in a repair prompt."""


class Halves(NamedTuple):
    """The beginning of an article and its true continuation, with uniform white space between words."""

    first: int
    """Number of sentences in the beginning of the article."""
    beginning: str
    continuation: NumberedSentences
    true: str
    spans: tuple[Span, Span]


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield at most one item made from the window; yield none if the article is too short or the agent finds no fact to
    change."""
    item = await (_draft_edit(window, kit) if window.source is None else _draft_repair(window, window.source, kit))
    if item is not None:
        yield item


async def _draft_edit(window: Window, kit: Kit) -> Item | None:
    """Draft an item from an article: an agent makes one fact of its true continuation wrong. Return None if the article is
    unsuitable."""
    halves = _halves(window)
    if halves is None:
        return None
    shown = halves.continuation

    def check(values: dict[str, Any]) -> str | None:
        n, was, put = values["sentence"], values["was"], values["is"]
        if not 1 <= n <= len(shown):
            return f"sentence {n} was named, but only 1 to {len(shown)} were shown"
        many = _collapse_spaces(shown.sentences[n - 1]).count(was)
        if many != 1:
            return f"{was!r} stands {many} times in sentence {n}, and must stand there once"
        return "is and was say the same" if put.split() == was.split() else None

    inputs = {"beginning": halves.beginning, "sentences": shown, "classes": ", ".join(CLASSES)}
    asked = load(EDIT, window.language)
    reply = await ask_for(kit.ask, asked, inputs | regeneration(kit, window.language), sampling(kit, 256), check)
    if "none" in reply.values:
        return None
    edit, hallucinated = _label(halves, reply.values, window.language)
    sentence = shown.sentences[reply.values["sentence"] - 1]
    steps: list[Mapping[str, Any]] = [
        {"kind": "halves", "first": halves.first, "second": len(shown), "spans": places(halves.spans)},
        {"kind": "edit", "class": edit["class"], "was": edit["was"], "is": edit["is"], "span": places([sentence.span])[0]},
    ]
    whole = Reply(reply.values | {"question": halves.beginning}, reply.calls)
    item = draft_item(NAME, None, window, kit, whole, EDIT, halves.true, [sentence.span], {"edit": edit}, steps)
    item = replace(item, inputs={"hallucinated": hallucinated}, given=(sentence.span.document,))
    return item if kit.is_offline else await _judge_item(item, sentence.text, kit)


async def _judge_item(item: Item, evidence: str, kit: Kit) -> Item:
    """Return the item; if the gate `edit` needs a judge's verdict on the true and the edited sentence, the verdict is added."""
    if "judge" not in check_edit(item, GateContext(text_of=lambda span: evidence)).details:
        return item
    both = sides(item.answers[0], item.inputs["hallucinated"], item.labels["edit"]["start"], item.language)
    step = await support(kit, item.language, evidence, both)
    provenance = replace(item.provenance, calls=(*item.provenance.calls, *step["calls"]))
    return replace(item, steps=(*item.steps, step), provenance=provenance)


async def _draft_repair(window: Window, source: Item, kit: Kit) -> Item | None:
    """Draft an item from a stored hallucinated text with annotated errors: an agent corrects the errors by means of the
    article."""
    hallucinated = source.inputs.get("hallucinated", "")
    wrong = [annotation for annotation in source.labels.get("annotations", ()) if not annotation["is_right"]]
    if not wrong or not hallucinated.strip():
        return None
    article = number_sentences(
        [sentence for span in window.spans for sentence in kit.cut_sentences(span)][:MAX_SHOWN_SENTENCES]
    )
    notes = "\n".join(
        f"- {annotation['keyword']}" + (f": {annotation['reason']}" if annotation["reason"] else "") for annotation in wrong
    )
    more = {"beginning": source.question, "hallucinated": hallucinated, "annotations": notes}
    reply = await ask_draft(REPAIR, window, kit, article, more, max_tokens=1024)
    if "none" in reply.values:
        return None
    step = {
        "kind": "source_item",
        "item": source.id,
        "revision": source.revision,
        "question": source.question,
        "answer": hallucinated,
    }
    evidence = article.spans(reply.values["evidence"])
    whole = Reply(reply.values | {"question": source.question}, reply.calls)
    item = draft_item(NAME, None, window, kit, whole, REPAIR, reply.values["repaired"], evidence, dict(source.labels), [step])
    return replace(item, inputs=dict(source.inputs), given=source.given)


def _halves(window: Window) -> Halves | None:
    """Split the window's first document: return its beginning and the sentences after the beginning, or None if the document
    has too few sentences."""
    own = [
        sentence
        for sentence in window.sentences.sentences
        if sentence.span.document == window.spans[0].document and _collapse_spaces(sentence)
    ]
    if len(own) < MIN_SENTENCES:
        return None
    at = 2
    while at < len(own) - 1 and sum(len(sentence.text) for sentence in own[:at]) < MIN_BEGINNING_CHARACTERS[window.language]:
        at += 1
    first, then = own[:at], own[at : at + MAX_CONTINUATION_SENTENCES]
    spans = (_span_sentences(first), _span_sentences(then))
    return Halves(
        len(first),
        _join_sentences(first, window.language),
        number_sentences(then),
        _join_sentences(then, window.language),
        spans,
    )


def _label(halves: Halves, values: Mapping[str, Any], language: str) -> tuple[dict[str, Any], str]:
    """Return (the edit that made the text wrong, as the item stores it; the hallucinated text)."""
    before = halves.continuation.sentences[: values["sentence"] - 1]
    sentence = _collapse_spaces(halves.continuation.sentences[values["sentence"] - 1])
    parted = _word_separator(language) if before else ""
    start = len(_join_sentences(before, language)) + len(parted) + sentence.index(values["was"])
    edit = {"class": values["class"], "start": start, "end": start + len(values["is"])}
    edit |= {"was": values["was"], "is": values["is"]}
    return edit, f"{halves.true[:start]}{values['is']}{halves.true[start + len(values['was']) :]}"


def _span_sentences(sentences: Sequence[Sentence]) -> Span:
    return Span(sentences[0].span.document, sentences[0].span.start, sentences[-1].span.end)


def _collapse_spaces(sentence: Sentence) -> str:
    return " ".join(sentence.text.split())


def _word_separator(language: str) -> str:
    return find_row(language).separator


def _join_sentences(sentences: Sequence[Sentence], language: str) -> str:
    return _word_separator(language).join(map(_collapse_spaces, sentences))


TASK = Task(
    label={"en": "Hallucination repair", "zh": "幻觉修正"},
    definition={
        "en": "The beginning of an article is followed by a continuation in which something is wrong. The answer is that "
        "continuation with the wrong thing put right by the documents, and nothing else changed or added.",
        "zh": "一篇文章的开头之后是一段含有错误的续文。答案是依据文档改正错误之后的续文，其余内容不改动、不增添。",
    },
    level=None,
    window=WindowRule(
        tokens=8192, source_task=NAME, is_unanswered=True, adds_texts=True, whole_documents=True, min_sentences=MIN_SENTENCES
    ),
    draft=draft,
    gates=("evidence", "language", "edit", "duplicate"),
    is_question=False,
    answer_prompt="answer/hallucination_repair",
    metrics=(
        "rouge_l_crud",
        "rouge_l",
        "token_f1",
        "bleu",
        "bleu_crud",
        "evidence_recall",
        "length",
        "seconds",
        "calls",
        "tokens",
    ),
    length_hint=512,
    queries={
        "beginning": lambda item: item.question,
        "beginning_and_continuation": lambda item: f"{item.question}\n{item.inputs.get('hallucinated', '')}",
    },
    fill=lambda item: {"question": item.question, "hallucinated": item.inputs.get("hallucinated", "")},
)
