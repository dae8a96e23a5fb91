"""The next question of the rewrite page, as a browser asks for it: the whole sheet in one answer, and trouble is a sentence."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from serving import rewrites as routes
from store.items import items
from store.variants import variants
from tests.store.sample_items import item
from workbench import Workbench
from workbench.annotate.wordings.rewrites import Rewrite

OURS = {"x-benchwright": "desk"}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    items.add(bench.database, [item(name, status="accepted", question=f"Who is {name}?") for name in ("a", "b", "c")])
    yield bench
    workbench.close_workbench()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=routes.ROUTES))


def post(client: TestClient, key: str, **fields: object) -> tuple[int, dict[str, object]]:
    step = {"person": "Ada", "item": "a", "key": key, "tab": "t", "number": 1, "to": "next", "kind": {}}
    answer = client.post("/bench/rewrite/next", json=step | fields, headers=OURS)
    return answer.status_code, answer.json()


def write(bench: Workbench, name: str, person: str) -> None:
    bench.rewrites.write(Rewrite(person, name, 1, f"Tell me, what do people call {name} and why"))


@pytest.mark.fault(33)
def test_a_step_that_is_sent_again_is_one_step_and_brings_the_whole_sheet(bench: Workbench, client: TestClient) -> None:
    write(bench, "b", "Bo")
    bench.rewrites.keep("Ada", "b", 1, "Half a", 2.0)
    first = [post(client, "k") for _ in range(2)]
    assert first[0] == first[1] and first[0][0] == 200
    desk = first[0][1]["desk"]
    assert isinstance(desk, dict)
    assert (desk["item"]["id"], desk["people"], desk["wanted"], desk["written"]) == ("b", 1, 2, [])
    assert desk["visit"] == {"tab": "t", "number": 2, "kind": dict.fromkeys(desk["visit"]["kind"])}
    assert desk["scratch"]["question"] == "Half a" and desk["bar"]["words"] == "0 by you, 3 left" and not desk["has_back"]


def test_back_open_the_end_and_consent(bench: Workbench, client: TestClient) -> None:
    def shown(key: str, **fields: object) -> str | None:
        status, body = post(client, key, **fields)
        assert status == 200
        desk = body["desk"]
        return desk["item"]["id"] if isinstance(desk, dict) else None

    assert shown("k1", item="c") == "a", "at the end it goes on from the beginning"
    assert shown("k2", item="a", to="back") is None
    assert shown("k3", item="a", to="back", target="b") == "b"
    write(bench, "a", "Ada")
    assert shown("k4", item="b", to="back") == "a"
    opened = post(client, "k5", to="open", target="a")[1]["desk"]
    assert isinstance(opened, dict) and len(opened["written"]) == 1 and opened["around"] == "a"
    assert shown("k6", kind={"domain": "nowhere"}) is None
    bench.rewrites.consent.change("Your words are published.")
    assert shown("k7") is None, "the page asks for the agreement"
    status, body = post(client, "k8", person="", to="open", target="nowhere")
    assert status == 422 and "nowhere" in str(body["message"])
    assert variants.list_variants(bench.database)[0].item == "a"


def test_what_is_not_from_our_pages_is_refused(bench: Workbench, client: TestClient) -> None:
    assert client.post("/bench/rewrite/next", json={}).status_code == 403
    for field, value in (("to", "away"), ("number", -1), ("tab", None), ("kind", {"level": []})):
        assert post(client, "k", **{field: value})[0] == 422
