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
    status, late = post(client, "decide", decision="discard", reason="x")
    assert (status, late["taken_by"]) == (409, "Bo")
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


def step(client: TestClient, key: str, **fields: object) -> dict[str, object] | None:
    sent = {"person": "Ada", "item": "v", "key": key, "tab": "t", "number": 1, "to": "next", "kind": {}}
    answer = client.post("/bench/variant/next", json=sent | fields, headers=OURS)
    assert answer.status_code == 200, answer.text
    found: dict[str, object] | None = answer.json()["desk"]
    return found


@pytest.mark.fault(28, 33)
def test_the_next_variant_is_held_and_comes_with_its_sheet_and_two_people_never_get_one(
    bench: Workbench, client: TestClient
) -> None:
    variants.add(bench.database, [Variant(f"v{n}", "a", 1, "formality", f"Pray, who is a, {n}?") for n in range(2)])
    first = [step(client, "k") for _ in range(2)]
    assert first[0] == first[1] and first[0] is not None
    assert (first[0]["item"], first[0]["text"]) == ({"id": "v0", "revision": 1}, "Pray, who is a, 0?")
    assert first[0]["visit"]["number"] == 2 and first[0]["bar"]["words"] == "0 decided today, 3 left"  # type: ignore[index]
    other = step(client, "b", person="Bo", tab="u")
    assert other is not None and other["item"]["id"] == "v1"  # type: ignore[index]
    assert other["bar"]["words"] == "0 decided today, 2 left, 1 more held by others"  # type: ignore[index]
    looked = step(client, "k2", item="v0", to="open", target="v1")
    assert looked is not None and looked["held"]["by"] == "Bo"  # type: ignore[index]
    assert step(client, "k3", item="v1", to="back") is None
    assert step(client, "k4", item="v1", to="back", target="v0")["item"]["id"] == "v0"  # type: ignore[index]
    assert step(client, "k5", kind={"kind": "spelling", "flag": "flagged"}) is None


def test_the_next_variant_of_a_sample_is_held_for_nobody_and_tells_of_nobody(bench: Workbench, client: TestClient) -> None:
    variants.add(bench.database, [Variant("w", "a", 1, "formality", "Pray, who is a?")])
    sample = bench.variant_quality.draw(by="Lea", size=2)
    post(client, "decide", decision="accept", person="Bo")
    here, other = sample.variants
    found = [step(client, "k", person=name, tab=name, item=here, kind={"sample": sample.id}) for name in ("Ada", "Cy")]
    for desk in found:
        assert desk is not None and desk["item"]["id"] == other and desk["sample"] == sample.id  # type: ignore[index]
        assert desk["status"] == "drafted" and desk["held"] is None and desk["visit"]["kind"]["sample"] == sample.id  # type: ignore[index]
    assert client.post("/bench/variant/next", json={}).status_code == 403
