"""What a route does is looked at as a page is: 403 and a sentence for what is not that person's. annotation.md 3d, rows 22, 23
and 40."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import workbench
from serving.routes import ROUTES
from serving.security import MIDDLEWARE
from store.items import items
from store.reviews import unsent_edits
from tests.serving.test_desk_routes import OURS, body
from workbench import Workbench
from workbench.setup.log import LogFilter


@pytest.fixture
def bench(samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    """Two drafts wait, Lea leads and holds the first."""
    (tmp_path / "w.duckdb").write_bytes(samples.read_bytes())
    monkeypatch.setenv("BENCHWRIGHT_WORKSPACE", str(tmp_path / "w.duckdb"))
    workbench.close_workbench()
    bench = workbench.open_workbench()
    sample = items.get(bench.database, bench.reviews.items()[0].id)
    items.add(bench.database, [replace(sample, id=name, status="drafted") for name in ("one", "two")])
    bench.people.give("Lea", "lead")
    bench.reviews.holds.hold("one", "Lea")
    yield bench
    workbench.close_workbench()


def client(person: str) -> TestClient:
    """That person's browser, as the app answers it."""
    app = Starlette(routes=ROUTES, middleware=MIDDLEWARE)
    return TestClient(app, "http://localhost", cookies={"benchwright_person": person}, headers=OURS)


@pytest.mark.fault(23)
def test_an_annotator_ends_nobodys_hold_by_a_route_and_a_lead_does(bench: Workbench) -> None:
    answer = client("Ann").post("/bench/take", json={"item": "one", "person": "Ann"})
    assert answer.status_code == 403 and "Ann is an annotator here and may not end what others hold" in answer.json()["message"]
    assert bench.reviews.holds.find_other("one", "Ann") is not None
    (line,) = bench.log.page(LogFilter(people=("Ann",)))[0]
    assert (line.act, line.what, line.is_refused) == ("end what others hold", "Lea's one", True)
    bench.reviews.holds.hold("two", "Ann")
    assert client("Lea").post("/bench/take", json={"item": "two", "person": "Lea"}).status_code == 200


@pytest.mark.fault(22)
def test_another_ones_item_is_not_read_by_its_address(bench: Workbench) -> None:
    for path in ("/bench/claims/one?revision=1", "/bench/history/one?person=Ann"):
        assert client("Ann").get(path).status_code == 403 and client("Lea").get(path).status_code == 200, path
    assert client("Ann").get("/bench/claims/two?revision=1").status_code == 200


@pytest.mark.fault(22)
def test_what_is_said_of_another_ones_item_is_neither_read_nor_added_to(bench: Workbench) -> None:
    bench.comments.say("Lea", "one", "For Lea's eyes.", "k1")
    said = {"item": "one", "text": "Let me see.", "key": "k2"}
    answer = client("Ann").post("/bench/comment", json={"person": "Ann", **said})
    assert answer.status_code == 403 and "thread" not in answer.json()
    answer = client("Lea").post("/bench/comment", json={"person": "Lea", **said})
    assert [one["text"] for one in answer.json()["thread"]] == ["For Lea's eyes.", "Let me see."]
    typed = {"person": "Ann", "item": "one", "revision": 1, "question": "Half a"}
    assert client("Ann").post("/bench/comment/scratch", json=typed).status_code == 200, "no word is lost"


def test_a_prepared_export_is_for_who_may_export(bench: Workbench) -> None:
    answer = client("Ann").get("/bench/export/v1-jsonl-123.zip")
    assert answer.status_code == 403 and "may not export releases" in answer.text


@pytest.mark.fault(40)
def test_whoever_was_removed_is_told_so_and_their_words_are_kept(bench: Workbench) -> None:
    bench.people.remove("Ann")
    two = items.get(bench.database, "two")
    answer = client("Ann").post("/bench/decide", json=body(two, person="Ann"))
    assert answer.status_code == 403 and "Ann's work here has ended" in answer.json()["message"]
    kept = client("Ann").post("/bench/scratch", json=body(two, person="Ann", question="My words?"))
    assert kept.status_code == 200
    found = unsent_edits.get(bench.database, "Ann", "two")
    assert found is not None and found.question == "My words?"
    assert items.get(bench.database, "two").status == "drafted"


@pytest.mark.fault(23)
def test_a_researcher_decides_on_nothing_by_a_route(bench: Workbench) -> None:
    bench.people.give("Rex", "researcher")
    two = items.get(bench.database, "two")
    answer = client("Rex").post("/bench/decide", json=body(two, person="Rex"))
    assert answer.status_code == 403 and "Rex is a researcher here and may not decide on items" in answer.json()["message"]
    assert items.get(bench.database, "two").status == "drafted"


@pytest.mark.fault(22)
def test_a_guest_gets_the_exports_of_one_release_and_no_other_route(bench: Workbench) -> None:
    for name in ("v1", "v1-b"):
        bench.releases.freeze(name)
    bench.people.give("Gus", "guest", "v1")
    gus, own, other = client("Gus"), *(bench.release_browser.pack(name, "jsonl").file for name in ("v1", "v1-b"))
    assert gus.get(f"/bench/export/{own}").status_code == 200
    assert gus.get(f"/bench/export/{other}").status_code == 403 and client("Rex").get("/bench/health").status_code == 200
    alone = "Gus is a guest here and sees only the release v1: ask an admin for more."
    two = body(items.get(bench.database, "two"), person="Gus")
    paths = {path for route in ROUTES if (path := route.path) not in ("/bench/health", "/bench/export/{file}")}
    for path in paths:
        for method in ("GET", "POST"):
            answer = gus.request(method, path.replace("{item}", "two"), json=two if method == "POST" else None)
            assert (answer.status_code, answer.json()["message"]) == (403, alone), path
    assert unsent_edits.get(bench.database, "Gus", "two") is None and bench.reviews.holds.find_other("two", "Ann") is None
