"""The estimate of a drafting job against what the job then does: the calls are those, the tokens near."""

from collections.abc import Iterator
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document
from store.corpus import documents
from tests.openai_server import running
from tests.orvel import NAMES, TEXT
from workbench import Workbench

LEVELS = ("explicit_factoid", "implicit_factoid", "explicit_rationale", "implicit_rationale")
ASKED = {"names": ["explicit_factoid"], "domains": ["arts"], "count": 4, "seed": 7, "budget": None}


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    texts = [TEXT.format(name=name, year=1931 + n, begun=1929 + n, length=212 + 17 * n) for n, name in enumerate(NAMES)]
    with Workbench.open(":memory:") as bench:
        documents.add(bench.database, [Document(f"d{n}", text, NAMES[n], "arts") for n, text in enumerate(texts)])
        yield bench
        jobs.stop(bench)


def test_calls_are_those_of_the_job_and_tokens_are_near(bench: Workbench) -> None:
    with running() as server:
        bench.agent_list.save({"name": "mock", "model": "m", "base_url": server.url, "price_in": 1.0, "price_out": 2.0})
        before = bench.draft_estimate.estimate(**ASKED, agent="mock", settings={"run_on": False})
        job = bench.drafts.plan(
            task="explicit_factoid", domain="arts", count=4, agent="mock", seed=7, budget=None, settings={"run_on": False}
        )
        result = jobs.start(bench).submit(job).result()
        after = bench.draft_estimate.estimate(**ASKED, agent="mock", settings={"run_on": False})
    assert result["drafted"] == 4 and (before.least.calls, before.most.calls) == (result["calls"], 2 * result["calls"])
    spent = bench.agents.ledger.sum_spending(job)
    assert before.least.tokens_in == pytest.approx(spent.tokens_in, rel=0.35)
    assert before.least.price is not None and before.most.price == pytest.approx(2 * before.least.price)
    assert before.least.seconds is before.most.seconds is None and after.least.seconds is not None
    assert after.least.tokens_out == pytest.approx(spent.tokens_out, rel=0.05)
    assert "12 earlier answers" in " ".join(after.notes)


def test_an_unknown_price_is_unknown_and_a_free_agent_is_free(bench: Workbench) -> None:
    bench.agent_list.save({"name": "mock", "model": "m", "base_url": "http://127.0.0.1:9/v1"})
    assert bench.draft_estimate.estimate(**ASKED, agent="mock", settings={}).most.price is None
    assert bench.draft_estimate.estimate(**ASKED, agent="offline", settings={}).most.price == 0.0


@pytest.mark.parametrize(("level", "calls"), list(zip(LEVELS, (3, 4, 5, 5), strict=True)))
def test_calls_of_a_window_by_level_with_and_without_the_rag_check(level: str, calls: int) -> None:
    with Workbench.open(":memory:") as bench:
        bench.corpus.load_samples()
        asked = ASKED | {"names": [level], "domains": ["tech"], "count": 1}
        with_check = bench.draft_estimate.estimate(**asked, agent="recorded", settings={})
        without = bench.draft_estimate.estimate(**asked, agent="recorded", settings={"rag_check": False})
    assert with_check.least.calls == calls and without.least.calls == (2 if calls > 3 else 1)


def test_what_cannot_begin_is_told_and_the_rest_estimated(bench: Workbench) -> None:
    bench.agent_list.save({"name": "mock", "model": "m", "base_url": "http://127.0.0.1:9/v1"})
    asked = ASKED | {"names": ["explicit_factoid", "implicit_factoid"], "domains": ["arts", "law"]}
    found = bench.draft_estimate.estimate(**asked, agent="mock", settings={})
    (job,) = found.jobs
    assert (job.task, job.domain) == ("explicit_factoid", "arts")
    troubles = " ".join(found.troubles)
    assert "draft those first" in troubles
    assert "No document of domain 'law'" in troubles
    more: dict[str, Any] = {"count": 1, "seed": 1, "budget": None}
    with pytest.raises(BenchError, match=r"\(explicit_factoid\), and there is none: draft those first"):
        bench.drafts.plan(task="implicit_factoid", domain="all", agent="mock", settings={}, **more)
    with pytest.raises(BenchError, match=r"No document in this workspace in ko: add some .* add`\."):
        bench.drafts.plan(task="explicit_factoid", domain="all", agent="mock", settings={"language": "ko"}, **more)
    capped = bench.draft_estimate.estimate(**ASKED | {"budget": 1.0}, agent="mock", settings={})
    assert not capped.jobs and "needs prices" in capped.troubles[0]


def test_an_agent_without_rules_for_a_level_leaves_the_other_cells(bench: Workbench) -> None:
    asked = ASKED | {"names": ["explicit_factoid", "explicit_rationale"], "domains": ["arts"]}
    found = bench.draft_estimate.estimate(**asked, agent="offline", settings={})
    assert [job.task for job in found.jobs] == ["explicit_factoid"]
    assert ["no rules to draft explicit_rationale" in trouble for trouble in found.troubles] == [True]


def test_fewer_source_items_than_wanted_are_said(bench: Workbench) -> None:
    bench.corpus.load_samples()
    asked = ASKED | {"names": ["implicit_factoid"], "domains": ["tech"], "count": 5}
    (job,) = bench.draft_estimate.estimate(**asked, agent="recorded", settings={}).jobs
    assert job.is_short and job.windows == (1, 1)
