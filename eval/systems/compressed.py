"""compressed: shortens the retrieved passages (or, without a retriever, the question's whole documents), and the agent answers
from the shortened text."""

import asyncio
import math
from collections.abc import Sequence

from core.errors import BenchError
from core.nouns import Span, Step
from core.retrieval.embeddings import explain_unusable, score_texts
from core.retrieval.prompt_compressor import prompt_compressor
from core.text.text import count_tokens, split_sentences
from eval.embedding_settings import OPTION_SETTINGS, load_embedder
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages, join_question_text, list_whole_documents


def open_compressor(_questions: Sequence[Question], settings: Settings) -> Settings:
    """Return the settings, with LLMLingua's compressor loaded if the setting method is llmlingua2."""
    if settings["rate"] == 0:
        raise BenchError("The setting rate is 0, so no text would be left to answer from: give a number above 0 and at most 1.")
    if settings["method"] != "llmlingua2":
        return settings
    model = prompt_compressor(settings["compressor"], settings["device"], settings["dtype"], settings["trust_remote_code"])
    return {**settings, "lingua": model}


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    ranked = None
    if tools.retrieve is not None:
        ranked = tuple(hit.span for hit in tools.retrieve(question.query, settings["top_k"]))
    spans = sorted(ranked or ()) or list_whole_documents(question.given, tools)
    if not spans:
        raise SystemFailed("Nothing was found, and no document belongs to this question.", stop="no_documents")
    language, rate = question.language, settings["rate"]
    whole = join_passages(tools.text(span) for span in spans)
    sentences: list[Span] = []
    if settings["method"] == "extractive":
        words = join_question_text(question)
        sentences = select_nearest(spans, words, language, rate, tools, settings)
        context = join_passages(tools.text(span) for span in sentences)
        how = f"{len(sentences)} sentences nearest the question"
    else:
        if (lingua := settings.get("lingua")) is None:  # a dry run, which only counts the model's calls, has no compressor
            context = whole[: math.ceil(rate * len(whole))]
        else:
            context = await asyncio.to_thread(lingua.compress, whole, rate)
        how = "words dropped by LLMLingua-2"
    before, after = count_tokens(whole, language), count_tokens(context, language)
    note = f"{before:,} tokens before, {after:,} after ({after / before:.0%}; rate {rate:g}): {how}"
    tools.note(Step("observation", note if sentences else f"{note}\n\n{context}", spans=tuple(sentences)))
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


def select_nearest(
    spans: Sequence[Span], words: str, language: str, rate: float, tools: Tools, settings: Settings
) -> list[Span]:
    """Return the sentences most similar to the question `words`, in text order, with at most the share `rate` of all tokens,
    but at least one sentence."""
    pieces = [
        Span(span.document, span.start + a, span.start + b)
        for span in spans
        for a, b in split_sentences(tools.text(span), language)
        if tools.text(span)[a:b].strip()
    ]
    texts = [tools.text(piece) for piece in pieces]
    model = load_embedder(settings, tools.embedder, texts, language)
    if (why := explain_unusable(model, language, texts)) is not None:
        raise BenchError(f"Sentences cannot be compared in {language}: {why}")
    scores = score_texts(model, words, texts)
    sizes = [count_tokens(text, language) for text in texts]
    left = rate * sum(sizes)
    chosen: list[int] = []
    for place in sorted(range(len(pieces)), key=lambda p: -scores[p]):
        if sizes[place] <= left or not chosen:
            chosen.append(place)
            left -= sizes[place]
    return [pieces[place] for place in sorted(chosen)]


SYSTEM = SystemAdapter(
    label="Compressed",
    family="compression",
    needs_agent=True,
    open=open_compressor,
    answer=answer,
    settings={
        "top_k": TOP_K,
        "method": Setting(
            "extractive",
            "extractive: keeps the sentences nearest the question by embeddings, in their order; llmlingua2: drops words, by "
            "LLMLingua-2 (Pan et al. 2024).",
            choices=("extractive", "llmlingua2"),
        ),
        "rate": Setting(0.6, "Share of the tokens that is kept, above 0 and at most 1.", kind="share"),
        "embedding_model": Setting(
            "lexical_vectors", "Embedding model for extractive: lexical_vectors, minilm, or a model's folder."
        ),
        **OPTION_SETTINGS,
        "compressor": Setting("", "For llmlingua2: the folder of a model for token classification with two labels."),
        "trust_remote_code": Setting(False, "For llmlingua2: whether Python files in the model's folder may be run."),
    },
)
