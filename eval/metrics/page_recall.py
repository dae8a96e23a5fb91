"""page_recall: whether the pages that were found for a question suffice to answer it, at 1, 5, 10, 20 and 50 pages, whatever
was answered (CRAG's estimate of its search). Either the page of the gold's URL (label answer_url) stands among the first k, or
a judge says of one of them that it tells that the gold is the answer: all pages in one call. The gold's words alone are no hit:
"en" or "yes" stand on almost every page.

text     page, or snippet as the search showed it
tokens   that are shown of each page"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from core.tokens import tokens_before
from eval.claims import supports
from eval.metric import Case, Judged, Metric, Page, Unscored, Values
from eval.retriever import Embedders
from eval.settings import chosen, whole
from eval.system import Ask

AT = (1, 5, 10, 20, 50)
SETTINGS: Mapping[str, Any] = MappingProxyType({"text": "page", "tokens": 400})
TEXTS = ("page", "snippet")
STATEMENT = {"en": "The answer to the question “{question}” is “{gold}”.", "zh": "问题“{question}”的答案是“{gold}”。"}


async def judge(case: Case, ask: Ask, votes: int, settings: Mapping[str, Any] = SETTINGS) -> Judged:
    pages = case.pages()
    if not pages:
        return Judged({"@1": Unscored("no pages")})
    url = str(case.extra.get("answer_url") or "")
    by_url = rank_of(url, pages)
    if by_url == 1 or not case.answers:
        return Judged(values(by_url), {"rule": "the gold's URL", "rank": by_url})
    shown = {page.rank: text for page in pages if (text := words_of(page, case.language, settings))}
    statements = [STATEMENT[case.language].format(question=case.question, gold=gold) for gold in case.answers]
    held = await supports(statements, shown, case.language, ask, votes) if shown else []
    ranks = sorted(rank for one in held for rank in one.passages or ())
    details = {"rule": "the judge", "verdicts": [one.record("page") for one in held], "rank": ranks[0] if ranks else by_url}
    if any(one.passages is None for one in held) and not ranks:
        unread = Unscored("not read: the judge's verdict")
        known: Values = {f"@{k}": 1.0 if by_url and by_url <= k else unread for k in AT}
        return Judged({**known, "unread": 1.0}, details)
    first = min(filter(None, (by_url, *ranks[:1])), default=None)
    return Judged(values(first), details | {"rule": "the gold's URL" if first == by_url and by_url else "the judge"})


def rank_of(url: str, pages: Sequence[Page]) -> int | None:
    """The best rank of that URL; None where it is not among the pages, or nobody said which it is."""
    wanted = same(url)
    return next((page.rank for page in pages if wanted and same(page.url) == wanted), None)


def same(url: str) -> str:
    """What two spellings of one address share."""
    parts = urlsplit(url.strip())
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}" if host else ""


def words_of(page: Page, language: str, settings: Mapping[str, Any]) -> str:
    """What the judge is shown of a page."""
    import numpy as np

    text = (page.snippet if chosen(settings, "text", TEXTS) == "snippet" else page.text()).strip()
    most = whole(settings, "tokens", int(SETTINGS["tokens"]), 1)
    text = text[: most * 12]  # no token of ours is longer on average, and a page may have 5 million characters
    return text[: int(np.searchsorted(tokens_before(text, language), most, side="right")) - 1].strip()


def values(first: int | None) -> Values:
    """From the best rank that suffices."""
    return {**{f"@{k}": float(first is not None and first <= k) for k in AT}, "unread": 0.0}


def judge_as(settings: Mapping[str, Any]) -> Callable[[Case, Ask, int], Awaitable[Judged]]:
    """METRIC.judge_as."""
    return partial(judge, settings=settings)


def made_with(settings: Mapping[str, Any], embedders: Embedders) -> str:
    """METRIC.made_with."""
    return f"{chosen(settings, 'text', TEXTS)}s of {whole(settings, 'tokens', int(SETTINGS['tokens']), 1)} tokens"


METRIC = Metric(
    version="1", low=0.0, high=1.0, counts=("unread",), headline="@5", judge=judge, judge_as=judge_as, settings=SETTINGS,
    made_with=made_with, reference="CRAG's estimate of its search: its URL first, then a judge, by worked examples, by tests",
)  # fmt: skip
