"""The routes of adjudication: only from our pages, one decision a key, no name before it, no word lost after it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from core.as_json import as_json
from serving.routes import ROUTES
from store.items import items
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews
from store.reviews.state import list_differences
from workbench import Workbench

OURS = {"x-benchwright": "desk"}


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a workspace with one draft on which two people are wanted."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    opinions.set_rules(bench.database, QueueRules([OverlapRule(ItemKind(), 2)]), "Lea")
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id="draft", status="drafted")])
    yield bench
    assert list_differences(bench.database) == []
    workbench.close_workbench()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES))


def body(bench: Workbench, person: str, **fields: Any) -> dict[str, Any]:
    found = items.get(bench.database, "draft")
    places = [{"document": s.document, "start": s.start, "end": s.end} for s in found.evidence]
    return {
        "key": f"key of {person}",
        "person": person,
        "item": "draft",
        "revision": 1,
        "decision": "accept",
        "reason": "",
        "comment": "",
        "question": found.question,
        "answer": found.answers[0],
        "evidence": places,
        "claims": [],
        "seconds": 3.5,
    } | fields


def disputed(bench: Workbench, client: TestClient) -> list[str]:
    """Ada and Bo differ; gives what each was told."""
    said = [body(bench, "Ada"), body(bench, "Bo", question="Bo's words?")]
    return [client.post("/bench/decide", json=one, headers=OURS).json()["told"] for one in said]


def test_an_opinion_is_answered_in_words_that_tell_nothing_of_others(bench: Workbench, client: TestClient) -> None:
    assert disputed(bench, client) == ["waits for 1 more", "opinions differ: somebody decides between them"]


@pytest.mark.fault(39)
def test_a_decision_by_link_on_a_disputed_item_is_refused_and_the_typed_words_stay(
    bench: Workbench, client: TestClient
) -> None:
    disputed(bench, client)
    typed = body(bench, "Cy", question="Cy's words?")
    client.post("/bench/scratch", json=typed, headers=OURS)
    answer = client.post("/bench/decide", json=typed, headers=OURS)
    assert answer.status_code == 422 and "All 2 opinions on draft are in, and they differ" in answer.json()["message"]
    assert bench.reviews.desk("draft", "Cy").scratch.question == "Cy's words?"


def test_it_is_decided_once_between_the_opinions_on_the_screen(bench: Workbench, client: TestClient) -> None:
    disputed(bench, client)
    seen = bench.adjudication.desk("draft", "Cy").opinions.seen
    wanted = body(bench, "Cy", question="Bo's words?", comment="clearer", seen=seen)
    assert client.post("/bench/adjudicate", json=wanted).status_code == 403
    assert client.post("/bench/adjudicate", json=wanted | {"seen": "old"}, headers=OURS).status_code == 422
    answers = [client.post("/bench/adjudicate", json=wanted, headers=OURS).json() for _ in range(3)]
    assert [one["repeat"] for one in answers] == [False, True, True] and answers[0]["item"]["question"] == "Bo's words?"
    [made] = [one for one in reviews.load_effective(bench.database, ["draft"]) if one.role == "adjudicated"]
    assert (made.person, made.comment, made.details["taken"]) == ("Cy", "clearer", "key of Bo")


def test_no_answer_of_any_route_names_who_gave_an_opinion(bench: Workbench, client: TestClient) -> None:
    disputed(bench, client)
    told = [
        client.get("/bench/history/draft?person=Cy").text,
        client.get("/bench/claims/draft?revision=1&person=Cy").text,
        client.post("/bench/hold", json={"item": "draft", "person": "Cy"}, headers=OURS).text,
        json.dumps(as_json(bench.adjudication.desk("draft", "Cy"))),
    ]
    assert not any(name in text for name in ('"Ada"', '"Bo"') for text in told)


def test_what_is_typed_on_why_is_kept(bench: Workbench, client: TestClient) -> None:
    disputed(bench, client)
    words = {"person": "Cy", "item": "draft", "revision": 1, "question": "because the te"}
    assert client.post("/bench/why/scratch", json=words, headers=OURS).json()["saved_at"]
    assert bench.adjudication.desk("draft", "Cy").opinions.why.question == "because the te"
    assert bench.reviews.desk("draft", "Cy").scratch is None
