"""Make CRUD-RAG's continuation items by reverse construction: an article is split in half by sentences; the first half is the
question, the second the answer. No agent is called, because no text is written. Each sentence of the second half is a search
query for other documents, and systems cannot retrieve the source article."""

from collections.abc import AsyncIterator, Sequence

from builders.drafting.prompting import places
from builders.drafting.reverse import SOURCE, left_out, search
from builders.task import TEXT_METRICS, Kit, Task, Window, WindowRule
from core.nouns import Item, Provenance
from core.text.language import find_row
from core.text.numbered import Sentence

NAME = "continuation"
MIN_SENTENCES = 4
"""Least number of sentences of an article that can be split into a question and an answer."""


async def draft(window: Window, kit: Kit) -> AsyncIterator[Item]:
    """Yield one item that asks for the rest of the article in the window: its first half is the question, its second half the
    answer."""
    first, second = halves(window.sentences.sentences)
    searched = await search([sentence.text for sentence in second], window, kit)
    cut = {"kind": "halves", "first": len(first), "second": len(second)}
    yield Item(
        id="",
        task=NAME,
        question=join_sentences(first, window.language),
        answers=(join_sentences(second, window.language),),
        evidence=tuple(sentence.span for sentence in second),
        domain=window.domain,
        language=window.language,
        labels={SOURCE: window.given_documents[0]},
        given=tuple(document.id for document in searched.kept),
        steps=({"kind": "window", "spans": places(window.spans), "key": window.key}, cut, *searched.steps),
        provenance=Provenance(seed=kit.seed),
    )


def halves(sentences: Sequence[Sentence]) -> tuple[Sequence[Sentence], Sequence[Sentence]]:
    """Split the sentences into two halves; if their number is odd, the first half has one more."""
    middle = (len(sentences) + 1) // 2
    return sentences[:middle], sentences[middle:]


def join_sentences(sentences: Sequence[Sentence], language: str) -> str:
    """Join the sentences into one paragraph."""
    return (find_row(language).separator).join(" ".join(sentence.text.split()) for sentence in sentences)


TASK = Task(
    label={"en": "Continuation", "zh": "续写"},
    definition={
        "en": "The question is the first half of an article, the answer its real second half. The article is kept from "
        "systems: they have to find other documents that tell how it went on.",
        "zh": "问题是一篇文章的前半部分，答案是其真实的后半部分。原文不提供给系统，系统须检索其他文档来了解后续内容。",
    },
    level=None,
    window=WindowRule(tokens=8192, whole_documents=True, min_sentences=MIN_SENTENCES),
    draft=draft,
    gates=("evidence", "language", "support", "duplicate"),
    is_question=False,
    answer_prompt="answer/continuation",
    metrics=TEXT_METRICS,
    length_hint=1024,
    searches=True,
    excluded_documents=left_out,
)
