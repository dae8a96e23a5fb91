"""No way leads a frame's words into a release: not the desk, the command line, imports, nor what an older version accepted."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.as_json import as_json
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Review, Span
from store.corpus import documents
from store.items import items
from store.reviews import reviews
from workbench import Workbench
from workbench.annotate.finding.bulk_rules import BulkPlan, BulkRequest
from workbench.annotate.finding.bulk_work import load_rows
from workbench.annotate.reviewing.reviews import DecisionRequest

TEXT = "In 1931 the bridge was opened to carts. In 1954 the toll was abolished. In 1972 the ferry made its last crossing."
DOCUMENT = Document(content_hash(TEXT), TEXT, "The bridge", domain="arts", licence="CC0-1.0")
WHOLE = Span(DOCUMENT.id, 0, len(TEXT))
OWN = "A private crossing became a free public road that nobody needed boats beside."
NEARLY = [TEXT, f"{TEXT}nnxb", f"n b {TEXT}", TEXT.replace("bridge", "brigde"), "In 1954 the toll was abolished."]


def item(id_: str, **fields: Any) -> Item:
    return Item(
        **{
            "id": id_,
            "task": "implicit_rationale",
            "question": "How did the crossing change?",
            "answers": (TEXT,),
            "level": 4,
            "evidence": (WHOLE,),
            "domain": "arts",
            "given": (DOCUMENT.id,),
            "labels": {"frame": True},
        }
        | fields
    )


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """A frame that waits, and an accepted item beside it."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [DOCUMENT])
        items.add(bench.database, [item("frame"), item("whole", answers=(OWN,), labels={}, status="accepted")])
        yield bench


def status(bench: Workbench) -> str:
    return items.get(bench.database, "frame").status


@pytest.mark.parametrize("answer", NEARLY)
def test_the_desk_takes_no_frames_words_for_an_answer(bench: Workbench, answer: str) -> None:
    frame = item("frame")
    press = DecisionRequest("k", "Ada", "frame", 1, "accept", frame.question, answer, frame.evidence)
    with pytest.raises(BenchError, match="still the frame's words"):
        bench.reviews.settle(press)
    assert status(bench) == "drafted" and items.get(bench.database, "frame").revision == 1


@pytest.mark.parametrize("answer", [None, *NEARLY])
def test_decide_takes_no_frames_words_for_an_answer(bench: Workbench, answer: str | None) -> None:
    with pytest.raises(BenchError, match="still the frame's words"):
        bench.reviews.decide("frame", "accept", person="Ada", answer=answer)
    assert status(bench) == "drafted"
    decided = bench.reviews.decide("frame", "accept", person="Ada", answer=OWN)
    assert decided.status == "accepted" and "frame" not in decided.labels


def test_a_filled_frame_does_not_go_back_to_the_frames_words(bench: Workbench) -> None:
    bench.reviews.decide("frame", "accept", person="Ada", answer=OWN)
    filled = items.get(bench.database, "frame")
    press = DecisionRequest("k", "Ada", "frame", 2, "accept", filled.question, TEXT, filled.evidence, seen="accepted")
    with pytest.raises(BenchError, match="still the frame's words"):
        bench.reviews.settle(press)
    with pytest.raises(BenchError, match="still the frame's words"):
        bench.reviews.decide("frame", "accept", person="Ada", answer=TEXT)
    assert items.get(bench.database, "frame").answers == (OWN,)


@pytest.mark.parametrize("answer", ["x", "nnx", "n n b", "xx yy", "是"])
def test_a_stray_key_in_the_place_of_a_frame_is_no_answer(bench: Workbench, answer: str) -> None:
    with pytest.raises(BenchError, match="write the answer in sentences of your own"):
        bench.reviews.decide("frame", "accept", person="Ada", answer=answer)


@pytest.mark.parametrize("answer", [TEXT, f"{TEXT}nnxb"])
def test_a_freeze_leaves_out_what_was_accepted_all_the_same_and_counts_it(bench: Workbench, answer: str) -> None:
    edited = item("frame", answers=(answer,), labels={} if answer != TEXT else {"frame": True})
    reviews.decide(bench.database, Review("k", "frame", 1, "Ada", "accept"), edited if answer != TEXT else None)
    assert status(bench) == "accepted", "as a version without this rule left it"
    looked = bench.release_browser.preview()
    made = bench.releases.freeze("v1")
    assert (made.items, made.left_out) == (1, {"unfilled_frame": 1}) == (looked.items, looked.left_out)
    named = [{"id": "frame", "question": edited.question, "why": "unfilled_frame", "conversation": ""}]
    assert (
        as_json(made.held_back) == named == as_json(looked.held_back)
        and bench.release_browser.preview(domains=["law"]).held_back == []
    )
    assert [row["id"] for row in bench.releases.get("v1")[0].manifest["items"]] == ["whole"]
    assert sum(cell.items for cell in looked.cells) == 1


def test_an_import_refuses_an_accepted_frame_and_brings_in_the_others(bench: Workbench, tmp_path: Path) -> None:
    row = {"question": "How?", "task": "implicit_rationale", "level": 4, "contexts": [{"text": TEXT, "gold": True}]}
    rows = [row | {"id": "one", "answer": TEXT, "labels": {"frame": True}}, row | {"id": "two", "answer": OWN}]
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in rows), encoding="utf-8")
    came = bench.releases.import_(path, "jsonl")
    assert came.items == 1 and [one.message for one in came.refused] == [
        "one is a frame to fill (its label frame says so): write its answer, and take that label away."
    ]
    assert {one.id for one in bench.reviews.items()} == {"frame", "whole", "two"}


def test_reviews_from_elsewhere_do_not_accept_a_frame(bench: Workbench, tmp_path: Path) -> None:
    folder = tmp_path / "reviews"
    folder.mkdir()
    at = "2026-11-20T12:00:00+00:00"
    told = [
        {
            "id": f"r{n}",
            "item": id_,
            "revision": revision,
            "person": "Bo",
            "decision": "accept",
            "at": at,
            "reason": "",
            "comment": "",
            "details": {},
        }
        for n, (id_, revision) in enumerate([("frame", 1), ("frame", 2), ("whole", 1)])
    ]
    made = {
        "item": "frame",
        "revision": 2,
        "question": "How?",
        "answers": [f"{TEXT} nnxb"],
        "by": "Bo",
        "at": at,
        "labels": {},
        "evidence": [{"document": DOCUMENT.id, "start": 0, "end": len(TEXT)}],
    }
    (folder / "reviews.jsonl").write_text("".join(json.dumps(one) + "\n" for one in told), encoding="utf-8")
    (folder / "revisions.jsonl").write_text(json.dumps(made) + "\n", encoding="utf-8")
    came = bench.releases.import_(folder, "reviews")
    assert came.reviews == 1
    assert all("a frame to fill" in one.message for one in came.refused) and len(came.refused) == 2
    assert status(bench) == "drafted" and items.get(bench.database, "frame").revision == 2
    asked = BulkRequest("accept", "Lea")
    _, why = load_rows(bench.database.rows, BulkPlan(asked, asked, {}), ["frame", "whole"], at)
    assert why == {"frame": "a frame to fill", "whole": "accepted already"}, "in bulk neither, though the label came off"


def test_an_answer_whose_writer_took_it_back_is_not_accepted_in_bulk(bench: Workbench) -> None:
    bench.reviews.decide("frame", "accept", person="Ada", answer=OWN)
    bench.reviews.undo("Ada", "u")
    asked = BulkRequest("accept", "Lea")
    _, why = load_rows(bench.database.rows, BulkPlan(asked, asked, {}), ["frame"], "2026-11-20T12:00:00+00:00")
    assert why == {"frame": "a frame to fill"}
    assert bench.reviews.decide("frame", "accept", person="Lea").status == "accepted", "one who reads it may"


def test_a_filled_frame_goes_out_with_its_review_and_comes_back_accepted(bench: Workbench, tmp_path: Path) -> None:
    bench.reviews.decide("frame", "accept", person="Ada", answer=OWN)
    bench.releases.freeze("v1")
    bench.releases.export("v1", "reviews", tmp_path / "out")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        documents.add(other.database, [DOCUMENT])
        items.add(other.database, [item("frame"), item("whole", answers=(OWN,), labels={}, status="accepted")])
        came = other.releases.import_(tmp_path / "out", "reviews")
        assert (came.reviews, came.refused) == (1, [])
        assert status(other) == "accepted" and items.get(other.database, "frame").answers == (OWN,)
