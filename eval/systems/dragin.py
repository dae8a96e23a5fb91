"""dragin: a local model generates the answer, and its own attention and uncertainty decide when to search and with which words
(DRAGIN, Su et al. 2024: RIND decides when, QFS decides which words). The system needs the folder of a model that can run with
eager attention.

The score of a word is its share of the sentence's attention, times the mean entropy of its tokens, times the number of words in
the sentence. The first sentence with a content word whose score exceeds theta triggers a search. The query consists of the
words that received the most attention from the triggering words. Because spaCy's models are not available from a package
registry, the project's own splitter splits sentences, and content words are the words that are not stop words; each trace
states this."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.huggingface.inside import ModelView, TokenWord
from core.agent import Completion
from core.errors import BenchError
from core.nouns import Hit
from core.text.language import find_row
from core.text.text import content_words, count_tokens, split_sentences
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, AttentionProbe, Question, SystemAdapter, Tools
from eval.workflows.adaptive import append_piece, find_first_sentence, list_passages, number_passages, refuse_agent
from eval.workflows.answering import date_question_text, make_sampling
from eval.workflows.extraction import ANSWER_ENDINGS, PHRASES, find_said_answer
from eval.workflows.hops import make_output_step, make_query_step
from eval.workflows.shots import SHOTS, add_shots
from prompts.prompt import load

PROMPT = "answer/step_by_step"
TRACE_NOTES = {"sentences": "built-in splitter", "content_words": "stop-word filter"}
"""Note in every trace that says how sentences and content words were determined."""
FINAL_CALL_TOKENS = 20
"""Maximum number of tokens of the last call, which completes an answer."""


class ScoredWord(NamedTuple):
    """One generated word in its sentence, with its score and whether the score triggers a search."""

    text: str
    start: int
    """Offset of the word in its sentence."""
    score: float
    is_hit: bool


class Trigger(NamedTuple):
    """The first generated sentence with a word that triggers a search."""

    before: str
    """Text that was generated before the sentence."""
    sentence: str
    words: tuple[ScoredWord, ...]

    @property
    def worst_word(self) -> ScoredWord:
        return max((word for word in self.words if word.is_hit), key=lambda word: word.score)


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Settings) -> None:
    """Read the model's attention once, before generation starts; this switches the model to eager attention."""
    await _require_probe(tools)(questions[0].text)


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    """Generate the answer. The trace's output step records why generation ended: answer, stop, nothing_new, max_tokens,
    max_steps."""
    search, probe, language = tools.search_for("dragin"), _require_probe(tools), question.language
    prompt = add_shots(load(PROMPT, language), question, ANSWER_ENDINGS[language])
    searches: list[Sequence[Hit]] = []
    text, ended = "", "max_steps"

    async def write(so_far: str, passages: str, tokens: int = settings["look_ahead"]) -> Completion:
        inputs = {"question": date_question_text(question), "context": passages, "so_far": ""}
        return await tools.agent(prompt, inputs, make_sampling(settings, tokens, logprobs=True, prefill=so_far))

    for _ in range(settings["max_steps"]):
        old = text
        new = await write(text, "")
        generated = _read_generation(new)
        view = await probe(list(generated["ids"]), bool(find_row(language).separator))
        trigger = find_trigger(new.text, view, list(generated["entropies"]), settings["theta"], language)
        if trigger is None:
            text = append_piece(text, new.text, language)
        else:
            query = await make_query(question, text, trigger, probe, settings)
            token, score = trigger.worst_word.text, trigger.worst_word.score
            tools.note(make_query_step(query, token=token, score=score, threshold=settings["theta"], **TRACE_NOTES))
            searches.append(search(query, settings["top_k"]))
            before = append_piece(text, trigger.before, language)
            new = await write(before, number_passages(searches[-1], tools))
            text = append_piece(before, new.text[: find_first_sentence(new.text, language)], language)
        if find_said_answer(text) is not None:
            ended = "answer"
        elif len(text.strip()) <= len(old.strip()):
            ended = "nothing_new"
        elif trigger is None and new.finish == "stop":
            ended = "stop"
        elif count_tokens(text, language) >= settings["max_tokens"]:
            ended = "max_tokens"
        else:
            continue
        break
    if find_said_answer(text) is None and settings["finish_answer"]:
        begun = append_piece(text.rstrip() + " " if text.strip() else "", PHRASES[language], language)
        passages = number_passages(searches[-1], tools) if searches else ""
        more = (await write(begun, passages, FINAL_CALL_TOKENS)).text.strip()
        text = f"{begun} {more}" if more else text
    answer = find_said_answer(text)
    tools.note(make_output_step(text, extracted=answer is not None, ended=ended, entropy="raw logits", **TRACE_NOTES))
    return Answer(answer or "", retrieved=list_passages(searches))


def find_trigger(text: str, view: ModelView, entropies: Sequence[float], theta: float, language: str) -> Trigger | None:
    """Return the first sentence with a content word whose score exceeds `theta`, or None if there is none (DRAGIN's RIND).
    `view` has the attention, and `entropies` the entropies, of the text's tokens."""
    places = place_words(view.words, text)
    for start, end in split_sentences(text, language):
        inside = [(place, word) for place, word in zip(places, view.words, strict=False) if start <= place < end]
        words = [word for _, word in inside]
        attention = np.array([view.peaks[word.first : word.end].sum() for word in words])
        if not words or attention.sum() <= 0:
            continue
        entropy = np.array([np.mean(entropies[word.first : word.end]) for word in words])
        scores = attention / attention.sum() * entropy * len(words)
        scored = tuple(
            ScoredWord(word.text, place - start, float(score), bool(score > theta and content_words(word.text, language)))
            for (place, word), score in zip(inside, scores, strict=True)
        )
        if any(word.is_hit for word in scored):
            return Trigger(text[:start] if text[:start].strip() else "", text[start:end], scored)
    return None


async def make_query(question: Question, text: str, trigger: Trigger, probe: AttentionProbe, settings: Settings) -> str:
    """Return the query for a search: the earlier words that get most attention from the triggering words, in text order
    (DRAGIN's QFS). These words come from the question, the text before, and the sentence; if none is a content word, the query
    is the question's own."""
    language = question.language
    before = "".join(f"{part.strip()} " for part in (date_question_text(question), text, trigger.before) if part.strip())
    whole = before + trigger.sentence
    view = await probe(whole, bool(find_row(language).separator))
    ranges = [(len(before) + w.start, len(before) + w.start + len(w.text)) for w in trigger.words if w.is_hit]
    hits = [
        at
        for at, (place, word) in enumerate(zip(place_words(view.words, whole), view.words, strict=False))
        if any(place < end and start < place + len(word.text) for start, end in ranges)
    ]
    words = select_most_attended(view, hits, settings["query_words"], language)
    while len(words) > 1 and count_tokens(" ".join(words), language) > settings["query_tokens"]:
        words = words[1:]
    return (find_row(language).separator).join(words) or question.query


def place_words(words: Sequence[TokenWord], text: str) -> list[int]:
    """Return the offsets of the words in the text, in order; stop at the first word that does not occur in the remaining
    text."""
    places, at = list[int](), 0
    for word in words:
        start = text.find(word.text, at)
        if start < 0:
            break
        places.append(start)
        at = start + len(word.text)
    return places


def select_most_attended(view: ModelView, hits: Sequence[int], limit: int, language: str) -> list[str]:
    """Return the content words before `hits` (indexes of words) that get the most attention from the words at `hits`, in text
    order."""
    if not hits:
        return []
    weights = np.mean([sum_attention(view, hit) for hit in hits], axis=0)
    eligible = [
        at
        for at, word in enumerate(view.words)
        if at < max(hits) and at not in hits and weights[at] > 0 and content_words(word.text, language)
    ]
    best = sorted(sorted(eligible, key=lambda at: (-weights[at], at))[:limit])
    return [view.words[at].text for at in best]


def sum_attention(view: ModelView, at: int) -> NDArray[np.float64]:
    """Return the attention that each earlier word gets from the word at the index `at`: summed over the word's tokens and
    divided by their number."""
    word, total = view.words[at], np.zeros(len(view.words))
    for token in range(max(word.first, 1), word.end):
        row = view.weights[token - 1, : word.first].astype(float)
        row = row / row.sum() if row.sum() > 0 else row
        total[:at] += [row[other.first : other.end].sum() for other in view.words[:at]]
    return total / (word.end - word.first)


def _require_probe(tools: Tools) -> AttentionProbe:
    if tools.probe is None:
        instead = "choose a local model as huggingface:FOLDER_OR_NAME"
        raise refuse_agent("dragin", "a model whose attention can be seen", instead)
    return tools.probe


def _read_generation(completion: Completion) -> Mapping[str, Any]:
    if completion.raw is None or "entropies" not in completion.raw:
        raise BenchError("The agent returned no token entropies: dragin needs a local model, such as huggingface:FOLDER.")
    return completion.raw


SYSTEM = SystemAdapter(
    label="DRAGIN",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    capability="attention",
    settings={
        **SHOTS,
        "theta": Setting(
            1.2, "Score above which a word triggers a search; tune it for each model: papers use 0.6, 1.2 and 10."
        ),
        "look_ahead": Setting(64, "Number of tokens generated per call.", 1),
        "max_tokens": Setting(256, "Maximum number of tokens generated in total, estimated from the words.", 1),
        "max_steps": Setting(10, "Maximum number of rounds of generation.", 1),
        "query_words": Setting(25, "Maximum number of words of a query.", 1),
        "query_tokens": Setting(64, "Number of last tokens used of a longer query, estimated from its words.", 1),
        "finish_answer": Setting(
            True, 'If the generated text has no answer, one more call continues it after "So the answer is".'
        ),
        "top_k": replace(TOP_K, default=3),
    },
    check_ready=check_ready,
    answer=answer,
)
