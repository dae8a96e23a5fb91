"""compressed: the passages found, or without a retriever the question's whole documents, are made shorter before they are
answered from.

method      extractive: ours, over embeddings: the sentences nearest the question, in their order; llmlingua2: LLMLingua-2 (Pan
            et al. 2024) by the package llmlingua, which drops words
rate        share of the tokens that is kept
embedding_model    extractive: lexical_vectors, minilm, or a model's folder
compressor  llmlingua2: the folder of its model"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core.errors import BenchError
from core.load_once import load_once
from core.nouns import Span, Step
from core.retrieval.embeddings import explain_unusable
from core.text.text import count_tokens, split_sentences
from eval.running.settings import read_choice, read_share, read_text, read_whole_number
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools
from eval.workflows.answering import answer_from, join_passages, join_question_text

METHODS = ("extractive", "llmlingua2")


def open_compressor(_questions: Sequence[Question], settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """The settings, with LLMLingua's compressor where it is asked for."""
    method, rate = read_choice(settings, "method", METHODS), read_share(settings, "rate", 0.6)
    if rate == 0:
        raise BenchError("The setting rate is 0, which would leave nothing to answer from: give a number above 0, up to 1.")
    return {**settings, "lingua": _lingua(read_text(settings, "compressor"))} if method == "llmlingua2" else settings


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    ranked = None
    if tools.retrieve is not None:
        ranked = tuple(hit.span for hit in tools.retrieve(question.query, read_whole_number(settings, "top_k", 5, 1)))
    spans = sorted(ranked or ()) or [Span(d.id, 0, len(d.text)) for d in map(tools.document, question.given) if d is not None]
    if not spans:
        raise SystemFailed("Nothing was found, and no document belongs to this question.", stop="no_documents")
    language, rate = question.language, read_share(settings, "rate", 0.6)
    whole_context = join_passages(tools.text(span) for span in spans)
    kept: list[Span] = []
    if read_choice(settings, "method", METHODS) == "extractive":
        kept = select_nearest(
            spans,
            join_question_text(question),
            language,
            rate,
            tools,
            read_text(settings, "embedding_model", "lexical_vectors"),
        )
        context, what = join_passages(tools.text(span) for span in kept), f"{len(kept)} sentences nearest the question"
    else:
        what = "words dropped by LLMLingua-2"
        context = settings["lingua"].compress_prompt([whole_context], rate=rate)["compressed_prompt"]
    before, after = count_tokens(whole_context, language), count_tokens(context, language)
    told = f"{before:,} tokens before, {after:,} after ({after / before:.0%}; rate {rate:g}): {what}"
    tools.note(Step("observation", told if kept else f"{told}\n\n{context}", spans=tuple(kept)))
    return Answer(await answer_from(question, tools, context, settings), retrieved=ranked)


def select_nearest(spans: Sequence[Span], words: str, language: str, rate: float, tools: Tools, model: str) -> list[Span]:
    """The sentences that lie nearest the question, as many as that share of the tokens holds, at least one; in order."""
    pieces = [
        Span(span.document, span.start + a, span.start + b)
        for span in spans
        for a, b in split_sentences(tools.text(span), language)
        if tools.text(span)[a:b].strip()
    ]
    texts = [tools.text(piece) for piece in pieces]
    own = tools.embedder(model, texts, language)
    if (why := explain_unusable(own, language, texts)) is not None:
        raise BenchError(f"Sentences cannot be compared in {language}: {why}")
    scores = own.encode(texts) @ own.encode([words])[0]
    sizes = [count_tokens(one, language) for one in texts]
    left = rate * sum(sizes)
    kept: list[int] = []
    for place in sorted(range(len(pieces)), key=lambda p: -scores[p]):
        if sizes[place] <= left or not kept:
            kept.append(place)
            left -= sizes[place]
    return [pieces[place] for place in sorted(kept)]


@load_once()
def _lingua(folder: str) -> Any:
    """LLMLingua-2 with that model, loaded once."""
    try:
        from llmlingua import PromptCompressor
    except ImportError as error:
        raise BenchError(
            "The method llmlingua2 takes the package llmlingua, which is not installed: pip install llmlingua, or set "
            "method=extractive."
        ) from error
    if not (Path(folder) / "config.json").is_file():
        raise BenchError(f"The setting compressor is {folder!r}, no folder of a model: give that of an LLMLingua-2 model.")
    return PromptCompressor(model_name=folder, use_llmlingua2=True, device_map="cpu")


SYSTEM = SystemAdapter(
    label="Compressed",
    family="compression",
    needs_agent=True,
    open=open_compressor,
    answer=answer,
    settings={"top_k": 5, "method": "extractive", "rate": 0.6, "embedding_model": "lexical_vectors", "compressor": ""},
)
