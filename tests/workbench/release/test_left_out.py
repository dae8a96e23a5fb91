"""A release of summaries and continuations: its retrieval corpus is D - d + E, its sources stay in it for audit, and every
place that shows the release tells so."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from core.ids import content_hash
from core.nouns import Document, Item, Span
from store.corpus import documents
from store.items import items
from store.releases.releases import load_members
from store.runs import runs
from tests.builders.test_leakage import plainly
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest
from workbench.release.checking import ReleaseCheck, verify_folder

PLACES = ("Wend", "Orvel", "Selk", "Arden", "Holm", "Lund", "Tarn", "Mere")
WHAT = ("mill", "bridge", "school", "tower", "ferry", "market", "quarry", "library")


def article(seed: int) -> str:
    chance = random.Random(seed)
    place, what = chance.choice(PLACES), chance.choice(WHAT)
    return " ".join(
        [
            f"The {what} of {place} burned down on {chance.randrange(1, 28)} May 19{chance.randrange(10, 99)}.",
            f"Nobody in {place} was hurt, though {chance.randrange(3, 90)} people were near the {what}.",
            f"The owner of the {what} lost {chance.randrange(100, 900)} sacks of grain and {chance.randrange(2, 30)} carts.",
            f"People of {chance.choice(PLACES)} sent {chance.randrange(20, 400)} loaves of bread to {place} on "
            f"the next morning.",
            f"The council of {place} means to build the {what} again by 19{chance.randrange(10, 99)}.",
        ]
    )


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    """Forty articles, three summaries and three continuations drafted offline and accepted, a factoid on another article."""
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        texts = [article(seed) for seed in range(40)]
        texts.append(texts[0].replace("sacks", "bags"))
        documents.add(
            bench.database,
            [Document(content_hash(text), text, text[:30], "news", licence="CC0-1.0") for text in dict.fromkeys(texts)],
        )
        for task in ("summary", "continuation"):
            done = drafted(bench, task, 3)
            assert done["drafted"] == 3, done
            for item in done["items"]:
                bench.reviews.decide(item["id"], "accept", person="Ada")
        yield bench
        jobs.stop(bench, seconds=0)


def drafted(bench: Workbench, task: str, count: int, **settings: Any) -> dict[str, Any]:
    job = bench.drafts.plan(task=task, domain="news", count=count, agent="offline", seed=5, budget=None, settings=settings)
    return jobs.start(bench).submit(job).result()


def ran(bench: Workbench, release: str, **settings: Any) -> tuple[list[Any], dict[str, str | float | None]]:
    """The traces of echo with BM25, and item -> its evidence_recall@5 or why there is none."""
    job = bench.runs.plan(
        RunRequest(release=release, system="echo", retriever="bm25", metrics=["evidence_recall"], settings=settings)
    )
    run = str(jobs.start(bench).submit(job).result()["run"])
    scores = {
        s.item: s.value if s.value is not None else s.why
        for s in runs.load_scores(bench.database, run)
        if s.metric == "evidence_recall@5"
    }
    return runs.load_traces(bench.database, run), scores


def sources(bench: Workbench) -> set[str]:
    return {item.labels["source"] for item in items.list_items(bench.database)}


def test_the_corpus_of_a_release_lacks_every_source_and_holds_every_kept_hit(bench: Workbench) -> None:
    made = bench.releases.freeze("v1")
    release, content = bench.releases.get("v1")
    left_out = set(release.manifest["left_out"])
    assert left_out == sources(bench) == content.left_out and made.not_retrieved == len(left_out)
    assert not left_out & {document.id for document in content.retrieval}
    assert left_out <= {document.id for document in content.documents}, "they stay for audit"
    kept = {id_ for item in content.items for id_ in item.given} - left_out
    assert kept and kept <= {document.id for document in content.retrieval}
    assert bench.releases.verify("v1").ok


def test_runs_never_retrieve_a_source_and_retrieval_metrics_say_why_they_did_not_run(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    traces, scores = ran(bench, "v1", top_k=10)
    assert len(traces) == 6 and all(trace.retrieved for trace in traces)
    assert not sources(bench) & {span.document for trace in traces for span in trace.retrieved or ()}
    assert set(scores.values()) == {"not run: the item's source is excluded from retrieval"}


def test_with_gold_included_retrieval_can_be_measured_and_the_release_is_another(bench: Workbench) -> None:
    plain, gold = bench.releases.freeze("v1"), bench.releases.freeze("v2", include_gold=True)
    assert plain.hash != gold.hash and gold.gold_included and gold.not_retrieved == 0
    assert bench.release_browser.left_out("v2") == (0, True) and bench.release_browser.leakage("v2").report == {}
    _, scores = ran(bench, "v2", top_k=10)
    assert all(isinstance(value, float) for value in scores.values()) and max(scores.values()) > 0  # type: ignore[type-var, operator]
    assert bench.releases.verify("v2").ok


def test_near_copies_of_the_sources_are_left_out_on_request_but_for_what_an_item_was_given(bench: Workbench) -> None:
    own = sources(bench)
    text = documents.get(bench.database, min(own)).text
    copies = [text.replace("Nobody", "No one"), text.replace("council", "mayor")]
    documents.add(bench.database, [Document(content_hash(t), t, "copy", "news", licence="CC0-1.0") for t in copies])
    dropped, given = (content_hash(t) for t in copies)
    item = Item("g", "explicit_factoid", "Who?", ("No one",), (Span(given, 0, 9),), 1, "news", status="accepted")
    items.add(bench.database, [item])
    literal = bench.releases.freeze("v1")
    assert literal.near_copies == 0 and dropped in {d.id for d in bench.releases.get("v1")[1].retrieval}
    made = bench.releases.freeze("v2", without_near_copies=True)
    release, content = bench.releases.get("v2")
    assert dropped in release.manifest["near_copies"] and given not in release.manifest["near_copies"]
    assert content.left_out == own | set(release.manifest["near_copies"])
    assert made.not_retrieved == len(content.left_out) and made.near_copies == len(release.manifest["near_copies"])
    assert {row["source"] for row in bench.release_browser.leakage("v2").report["leaks"]} == own, "copies are not sources"
    assert bench.releases.verify("v2").ok
    with pytest.raises(BenchError, match="contradict each other"):
        bench.releases.freeze("v3", include_gold=True, without_near_copies=True)


def test_a_release_without_such_items_has_the_manifest_it_always_had(bench: Workbench) -> None:
    (document, *_), none = documents.load_documents(bench.database), frozenset[str]()
    plain = Item(
        "f", "explicit_factoid", "Who?", (document.text[:9],), (Span(document.id, 0, 9),), 1, "news", status="accepted"
    )
    items.add(bench.database, [plain])
    bench.releases.freeze("v1", tasks=["explicit_factoid"])
    with_gold = bench.releases.freeze("v2", tasks=["explicit_factoid"], include_gold=True)
    release, content = bench.releases.get("v1")
    assert not {"left_out", "gold_included"} & set(release.manifest) and content.left_out == none
    assert with_gold.hash == release.hash and bench.release_browser.left_out("v1") == (0, False)


def test_the_leakage_report_equals_a_plain_count(bench: Workbench) -> None:
    bench.releases.freeze("v1")
    leakage = bench.release_browser.leakage("v1")
    told = leakage.report
    content = load_members(bench.database, bench.releases.get("v1")[0])
    texts = {document.id: document.text for document in content.documents}
    wanted = plainly({id_: texts[id_] for id_ in content.left_out}, [(d.id, d.text) for d in content.retrieval])
    assert {row["source"]: (pytest.approx(row["share"]), tuple(row["exact"]), len(row["near"])) for row in told["leaks"]} == {
        name: (share, exact, len(near)) for name, (share, exact, near) in wanted.items()
    }
    assert told["documents"] == len(content.retrieval) and told["sources"] == len(content.left_out)
    assert set(leakage.titles) >= content.left_out


@pytest.mark.parametrize("form", ["jsonl", "parquet", "crud_rag"])
def test_an_export_tells_what_is_left_out_and_checks_it(bench: Workbench, tmp_path: Path, form: str) -> None:
    bench.releases.freeze("v1")
    left_out = bench.releases.get("v1")[1].left_out
    folder = tmp_path / form
    bench.releases.export("v1", form, folder)
    listed = (folder / "retrieval_corpus.txt").read_text(encoding="utf-8").split()
    assert left_out and not left_out & set(listed)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"{len(left_out)} documents that answers were taken from" in card and "40-character windows" in card
    assert '"left_out":true' in (folder / "index.html").read_text(encoding="utf-8")
    check = [sys.executable, "-I", "-S", str(folder / "verify.py")]
    assert subprocess.run(check, capture_output=True, check=False).returncode == 0
    if form == "jsonl":
        (folder / "retrieval_corpus.txt").write_text("\n".join([*listed, *left_out]), encoding="utf-8")
        said = subprocess.run(check, capture_output=True, text=True, check=False)
        assert said.returncode == 1 and "not the release's documents without those that its manifest leaves out" in said.stdout


def test_an_exported_release_comes_in_again_with_what_it_leaves_out(bench: Workbench, tmp_path: Path) -> None:
    made = bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out")
    with Workbench.open(":memory:") as other:
        assert other.releases.import_(tmp_path / "out", "jsonl").release == "v1"
        release, content = other.releases.get("v1")
        assert release.hash == made.hash and content.left_out == bench.releases.get("v1")[1].left_out


def test_a_withheld_split_tells_neither_the_source_nor_the_steps(bench: Workbench, tmp_path: Path) -> None:
    bench.releases.freeze("v1")
    bench.releases.export("v1", "jsonl", tmp_path / "out", withhold=["test"])
    for line in (tmp_path / "out" / "items.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert "source" not in record["labels"] and record["steps"] == [] and record["answers"] == []


def test_a_withheld_answer_stands_in_no_document_that_is_for_audit_alone(bench: Workbench, tmp_path: Path) -> None:
    """A continuation is the second half of its source: with the source in the folder nothing would be withheld."""
    bench.releases.freeze("v1", split="dev=0.5,test=0.5", seed=2)
    release, content = bench.releases.get("v1")
    split = {row["id"]: row["split"] for row in release.manifest["items"]}
    closed = {item.labels["source"] for item in content.items if split[item.id] == "test"}
    shown = {item.labels["source"] for item in content.items if split[item.id] == "dev"}
    assert closed and shown and not closed & shown, "one source's items are of one split"
    out = tmp_path / "out"
    bench.releases.export("v1", "jsonl", out, withhold=["test"])
    documents_there = {json.loads(line)["id"] for line in (out / "documents.jsonl").read_text(encoding="utf-8").splitlines()}
    assert documents_there == {document.id for document in content.documents} - closed
    assert (out / "withheld_documents.txt").read_text(encoding="utf-8").split() == sorted(closed)
    answers = [answer for item in content.items if split[item.id] == "test" for answer in item.answers]
    for file in out.iterdir():
        assert not any(answer in file.read_text(encoding="utf-8") for answer in answers), file.name
    assert f" {len(closed)} document" in (out / "README.md").read_text(encoding="utf-8").split("## Withheld")[1]
    assert verify_folder(out) == ReleaseCheck(True, release.hash, [])
    bench.releases.export("v1", "jsonl", tmp_path / "whole")
    assert not (tmp_path / "whole" / "withheld_documents.txt").exists()


def test_unfit_documents_are_counted_in_the_shortfall_and_cost_no_try(bench: Workbench) -> None:
    short = [Document(content_hash(t), t, t, "few") for t in ("One river. Two rivers. Three.", "A bird. A bee. A bear.")]
    documents.add(bench.database, [*short, Document(content_hash(article(99)), article(99), "fit", "few")])
    job = bench.drafts.plan(task="continuation", domain="few", count=1, agent="offline", seed=1, budget=None, settings={})
    done = jobs.start(bench).submit(job).result()
    assert done["drafted"] == 1
    job = bench.drafts.plan(task="continuation", domain="few", count=2, agent="offline", seed=1, budget=None, settings={})
    done = jobs.start(bench).submit(job).result()
    assert done["message"] == "asked 2, drafted 0: 2 documents of fewer than 4 sentences, no further window."


def test_documents_of_other_domains_are_counted_and_named(bw: Any, world: dict[str, str], tmp_path: Path) -> None:
    for n, domain in enumerate(("law", "law", "arts")):
        (tmp_path / f"{n}.md").write_text(f"# Ruling {n}\n\nThe court of Harmar ruled in {1950 + n} on bridges and tolls.")
        assert bw("add", tmp_path / f"{n}.md", "--domain", domain, "--licence", "CC0-1.0").code == 0
    made = bw("freeze", "v2", "--allow-unlicensed", "a test").json
    assert [(one["title"], one["domain"]) for one in made["documents_left_out"]] == [
        ("Ruling 0", "law"),
        ("Ruling 1", "law"),
        ("Ruling 2", "arts"),
    ]
    said = bw("freeze", "v3", "--allow-unlicensed", "a test", json_too=False)
    assert "left out: 3 documents of other domains or languages." in said.out
    assert "Documents left out: Ruling 0 (law, en), Ruling 1 (law, en), Ruling 2 (arts, en)." in said.err
