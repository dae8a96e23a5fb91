"""dragin: a local model writes, and its own attention and uncertainty say where it needs a search and with which words (DRAGIN,
Su et al. 2024: RIND for when, QFS for what). Needs a model folder that runs with eager attention.

A word's score is its share of the sentence's attention, times the entropy of its tokens, times the sentence's words; the first
sentence with a content word over theta triggers. The query is made of the words that the triggering ones looked at most. As
spaCy's models cannot be had from a package registry, sentences are split by our own splitter and content words are those that
are no stop words; each trace says so.

theta          score over which a word triggers a search; to be tuned for each model: 0.6, 1.2 and 10 are known from papers
look_ahead     tokens written at once
max_tokens     tokens of all that is written at most, estimated from its words
max_steps      rounds of writing at most
query_words    words of a query at most
query_tokens   of a query that is longer, the last so many tokens, estimated from its words, are searched with
finish_answer  where no answer stands in what was written, one more call goes on behind "So the answer is"
top_k          passages that a search gives
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release; DRAGIN's own code shows 6
to 8"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.huggingface.inside import ModelView, TokenWord
from core.agent import Completion
from core.errors import BenchError
from core.nouns import Hit
from core.text.text import content_words, count_tokens, split_sentences
from eval.running.settings import read_flag, read_number
from eval.system import Answer, AttentionProbe, Question, SystemAdapter, Tools
from eval.workflows.adaptive import (
    append_piece,
    find_first_sentence,
    list_passages,
    make_sampling,
    number_passages,
    read_positive,
    refuse_agent,
    require_agent,
)
from eval.workflows.answering import date_question_text
from eval.workflows.extraction import ANSWER_ENDINGS, PHRASES, find_said_answer
from eval.workflows.hops import make_output_step, make_query_step
from eval.workflows.prompting import require_search
from eval.workflows.shots import SETTINGS as SHOTS
from eval.workflows.shots import add_shots
from prompts.prompt import load

PROMPT = "answer/step_by_step"
TRACE_NOTES = {"sentences": "built-in splitter", "content_words": "stop-word filter"}
"""What every trace says of how it was made."""
FINAL_CALL_TOKENS = 20
"""Tokens of the call that finishes an answer."""


class ScoredWord(NamedTuple):
    """One word that was written, in its sentence."""

    text: str
    start: int
    """Where it stands in the sentence."""
    score: float
    is_hit: bool


class Trigger(NamedTuple):
    """The first sentence with a hit."""

    before: str
    """What was written before it."""
    sentence: str
    words: tuple[ScoredWord, ...]

    @property
    def worst_word(self) -> ScoredWord:
        return max((word for word in self.words if word.is_hit), key=lambda word: word.score)


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Mapping[str, Any]) -> None:
    """Looks into the model once, before anything is written: from then on it works with eager attention."""
    for name in ("top_k", "look_ahead", "max_tokens", "max_steps", "query_words", "query_tokens"):
        read_positive(settings, name)
    read_number(settings, "theta", 1.0)
    read_flag(settings, "finish_answer", True)
    await _look(tools)(questions[0].text)


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The output step says what ended the writing: answer, stop, nothing_new, max_tokens, max_steps."""
    search, look, language = require_search(tools, "dragin"), _look(tools), question.language
    prompt = add_shots(load(PROMPT, language), question, ANSWER_ENDINGS[language])
    found: list[Sequence[Hit]] = []
    text, ended = "", "max_steps"

    async def write(so_far: str, passages: str, tokens: int) -> Completion:
        inputs = {"question": date_question_text(question), "context": passages, "so_far": ""}
        sampling = make_sampling(settings, tokens, logprobs=True, prefill=so_far)
        return await require_agent(tools)(prompt, inputs, sampling)

    for _ in range(read_positive(settings, "max_steps")):
        old = text
        new = await write(text, "", read_positive(settings, "look_ahead"))
        trigger = find_trigger(
            new.text, await look(_ids(new), language != "zh"), _entropies(new), read_number(settings, "theta", 1.0), language
        )
        if trigger is None:
            text = append_piece(text, new.text, language)
        else:
            query = await make_query(question, text, trigger, look, settings)
            tools.note(
                make_query_step(
                    query,
                    token=trigger.worst_word.text,
                    score=trigger.worst_word.score,
                    threshold=settings["theta"],
                    **TRACE_NOTES,
                )
            )
            found.append(search(query, read_positive(settings, "top_k")))
            kept = append_piece(text, trigger.before, language)
            new = await write(kept, number_passages(found[-1], tools), read_positive(settings, "look_ahead"))
            text = append_piece(kept, new.text[: find_first_sentence(new.text, language)], language)
        if find_said_answer(text) is not None:
            ended = "answer"
        elif len(text.strip()) <= len(old.strip()):
            ended = "nothing_new"
        elif trigger is None and new.finish == "stop":
            ended = "stop"
        elif count_tokens(text, language) >= read_positive(settings, "max_tokens"):
            ended = "max_tokens"
        else:
            continue
        break
    if find_said_answer(text) is None and read_flag(settings, "finish_answer", True):
        begun = append_piece(text.rstrip() + " " if text.strip() else "", PHRASES[language], language)
        more = (await write(begun, number_passages(found[-1], tools) if found else "", FINAL_CALL_TOKENS)).text
        text = f"{begun} {more.strip()}" if more.strip() else text
    answer_ = find_said_answer(text)
    tools.note(make_output_step(text, extracted=answer_ is not None, ended=ended, entropy="raw logits", **TRACE_NOTES))
    return Answer(answer_ or "", retrieved=list_passages(found))


def find_trigger(text: str, seen: ModelView, entropies: Sequence[float], theta: float, language: str) -> Trigger | None:
    """RIND: the first sentence with a content word whose score is over theta. `seen` and `entropies` are of the tokens that
    make up the text."""
    places = place_words(seen.words, text)
    for start, end in split_sentences(text, language):
        inside = [(place, word) for place, word in zip(places, seen.words, strict=False) if start <= place < end]
        words = [word for _, word in inside]
        looked_at = np.array([seen.peaks[word.first : word.end].sum() for word in words])
        if not words or looked_at.sum() <= 0:
            continue
        unsure = np.array([np.mean(entropies[word.first : word.end]) for word in words])
        scores = looked_at / looked_at.sum() * unsure * len(words)
        judged = tuple(
            ScoredWord(word.text, place - start, float(score), bool(score > theta and content_words(word.text, language)))
            for (place, word), score in zip(inside, scores, strict=True)
        )
        if any(word.is_hit for word in judged):
            return Trigger(text[:start] if text[:start].strip() else "", text[start:end], judged)
    return None


async def make_query(question: Question, text: str, trigger: Trigger, look: AttentionProbe, settings: Mapping[str, Any]) -> str:
    """QFS: the words of question and text before that the triggering words looked at most, in the order of the text; the
    question where no such word says anything."""
    language = question.language
    before = "".join(f"{part.strip()} " for part in (date_question_text(question), text, trigger.before) if part.strip())
    whole = before + trigger.sentence
    seen = await look(whole, language != "zh")
    ranges = [(len(before) + w.start, len(before) + w.start + len(w.text)) for w in trigger.words if w.is_hit]
    hits = [
        at
        for at, (place, word) in enumerate(zip(place_words(seen.words, whole), seen.words, strict=False))
        if any(place < end and start < place + len(word.text) for start, end in ranges)
    ]
    words = select_most_attended(seen, hits, read_positive(settings, "query_words"), language)
    while len(words) > 1 and count_tokens(" ".join(words), language) > read_positive(settings, "query_tokens"):
        words = words[1:]
    return ("" if language == "zh" else " ").join(words) or question.query


def place_words(words: Sequence[TokenWord], text: str) -> list[int]:
    """Where each word stands in the text; shorter than the words where the text ends before them."""
    found, at = list[int](), 0
    for word in words:
        start = text.find(word.text, at)
        if start < 0:
            break
        found.append(start)
        at = start + len(word.text)
    return found


def select_most_attended(seen: ModelView, hits: Sequence[int], most: int, language: str) -> list[str]:
    """The content words before the hits, themselves no hits, that the hits look at most, in their order."""
    if not hits:
        return []
    weights = np.mean([sum_attention(seen, hit) for hit in hits], axis=0)
    kept = [
        at
        for at, word in enumerate(seen.words)
        if at < max(hits) and at not in hits and weights[at] > 0 and content_words(word.text, language)
    ]
    best = sorted(sorted(kept, key=lambda at: (-weights[at], at))[:most])
    return [seen.words[at].text for at in best]


def sum_attention(seen: ModelView, at: int) -> NDArray[np.float64]:
    """How much the tokens of one word looked at each word before it when they were about to be written: each row is that of the
    token before, over what stands before the word alone."""
    word, total = seen.words[at], np.zeros(len(seen.words))
    for token in range(max(word.first, 1), word.end):
        row = seen.weights[token - 1, : word.first].astype(float)
        row = row / row.sum() if row.sum() > 0 else row
        total[:at] += [row[other.first : other.end].sum() for other in seen.words[:at]]
    return total / (word.end - word.first)


def _look(tools: Tools) -> AttentionProbe:
    if tools.look is None:
        raise refuse_agent(
            "dragin", "a model whose attention can be seen", "choose a local model as huggingface:FOLDER_OR_NAME"
        )
    return tools.look


def _ids(completion: Completion) -> list[int]:
    return list(_read_generation(completion)["ids"])


def _entropies(completion: Completion) -> list[float]:
    return list(_read_generation(completion)["entropies"])


def _read_generation(completion: Completion) -> Mapping[str, Any]:
    """What a local model keeps of a generation beside its text."""
    if completion.raw is None or "entropies" not in completion.raw:
        raise BenchError("The agent told no entropies of what it wrote: dragin needs a local model, as huggingface:FOLDER.")
    return completion.raw


SYSTEM = SystemAdapter(
    label="DRAGIN",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    wants="attention",
    settings={
        **SHOTS,
        "theta": 1.2,
        "look_ahead": 64,
        "max_tokens": 256,
        "max_steps": 10,
        "query_words": 25,
        "query_tokens": 64,
        "finish_answer": True,
        "top_k": 3,
    },
    ready=check_ready,
    answer=answer,
)
