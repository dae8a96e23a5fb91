"""Indexes of runs: made by the run's job, told how far they are, kept beside the workspace by content and settings, gone on
with after a stop; and a model's folder counts by what it holds."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import jobs
from core.retrieval import vector_cache
from core.retrieval.sentence_model import SentenceModel
from eval.retrievers import bm25
from eval.running import retrieval
from store.runs import runs
from tests.conftest import Bench
from tests.eval.tiny_model import tiny_cross_encoder
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest

ECHO = ("run", "v1", "--system", "echo", "--metrics", "evidence_recall")


class Counted:
    """Texts cut into chunks, split into words, encoded: what making an index takes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.cut, self.split, self.encoded = 0, 0, 0
        chunk, words, encode = retrieval.chunk, bm25.words, SentenceModel.encode

        def cut(*given: Any, **named: Any) -> Any:
            self.cut += 1
            return chunk(*given, **named)

        def split(*given: Any) -> Any:
            self.split += 1
            return words(*given)

        def encoded(model: SentenceModel, texts: list[str], *given: Any) -> Any:
            self.encoded += len(texts)
            return encode(model, texts, *given)

        monkeypatch.setattr(retrieval, "chunk", cut)
        monkeypatch.setattr(bm25, "words", split)
        monkeypatch.setattr(SentenceModel, "encode", encoded)

    def since(self) -> tuple[int, int, int]:
        found = self.cut, self.split, self.encoded
        self.cut = self.split = self.encoded = 0
        return found


@pytest.mark.parametrize("retriever", ["bm25", "dense", "hybrid"])
def test_an_index_is_made_once_for_its_documents_and_settings(
    bw: Bench, world: dict[str, str], retriever: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted = Counted(monkeypatch)

    def found(*settings: str) -> dict[str, Any]:
        words = [word for setting in settings for word in ("--set", setting)]
        run = bw(*ECHO, "--retriever", retriever, *words).json["run"]
        with Workbench.open(tmp_path / "w.duckdb") as bench:
            return {trace.item: trace.steps[0].scores for trace in runs.load_traces(bench.database, run)}

    first = found("top_k=2")
    assert any(counted.since())
    again = found("top_k=1")
    assert counted.since() == (0, 0, 0), "the index of the same chunks was read, not made"
    if retriever != "hybrid":  # whose scores hang on how many are fused
        assert {item: scores[:1] for item, scores in first.items()} == again
    found("top_k=1", "chunk_tokens=12")
    cut, split, encoded = counted.since()
    assert cut == 2 and split + encoded > 0, "other chunks are another index"
    assert list((tmp_path / "w.duckdb.indexes").iterdir())


def test_an_index_of_other_documents_is_another_one(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    """A cache of answers or indexes must miss when the index changes."""
    run = (*ECHO, "--retriever", "bm25", "--set", "top_k=1")
    before = bw(*run).json["run"]
    more = {
        "id": "more",
        "question": "When did the second mill burn?",
        "answer": "1950",
        "contexts": [{"title": "Fire", "text": "When did the mill of Orvel burn? Twice.", "gold": True}],
    }
    (tmp_path / "more.jsonl").write_text(json.dumps(more) + "\n", encoding="utf-8")
    bw("import", tmp_path / "more.jsonl", "--format", "jsonl")
    bw("freeze", "v2", "--allow-unlicensed", "a test")
    after = bw(*(word if word != "v1" else "v2" for word in run)).json["run"]
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        old, new = ({t.item: t.retrieved for t in runs.load_traces(bench.database, one)} for one in (before, after))
    assert old[world["1902"]] != new[world["1902"]], "the new document is found"


def test_a_stop_while_embedding_keeps_what_was_embedded(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    counted, heard = Counted(monkeypatch), list[str]()
    monkeypatch.setattr(vector_cache, "TEXTS_PER_GROUP", 1)
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        asked = RunRequest(release="v1", system="echo", retriever="dense", metrics=["length"], settings={"chunk_tokens": 12})
        job = bench.runs.plan(asked)
        runner = jobs.start(bench)

        def hear(message: str) -> None:
            heard.append(message)
            if message.startswith("embedding 2 of"):
                runner.pause(job)

        stopped = runner.submit(job, hear).result()
        assert (stopped["run"], stopped["stopped"], stopped["answered"]) == (None, "cancelled", 0), stopped
        assert counted.since()[2] == 2 and heard[0].startswith("embedding 1 of")
        done = runner.resume(job).result()
        chunks = int(heard[0].split()[3])
        assert done["answered"] == 2 and counted.since()[2] == chunks - 2 + 2, "the other chunks, and the two questions"
        jobs.stop(bench)


def test_a_stop_while_answers_are_embedded_ends_the_scoring_and_the_same_run_goes_on(
    bw: Bench, world: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    encode = SentenceModel.encode
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        asked = RunRequest(release="v1", system="echo", metrics=["length", "embed_cosine"])
        job = bench.runs.plan(asked)
        runner = jobs.start(bench)

        def encoded(model: SentenceModel, texts: list[str], *given: Any) -> Any:
            runner.pause(job)
            return encode(model, texts, *given)

        monkeypatch.setattr(SentenceModel, "encode", encoded)
        stopped = runner.submit(job).result()
        assert (stopped["stopped"], stopped["answered"]) == ("cancelled", 2), stopped
        scored = {score.metric for score in runs.load_scores(bench.database, str(stopped["run"]))}
        assert "length" in scored and "embed_cosine" not in scored
        monkeypatch.setattr(SentenceModel, "encode", encode)
        done = runner.resume(job).result()
        assert done["stopped"] is None and done["run"] == stopped["run"]
        assert "embed_cosine" in {score.metric for score in runs.load_scores(bench.database, str(done["run"]))}
        jobs.stop(bench)


def test_a_models_folder_counts_by_what_it_holds(bw: Bench, world: dict[str, str], tmp_path: Path) -> None:
    folder = tiny_cross_encoder(tmp_path / "one" / "ranker", ["The mill of Orvel burnt in 1902.", "Who designed the bridge?"])
    copied = Path(shutil.copytree(folder, tmp_path / "elsewhere" / "copy"))

    def run(reranker: Path) -> str:
        settings = ("--set", f"reranker={reranker}", "--set", "first=bm25")
        return str(bw(*ECHO, "--retriever", "rerank", *settings).json["run"])

    first = run(folder)
    assert run(copied) == first
    config = json.loads((copied / "config.json").read_text(encoding="utf-8"))
    (copied / "config.json").write_text(json.dumps(config | {"changed": 1}), encoding="utf-8")
    assert run(copied) != first
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        settings = runs.get(bench.database, first).system.settings
    assert str(settings["reranker"]).startswith("ranker@") and str(tmp_path) not in str(settings)
