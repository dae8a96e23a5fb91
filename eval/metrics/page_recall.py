"""page_recall: 1 if one of the first k pages found for a question suffices to answer it, else 0, for k = 1, 5, 10, 20 and 50,
regardless of the system's answer (CRAG's estimate of its search). A page suffices if it has the URL of the gold answer (label
answer_url), or if a judge confirms that the page states that the gold answer is the answer. The mere occurrence of the gold
answer's words does not suffice: "en" or "yes" occurs on almost every page.

Settings: `text` is page (the beginning of each page, all pages in one call), snippet (the text that the search showed) or whole
(every page to its end, in pieces, up to 20 pieces per call, best pages first, until a page suffices). `tokens` is the number of
tokens of a beginning or of a piece. If no page suffices and a verdict is unreadable, there is no value, and page_recall.unread
is 1."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from urllib.parse import urlsplit

import numpy as np

from core.text.language import ByLanguage
from core.text.tokens import tokens_before
from eval.metric import JudgedScore, Metric, QuestionPage, ScoringCase, Unscored, Values
from eval.retriever import Embedders
from eval.scoring.claims import CheckedClaim, check_support
from eval.settings import Settings, read_choice, read_whole_number
from eval.system import AskInRun

CUT_OFFS = (1, 5, 10, 20, 50)
PIECE_TOKENS = 400
SETTINGS: Settings = MappingProxyType({"text": "page", "tokens": PIECE_TOKENS})
TEXTS = ("page", "snippet", "whole")
MAX_PIECES = 20
"""Maximum number of pieces of whole pages that one call shows the judge."""
STATEMENT = ByLanguage(
    {"en": "The answer to the question “{question}” is “{gold}”.", "zh": "问题“{question}”的答案是“{gold}”。"}
)


async def judge(case: ScoringCase, ask: AskInRun, votes: int, settings: Settings = SETTINGS) -> JudgedScore:
    pages = case.pages()
    if not pages:
        return JudgedScore({"@1": Unscored("no pages")})
    by_url = find_rank(str(case.extra.get("answer_url") or ""), pages)
    if by_url == 1 or not case.answers:
        return JudgedScore(score_rank(by_url), {"rule": "the gold's URL", "rank": by_url})
    statements = [STATEMENT[case.language].format(question=case.question, gold=gold) for gold in case.answers]
    checked, ranks = list[CheckedClaim](), list[int]()
    for pieces in list_calls(pages, case.language, settings):
        texts = {number: text for number, (_, text) in pieces.items()}
        for claim in await check_support(statements, texts, case.language, ask, votes):
            numbers = claim.passages
            checked.append(claim if numbers is None else replace(claim, passages=frozenset(pieces[n][0] for n in numbers)))
        if ranks := sorted(rank for claim in checked for rank in claim.passages or ()):
            break
    verdicts = [claim.record("page") for claim in checked]
    details = {"rule": "the judge", "verdicts": verdicts, "rank": ranks[0] if ranks else by_url}
    if any(claim.passages is None for claim in checked) and not ranks:
        unread = Unscored("not read: the judge's verdict")
        values: Values = {f"@{k}": 1.0 if by_url and by_url <= k else unread for k in CUT_OFFS}
        return JudgedScore({**values, "unread": 1.0}, details)
    first = min(filter(None, (by_url, *ranks[:1])), default=None)
    rule = "the gold's URL" if by_url and first == by_url else "the judge"
    return JudgedScore(score_rank(first), details | {"rule": rule})


def find_rank(url: str, pages: Sequence[QuestionPage]) -> int | None:
    """Return the best rank of a page with that URL, or None if the URL is "" or no page has it."""
    address = normalise_url(url)
    return next((page.rank for page in pages if address and normalise_url(page.url) == address), None)


def normalise_url(url: str) -> str:
    """Return a form of the URL that is equal for equivalent spellings, or "" if the URL has no host."""
    parts = urlsplit(url.strip())
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}" if host else ""


def list_calls(pages: Sequence[QuestionPage], language: str, settings: Settings) -> Iterator[Mapping[int, tuple[int, str]]]:
    """Yield, for each call to the judge, the pieces of pages in the prompt: a dict from piece number to (rank of the page, text
    of the piece)."""
    choice = read_choice(settings, "text", TEXTS)
    if choice == "whole":
        pieces = ((page.rank, piece) for page in pages for piece in cut_pieces(page.text(), language, settings))
        while some := list(islice(pieces, MAX_PIECES)):
            yield dict(enumerate(some, 1))
        return
    texts = {page.rank: page.snippet if choice == "snippet" else page.text() for page in pages}
    beginnings = {rank: next(cut_pieces(text, language, settings), "") for rank, text in texts.items()}
    if numbered := {rank: (rank, text) for rank, text in beginnings.items() if text}:
        yield numbered


def cut_pieces(text: str, language: str, settings: Settings) -> Iterator[str]:
    """Yield the text in pieces of `tokens` tokens (a setting), from the beginning; blank pieces are left out."""
    limit = read_whole_number(settings, "tokens", PIECE_TOKENS, 1)
    rest = text.strip()
    while rest:
        near = rest[: limit * 12]  # tokens average fewer than 12 characters, and a page may have 5 million characters
        end = max(int(np.searchsorted(tokens_before(near, language), limit, side="right")) - 1, 1)
        yield near[:end].strip()
        rest = rest[end:].lstrip()


def score_rank(first: int | None) -> Values:
    """Return the metric's values; `first` is the best rank of a page that suffices to answer the question, or None if no page
    does."""
    return {**{f"@{k}": float(first is not None and first <= k) for k in CUT_OFFS}, "unread": 0.0}


def describe_settings(settings: Settings, embedders: Embedders) -> str:
    """Return a short text on how much of a page the judge sees, for the version of a score."""
    text, tokens = read_choice(settings, "text", TEXTS), read_whole_number(settings, "tokens", PIECE_TOKENS, 1)
    return f"whole pages by {tokens} tokens" if text == "whole" else f"{text}s of {tokens} tokens"


METRIC = Metric(
    counts=("unread",),
    headline="@5",
    judge=judge,
    settings=SETTINGS,
    describe_settings=describe_settings,
    reference="CRAG's estimate of its search (first by URL, then by a judge): tests check worked examples",
)
