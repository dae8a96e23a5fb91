"""cli.py freeze names the accepted items that no release takes."""

from pathlib import Path
from typing import Any

from core.ids import content_hash
from core.nouns import Document, Item, Review, Span
from store.corpus import documents
from store.items import items
from store.reviews import reviews
from store.runs import runs
from workbench import Workbench

TEXT = "In 1931 the bridge was opened to carts. In 1954 the toll was abolished."


def test_a_frame_that_an_older_version_accepted_is_named(bw: Any, world: dict[str, str], tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        frame = Item("frame", "implicit_rationale", "How did the crossing change?", (TEXT,), labels={"frame": True})
        items.add(bench.database, [frame])
        reviews.decide(bench.database, Review("k", "frame", 1, "Ada", "accept"))
    said = bw("freeze", "v2", "--allow-unlicensed", "a test", json_too=False)
    assert "frame “How did the crossing change?” (unfilled frame)" in said.err and "1 unfilled frame" in said.out


def test_the_number_of_absence_twins_and_why_an_item_has_none_is_said(bw: Any, world: dict[str, str]) -> None:
    said = bw("freeze", "v2", "--allow-unlicensed", "a test", "--absence-share", "1", json_too=False)
    frozen = bw("freeze", "v2", "--allow-unlicensed", "a test", "--absence-share", "1").json
    assert frozen["absence_twins"] + len(frozen["absence_obstacles"]) == frozen["items"]
    for why in set(frozen["absence_obstacles"].values()):
        assert why in said.err
    assert ("absence twins of" in said.out) == bool(frozen["absence_twins"])
    assert frozen["absence_twins"] or frozen["absence_obstacles"]
    refused = bw("freeze", "v3", "--allow-unlicensed", "a test", "--absence-share", "1.5")
    assert refused.code == 1 and "share of absence twins is 1.5" in refused.err
    refused = bw("freeze", "v3", "--allow-unlicensed", "a test", "--absence-share", "1", "--absence-most", "0")
    assert refused.code == 1 and "may hide 0 passages" in refused.err


def test_a_release_without_a_document_to_search_says_so_before_its_run_is_refused(bw: Any, tmp_path: Path) -> None:
    (tmp_path / "qa.jsonl").write_text('{"question": "Who designed the bridge at Orvel?", "answer": "Marta Quill"}\n')
    assert bw("import", tmp_path / "qa.jsonl", "--format", "jsonl").code == 0
    assert "No document in en can be searched: a run" in bw("freeze", "v1", json_too=False).err
    assert bw("freeze", "v1").json["unsearchable"] == ["en"]
    refused = bw("run", "v1", "--system", "vanilla", "--agent", "offline")
    assert refused.code == 1 and "There is no document in en to search" in refused.err


def test_a_counterfactual_release_says_what_was_replaced_and_refuses_what_does_not_apply(bw: Any, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "bridge.txt").write_text(TEXT, encoding="utf-8")
    bw("add", str(corpus), "--licence", "CC0-1.0", json_too=False)
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        [document] = documents.load_documents(bench.database)
        evidence = (Span(document.id, 0, len(TEXT)),)
        asked = {"opened": ("When was the bridge opened to carts?", "1931"), "toll": ("Was there a toll?", "yes")}
        items.add(
            bench.database,
            [
                Item(name, "question_answering", question, (gold,), evidence, status="accepted")
                for name, (question, gold) in asked.items()
            ],
        )
    bw("freeze", "v1")
    said = bw("freeze", "cf", "--counterfactual-of", "v1", json_too=False)
    assert "answers replaced of 1 of 2 chosen items, in 1 of 1 document" in said.out
    assert "Answers that stay as they are: 1 yes or no." in said.err
    assert "Left out: 1 item, whose evidence states a replaced date or number that is not the answer." in said.err
    refused = bw("freeze", "cf2", "--counterfactual-of", "v1", "--include-gold")
    assert refused.code == 1 and "--include-gold does not apply to --counterfactual-of" in refused.err
    refused = bw("freeze", "cf2", "--counterfactual-share", "0.5")
    assert refused.code == 1 and "need --counterfactual-of" in refused.err
    ran = bw("run", "cf", "--both-worlds", "--system", "vanilla", "--agent", "offline", "--retriever", "bm25", json_too=False)
    assert ran.code == 0
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        [name] = [one.id for one in runs.list_runs(bench.database, "cf")]
        assert len(runs.list_runs(bench.database, "v1")) == 1
    table = bw("counterfactual", name).json
    assert [pair["of"] for pair in table["runs"][0]["items"]] == ["opened"] and table["runs"][0]["real_run"]
    drawn = bw("run", "cf", "--both-worlds", "--system", "echo", "--retriever", "bm25", "--sample", "3")
    assert drawn.code == 1 and "--sample draws other questions" in drawn.err
    refused = bw("run", "v1", "--both-worlds", "--system", "echo", "--retriever", "bm25")
    assert refused.code == 1 and "v1 is not counterfactual" in refused.err


def test_a_tiny_release_says_how_it_was_chosen_and_refuses_what_does_not_apply(bw: Any, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        text = "The bridge was opened in 1931."
        documents.add(bench.database, [Document(content_hash(text), text, "Bridge", licence="CC0")])
        evidence = (Span(content_hash(text), 0, len(text)),)
        asked = [
            Item(f"q{n:02}", "question_answering", f"Question {n}?", ("1931",), evidence, status="accepted") for n in range(41)
        ]
        items.add(bench.database, asked)
    bw("freeze", "v1")
    said = bw("freeze", "t", "--tiny-of", "v1", "--tiny-size", "40", json_too=False)
    assert "40 of 41 items of v1 were chosen by no scores" in said.out and ": experimental." in said.out
    assert "How often decisions are wrong is unknown: 0 systems have scores, and 3 are needed." in said.out
    table = bw("tiny", "t").json
    assert table["tiny"]["size"] == 40 and table["held_out"] is None
    assert "Items chosen" in bw("tiny", "t", "--format", "markdown", json_too=False).out
    refused = bw("freeze", "t2", "--tiny-of", "v1")
    assert refused.code == 1 and "41 items can be chosen from, so a choice of 60 would leave none out" in refused.err
    refused = bw("freeze", "t2", "--tiny-of", "v1", "--split", "dev=0.5,test=0.5")
    assert refused.code == 1 and "--split does not apply to --tiny-of" in refused.err
    refused = bw("freeze", "t2", "--counterfactual-of", "v1", "--tiny-size", "40")
    assert refused.code == 1 and "--tiny-size does not apply to --counterfactual-of" in refused.err
    refused = bw("freeze", "t2", "--tiny-seed", "2")
    assert refused.code == 1 and "need --tiny-of" in refused.err
