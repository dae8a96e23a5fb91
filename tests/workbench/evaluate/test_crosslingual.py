"""A run on a release with language pairs tells what a system loses in the other language, and what it finds there."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.errors import BenchError
from store.corpus import documents
from store.runs import runs
from tests.workbench.evaluate.test_absence import program
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

PARALLEL = Path(__file__).parents[3] / "samples" / "parallel"
ENGLISH = """
GOLDS = {"the Mark I?": "2.4 m", "withdrawn": "1951", "一型的": "2.4 m", "哪一年": "1951年", "candles": "Philippa Dray"}

def answer(question, retrieve, ask):
    retrieve(question.query, 2)
    if "split" in question.query:
        raise RuntimeError("broken")
    return next((gold for word, gold in GOLDS.items() if word in question.query), "It is unclear to me what is meant.")
"""

BILINGUAL = """
def answer(question, retrieve, ask):
    found = retrieve("Mark I third mark leaf Selk theatre candles 一型 三型 闸叶 塞尔克 剧院 蜡烛", 6)
    return {"answer": "x", "contexts": [passage["text"] for passage in found]}
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with Workbench.open(tmp_path_factory.mktemp("pairs") / "w.duckdb") as bench:
        bench.language_pairs.import_(PARALLEL / "en.json", PARALLEL / "zh.json", "squad")
        bench.releases.freeze("pairs", allow_unlicensed="a test")
        jobs.start(bench)
        yield bench
        jobs.stop(bench)


def run(bench: Workbench, **fields: Any) -> str:
    request = RunRequest(**({"release": "pairs", "retriever": "bm25", "metrics": ["exact_match", "token_f1"]} | fields))
    return str(jobs.start(bench).submit(bench.runs.plan(request)).result()["run"])


def compare(bench: Workbench, *ids: str) -> list[dict[str, Any]]:
    return list(json.loads(bench.crosslingual.report(ids, "json"))["comparisons"])


def means(comparison: dict[str, Any]) -> dict[str, tuple[float, float, int]]:
    return {row["metric"]: (row["first"]["value"], row["second"]["value"], row["loss"]["n"]) for row in comparison["means"]}


def test_a_system_that_answers_in_english_is_in_the_wrong_language(bench: Workbench, tmp_path: Path) -> None:
    [found] = compare(bench, run(bench, **program(tmp_path, ENGLISH)))
    outcomes = {pair["items"][0]: tuple(pair["outcomes"]) for pair in found["pairs"]}
    assert outcomes["sluice-width"] == ("gold", "gold")  # "2.4 m" is in no language
    assert outcomes["sluice-withdrawn"] == ("gold", "gold")
    assert outcomes["theatre-founder"] == ("gold", "wrong language")
    assert outcomes["sluice-posts"][0] == "failed"
    assert found["languages"] == ["en", "zh"] and found["outcomes"]["en"]["failed"] == 1
    assert means(found)["exact_match"][2] == 7  # the pair with the failed answer is in neither mean
    assert sum(found["right"].values()) == 7


def test_the_corpus_that_is_searched_decides_what_can_be_found(bench: Workbench, tmp_path: Path) -> None:
    """The system searches with words of both languages, so it finds what the setting lets it find."""
    fields = program(tmp_path, BILINGUAL)
    own_settings = fields.pop("settings")
    ids = [run(bench, **fields, settings={**own_settings, "search_language": one}) for one in ("own", "other", "all")]
    assert len(set(ids)) == 3
    found = [means(one)["evidence found"] for one in compare(bench, *ids)]
    assert found == [(1.0, 1.0, 8)] * 3
    known = {document.id: document.language for document in documents.load_documents(bench.database)}
    asked = {item.id: item.language for item in bench.releases.get("pairs")[1].items}
    pairs = [
        {
            (asked[trace.item], known[span.document])
            for trace in runs.load_traces(bench.database, name)
            for span in trace.retrieved or ()
        }
        for name in ids
    ]
    own, other = {("en", "en"), ("zh", "zh")}, {("en", "zh"), ("zh", "en")}
    assert pairs == [own, other, own | other]


def test_a_search_for_words_does_not_cross_languages(bench: Workbench) -> None:
    name = run(bench, system="vanilla", agent="offline", settings={"search_language": "other"})
    [found] = compare(bench, name)
    assert found["search_language"] == "other" and means(found)["evidence found"] == (0.0, 0.0, 8)
    assert not any("evidence_recall" in metric for metric in means(found))  # it compares with the own language's evidence


def test_the_setting_needs_a_retriever_over_the_whole_corpus(bench: Workbench) -> None:
    with pytest.raises(BenchError, match="search_language is for runs with a retriever"):
        run(bench, system="closed_book", agent="offline", retriever=None, settings={"search_language": "other"})
    with pytest.raises(BenchError, match="search_language is 'english': give own or other or all"):
        run(bench, system="vanilla", agent="offline", settings={"search_language": "english"})
    with pytest.raises(BenchError, match="retrievers that search the whole corpus"):
        run(bench, system="vanilla", agent="offline", retriever="given_pages", settings={"search_language": "other"})


def test_runs_on_a_release_without_pairs_are_refused(bench: Workbench) -> None:
    for row in bench.language_pairs.list_pairs():
        bench.language_pairs.remove(row.item.id, row.twin.id)
    bench.releases.freeze("apart", allow_unlicensed="a test")
    name = run(bench, release="apart", system="vanilla", agent="offline")
    with pytest.raises(BenchError, match="apart has no language pairs: pair items with pairs add"):
        bench.crosslingual.report([name])
    with pytest.raises(BenchError, match="needs a run"):
        bench.crosslingual.report([])
    paired = run(bench, system="vanilla", agent="offline")
    assert len(compare(bench, name, paired)) == 1  # the pairs of a frozen release stay


def test_the_table_is_computed_in_the_background_for_a_screen(bench: Workbench) -> None:
    name = run(bench, system="vanilla", agent="offline")
    assert asyncio.run(_wait(bench, name)) == ["Loss by language", "Right in which language", "Outcomes"]


async def _wait(bench: Workbench, name: str) -> list[str]:
    while (page := bench.crosslingual.page([name]).value) is None:
        await asyncio.sleep(0.05)
    return [table.title for table in page.tables]
