"""The desk's routes, as a browser calls them: only from our pages, every answer JSON, every trouble one sentence."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from core.errors import BenchError
from core.nouns import Item
from serving.desk import LONGEST_BODY, ROUTES
from store.items import items
from store.reviews import reviews
from store.reviews.state import list_differences
from workbench import Workbench

OURS = {"x-benchwright": "desk"}


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """This process serves a copy of the samples with one drafted item more."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id="draft/1 ?", status="drafted")])
    yield bench
    assert list_differences(bench.database) == []
    workbench.close_workbench()


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES))


def item(bench: Workbench) -> Item:
    return items.get(bench.database, "draft/1 ?")


def body(of: Item, **fields: Any) -> dict[str, Any]:
    places = [{"document": s.document, "start": s.start, "end": s.end} for s in of.evidence]
    return {
        "key": "k",
        "person": "Ada",
        "item": of.id,
        "revision": of.revision,
        "decision": "accept",
        "reason": "",
        "comment": "",
        "question": of.question,
        "answer": of.answers[0],
        "evidence": places,
        "claims": [],
        "seconds": 3.5,
    } | fields


def test_a_document_comes_before_its_sentences_and_is_kept_for_ever(bench: Workbench, client: TestClient) -> None:
    id_ = item(bench).evidence[0].document
    answer = client.get(f"/bench/document/{id_}")
    found = answer.json()
    assert answer.headers["cache-control"].endswith("immutable") and found["id"] == id_ and found["title"]
    sentences = client.get(f"/bench/sentences/{id_}")
    assert sentences.headers["cache-control"].endswith("immutable")
    cuts = [found["text"][start:end] for start, end in sentences.json()["sentences"]]
    assert len(cuts) > 5 and all(cut.strip() == cut for cut in cuts)
    again = client.get(f"/bench/document/{id_}", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/bench/document/b2:none").status_code == 404
    assert client.get("/bench/sentences/b2:none").status_code == 422


def test_claims_of_a_revision(bench: Workbench, client: TestClient) -> None:
    found = client.get("/bench/claims/draft%2F1%20%3F", params={"revision": 1}).json()["claims"]
    assert found and set(found[0]) == {"claim", "evidence", "candidates", "figures_not_found"}
    assert len(found[0]["candidates"]) <= 3
    for revision in ("7", "x", "-1"):
        answer = client.get("/bench/claims/draft%2F1%20%3F", params={"revision": revision})
        assert answer.status_code == 422 and answer.json()["message"].endswith(".")


def test_scratch_is_kept_and_acknowledged(bench: Workbench, client: TestClient) -> None:
    words = body(item(bench), question="Half a \U0001f309 sent")
    answer = client.post("/bench/scratch", json=words, headers=OURS)
    assert answer.status_code == 200 and answer.json()["ok"] and answer.json()["saved_at"]
    assert bench.reviews.desk("draft/1 ?", "Ada").scratch.question == "Half a \U0001f309 sent"


@pytest.mark.fault(30)
def test_an_edit_is_decided_once_however_often_it_is_sent(bench: Workbench, client: TestClient) -> None:
    words = body(item(bench), question="Better?")
    answers = [client.post("/bench/decide", json=words, headers=OURS) for _ in range(8)]
    assert [a.status_code for a in answers] == [200] * 8
    assert [a.json()["repeat"] for a in answers] == [False] + [True] * 7
    found = answers[0].json()["item"]
    assert answers[-1].json()["item"] == found and (found["question"], found["revision"]) == ("Better?", 2)
    assert len(reviews.load_effective(bench.database, ["draft/1 ?"])) == 1


@pytest.mark.fault(29)
def test_a_conflict_gives_their_words(bench: Workbench, client: TestClient) -> None:
    seen = item(bench)
    client.post("/bench/decide", json=body(seen, question="Ada's?"), headers=OURS)
    answer = client.post("/bench/decide", json=body(seen, key="k2", person="Bo", question="Bo's?"), headers=OURS)
    found = answer.json()
    assert answer.status_code == 409 and (found["ok"], found["kind"]) == (False, "conflict") and found["message"]
    assert (found["theirs"]["revision"], found["theirs"]["question"], found["theirs"]["by"]) == (2, "Ada's?", "Ada")
    assert found["taken_by"] == "Ada"
    own = client.post("/bench/decide", json=body(seen, key="k3", question="Ada's again?"), headers=OURS).json()
    assert (own["kind"], own["taken_by"]) == ("conflict", ""), "a person's own other tab took nothing over"


def test_a_status_that_was_not_on_the_screen_is_a_conflict_where_it_is_told(bench: Workbench, client: TestClient) -> None:
    seen = item(bench)
    client.post("/bench/decide", json=body(seen, status="drafted"), headers=OURS)
    other = body(seen, key="k2", person="Bo", decision="discard", reason="other")
    answer = client.post("/bench/decide", json=other | {"status": "drafted"}, headers=OURS)
    assert answer.status_code == 409 and answer.json()["theirs"]["status"] == "accepted"
    assert client.post("/bench/decide", json=other | {"status": "accepted"}, headers=OURS).status_code == 200


@pytest.mark.fault(39)
def test_an_item_that_somebody_else_holds_is_kept_from_deciding_until_it_is_taken_over(
    bench: Workbench, client: TestClient
) -> None:
    seen, at = item(bench), {"person": "Bo", "item": "draft/1 ?"}
    assert client.post("/bench/hold", json=at, headers=OURS).json() == {"ok": True, "held": None}
    assert client.post("/bench/hold", json=at | {"person": "Ada"}, headers=OURS).json()["held"]["by"] == "Bo"
    typed = client.post("/bench/scratch", json=body(seen, question="Half"), headers=OURS).json()
    assert typed["saved_at"] and typed["held"]["by"] == "Bo"
    answer = client.post("/bench/decide", json=body(seen), headers=OURS)
    assert (answer.status_code, answer.json()["kind"], answer.json()["held"]) == (409, "held", typed["held"])
    assert answer.json()["taken_by"] == "Bo"
    assert client.post("/bench/take", json=at | {"person": " "}, headers=OURS).status_code == 422
    for route in ("/bench/hold", "/bench/take", "/bench/skip"):
        answer = client.post(route, json=at | {"person": "x" * 50_000}, headers=OURS)
        assert answer.status_code == 422 and answer.json()["message"].startswith("A name has at most 80 characters")
    assert client.post("/bench/take", json=at | {"person": "Ada"}, headers=OURS).json() == {"ok": True}
    assert client.post("/bench/decide", json=body(seen), headers=OURS).status_code == 200


def test_undo_takes_back_the_last_decision(bench: Workbench, client: TestClient) -> None:
    client.post("/bench/decide", json=body(item(bench)), headers=OURS)
    for _ in range(2):
        answer = client.post("/bench/undo", json={"person": "Ada", "key": "u"}, headers=OURS)
        assert (answer.status_code, answer.json()) == (200, {"ok": True, "item": "draft/1 ?"})
    assert item(bench).status == "drafted"
    answer = client.post("/bench/undo", json={"person": "Ada", "key": "u2"}, headers=OURS)
    assert answer.status_code == 422 and "no decision" in answer.json()["message"]


def test_half_a_surrogate_loses_no_typed_word(bench: Workbench, client: TestClient) -> None:
    words = json.dumps(body(item(bench), question="Half \ud83d a bridge"))
    answer = client.post("/bench/scratch", content=words, headers=OURS | {"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    assert bench.reviews.desk("draft/1 ?", "Ada").scratch.question == "Half \ufffd a bridge"


def test_the_next_item_comes_with_all_that_the_desk_shows_of_it(bench: Workbench, client: TestClient) -> None:
    items.add(bench.database, [replace(item(bench), id="draft-2")])
    step = {"person": "Ada", "item": "draft/1 ?", "key": "s", "tab": "t", "number": 1, "to": "next", "kind": {"level": 1}}
    answers = [client.post("/bench/next", json=step | {"kind": {}}, headers=OURS) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, 200] and answers[0].json() == answers[1].json()
    found = answers[0].json()["desk"]
    assert (found["item"]["id"], found["visit"]["tab"], found["visit"]["number"]) == ("draft-2", "t", 2)
    assert found["bar"]["words"] == "0 decided today, 2 left, 1 more from this document"
    assert client.post("/bench/hold", json={"person": "Bo", "item": "draft-2"}, headers=OURS).json()["held"]["by"] == "Ada"
    back = client.post("/bench/next", json=step | {"key": "s2", "to": "back", "target": "none"}, headers=OURS)
    assert back.status_code == 422 and "none" in back.json()["message"]
    none = client.post("/bench/next", json=step | {"key": "s3", "kind": {"domain": "nowhere"}}, headers=OURS)
    assert none.json() == {"ok": True, "desk": None}
    for field, value in (("to", "away"), ("number", -1), ("tab", None), ("kind", {"level": []})):
        assert client.post("/bench/next", json=step | {field: value}, headers=OURS).status_code == 422


@pytest.mark.fault(30, 33)
def test_a_decision_brings_the_next_item_and_sent_again_it_is_the_same_item(bench: Workbench, client: TestClient) -> None:
    items.add(bench.database, [replace(item(bench), id=name) for name in ("draft-2", "draft-3")])
    onward = {"key": "s", "tab": "t", "number": 1, "kind": {}}
    words = body(item(bench), status="drafted", onward=onward)
    answers = [client.post("/bench/decide", json=words, headers=OURS).json() for _ in range(3)]
    assert [answer["repeat"] for answer in answers] == [False, True, True]
    assert answers[0]["desk"] == answers[1]["desk"] == answers[2]["desk"]
    desk = answers[0]["desk"]
    assert (desk["item"]["id"], desk["visit"]["number"], desk["position"]["undo"]["item"]) == ("draft-2", 2, "draft/1 ?")
    assert desk["bar"]["words"] == "1 decided today, 2 left, 1 more from this document"
    alone = {"person": "Ada", "item": "draft/1 ?", "to": "next"} | onward
    assert client.post("/bench/next", json=alone, headers=OURS).json()["desk"] == desk, "it is the same step"
    assert client.post("/bench/hold", json={"person": "Bo", "item": "draft-2"}, headers=OURS).json()["held"]["by"] == "Ada"
    last = body(items.get(bench.database, "draft-2"), key="k2", status="drafted")
    none = client.post("/bench/decide", json=last | {"onward": onward | {"key": "s2", "kind": {"domain": "x"}}}, headers=OURS)
    assert none.json()["ok"] and none.json()["desk"] is None
    bare = client.post("/bench/decide", json=body(items.get(bench.database, "draft-3"), key="k3"), headers=OURS).json()
    assert bare["ok"] and "desk" not in bare


def test_an_item_that_is_skipped_brings_the_next_one_too(bench: Workbench, client: TestClient) -> None:
    items.add(bench.database, [replace(item(bench), id="draft-2")])
    words = {"person": "Ada", "item": "draft/1 ?", "key": "k", "revision": 1, "reason": "hard to read"}
    onward = {"key": "s", "tab": "t", "number": 1, "kind": {}}
    found = [client.post("/bench/skip", json=words | {"onward": onward}, headers=OURS).json() for _ in range(2)]
    assert found[0] == found[1] and found[0]["desk"]["item"]["id"] == "draft-2"
    assert [one.item for one in bench.reviews.holds.list_held()] == ["draft-2"]
    assert client.post("/bench/skip", json=words, headers=OURS).json() == {"ok": True}


def test_a_decision_that_was_not_stored_leads_nowhere_and_a_step_that_fails_takes_nothing_back(
    bench: Workbench, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    items.add(bench.database, [replace(item(bench), id="draft-2")])
    words = body(item(bench), status="accepted", onward={"key": "s", "tab": "t", "number": 1, "kind": {}})
    assert client.post("/bench/decide", json=words, headers=OURS).status_code == 409
    assert bench.desk_visits.find("t") is None and not bench.reviews.holds.list_held()
    wrong = client.post("/bench/decide", json=words | {"onward": {"key": "s", "number": 1}}, headers=OURS)
    assert wrong.status_code == 422 and "onward" in wrong.json()["message"]

    def refuse(*_: object) -> None:
        raise BenchError("The next item cannot be read.")

    monkeypatch.setattr(type(bench.desk_visits), "step", refuse)
    stored = client.post("/bench/decide", json=words | {"status": "drafted"}, headers=OURS).json()
    assert stored["ok"] and "desk" not in stored and item(bench).status == "accepted"


def test_the_document_of_the_next_item_is_told_and_nothing_is_held(bench: Workbench, client: TestClient) -> None:
    asked = {"person": "Ada", "item": "draft/1 ?", "kind": {}}
    assert client.post("/bench/ahead", json=asked, headers=OURS).json() == {"ok": True, "document": None}
    mine = item(bench).evidence[0].document
    other = next(one for one in bench.reviews.items() if one.evidence and one.evidence[0].document != mine)
    items.add(bench.database, [replace(other, id="draft-2", status="drafted")])
    found = client.post("/bench/ahead", json=asked, headers=OURS).json()
    assert found == {"ok": True, "document": other.evidence[0].document}
    assert bench.reviews.holds.list_held() == []
    step = asked | {"key": "s", "tab": "t", "number": 1, "to": "next"}
    assert client.post("/bench/next", json=step, headers=OURS).json()["desk"]["bar"]["is_last_of_document"] is True


@pytest.mark.parametrize("path", ["scratch", "decide", "undo", "hold", "take", "next", "ahead"])
def test_what_is_not_from_our_pages_is_refused(bench: Workbench, client: TestClient, path: str) -> None:
    words = json.dumps(body(item(bench)))
    sent: list[dict[str, str]] = [{}, {"x-benchwright": "other"}, OURS | {"content-type": "text/plain"}]
    for headers in sent:
        answer = client.post(f"/bench/{path}", content=words, headers={"content-type": "application/json"} | headers)
        assert answer.status_code == 403 and answer.json()["ok"] is False
    assert client.get(f"/bench/{path}").status_code == 405
    assert reviews.load_reviews(bench.database, ["draft/1 ?"]) == []


@pytest.mark.parametrize("sent", [b"", b"[]", b"{", b"null", b"[" * 100_000, b'{"person": 1}', b'{"seconds": NaN}', b"\xff"])
@pytest.mark.fault(14)
def test_a_broken_body_is_one_sentence(bench: Workbench, client: TestClient, sent: bytes) -> None:
    for path in ("scratch", "decide", "undo", "hold", "take", "next", "ahead"):
        answer = client.post(f"/bench/{path}", content=sent, headers=OURS | {"content-type": "application/json"})
        assert answer.status_code == 422 and answer.json()["message"].endswith("load the page again.")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("revision", "one"),
        ("revision", True),
        ("revision", 10**400),
        ("evidence", [1]),
        ("evidence", "x"),
        ("evidence", [{"document": "d", "start": -1, "end": 4}]),
        ("seconds", "3"),
        ("seconds", -1),
        ("claims", ["x"]),
        ("decision", None),
        ("question", ["q"]),
    ],
)
def test_a_field_of_the_wrong_kind_is_named(bench: Workbench, client: TestClient, field: str, value: object) -> None:
    answer = client.post("/bench/decide", json=body(item(bench), **{field: value}), headers=OURS)
    assert answer.status_code == 422 and field in answer.json()["message"]
    assert reviews.load_reviews(bench.database, ["draft/1 ?"]) == []


@pytest.mark.fault(7)
def test_too_much_text_is_refused_before_it_is_read(bench: Workbench, client: TestClient) -> None:
    answer = client.post("/bench/scratch", json=body(item(bench), answer="x" * LONGEST_BODY), headers=OURS)
    assert answer.status_code == 413 and "shorten" in answer.json()["message"]
