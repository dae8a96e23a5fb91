"""The routes of an item whose answer is hidden: no reply holds it before the person's own answer is stored."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from serving import desk, own_answers
from store.items import items
from workbench import Workbench

OURS = {"x-benchwright": "desk"}
SECRET = "Zanzibar"


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a copy of the samples with one drafted item more, all hidden."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id="d", status="drafted", answers=(SECRET,))])
    bench.reviews.blind.set_rule(1.0, 0, "Lead")
    yield bench
    workbench.close_workbench()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=[*desk.ROUTES, *own_answers.ROUTES]))


def body(**fields: object) -> dict[str, object]:
    whole = {"person": "Ada", "item": "d", "revision": 1, "answer": "Mine", "seconds": 2.0, "question": "", "evidence": []}
    return whole | fields


def test_no_route_tells_the_answer_before_one_is_given(bench: Workbench, client: TestClient) -> None:
    choice = body(key="k", decision="accept", status="drafted")
    replies = [
        client.get("/bench/claims/d", params={"revision": 1, "person": "Ada"}),
        client.get("/bench/claims/d"),
        client.get("/bench/history/d", params={"person": "Ada"}),
        client.get("/bench/history/d"),
        client.post("/bench/own/scratch", json=body(), headers=OURS),
        client.post("/bench/decide", json=choice, headers=OURS),
        client.post("/bench/decide", json=choice | {"revision": 9, "decision": "discard", "reason": "x"}, headers=OURS),
        client.post("/bench/own", json=body(answer=" "), headers=OURS),
        client.post("/bench/own", json=body()),
    ]
    assert not any(SECRET in reply.text for reply in replies)
    assert [reply.status_code for reply in replies] == [422, 422, 422, 422, 200, 422, 422, 422, 403]
    bench.reviews.blind.set_rule(0.0, 0, "Lead")
    assert SECRET in client.get("/bench/history/d", params={"person": "Ada"}).text, "else it is there"


def test_the_answer_comes_with_the_acknowledgement_and_the_first_one_stands(bench: Workbench, client: TestClient) -> None:
    for text in ("Mine", "Another"):
        found = client.post("/bench/own", json=body(answer=text), headers=OURS).json()
        assert found["desk"]["item"]["answers"] == [SECRET] and found["desk"]["own_answer"]["text"] == "Mine"
    assert client.get("/bench/claims/d", params={"revision": 1, "person": "Ada"}).status_code == 200
    assert client.get("/bench/claims/d", params={"revision": 1, "person": "Bo"}).status_code == 422, "Bo has given none"
