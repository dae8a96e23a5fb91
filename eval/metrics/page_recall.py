"""page_recall: whether the pages that were found for a question suffice to answer it, at 1, 5, 10, 20 and 50 pages, whatever
was answered (CRAG's estimate of its search). Either the page of the gold's URL (label answer_url) stands among the first k, or
a judge says of one of them that it tells that the gold is the answer. The gold's words alone are no hit: "en" or "yes" stand on
almost every page.

text     page: its beginning, all pages in one call; snippet, as the search showed it; whole: every page to its end, in pieces,
         up to 20 pieces a call, best pages first, until one is said to tell it
tokens   of a beginning, or of a piece"""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from core.text.tokens import tokens_before
from eval.metric import JudgedScore, Metric, QuestionPage, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.running.settings import read_choice, read_whole_number
from eval.scoring.claims import CheckedClaim, check_support
from eval.system import AskInRun

CUT_OFFS = (1, 5, 10, 20, 50)
SETTINGS: Mapping[str, Any] = MappingProxyType({"text": "page", "tokens": 400})
TEXTS = ("page", "snippet", "whole")
PIECES = 20
"""Of whole pages in one call."""
STATEMENT = {"en": "The answer to the question “{question}” is “{gold}”.", "zh": "问题“{question}”的答案是“{gold}”。"}


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Mapping[str, Any] = SETTINGS) -> JudgedScore:
    pages = case.pages()
    if not pages:
        return JudgedScore({"@1": Unscored("no pages")})
    url = str(case.extra.get("answer_url") or "")
    by_url = find_rank(url, pages)
    if by_url == 1 or not case.answers:
        return JudgedScore(score_rank(by_url), {"rule": "the gold's URL", "rank": by_url})
    statements = [STATEMENT[case.language].format(question=case.question, gold=gold) for gold in case.answers]
    held, ranks = list[CheckedClaim](), list[int]()
    for shown in list_calls(pages, case.language, settings):
        asked = await check_support(
            statements, {number: text for number, (_, text) in shown.items()}, case.language, ask, votes
        )
        held += [
            one if one.passages is None else replace(one, passages=frozenset(shown[n][0] for n in one.passages))
            for one in asked
        ]
        if ranks := sorted(rank for one in held for rank in one.passages or ()):
            break
    details = {"rule": "the judge", "verdicts": [one.record("page") for one in held], "rank": ranks[0] if ranks else by_url}
    if any(one.passages is None for one in held) and not ranks:
        unread = Unscored("not read: the judge's verdict")
        known: Values = {f"@{k}": 1.0 if by_url and by_url <= k else unread for k in CUT_OFFS}
        return JudgedScore({**known, "unread": 1.0}, details)
    first = min(filter(None, (by_url, *ranks[:1])), default=None)
    return JudgedScore(score_rank(first), details | {"rule": "the gold's URL" if first == by_url and by_url else "the judge"})


def find_rank(url: str, pages: Sequence[QuestionPage]) -> int | None:
    """The best rank of that URL; None where it is not among the pages, or nobody said which it is."""
    wanted = normalise_url(url)
    return next((page.rank for page in pages if wanted and normalise_url(page.url) == wanted), None)


def normalise_url(url: str) -> str:
    """What two spellings of one address share."""
    parts = urlsplit(url.strip())
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}" if host else ""


def list_calls(
    pages: Sequence[QuestionPage], language: str, settings: Mapping[str, Any]
) -> Iterator[Mapping[int, tuple[int, str]]]:
    """What the judge is shown, call by call: number -> (rank of the page, text)."""
    if read_choice(settings, "text", TEXTS) == "whole":
        pieces = ((page.rank, piece) for page in pages for piece in cut_pieces(page.text(), language, settings))
        while some := list(islice(pieces, PIECES)):
            yield dict(enumerate(some, 1))
        return
    shown = {page.rank: (page.rank, text) for page in pages if (text := cut_beginning(page, language, settings))}
    if shown:
        yield shown


def cut_beginning(page: QuestionPage, language: str, settings: Mapping[str, Any]) -> str:
    """A page's beginning, or its snippet's."""
    text = page.snippet if read_choice(settings, "text", TEXTS) == "snippet" else page.text()
    return next(cut_pieces(text, language, settings), "")


def cut_pieces(text: str, language: str, settings: Mapping[str, Any]) -> Iterator[str]:
    """The text in pieces of `tokens`, from its beginning; blank ones are left out."""
    import numpy as np

    most = read_whole_number(settings, "tokens", int(SETTINGS["tokens"]), 1)
    left = text.strip()
    while left:
        near = left[: most * 12]  # no token of ours is longer on average, and a page may have 5 million characters
        end = max(int(np.searchsorted(tokens_before(near, language), most, side="right")) - 1, 1)
        yield near[:end].strip()
        left = left[end:].lstrip()


def score_rank(first: int | None) -> Values:
    """From the best rank that suffices."""
    return {**{f"@{k}": float(first is not None and first <= k) for k in CUT_OFFS}, "unread": 0.0}


def judge_as(settings: Mapping[str, Any]) -> Callable[[ScoringCase, AskInRun, int], Awaitable[JudgedScore]]:
    """METRIC.judge_as."""
    return partial(judge, settings=settings)


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """METRIC.made_with."""
    text, tokens = read_choice(settings, "text", TEXTS), read_whole_number(settings, "tokens", int(SETTINGS["tokens"]), 1)
    return f"whole pages by {tokens} tokens" if text == "whole" else f"{text}s of {tokens} tokens"


METRIC = Metric(
    version="1",
    low=0.0,
    high=1.0,
    counts=("unread",),
    headline="@5",
    judge=judge,
    judge_as=judge_as,
    settings=SETTINGS,
    made_with=made_with,
    reference="CRAG's estimate of its search: its URL first, then a judge, by worked examples, by tests",
)
