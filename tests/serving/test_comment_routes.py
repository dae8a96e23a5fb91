"""The routes of comments, as a browser calls them: only from our pages, every answer JSON, every trouble one sentence."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from serving.comments import ROUTES
from workbench import Workbench

OURS = {"x-benchwright": "desk"}


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a copy of the samples."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    yield workbench.open_workbench()
    workbench.close_workbench()


def test_a_comment_is_kept_said_and_taken_back(bench: Workbench) -> None:
    client = TestClient(Starlette(routes=ROUTES))
    item = bench.reviews.items()[0].id
    typed = {"person": "Ada", "item": item, "revision": 1, "question": "Half a \U0001f309", "answer": "", "seconds": 1}
    assert client.post("/bench/comment/scratch", json=typed, headers=OURS).json()["saved_at"]
    said = {"person": "Ada", "item": item, "text": "Half a \U0001f309.", "key": "k"}
    [one] = client.post("/bench/comment", json=said, headers=OURS).json()["thread"]
    assert (one["person"], one["text"], one["taken_back"]) == ("Ada", "Half a \U0001f309.", False)
    [one] = client.post("/bench/comment/back", json={"person": "Ada", "comment": one["id"]}, headers=OURS).json()["thread"]
    assert one["taken_back"]


@pytest.mark.fault(29)
def test_other_words_of_another_tab_are_told_and_a_comment_ends_those_of_its_own_tab_alone(bench: Workbench) -> None:
    client = TestClient(Starlette(routes=ROUTES))
    item = bench.reviews.items()[0].id

    def typed(words: str, tab: str, since: str) -> Any:
        body = {"person": "Ada", "item": item, "revision": 1, "question": words, "tab": tab, "since": since}
        return client.post("/bench/comment/scratch", json=body, headers=OURS)

    first = typed("Half a", "one", "").json()["saved_at"]
    answer = typed("Quite another", "two", "")
    assert answer.status_code == 409 and answer.json()["kind"] == "elsewhere"
    assert answer.json()["theirs"]["question"] == "Half a" and answer.json()["theirs"]["saved_at"] == first
    assert typed("Quite another", "two", first).status_code == 200, "its person chose"
    said = {"person": "Ada", "item": item, "text": "Half a.", "key": "k", "tab": "one"}
    assert client.post("/bench/comment", json=said, headers=OURS).status_code == 200
    assert bench.reviews.desk(item, "Ada").comments.scratch.question == "Quite another"


def test_a_foreign_page_or_a_bad_body_is_refused_in_a_sentence(bench: Workbench) -> None:
    client = TestClient(Starlette(routes=ROUTES))
    said = {"person": "Ada", "item": "nothing", "text": "x", "key": "k"}
    assert client.post("/bench/comment", json=said).status_code == 403
    answer = client.post("/bench/comment", json=said, headers=OURS)
    assert answer.status_code == 422 and "No item nothing" in answer.json()["message"]
    assert client.post("/bench/comment", json={"person": "Ada"}, headers=OURS).status_code == 422
