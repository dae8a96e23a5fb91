"""flare: the agent writes one sentence at a time; if the token probabilities show that it is unsure of a sentence, the system
searches, and the agent rewrites the sentence from the results (after FLARE, Jiang et al. 2023). Unlike dragin, flare uses only
probabilities and no attention."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from core.agent import Completion, Sampling
from core.errors import AgentError, BenchError
from core.nouns import Hit
from core.text.text import content_words, count_tokens
from eval.settings import TOP_K, Setting, Settings
from eval.system import Answer, Question, SystemAdapter, Tools
from eval.workflows.adaptive import (
    GO_ON,
    TOP_P,
    AddedText,
    append_piece,
    continue_reply,
    count_repeated_sentences,
    find_first_sentence,
    list_passages,
    number_passages,
    refuse_agent,
)
from eval.workflows.answering import date_question_text, make_sampling
from eval.workflows.extraction import ANSWER_ENDINGS, find_said_answer
from eval.workflows.hops import make_output_step, make_query_step
from eval.workflows.shots import SHOTS, add_shots
from prompts.prompt import load

PROMPT = "answer/step_by_step"


class UnsureToken(NamedTuple):
    """A token of which the agent was unsure, so that a search was triggered."""

    token: str
    score: float


async def check_ready(questions: Sequence[Question], tools: Tools, settings: Settings) -> None:
    """Request one token, to check that the endpoint reports token probabilities. If a cached reply has no probabilities, the
    token is requested again, because the endpoint's configuration may have changed."""
    prompt, sampling = load(PROMPT, questions[0].language), _make_sampling(settings, 1)
    inputs = {"question": date_question_text(questions[0]), "context": "", "so_far": ""}
    try:
        completion = await tools.agent(prompt, inputs, sampling)
        if completion.cached and completion.logprobs is None:
            completion = await tools.agent(prompt, inputs, replace(sampling, index=time.time_ns()))
    except AgentError as error:
        if error.kind != "refused":
            raise
        raise _refuse_endpoint(f"it was refused: {error}") from error
    _read_probabilities(completion, settings)


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    """Generate the answer. The trace's output step records why generation ended: answer, stop, nothing_new, max_tokens,
    max_steps."""
    search, language = tools.search_for("flare"), question.language
    prompt = add_shots(load(PROMPT, language), question, ANSWER_ENDINGS[language])
    searches: list[Sequence[Hit]] = []
    text = context = ""

    async def write() -> tuple[AddedText, int]:
        """Let the agent continue its answer. Returns (the added text, the end offset of the first sentence in the added
        text)."""
        inputs = {"question": date_question_text(question), "context": context}
        sampling = _make_sampling(settings, settings["look_ahead"])
        added = await continue_reply(tools, prompt, inputs, text, settings, sampling, count_repeated_sentences)
        return added, find_first_sentence(added.text, language)

    def look_up(query: str, **trigger: Any) -> str:
        tools.note(make_query_step(query, **trigger))
        searches.append(search(query, settings["top_k"]))
        return number_passages(searches[-1], tools)

    if settings["first_search"]:
        context = look_up(question.query, marker="first search")
    ended = "max_steps"
    for _ in range(settings["max_steps"]):
        piece, end = await write()
        unsure = find_unsure_token(piece, end, settings)
        if unsure and piece.text[:end].strip():
            query = make_query(piece, end, settings, language) or question.query
            context = look_up(query, token=unsure.token, score=unsure.score, threshold=settings["theta"])
            piece, end = await write()
        if not piece.text[:end].strip():
            ended = "nothing_new"
            break
        text = append_piece(text, piece.text[:end], language)
        if find_said_answer(text) is not None:
            ended = "answer"
        elif piece.completion.finish != "length" and not piece.text[end:].strip():
            ended = "stop"
        elif count_tokens(text, language) >= settings["max_tokens"]:
            ended = "max_tokens"
        else:
            continue
        break
    answer = find_said_answer(text)
    tools.note(make_output_step(text, extracted=answer is not None, ended=ended))
    return Answer(answer or "", retrieved=list_passages(searches))


def find_unsure_token(piece: AddedText, end: int, settings: Settings) -> UnsureToken | None:
    """Return the least certain token of the sentence if it is uncertain enough to trigger a search, else None."""
    theta, tokens = settings["theta"], _list_tokens(piece, end, settings)
    if settings["unsure_by"] == "topk_entropy":
        tops = piece.completion.alternatives or ()
        scored = [UnsureToken(token, compute_topk_entropy(tops[at])) for at, token, _ in tokens]
        worst = max(scored, key=lambda unsure: unsure.score, default=None)
        return worst if worst and worst.score > theta else None
    scored = [UnsureToken(token, math.exp(log)) for _, token, log in tokens]
    worst = min(scored, key=lambda unsure: unsure.score, default=None)
    return worst if worst and worst.score < theta else None


def make_query(piece: AddedText, end: int, settings: Settings, language: str) -> str:
    """Return the sentence as a search query, without improbable tokens if the setting says masked; "" if no content word is
    left."""
    sentence = " ".join(piece.text[:end].split())
    if settings["query_of"] == "masked":
        low = settings["mask_below"]
        tokens = [token if math.exp(log) >= low else " " for _, token, log in _list_tokens(piece, end, settings)]
        sentence = " ".join("".join(tokens).split())
    return sentence if content_words(sentence, language) else ""


def compute_topk_entropy(logs: Sequence[float]) -> float:
    """Return the entropy -sum p log p over the likeliest tokens, with all remaining tokens counted as one; it is at most the
    entropy over all tokens."""
    shares = [math.exp(log) for log in logs]
    rest = 1.0 - sum(shares)
    return -sum(p * math.log(p) for p in (*shares, rest) if p > 1e-9)


def _list_tokens(piece: AddedText, end: int, settings: Settings) -> list[tuple[int, str, float]]:
    """Return (index, token, log probability) of each token in the text that the agent added, up to the character offset
    `end`."""
    tokens, at = [], 0
    for place, (token, log) in enumerate(_read_probabilities(piece.completion, settings)):
        if piece.skipped <= at < piece.skipped + end:
            tokens.append((place, token, log))
        at += len(token)
    return tokens


def _read_probabilities(completion: Completion, settings: Settings) -> Sequence[tuple[str, float]]:
    """Return (token, log probability) of each token of the reply; none if the reply is empty."""
    if completion.logprobs is None and completion.text:
        raise _refuse_endpoint("it tells none")
    if settings["unsure_by"] == "topk_entropy" and completion.alternatives is None and completion.text:
        raise _refuse_endpoint("it returns no log probabilities of the alternative tokens (top_logprobs)")
    return completion.logprobs or ()


def _refuse_endpoint(why: str) -> BenchError:
    needs = f"an endpoint that reports the probabilities of its tokens, and this one does not ({why})"
    return refuse_agent("flare", needs, "choose another agent, or search_o1, which needs none")


def _make_sampling(settings: Settings, tokens: int) -> Sampling:
    tops = settings["top_logprobs"] if settings["unsure_by"] == "topk_entropy" else 0
    return make_sampling(settings, tokens, logprobs=True, top_logprobs=tops)


SYSTEM = SystemAdapter(
    label="FLARE",
    family="adaptive",
    needs_agent=True,
    needs_retriever=True,
    prompts=(PROMPT,),
    capability="logprobs",
    settings={
        **SHOTS,
        "theta": Setting(
            0.8,
            "The agent is unsure of a token with a probability below this value; with topk_entropy, with an entropy above it.",
        ),
        "unsure_by": Setting(
            "probability",
            "Measure of whether the agent is unsure of a token: its probability, or topk_entropy, the entropy in nats over "
            "the top_logprobs likeliest tokens with all others taken together (at most the true entropy).",
            choices=("probability", "topk_entropy"),
        ),
        "top_logprobs": Setting(5, "For topk_entropy: number of most likely tokens requested at each position.", 1),
        "query_of": Setting(
            "masked",
            "Query of a search: masked = the sentence without tokens less probable than mask_below; sentence = all of it.",
            choices=("masked", "sentence"),
        ),
        "mask_below": Setting(0.4, "Probability below which a token is left out of the query.", kind="share"),
        "first_search": Setting(False, "Search with the question before the first sentence."),
        "look_ahead": Setting(64, "Number of tokens generated per call; only their first sentence is used.", 1),
        "max_tokens": Setting(256, "Maximum number of tokens generated in total, estimated from the words.", 1),
        "max_steps": Setting(10, "Maximum number of sentences.", 1),
        "top_k": replace(TOP_K, default=3),
        "top_p": TOP_P,
        "go_on": GO_ON,
    },
    check_ready=check_ready,
    answer=answer,
)
