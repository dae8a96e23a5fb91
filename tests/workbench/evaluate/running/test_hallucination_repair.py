"""Hallucination repair from end to end: annotated rows come in, wait for a repair, are drafted, accepted, run, and go out as
rows with their repaired text."""

import json

import pytest

from core.errors import BenchError
from core.nouns import Variant
from terminal.local_session import LocalSession
from tests.store.formats.test_formats_uhgeval import REAL, row
from workbench.evaluate.running.questions import build_question
from workbench.evaluate.running.run_request import RunRequest
from workbench.workbench import Workbench


@pytest.fixture
def bench(tmp_path):
    with Workbench.open(tmp_path / "w.duckdb") as made:
        yield made


def drafted(bench, **settings):
    job = bench.drafts.plan(
        task="hallucination_repair", domain="general", count=1, agent="offline", seed=1, budget=None, settings=settings
    )
    return LocalSession().finish(bench, job)


def test_a_row_that_waits_is_drafted_accepted_and_goes_out_repaired(bench, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(row(), ensure_ascii=False) + "\n", encoding="utf-8")
    came = bench.releases.import_(tmp_path / "rows.jsonl", "uhgeval")
    assert (came["items"], came["documents"], came["refused"]) == (1, 1, [])
    [item] = drafted(bench)["items"]
    assert item["answers"] == ["渡口由石匠奎尔于1908年修建。"] and item["evidence"][0]["text"] == REAL
    taken = bench.reviews.decide(item["id"], "accept", person="Ada")
    assert taken.status == "accepted"
    bench.releases.freeze("v1", allow_unlicensed="a test")
    bench.releases.export("v1", "uhgeval", tmp_path / "out")
    [out] = [json.loads(line) for line in (tmp_path / "out" / "uhgeval.jsonl").read_text("utf-8").splitlines()]
    assert out == row(hallucinatedMod="渡口由石匠奎尔于1908年修建。")
    bench.releases.export("v1", "crud_rag", tmp_path / "crud")
    rows = json.loads((tmp_path / "crud/data/crud_split/split_merged.json").read_text("utf-8"))["hallu_modified"]
    assert [one["hallucinatedMod"] for one in rows] == ["渡口由石匠奎尔于1908年修建。"]


def test_a_row_that_waits_cannot_be_accepted_as_it_is(bench, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(row(), ensure_ascii=False) + "\n", encoding="utf-8")
    bench.releases.import_(tmp_path / "rows.jsonl", "uhgeval")
    [waiting] = bench.reviews.items(task="hallucination_repair")
    with pytest.raises(BenchError, match="no question or no answer"):
        bench.reviews.decide(waiting.id, "accept", person="Ada")
    taken = bench.reviews.decide(waiting.id, "accept", person="Ada", answer=REAL)
    assert (taken.status, taken.answers) == ("accepted", (REAL,))


def test_a_run_asks_with_the_query_that_its_setting_names(bench, tmp_path):
    (tmp_path / "rows.jsonl").write_text(json.dumps(row(hallucinatedMod=REAL), ensure_ascii=False) + "\n", encoding="utf-8")
    bench.releases.import_(tmp_path / "rows.jsonl", "uhgeval")
    [item] = bench.releases.get("working")[1].items
    usual, both = build_question(item), build_question(item, query="beginning_and_continuation")
    assert usual.query == item.question and both.query == f"{item.question}\n{item.inputs['hallucinated']}"
    assert usual.fills == {"question": item.question, "hallucinated": item.inputs["hallucinated"]}
    other = build_question(item, Variant("v1", item.id, 1, "formal", "Another beginning."))
    assert other.query == other.fills["question"] == "Another beginning."

    def asked(query):
        return bench.runs.plan(
            RunRequest(release="working", system="vanilla", agent="offline", retriever="bm25", settings={"query": query})
        )

    runs = {query: LocalSession().finish(bench, asked(query)) for query in ("beginning", "beginning_and_continuation")}
    assert {one["answered"] for one in runs.values()} == {1} and len({one["run"] for one in runs.values()}) == 2
    with pytest.raises(BenchError, match="give beginning or beginning_and_continuation"):
        asked("the end")
