"""Half-life checks of a release: what they store, what they leave alone, and what becomes of changed answers."""

import asyncio
import io
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.nouns import Document, Item, Span
from store.items import items
from store.releases import half_life_checks
from tests.store.formats.test_formats_crag import PAGE, page, record
from workbench import Workbench
from workbench.control import Control
from workbench.evaluate.half_life.half_life import HalfLifeRequest
from workbench.evaluate.half_life.newer_files import list_page_keys, list_pages, normalise_address, read_newer_pages
from workbench.evaluate.half_life.questions import find_answer_date
from workbench.release.contests import ContestRuling
from workbench.release.uploads import Upload

TABLES = Path(__file__).parents[3] / "samples" / "tables" / "academic"
PERSONS = (TABLES / "persons.csv").read_text(encoding="utf-8")
QUESTIONS = 45
URL = "https://e.test/ferries"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Questions from a template, a web question and a question on a document, frozen as v1."""
    with Workbench.open(tmp_path_factory.mktemp("half_life") / "w.duckdb") as made:
        made.corpus.load_samples()
        made.tables.load_samples()
        words = {"id": "organization_of", "kind": "simple", "text": "What is the organization of {who}?"}
        about = {"table": "persons", "slots": {"who": "name"}, "answer": "organization", "dynamism": "slow-changing"}
        made.templates.save({**words, **about})
        job = made.seasons.plan(["organization_of"], QUESTIONS, 13)
        jobs.start(made).submit(job).result()
        asked = record("ferry", query="when does the ferry leave?", answer="nine", search_results=[page(page_url=URL)])
        file = tmp_path_factory.mktemp("crag") / "crag.jsonl"
        file.write_text(json.dumps(asked) + "\n", encoding="utf-8")
        made.releases.import_(file, "crag")
        for item in made.seasons.list_made(job):
            made.reviews.decide(item.id, "accept", person="Ada", reason="")
        made.releases.freeze("v1", tasks=["template_question", "web_question", "explicit_factoid"], allow_unlicensed="a test")
        yield made


def upload(name: str, text: str) -> Upload:
    return Upload(name, io.BytesIO(text.encode()), len(text.encode()))


def page_line(html: str) -> Upload:
    return upload("pages.jsonl", json.dumps({"page_url": f"http://www.{URL.partition('//')[2]}/#top", "page_result": html}))


def check(bench: Workbench, at: str, **more: Any) -> dict[str, Any]:
    job = bench.half_life.plan(HalfLifeRequest(release="v1", at=at, **more))
    return dict(jobs.start(bench).submit(job).result())


def outcomes(result: Mapping[str, Any]) -> dict[str, int]:
    return {outcome: n for outcome, n in result["outcomes"].items() if n}


def test_identical_tables_and_pages_change_nothing(bench: Workbench) -> None:
    tasks = Counter(item.task for item in bench.reviews.items(status="accepted"))
    others = tasks["explicit_factoid"]
    result = check(bench, "2030-01-01", tables=[upload("persons.csv", PERSONS)], pages=[page_line(PAGE)])
    assert outcomes(result) == {"unchanged": tasks["template_question"] + 1, "not_asked": others}
    assert result["reasons"] == {"neither from a template nor about web pages": others}
    assert "No answer changed: a bound." in bench.half_life.report("v1")


def test_the_release_and_the_tables_in_use_stay_and_the_newer_ones_are_kept(bench: Workbench) -> None:
    before, header = bench.tables.hashes(), bench.release_browser.find_header("v1")
    newer = PERSONS.replace("Brockholt Polytechnic,", "Brockholt University,")
    result = check(bench, "2030-02-01", tables=[upload("persons.csv", newer), upload("tables.json", "{}")])
    assert bench.tables.hashes() == before and bench.releases.verify("v1").ok
    assert bench.release_browser.find_header("v1") == header
    stored = half_life_checks.get(bench.database, result["check"])
    assert stored.inputs["tables"].keys() == {"persons"} and stored.inputs["agent"] is None
    rows = bench.database.rows("SELECT hash FROM knowledge_table WHERE hash = ?", [stored.inputs["tables"]["persons"]])
    assert rows
    again = check(bench, "2030-02-01", tables=[upload("persons.csv", newer)])
    assert again["check"] == result["check"], "the same check of the same data is stored once"
    answers = half_life_checks.load_answers(bench.database, result["check"])
    changed = [one for one in answers if one.outcome == "changed"]
    assert changed and {(one.before, one.after) for one in changed} == {("Brockholt Polytechnic", "Brockholt University")}
    with pytest.raises(BenchError, match="No half-life check has an id that begins"):
        half_life_checks.get(bench.database, "abcdef")


def test_changed_answers_are_contested_once_and_corrected_by_an_erratum(bench: Workbench, tmp_path: Path) -> None:
    newer = PERSONS.replace("Brockholt Polytechnic,", "Brockholt University,")
    result = check(bench, "2030-02-01", tables=[upload("persons.csv", newer)])
    made = bench.half_life.contest("v1", result["check"], "Lea")
    assert len(made.contests) == result["outcomes"]["changed"] and made.gone == 0
    assert bench.half_life.contest("v1", result["check"], "Lea") == made
    first = bench.contests.load_case(made.contests[0]).contest
    assert first.answer == "Brockholt University" and "“Brockholt Polytechnic” was right at the release" in first.reason
    for id_ in made.contests:
        bench.contests.decide(ContestRuling(contest=id_, decision="accept", person="Lea"))
    assert items.get(bench.database, first.item).answers == ("Brockholt University",), "the newer answer is the correction"
    frozen = bench.errata.freeze("v1.1", "v1")
    assert len(frozen.erratum.corrected) == len(made.contests)
    assert frozen.erratum.contradicted == frozen.erratum.corrected, "the tables of the release still have the old name"
    assert "still give the old answers to these items: `" in export(bench, "v1.1", tmp_path)[1]
    job = bench.half_life.plan(HalfLifeRequest(release="v1.1", at="2030-02-02", tables=[upload("persons.csv", newer)]))
    assert jobs.start(bench).submit(job).result()["outcomes"]["changed"] == 0, "the erratum is up to date"
    same = check(bench, "2030-01-01", tables=[upload("persons.csv", PERSONS)])
    with pytest.raises(BenchError, match="found no changed answer"):
        bench.half_life.contest("v1", same["check"], "Lea")


def export(bench: Workbench, release: str, folder: Path, **more: Any) -> tuple[dict[str, Any], str]:
    """Return half_life.json ({} = there is none) and the card of an exported release, which its verify.py accepts."""
    bench.releases.export(release, "jsonl", out := folder / release, **more)
    verified = subprocess.run([sys.executable, str(out / "verify.py")], cwd=out, capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    file = out / "half_life.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else {}, (out / "README.md").read_text("utf-8")


def test_an_export_has_the_checks_and_says_which_is_of_another_release(bench: Workbench, tmp_path: Path) -> None:
    release = bench.releases.get("v1")[0]
    bench.releases.freeze("split", tasks=["template_question"], split="dev=0.5,test=0.5", allow_unlicensed="a test")
    assert export(bench, "split", tmp_path)[0] == {}
    newer = PERSONS.replace("Brockholt Polytechnic,", "Brockholt University,")
    job = bench.half_life.plan(HalfLifeRequest(release="split", at="2031-01-01", tables=[upload("persons.csv", newer)]))
    result = jobs.start(bench).submit(job).result()
    packed = bench.release_browser.pack("split", "jsonl").file
    record, card = export(bench, "split", tmp_path / "all")
    (one,) = record["checks"]
    assert one["check"] == result["check"] and one["outcomes"] == result["outcomes"] and one["on"] == "2031-01-01"
    assert Counter(answer["outcome"] for answer in one["answers"]) == {k: n for k, n in one["outcomes"].items() if n}
    assert "## Half-life" in card and "| 2031-01-01 |" in card
    hidden = export(bench, "split", tmp_path / "dev", withhold=["test"])[0]["checks"][0]
    assert hidden["outcomes"] == one["outcomes"] and 0 < len(hidden["answers"]) < len(one["answers"])
    file = tmp_path / "all" / "split" / "half_life.json"
    file.write_text(file.read_text("utf-8").replace(record["hash"], release.hash), "utf-8")
    found = subprocess.run([sys.executable, "verify.py"], cwd=file.parent, capture_output=True, text=True, check=False)
    assert found.returncode and "half_life.json: is of another release" in " ".join((found.stdout + found.stderr).split())
    again = bench.half_life.plan(HalfLifeRequest(release="split", at="2031-02-01", tables=[upload("persons.csv", newer)]))
    jobs.start(bench).submit(again).result()
    assert bench.release_browser.pack("split", "jsonl").file != packed, "a zip file from before the check is not used again"


def test_a_page_is_found_by_address_in_a_comment_a_link_or_a_list_else_by_name(bench: Workbench) -> None:
    body = "<html><head>{}</head><body><p>The ferry leaves at ten. No boat in winter.</p></body></html>"
    saved = f"<!-- saved from url=(0024){URL} -->{body.format('')}"
    linked = body.format(f'<link href="{URL}" data-x rel="canonical">')
    for files in (
        [upload("a.html", saved)],
        [upload("a.html", linked)],
        [upload("a.html", body.format("")), upload("pages.json", json.dumps({"a.html": URL}))],
    ):
        result = check(bench, "2030-03-01", pages=files)
        assert result["outcomes"]["not_found"] == 1
        stored = half_life_checks.get(bench.database, result["check"])
        assert list(stored.inputs["pages"]) == ["e.test/ferries"]
    with pytest.raises(BenchError, match="another copy of the page e"):
        check(bench, "2030-03-01", pages=[upload("a.html", saved), page_line("<p>Other</p>")])


def test_pages_are_known_by_address_first_and_then_by_name() -> None:
    assert normalise_address("HTTPS://www.Ferries.example/Winter/#top") == "ferries.example/Winter"
    document = Document("d", "Text.", "Ferries:  winter", origin="upload", meta={"url": "https://ferries.example/winter"})
    assert list_page_keys({}, document) == ["ferries.example/winter", "upload", "ferries: winter"]
    head = '<link rel="canonical" href="https://e.test/a?b=1&amp;c=2"><link rel="canonical" href="/late">'
    assert list(read_newer_pages([upload("Page One.html", head)])) == ["e.test/a?b=1&c=2"]
    assert list(read_newer_pages([upload("Page One.html", '<link rel="canonical" href="/only">Text')])) == ["page one"]


def test_a_question_with_a_query_time_is_looked_up_in_its_own_documents() -> None:
    asked = Item("q", "question_answering", "When?", ("nine",), given=("a",), evidence=(Span("b", 0, 4),))
    assert list_pages(asked) == []
    dated = replace(asked, labels={"query_time": "02/28/2024, 08:35:24 PT"})
    assert [page["document"] for page in list_pages(dated)] == ["a", "b"]
    assert str(find_answer_date(dated, date(2030, 1, 1))) == "2024-02-28"
    assert str(find_answer_date(asked, date(2030, 1, 1))) == "2030-01-01"
    step = {"kind": "template", "now": "2025-05-06"}
    assert str(find_answer_date(replace(asked, steps=(step,)), date(2030, 1, 1))) == "2025-05-06"


def test_an_agent_is_asked_on_both_pages_and_its_new_answer_is_kept(bench: Workbench, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text("".join(json.dumps({"text": text}) + "\n" for text in ("nine", "at ten")))
    newer = page_line("<html><body><p>The ferry now leaves at ten.</p></body></html>")
    result = check(bench, "2030-04-01", pages=[newer], agent=f"scripted:{replies}")
    assert result["calls"] == 2 and result["outcomes"]["changed"] == 1
    (one,) = [one for one in half_life_checks.load_answers(bench.database, result["check"]) if one.outcome == "changed"]
    assert (one.before, one.after, one.why) == ("nine", "at ten", "the agent gives another answer")
    stored = half_life_checks.get(bench.database, result["check"])
    assert stored.inputs["prompts"][0].startswith("answer/web.en@") and stored.inputs["agent"] == f"scripted:{replies}"
    assert one.days > 2_000, "since the time at which the web question was asked"


def test_a_check_that_was_stopped_is_not_stored(bench: Workbench, tmp_path: Path) -> None:
    stored = len(bench.half_life.list_checks("v1"))
    stopped = Control()
    stopped.cancel()
    job = bench.half_life.plan(HalfLifeRequest(release="v1", at="2030-05-01", tables=[upload("persons.csv", PERSONS)]))
    assert asyncio.run(bench.half_life.work(job, stopped))["stopped"] == "cancelled"
    for stops, outcome in ((True, 0), (False, 1)):
        replies = tmp_path / f"{stops}.jsonl"
        replies.write_text(json.dumps({"error": "refused", "message": "No.", "stops_job": stops}) + "\n", encoding="utf-8")
        newer = page_line("<html><body><p>The ferry now leaves at eleven.</p></body></html>")
        result = check(bench, "2030-05-01", pages=[newer], agent=f"scripted:{replies}")
        assert (result["stopped"], result["outcomes"]["not_found"]) == ("endpoint" if stops else None, outcome)
        assert len(bench.half_life.list_checks("v1")) == stored + outcome
    (one,) = [one for one in half_life_checks.load_answers(bench.database, result["check"]) if one.outcome == "not_found"]
    assert one.why == "the newer page does not state the answer in its words; No", "a failed call says nothing of the answer"


def test_what_cannot_be_checked_is_refused_with_a_sentence(bench: Workbench) -> None:
    for more, sentence in (
        ({}, "give newer tables, newer pages, or both"),
        ({"at": "soon", "tables": [upload("persons.csv", PERSONS)]}, "'soon' is not a date"),
        ({"release": "working", "tables": [upload("persons.csv", PERSONS)]}, "The release working changes"),
        ({"tables": [upload("people.csv", PERSONS)]}, "No file has the name of a table of the release"),
        ({"tables": [upload("persons.xlsx", PERSONS)]}, "persons.xlsx is not a table: give files whose names end in .csv"),
        ({"pages": [upload("a.png", "x")]}, "No page was given"),
        ({"pages": [upload("a.jsonl", "{}")]}, "a.jsonl, line 1 is no page"),
        ({"pages": [upload("pages.json", "[]"), upload("a.html", "x")]}, "pages.json is not an object"),
        ({"tables": [upload("persons.csv", PERSONS)], "settings": {"colour": 1}}, "colour"),
    ):
        with pytest.raises(BenchError, match=sentence):
            bench.half_life.plan(HalfLifeRequest(**{"release": "v1", "at": "2030-01-01", **more}))  # type: ignore[arg-type]
    with pytest.raises(BenchError, match="The tolerance is 1: give a share"):
        bench.half_life.report("v1", 1)
    bench.releases.freeze("v2", tasks=["explicit_factoid"], allow_unlicensed="a test")
    with pytest.raises(BenchError, match="Release 'v2' has no half-life check"):
        bench.half_life.report("v2")
    (other, *_) = bench.half_life.list_checks("v1")
    with pytest.raises(BenchError, match="is of the release v1, not of v2"):
        bench.half_life.render_answers("v2", other.id)


def test_a_table_of_a_check_outlives_the_removal_of_its_name(bench: Workbench) -> None:
    [check_, *_] = [one for one in bench.half_life.list_checks("v1") if one.inputs["tables"]]
    bench.tables.remove("persons")
    hashes = {hash_ for (hash_,) in bench.database.rows("SELECT hash FROM knowledge_table", [])}
    assert check_.inputs["tables"]["persons"] in hashes
    assert items.get(bench.database, half_life_checks.load_answers(bench.database, check_.id)[0].item)
