"""Certificates of releases: made as a job, read as a table and item by item, exported, and left out of reports."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.engine.database import Database
from store.items import items
from store.jobs import jobs as stored_jobs
from store.releases import certificates
from tests.openai_server import Running
from workbench import Workbench
from workbench.control import Control
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.shortcuts.certificate_report import render_report
from workbench.evaluate.shortcuts.certificates import CertificateRequest, list_shortcuts
from workbench.release.checking import verify_folder

MASONS = ("Vorek", "Taluna", "Mirost", "Sedil")
TEXTS = {name: f"The tower of {name}dorf was built by the mason {name} long ago." for name in MASONS}


def id_of(name: str) -> str:
    return content_hash(TEXTS[name])


@pytest.fixture
def bench() -> Iterator[Workbench]:
    """Four items: two repeat the sentence that answers them, two share no word with it."""
    with Workbench.open(":memory:") as bench:
        fill(bench)
        bench.releases.freeze("v1", split="dev=0.5,test=0.5")
        yield bench


def fill(bench: Workbench) -> None:
    documents.add(bench.database, [Document(id_of(name), text, name, licence="CC0") for name, text in TEXTS.items()])
    questions = {name: f"Which mason built the tower of {name}dorf?" for name in MASONS[:2]}
    questions |= {name: f"Whose house has number {n}?" for n, name in enumerate(MASONS[2:])}
    made = [
        Item(
            name.lower(),
            "question_answering",
            question,
            (name,),
            status="accepted",
            evidence=(Span(id_of(name), 0, len(TEXTS[name])),),
            level=1 if name in MASONS[:2] else 2,
        )
        for name, question in questions.items()
    ]
    items.add(bench.database, made)


def certify(bench: Workbench, **asked: Any) -> dict[str, Any]:
    job = bench.certificates.plan(CertificateRequest(release="v1", **asked))
    return asyncio.run(bench.certificates.work(job, Control()))


def test_a_release_says_which_questions_a_shortcut_answers(bench: Workbench) -> None:
    assert bench.certificates.find("v1") is None
    result = certify(bench)
    assert (result["items"], result["flagged"], result["calls"], result["stopped"]) == (4, 2, 0, None)
    made = bench.certificates.find("v1")
    assert made and made.id == result["certificate"] and made.seed == 13 and made.settings["threshold"] == 0.5
    assert "closed_book" not in made.settings["shortcuts"]
    rates = {rate.probe.shortcut: rate for rate in bench.certificates.report("v1").rates}
    assert (rates["top_passage"].rate.mean, rates["top_passage"].rate.n) == (1.0, 2)
    assert rates["top_passage"].undecided == {"no passage shares a word with the question": 2}
    assert rates["longest_choice"].undecided == {"the question offers no choices": 4}
    assert (rates["any"].rate.mean, rates["any"].rate.n) == (0.5, 4)
    by_level = {
        rate.group: rate for rate in bench.certificates.report("v1", by=["level"]).rates if rate.probe.shortcut == "any"
    }
    assert {group: rate.rate.mean for group, rate in by_level.items()} == {("1",): 1.0, ("2",): 0.0}
    assert "Top passage" in render_report(bench.certificates.report("v1"))
    with pytest.raises(BenchError, match="cannot be grouped by 'colour'"):
        bench.certificates.report("v1", by=["colour"])


def test_a_certificate_that_decides_nothing_states_no_number_of_answers(bench: Workbench) -> None:
    result = certify(bench, shortcuts=("longest_choice",))
    assert (result["items"], result["decided"], result["flagged"]) == (4, 0, None)
    assert result["message"] == "No shortcut applies to 4 of 4 questions."
    half = certify(bench, shortcuts=("top_passage",))
    assert (half["decided"], half["flagged"]) == (2, 2)
    assert half["message"] == "At least one shortcut answers 2 of 2 questions. No shortcut applies to 2 of 4 questions."


def test_a_flagged_item_shows_the_passage_that_answers_it(bench: Workbench) -> None:
    certify(bench)
    found, total = bench.certificates.list_flagged("v1")
    assert total == 2 and [one.item for one in found] == ["taluna", "vorek"]
    right = {one.label: one for one in found[1].right_answers}
    assert right["Top passage"].answer == TEXTS["Vorek"] and right["Top passage"].title == "Vorek"
    assert bench.certificates.list_flagged("v1", number=2) == ([], 2)


def test_agents_answer_without_any_text_and_their_answers_are_kept_as_runs(bench: Workbench) -> None:
    result = certify(bench, agents=("offline",))
    assert result["calls"] == 4 and len(result["runs"]) == 1
    [run] = bench.reports.runs("v1")
    assert (run.run.id, run.run.system.name, run.run.agent) == (result["runs"][0], "closed_book", "offline")
    report = bench.certificates.report("v1")
    assert report.rates[0].probe == ("closed_book", "offline") and report.rates[0].rate.n == 4
    assert report.notes == ["The agent offline works without an LLM and knows nothing: its closed book says nothing."]
    again = certify(bench, agents=("offline",), seed=14)
    assert again["runs"] == result["runs"] and again["calls"] == 0, "no question is asked twice"
    assert len(bench.certificates.list_certificates("v1")) == 2


def test_a_reply_that_contains_the_answer_is_a_hit_and_a_failed_one_is_no_miss(bench: Workbench, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(json.dumps({"text": text}) + "\n" for text in ("It was Mirost.", "Somebody", "It was Taluna.")))
    result = certify(bench, shortcuts=("closed_book",), agents=(f"scripted:{replies}",), settings={"concurrency": 1})
    rate = bench.certificates.report("v1").rates[0]
    assert (rate.failed, rate.rate.n) == (1, 3)
    results = certificates.load_results(bench.database, str(result["certificate"]))
    assert result["flagged"] == sum(bool(one.is_right) for one in results if one.shortcut == "closed_book")


def test_a_certificate_that_was_stopped_is_not_stored_and_its_job_goes_on(bench: Workbench) -> None:
    job = bench.certificates.plan(CertificateRequest(release="v1", agents=("offline",)))
    stopped = Control()
    stopped.cancel()
    assert asyncio.run(bench.certificates.work(job, stopped))["stopped"] == "cancelled"
    without_agent = bench.certificates.plan(CertificateRequest(release="v1"))
    assert asyncio.run(bench.certificates.work(without_agent, stopped))["stopped"] == "cancelled"
    assert bench.certificates.find("v1") is None
    assert asyncio.run(bench.certificates.work(job, Control()))["flagged"] == 2
    assert stored_jobs.count_states(bench.database, job)["done"] == 2


def test_what_cannot_be_asked_is_refused_with_a_sentence(bench: Workbench) -> None:
    for asked, sentence in (
        ({"shortcuts": ("closed_book",)}, "closed_book asks agents: name one with --agent"),
        ({"shortcuts": ("top_passage",), "agents": ("offline",)}, "None of these shortcuts asks an agent"),
        ({"shortcuts": ("luck",)}, "luck"),
        ({"threshold": 0.0}, "The threshold is 0"),
        ({"settings": {"colour": 1}}, "colour"),
    ):
        with pytest.raises(BenchError, match=sentence):
            certify(bench, **asked)
    with pytest.raises(BenchError, match="nothing"):
        bench.certificates.plan(CertificateRequest(release="nothing"))
    with pytest.raises(BenchError, match="certificate make v1"):
        bench.certificates.report("v1")
    assert list_shortcuts(CertificateRequest(release="v1", shortcuts=("top_passage",))) == ["top_passage"]


def test_reports_leave_out_the_flagged_questions_and_give_both_sizes(bench: Workbench) -> None:
    job = bench.runs.plan(RunRequest(release="v1", system="echo", metrics=["length"]))
    run = str(asyncio.run(bench.runs.work(job, Control()))["run"])
    assert bench.reports.count_answered([run]) == []
    with pytest.raises(BenchError, match="has no certificate of its shortcuts"):
        bench.reports.report([run], form="table", without_shortcuts=["any"])
    certify(bench)
    counts = {one.shortcut: (one.label, one.n) for one in bench.reports.count_answered([run])}
    assert counts == {"any": ("At least one", 2), "longest_overlap": ("Longest overlap", 2), "top_passage": ("Top passage", 2)}
    report = json.loads(bench.reports.report([run], form="json", without_shortcuts=["any"]))
    assert report["runs"][0]["n"] == 4 and report["without_shortcuts"]["runs"][0]["n"] == 2
    assert (report["without_shortcuts"]["questions"], report["without_shortcuts"]["left_out"]) == (4, 2)
    text = bench.reports.report([run], form="table", without_shortcuts=["any"])
    assert "Scores, without the 2 of 4 questions that a shortcut answers" in text
    assert "without shortcuts" in bench.reports.report([run], form="csv", without_shortcuts=["any"])
    with pytest.raises(BenchError, match="did not try closed_book"):
        bench.reports.report([run], form="table", without_shortcuts=["closed_book"])
    form = json.loads(bench.reports.report([run], form="json", without_shortcuts=["question_form"]))
    assert form["without_shortcuts"]["left_out"] == 0 and form["without_shortcuts"]["runs"][0]["n"] == 4
    with pytest.raises(BenchError, match="leave out --preset or --without-shortcuts"):
        bench.reports.report([run], form="table", preset="hawkbench_table2", without_shortcuts=["any"])


def test_an_export_carries_the_certificate_without_withheld_items(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.export("v1", "jsonl", tmp_path / "before")
    assert not (tmp_path / "before" / "certificate.json").exists()
    result = certify(bench)
    bench.releases.export("v1", "jsonl", tmp_path / "all")
    record = json.loads((tmp_path / "all" / "certificate.json").read_text())
    assert record["certificate"] == result["certificate"]
    assert {one["item"] for one in record["results"] if one["shortcut"] == "any" and one["right"]} == {"vorek", "taluna"}
    card = (tmp_path / "all" / "README.md").read_text()
    assert "## Shortcuts" in card and "| at least one | 4 | 50.0%" in card
    assert verify_folder(tmp_path / "all").ok
    bench.releases.export("v1", "jsonl", tmp_path / "part", withhold=["test"])
    lines = (tmp_path / "part" / "items.jsonl").read_text().splitlines()
    withheld = {row["id"] for row in map(json.loads, lines) if row.get("withheld")}
    kept = json.loads((tmp_path / "part" / "certificate.json").read_text())
    assert withheld and not withheld & {one["item"] for one in kept["results"]} and kept["rates"] == record["rates"]


def test_a_certificate_of_another_release_is_reported(bench: Workbench, tmp_path: Path) -> None:
    certify(bench)
    folder = tmp_path / "out"
    bench.releases.export("v1", "jsonl", folder)
    file = folder / "certificate.json"
    record = json.loads(file.read_text())
    file.write_text(json.dumps({**record, "hash": "b2:0", "results": [{"item": "nobody"}]}))
    messages = [problem.message for problem in verify_folder(folder).problems if problem.file == "certificate.json"]
    assert messages == [
        "was changed: its checksum differs.",
        "is of another release, b2:0.",
        "names an item that is not in the manifest.",
    ]


def test_a_packed_export_is_made_again_after_a_certificate(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        fill(bench)
        bench.releases.freeze("v1")
        before = bench.release_browser.pack("v1", "jsonl")
        certify(bench)
        after = bench.release_browser.pack("v1", "jsonl")
        assert before.file != after.file and after.files == before.files + 1


def test_certificates_are_kept_in_the_file(tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        fill(bench)
        bench.releases.freeze("v1")
        made = certify(bench)["certificate"]
    with Database.open(tmp_path / "w.duckdb") as database:
        [stored] = certificates.list_certificates(database, "v1")
        assert stored.id == made and len(certificates.list_flagged(database, stored.id)) == 2
        [span] = {
            one.span for one in certificates.load_results(database, stored.id, ["vorek"]) if one.shortcut == "top_passage"
        }
        assert span == Span(id_of("Vorek"), 0, len(TEXTS["Vorek"]))
        with pytest.raises(BenchError, match="No certificate has the id"):
            certificates.get(database, "none")


def test_each_agent_has_a_row_and_its_calls_have_a_price(
    bench: Workbench, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    server.script([{"contains": "", "fault": "text", "text": "It was Mirost."}])
    prices = {"agent.price_in": 1.0, "agent.price_out": 1.0}
    asked: dict[str, Any] = {"agents": ("openai:m", "openai:n"), "settings": prices}
    cost = float(certify(bench, **asked, seed=1)["cost_usd"])
    assert cost > 0 and server.count()["requests"] == 8
    rates = bench.certificates.report("v1").rates
    assert [(rate.probe.agent, rate.rate.mean) for rate in rates if rate.probe.agent] == [
        ("openai:m", 0.25),
        ("openai:n", 0.25),
    ]
    with pytest.raises(BenchError, match="needs prices"):
        certify(bench, agents=("openai:m",), budget=1.0)


def test_a_question_in_a_language_without_documents_is_undecided(bench: Workbench) -> None:
    items.add(
        bench.database,
        [Item("zh", "question_answering", "谁建了这座塔？", ("沃雷克",), status="accepted", language="zh", level=1)],
    )
    bench.releases.freeze("v2")
    job = bench.certificates.plan(CertificateRequest(release="v2", shortcuts=("top_passage", "longest_overlap")))
    assert asyncio.run(bench.certificates.work(job, Control()))["flagged"] == 2
    rates = {rate.group: rate for rate in bench.certificates.report("v2", by=["language"]).rates}
    assert rates[("zh",)].rate.n == 0 and rates[("en",)].rate.n == 2
