"""The route that tells an item's history: who asks is told what they may know."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from serving.desk import ROUTES
from workbench import Workbench


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a copy of the samples."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    yield workbench.open_workbench()
    workbench.close_workbench()


def test_the_history_is_told_to_a_person_and_an_unknown_item_in_a_sentence(bench: Workbench) -> None:
    client = TestClient(Starlette(routes=ROUTES))
    item = bench.reviews.items()[0].id
    bench.reviews.decide(item, "discard", person="Bo", reason="too easy")
    bench.reviews.decide(item, "accept", person="Ada", question="In other words?")
    found = client.get(f"/bench/history/{item}?person=Ada").json()
    assert [one["revision"] for one in found["revisions"]] == [1, 2]
    assert [(one["person"], one["decision"]) for one in found["decisions"]] == [("Ada", "accept")]
    answer = client.get("/bench/history/nothing?person=Ada")
    assert answer.status_code == 422 and "No item nothing" in answer.json()["message"]
