"""The routes of the variants page: one press is one decision, and trouble is a sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from core.nouns import Variant
from serving import variants as routes
from store.items import items
from store.reviews import reviews
from store.variants import variants
from tests.store.sample_items import item
from workbench import Workbench

OURS = {"x-benchwright": "desk"}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    items.add(bench.database, [item("a", status="accepted")])
    variants.add(bench.database, [Variant("v", "a", 1, "spelling", "Who si a?")])
    yield bench
    workbench.close_workbench()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=routes.ROUTES))


def post(client: TestClient, path: str, **fields: object) -> tuple[int, dict[str, object]]:
    body = {"person": "Ada", "item": "v", "key": "k", "status": "drafted", "text": "Who si a?", "applied": True, "kept": True}
    answer = client.post(f"/bench/variant/{path}", json=body | fields, headers=OURS)
    return answer.status_code, answer.json()


def test_a_press_that_comes_twice_is_one_decision_and_undo_takes_it_back(bench: Workbench, client: TestClient) -> None:
    for repeat in (False, True):
        status, body = post(client, "decide", decision="accept", seconds=3.5)
        assert (status, body["repeat"], body["variant"]["status"]) == (200, repeat, "accepted")  # type: ignore[index]
    assert [r.seconds for r in reviews.load_reviews(bench.database, ["v"])] == [3.5]
    assert post(client, "undo", key="u", item="")[1] == {"ok": True, "item": "v"}
    assert variants.load_variants(bench.database, ["v"])[0].status == "drafted"


def test_whoever_is_late_gets_409_and_what_cannot_be_422(bench: Workbench, client: TestClient) -> None:
    bench.reviews.decide("v", "accept", person="Bo")
    assert post(client, "decide", decision="discard", reason="x")[0] == 409
    for wrong in ({"applied": "yes"}, {"decision": "maybe"}, {"item": "nowhere", "decision": "accept"}, {"seconds": -1}):
        status, body = post(client, "decide", **({"decision": "accept"} | wrong))
        assert status == 422 and str(body["message"]).endswith((".", ": load the page again."))
    assert client.post("/bench/variant/decide", json={}).status_code == 403


def test_typed_words_are_kept_and_a_sign_of_life_tells_who_else_has_it(bench: Workbench, client: TestClient) -> None:
    status, body = post(client, "scratch", revision=1, question="Who iss a?", answer="hm", since="", tab="t", seconds=1.0)
    assert status == 200 and body["saved_at"] and body["held"] is None
    other = post(client, "hold", person="Bo")[1]["held"]
    assert other["by"] == "Ada"  # type: ignore[index]
    assert bench.variants.sheet("v", "Ada").scratch.question == "Who iss a?"


def test_a_word_on_a_sample_is_stored_and_taken_back(bench: Workbench, client: TestClient) -> None:
    sample = bench.variant_quality.draw(by="Lea", size=1).id
    assert post(client, "judge", sample=sample, kept=False)[1] == {"ok": True, "repeat": False}
    assert bench.variant_quality.list_samples()[0].done == {"Ada": 1}
    assert post(client, "undo", key="u", sample=sample)[1] == {"ok": True, "item": "v"}
    assert bench.variant_quality.list_samples()[0].done == {}
