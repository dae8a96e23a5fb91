"""An erratum differs from its release in the contested items alone; runs carry over, and a system is asked where its question
changed, a judge where the gold did."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import jobs
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span, Variant
from store.corpus import documents
from store.items import items
from store.releases import contests as stored_contests
from store.runs import runs, twin_traces
from store.variants import variants
from tests.openai_server import Running
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.release.checking import verify_folder
from workbench.release.contests import ContestRuling, NewContest

TEXTS = {
    "mill": "The old mill of Orvel was bought by Ada Quill in 1902, a year after the great fire.",
    "brewery": "The brewery of Orvel was bought by Bert Vane in 1911, after the long strike.",
    "ferry": "The ferry of Orvel was bought by Cleo Marsh in 1920. Dora Lunt bought it back in 1923.",
    "bridge": "The bridge of Orvel was built by Emil Roth in 1931.",
}
GOLDS = {"mill": "Ada Quill", "brewery": "Bert Vane", "ferry": "Cleo Marsh", "bridge": "Emil Roth"}
LATE = """
def answer(question, retrieve, ask):
    return {"mill": "Ada Quill", "brewery": "Bert Vane", "ferry": "Dora Lunt", "bridge": "nobody"}[question.id]
"""
EARLY = LATE.replace("Dora Lunt", "Cleo Marsh").replace("Bert Vane", "nobody")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        documents.add(bench.database, [Document(content_hash(t), t, name, licence="CC0") for name, t in TEXTS.items()])
        made = [
            Item(
                name,
                "question_answering",
                f"Who bought the {name}?",
                (GOLDS[name],),
                status="accepted",
                evidence=(Span(content_hash(text), 0, text.find(".") + 1),),
            )
            for name, text in TEXTS.items()
        ]
        items.add(bench.database, made)
        bench.releases.freeze("v1")
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, folder: Path, code: str, release: str = "v1", **fields: object) -> dict[str, object]:
    (folder / "system.py").write_text(code, encoding="utf-8")
    given = {"metrics": ["exact_match"], "settings": {"program": str(folder / "system.py")}} | fields
    request = RunRequest(release=release, system="program", **given)  # type: ignore[arg-type]
    result: dict[str, object] = jobs.start(bench).submit(bench.runs.plan(request)).result()
    return result


def accept(bench: Workbench, item: str, release: str = "v1", **correction: object) -> str:
    one = bench.contests.submit(release, NewContest(item=item, kind="wrong_answer", reason=f"{item} is wrong", person="Zoe"))
    ruling = ContestRuling(contest=one.id, decision="accept", person="Lea", **correction)  # type: ignore[arg-type]
    return bench.contests.decide(ruling).id


def freeze(bench: Workbench, name: str = "v1.1", of: str = "v1") -> dict[str, object]:
    frozen = bench.errata.freeze(name, of)
    assert frozen.job is not None
    result: dict[str, object] = jobs.start(bench).submit(frozen.job).result()
    return result


def moves(bench: Workbench, name: str = "v1.1") -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(bench.errata.report(name, "json"))["moves"]["exact_match"]
    return found


def test_an_erratum_differs_in_the_contested_items_alone_and_lists_them(bench: Workbench, tmp_path: Path) -> None:
    corrected = accept(bench, "ferry", answers=["Dora Lunt"], evidence=["Dora Lunt bought it back in 1923."])
    withdrawn = accept(bench, "bridge", withdraw=True)
    items.add(bench.database, [Item("new", "question_answering", "Who?", ("me",), status="accepted")])
    made = bench.errata.freeze("v1.1", "v1")
    assert made.job is None, "nobody ran a system on v1"
    assert (made.erratum.corrected, made.erratum.withdrawn, made.erratum.items) == (["ferry"], ["bridge"], 3)
    before, after = (bench.releases.get(name)[0].manifest for name in ("v1", "v1.1"))
    rows = {row["id"]: row for row in before["items"]}
    assert [row["id"] for row in after["items"] if row != rows[row["id"]]] == ["ferry"]
    assert {**after, "items": (), "erratum": ()} == {**before, "items": (), "erratum": ()}
    entry = after["erratum"]
    assert (entry["of"], entry["hash"]) == ("v1", bench.releases.get("v1")[0].hash)
    gone, right = entry["changes"]
    assert gone["item"] == "bridge" and gone["after"] is None and gone["question"] == "Who bought the bridge?"
    assert right["before"] == {"revision": 1, "hash": rows["ferry"]["hash"]} and right["after"]["revision"] == 2
    assert [change["contests"][0]["id"] for change in entry["changes"]] == [withdrawn, corrected]
    assert {change["decided_by"] for change in entry["changes"]} == {"Lea"} and right["contests"][0]["by"] == "Zoe"
    assert bench.releases.verify("v1.1").ok and bench.releases.verify("v1").ok
    assert bench.errata.freeze("v1.1", "v1").erratum.hash == made.erratum.hash
    diff = bench.releases.diff("v1", "v1.1")
    assert [edit.id for edit in diff.edited] == ["ferry"] and diff.removed == ["bridge"] and diff.added == []
    assert diff.contests == {"ferry": [corrected], "bridge": [withdrawn]}
    bench.releases.export("v1.1", "jsonl", tmp_path / "out")
    assert verify_folder(tmp_path / "out").ok
    card = (tmp_path / "out" / "README.md").read_text()
    assert "## Erratum of v1" in card and "Cleo Marsh" in card and "Dora Lunt" in card and "withdrawn" in card
    bench.releases.export("v1.1", "jsonl", tmp_path / "sealed", withhold=["test"])
    sealed = (tmp_path / "sealed" / "README.md").read_text()
    assert "## Erratum of v1" in sealed and "Dora Lunt" not in sealed and "Cleo Marsh" not in sealed


def test_without_an_accepted_contest_there_is_no_erratum(bench: Workbench) -> None:
    for refused in ("v1.1", "v1.2"):
        with pytest.raises(BenchError, match="No accepted contest changes the release v1, so it has no erratum"):
            bench.errata.freeze(refused, "v1")
        one = bench.contests.submit("v1", NewContest(item="mill", kind="other", reason="?", person="Zoe"))
        if one.state == "open":
            bench.contests.decide(ContestRuling(contest=one.id, decision="dismiss", person="Lea", reason="It is right."))
    assert [header.name for header in bench.release_browser.list_releases()] == ["v1"]


def test_runs_carry_over_and_the_table_says_what_moved(bench: Workbench, tmp_path: Path) -> None:
    early, late = run(bench, tmp_path, EARLY), run(bench, tmp_path, LATE)
    accept(bench, "ferry", answers=["Dora Lunt"])
    accept(bench, "bridge", withdraw=True)
    result = freeze(bench)
    assert (result["stopped"], result["calls"]) == (None, 0)
    assert [(one["before"], one["copied"], one["rescored"], one["ask_again"], one["why"]) for one in result["runs"]] == [
        (early["run"], 2, ["ferry"], [], ""),
        (late["run"], 2, ["ferry"], [], ""),
    ]
    first, second = moves(bench)
    # early: mill and ferry of four, then mill of three; late: mill and brewery of four, then all three
    assert (first["before"], first["n_before"], first["after"], first["n_after"]) == (0.5, 4, pytest.approx(1 / 3), 3)
    assert (second["before"], second["n_before"], second["after"], second["n_after"]) == (0.5, 4, 1.0, 3)
    assert [one["rank_before"] for one in (first, second)] == [1.5, 1.5]
    assert [one["rank_after"] for one in (first, second)] == [2, 1]
    corrections = [one["corrections"] for one in (first, second)]
    assert [one["value"] for one in corrections] == [pytest.approx(-1 / 3), pytest.approx(1 / 3)]
    assert [one["n"] for one in corrections] == [3, 3] and all(one["low"] <= one["value"] <= one["high"] for one in corrections)
    assert [one["left_out"] for one in (first, second)] == [pytest.approx(2 / 3 - 0.5), pytest.approx(2 / 3 - 0.5)]
    assert "An erratum of v1: 1 item corrected, 1 withdrawn, by 2 accepted contests." in bench.errata.report("v1.1")
    name = str(result["runs"][0]["run"])
    assert "an erratum of v1" in bench.reports.report([name], form="table").lower()
    again = run(bench, tmp_path, EARLY, "v1.1")
    assert (again["run"], again["reused"], again["answered"]) == (name, 3, 3), "the same command finds the carried run"


def test_a_question_that_changed_is_asked_again_and_until_then_counted_apart(bench: Workbench, tmp_path: Path) -> None:
    old = run(bench, tmp_path, LATE)
    accept(bench, "ferry", question="Who bought the ferry last?", answers=["Dora Lunt"])
    (one,) = freeze(bench)["runs"]
    assert (one["ask_again"], one["rescored"], one["copied"], one["unanswered"]) == (["ferry"], [], 3, 0)
    assert "ferry" not in {trace.item for trace in runs.load_traces(bench.database, one["run"])}
    (moved,) = moves(bench)
    assert (moved["n_before"], moved["n_after"], moved["ask_again"]) == (4, 3, 1)
    assert moved["corrections"]["value"] == 0 and moved["left_out"] == pytest.approx(2 / 3 - 2 / 4)
    assert "and are in no score of the erratum: 1." in bench.errata.report("v1.1")
    asked = run(bench, tmp_path, LATE, "v1.1")
    assert (asked["run"], asked["reused"], asked["answered"]) == (one["run"], 3, 4)
    (moved,) = moves(bench)
    assert (moved["n_after"], moved["ask_again"], moved["after"]) == (4, 0, 0.75) and old["run"] == moved["before_run"]


def test_the_judge_is_asked_about_changed_items_alone(
    bench: Workbench, tmp_path: Path, server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    run(bench, tmp_path, LATE, metrics=["in_accuracy", "crag_truthfulness"], judges=["openai:m"])
    asked = server.count()["requests"]
    assert asked >= 2
    accept(bench, "ferry", answers=["Dora Lunt and nobody else"])
    result = freeze(bench)
    assert result["runs"][0]["rescored"] == ["ferry"] and result["runs"][0]["why"] == ""
    after = server.count()["requests"]
    assert after > asked and after - asked == result["calls"]
    sql = "SELECT request FROM call WHERE job = (SELECT id FROM job WHERE kind = 'rescore')"
    requests = [request for (request,) in bench.database.rows(sql)]
    assert len(requests) == after - asked and all("Dora Lunt and nobody else" in request for request in requests)
    jobs.start(bench).submit(bench.errata.plan("v1.1")).result()
    assert server.count()["requests"] == after, "a second time asks nothing"


def test_the_oracle_is_asked_again_when_its_evidence_changed(bench: Workbench) -> None:
    request = RunRequest(release="v1", system="oracle", agent="offline", metrics=["exact_match"])
    jobs.start(bench).submit(bench.runs.plan(request)).result()
    accept(bench, "ferry", evidence=["Dora Lunt bought it back in 1923."])
    (one,) = freeze(bench)["runs"]
    assert one["ask_again"] == ["ferry"] and one["copied"] == 3


def test_a_contest_of_the_release_that_comes_later_counts_for_its_erratum_once(bench: Workbench, tmp_path: Path) -> None:
    accept(bench, "ferry", answers=["Dora Lunt"])
    bench.errata.freeze("v1.1", "v1")
    with pytest.raises(BenchError, match=r"No accepted contest changes the release v1\.1"):
        bench.errata.freeze("v1.2", "v1.1")
    accept(bench, "mill", answers=["Ada R. Quill"])
    made = bench.errata.freeze("v1.2", "v1.1").erratum
    assert (made.of, made.corrected) == ("v1.1", ["mill"])
    chain = stored_contests.list_chain(bench.database, made.hash, bench.releases.get("v1.2")[0].manifest)
    assert [entry["of"] for entry in chain] == ["v1.1", "v1"]


def test_an_erratum_comes_along_in_a_folder(bench: Workbench, tmp_path: Path) -> None:
    accept(bench, "ferry", answers=["Dora Lunt"])
    made = bench.errata.freeze("v1.1", "v1").erratum
    bench.releases.export("v1.1", "jsonl", tmp_path / "out")
    with Workbench.open(tmp_path / "other.duckdb") as other:
        assert other.releases.import_(tmp_path / "out", "jsonl").release == "v1.1"
        assert other.releases.get("v1.1")[0].hash == made.hash and other.releases.verify("v1.1").ok


def test_a_sample_stays_the_one_that_was_drawn(bench: Workbench, tmp_path: Path) -> None:
    old = run(bench, tmp_path, LATE, sample=2, seed=3)
    asked = [item for item, _ in runs.load_questions(bench.database, str(old["run"]))]
    other = next(item for item in GOLDS if item not in asked)
    accept(bench, asked[0], withdraw=True)
    accept(bench, other, withdraw=True)
    (one,) = freeze(bench)["runs"]
    assert (one["copied"], one["unanswered"], one["command"]) == (1, 0, None)
    assert runs.load_questions(bench.database, one["run"]) == [(asked[1], None)]


def test_twins_and_variants_of_unchanged_items_carry_over(bench: Workbench, tmp_path: Path) -> None:
    made = [
        Variant(f"{name}-v", name, 1, "spelling", f"Who bougth the {name}?", "accepted", "spelling", 1, {})
        for name in ("mill", "ferry", "bridge")
    ]
    variants.add(bench.database, made)
    bench.releases.freeze("t1", absence_share=1.0)
    code = LATE.replace("question.id", 'question.id.removesuffix("-v")')
    old = run(bench, tmp_path, code, "t1", retriever="bm25", variants=True)
    assert len(runs.load_traces(bench.database, str(old["run"]))) == 7
    twins = {twin.item for twin in bench.releases.get("t1")[1].twins}
    accept(bench, "mill", "t1", answers=["Ada R. Quill"])
    accept(bench, "ferry", "t1", question="Who bought the ferry last?")
    frozen = bench.errata.freeze("t1.1", "t1")
    assert (frozen.erratum.variants_left_out, frozen.erratum.twins_left_out) == (1, len(twins & {"mill", "ferry"}))
    content = bench.releases.get("t1.1")[1]
    assert {twin.item for twin in content.twins} == twins - {"mill", "ferry"} and bench.releases.verify("t1.1").ok
    assert {variant.id for variant in content.variants} == {"mill-v", "bridge-v"}
    assert frozen.job is not None
    (one,) = jobs.start(bench).submit(frozen.job).result()["runs"]
    assert (one["copied"], one["rescored"], one["ask_again"]) == (3, ["mill", "mill"], ["ferry"])
    carried = twin_traces.load_traces(bench.database, one["run"])
    assert set(carried) == twins - {"mill", "ferry"}
    assert twin_traces.count(bench.database, [one["run"]]).answered == len(carried) > 0
