"""flare: writes sentence by sentence and searches where the endpoint's probabilities say that it is unsure of one; the sentence
is then written anew from what was found (after FLARE, Jiang et al. 2023; logit-based, not DRAGIN: no attention is seen).

theta         an unsure token: its probability is under this; with unsure_by topk_entropy, its entropy is over it
unsure_by     probability or topk_entropy: nats over the top_logprobs likeliest tokens, the rest taken together, so at most the
              true entropy
top_logprobs  likeliest tokens asked for at each place, for topk_entropy
query_of      masked: the sentence without its tokens of a probability under mask_below; sentence: all of it
mask_below    probability under which a token is left out of the query
first_search  search with the question before the first sentence
look_ahead    tokens written at once, of which the first sentence is looked at
max_tokens    tokens of all that is written at most, as the look-aheads' words are counted
max_steps     sentences at most
top_k         passages that a search gives
top_p         share of the probability that tokens are drawn from; with temperature 0 there is no draw
go_on         how an agent is told what it wrote so far: turn (in the user's turn), message (as a message that is not finished),
              text (as one text, to /v1/completions)
shots, shot_seed   see eval/workflows/shots.py: worked examples, drawn from items outside the release"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.agent import Completion
from core.errors import AgentError, BenchError
from core.nouns import Hit
from core.text.text import content_words, count_tokens
from eval.running.settings import read_choice, read_flag, read_number, read_share
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.adaptive import (
    GO_ON,
    AddedText,
    append_piece,
    continue_reply,
    count_repeated_sentences,
    find_first_sentence,
    list_passages,
    make_sampling,
    number_passages,
    read_positive,
    refuse_agent,
    require_agent,
)
from eval.workflows.answering import date_question_text
from eval.workflows.extraction import ANSWER_ENDINGS, find_said_answer
from eval.workflows.hops import make_output_step, make_query_step
from eval.workflows.prompting import require_search
from eval.workflows.shots import SETTINGS as SHOTS
from eval.workflows.shots import add_shots
from prompts.prompt import load

PROMPT = "answer/step_by_step"
UNSURE_BY = ("probability", "topk_entropy")
QUERY_OF = ("masked", "sentence")


class UnsureToken(NamedTuple):
    """A token that a search was triggered by."""

    token: str
    score: float


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Mapping[str, Any]) -> None:
    """Asks for one token, to see whether the endpoint tells its probability. What it said in an earlier run is no reason to
    refuse this one: an endpoint may have been set up anew."""
    _check_settings(settings)
    prompt, sampling = load(PROMPT, questions[0].language), _sampling(settings, 1)
    inputs = {"question": date_question_text(questions[0]), "context": "", "so_far": ""}
    try:
        completion = await require_agent(tools)(prompt, inputs, sampling)
        if completion.cached and completion.logprobs is None:
            completion = await require_agent(tools)(prompt, inputs, replace(sampling, index=time.time_ns()))
    except AgentError as error:
        if error.kind != "refused":
            raise
        raise _refuse_endpoint(f"it was refused: {error}") from error
    _read_probabilities(completion, settings)


async def answer(question: Question, tools: Tools, settings: Mapping[str, Any]) -> Answer:
    """The output step says what ended the writing: answer, stop, nothing_new, max_tokens, max_steps."""
    _check_settings(settings)
    search, k, most = require_search(tools, "flare"), read_positive(settings, "top_k"), read_positive(settings, "max_tokens")
    prompt = add_shots(load(PROMPT, question.language), question, ANSWER_ENDINGS[question.language])
    found: list[Sequence[Hit]] = []
    text = context = ""

    async def write() -> AddedText:
        inputs = {"question": date_question_text(question), "context": context}
        sampling = _sampling(settings, read_positive(settings, "look_ahead"))
        return await continue_reply(tools, prompt, inputs, text, settings, sampling, count_repeated_sentences)

    def look_up(query: str, **trigger: Any) -> str:
        tools.note(make_query_step(query, **trigger))
        found.append(search(query, k))
        return number_passages(found[-1], tools)

    if read_flag(settings, "first_search", False):
        context = look_up(question.query, marker="first search")
    ended = "max_steps"
    for _ in range(read_positive(settings, "max_steps")):
        piece = await write()
        end = find_first_sentence(piece.text, question.language)
        unsure = find_unsure_token(piece, end, settings)
        if unsure and piece.text[:end].strip():
            query = make_query(piece, end, settings, question.language) or question.query
            context = look_up(query, token=unsure.token, score=unsure.score, threshold=settings["theta"])
            piece = await write()
            end = find_first_sentence(piece.text, question.language)
        if not piece.text[:end].strip():
            ended = "nothing_new"
            break
        text = append_piece(text, piece.text[:end], question.language)
        if find_said_answer(text) is not None:
            ended = "answer"
            break
        if piece.completion.finish != "length" and not piece.text[end:].strip():
            ended = "stop"
            break
        if count_tokens(text, question.language) >= most:
            ended = "max_tokens"
            break
    answer_ = find_said_answer(text)
    tools.note(make_output_step(text, extracted=answer_ is not None, ended=ended))
    return Answer(answer_ or "", retrieved=list_passages(found))


def find_unsure_token(piece: AddedText, end: int, settings: Mapping[str, Any]) -> UnsureToken | None:
    """The token of the sentence that the agent was least sure of, where that is enough for a search."""
    by_entropy = read_choice(settings, "unsure_by", UNSURE_BY) == "topk_entropy"
    theta = read_number(settings, "theta", 0.8)
    tokens = _tokens(piece, end, settings)
    if by_entropy:
        tops = piece.completion.alternatives or ()
        scored = [UnsureToken(token, compute_topk_entropy(tops[at])) for at, token, _ in tokens]
        most = max(scored, key=lambda one: one.score, default=None)
        return most if most and most.score > theta else None
    least = min((UnsureToken(token, math.exp(log)) for _, token, log in tokens), key=lambda one: one.score, default=None)
    return least if least and least.score < theta else None


def make_query(piece: AddedText, end: int, settings: Mapping[str, Any], language: str) -> str:
    """The sentence, without the tokens that the agent hardly believed itself; "" when no word is left that says anything."""
    sentence = " ".join(piece.text[:end].split())
    if read_choice(settings, "query_of", QUERY_OF) == "masked":
        low = read_share(settings, "mask_below", 0.4)
        kept = [token if math.exp(log) >= low else " " for _, token, log in _tokens(piece, end, settings)]
        sentence = " ".join("".join(kept).split())
    return sentence if content_words(sentence, language) else ""


def compute_topk_entropy(logs: Sequence[float]) -> float:
    """-sum p log p of the likeliest tokens and of all the rest as one token: at most the entropy over all of them."""
    shares = [math.exp(log) for log in logs]
    rest = 1.0 - sum(shares)
    return -sum(p * math.log(p) for p in (*shares, rest) if p > 1e-9)


def _tokens(piece: AddedText, end: int, settings: Mapping[str, Any]) -> list[tuple[int, str, float]]:
    """(place, token, log of its probability) of those that make up the piece up to `end`; each with a word's letter in it."""
    found, at = [], 0
    for place, (token, log) in enumerate(_read_probabilities(piece.completion, settings)):
        if piece.skipped <= at < piece.skipped + end:
            found.append((place, token, log))
        at += len(token)
    return found


def _read_probabilities(completion: Completion, settings: Mapping[str, Any]) -> Sequence[tuple[str, float]]:
    """The tokens' probabilities; an empty completion has none to tell."""
    if completion.logprobs is None and completion.text:
        raise _refuse_endpoint("it tells none")
    if read_choice(settings, "unsure_by", UNSURE_BY) == "topk_entropy" and completion.alternatives is None and completion.text:
        raise _refuse_endpoint("it tells none of the tokens that it did not choose (top_logprobs)")
    return completion.logprobs or ()


def _refuse_endpoint(why: str) -> BenchError:
    return refuse_agent(
        "flare",
        f"an endpoint that tells the probabilities of its tokens, and this one does not ({why})",
        "choose another agent, or search_o1, which needs none",
    )


def _sampling(settings: Mapping[str, Any], tokens: int) -> Any:
    tops = read_positive(settings, "top_logprobs") if read_choice(settings, "unsure_by", UNSURE_BY) == "topk_entropy" else 0
    return make_sampling(settings, tokens, logprobs=True, top_logprobs=tops)


def _check_settings(settings: Mapping[str, Any]) -> None:
    """Raises BenchError on a setting that no question could be answered with."""
    for name in ("top_k", "look_ahead", "max_tokens", "max_steps", "top_logprobs"):
        read_positive(settings, name)
    for name in ("mask_below", "top_p"):
        read_share(settings, name, 1.0)
    read_number(settings, "theta", 0.8)
    read_flag(settings, "first_search", False)
    for name, of in (("go_on", GO_ON), ("unsure_by", UNSURE_BY), ("query_of", QUERY_OF)):
        read_choice(settings, name, of)


SYSTEM = SystemAdapter(
    label="FLARE",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    wants="logprobs",
    settings={
        **SHOTS,
        "theta": 0.8,
        "unsure_by": "probability",
        "top_logprobs": 5,
        "query_of": "masked",
        "mask_below": 0.4,
        "first_search": False,
        "look_ahead": 64,
        "max_tokens": 256,
        "max_steps": 10,
        "top_k": 3,
        "top_p": 1.0,
        "go_on": "turn",
    },
    words={"unsure_by": UNSURE_BY, "query_of": QUERY_OF, "go_on": GO_ON},
    ready=check_ready,
    answer=answer,
)
