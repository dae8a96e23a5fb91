"""What other programs read of an export: Croissant by mlcroissant, RO-Crate by rocrate, BEIR by its own loader, Parquet by
datasets, tasks by lm-eval."""

import csv
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

from core.errors import BenchError
from core.tables.nouns import TableSpec, data_hash, snapshot_hash
from core.tables.world import EntityTable
from store.format import Bundle
from store.formats._croissant import list_data_files, list_licences, render_bibtex
from store.formats._folder import write_common_files
from store.formats._hub_names import hub_name
from store.formats.shipped.score import score_for_lm_eval
from tests.store.formats.test_formats import FORMATS, WRITTEN, fitting
from tests.store.released import bundle, document, documents, items

mlcroissant = pytest.importorskip("mlcroissant")
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated", "ignore:The inplace keyword")  # in mlcroissant
NESTED = ("crag", "crud_rag", "uhgeval", "squad", "triviaqa")
"""Layouts of others whose files are no tables: they are named and not described by columns; golds.jsonl beside them is."""


def write(name: str, folder: Path, release: Bundle, withheld: frozenset[str] = frozenset()) -> Path:
    folder.mkdir()
    writer = FORMATS[name].write
    assert writer is not None
    writer(release, folder, withheld)
    return folder


def read_croissant(folder: Path) -> tuple[Any, dict[str, list[dict[str, Any]]]]:
    """The metadata, and the records of each record set by the last part of their fields' names."""
    read = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    assert not read.metadata.ctx.issues.errors
    [warning] = read.metadata.ctx.issues.warnings  # a release stores no date, and none is made up
    assert "datePublished" in warning
    found = {}
    for records in read.metadata.record_sets:
        rows = [{key.split("/", 1)[1]: value for key, value in row.items()} for row in read.records(records.id)]
        found[records.id] = json.loads(json.dumps(rows, default=decode))
    return read.metadata, found


def decode(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value.item()


def list_columns(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        return list(pyarrow.parquet.read_schema(path).names)
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix in (".csv", ".tsv"):
            return next(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
        return sorted({key for line in file for key in json.loads(line)})


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("withheld", [frozenset(), frozenset({"dev"})], ids=["whole", "withheld"])
def test_croissant_names_every_file_and_mlcroissant_reads_every_column(
    tmp_path: Path, name: str, withheld: frozenset[str]
) -> None:
    folder = write(name, tmp_path / "out", fitting(name), withheld)
    metadata, found = read_croissant(folder)
    assert {file.content_url for file in metadata.file_objects} == set(list_data_files(folder))
    described = {}
    for records in json.loads((folder / "croissant.json").read_text(encoding="utf-8"))["recordSet"]:
        source = records["field"][0].get("source") or records["field"][0]["subField"][0]["source"]
        files = [source["fileObject"]["@id"]] if "fileObject" in source else list(find_set(folder, source["fileSet"]["@id"]))
        assert files
        for file in files:
            described[file] = records
            columns = {(f.get("source") or f["subField"][0]["source"])["extract"]["column"] for f in records["field"]}
            left = set(list_columns(folder / file)) - columns
            assert all(f"{column}: " in records["description"] for column in left), (file, left)
            assert all(field["description"] for field in records["field"])
    if name not in NESTED:
        tabular = {
            f
            for f in list_data_files(folder)
            if f.endswith((".parquet", ".csv", ".tsv", ".jsonl")) and (folder / f).stat().st_size
        }
        assert tabular - set(described) <= {
            f"qrels/{part}.jsonl" for part in ("dev", "test")
        }  # the TSV beside it has the same rows
    assert found and all(rows for rows in found.values())


def find_set(folder: Path, identity: str) -> list[str]:
    sets = json.loads((folder / "croissant.json").read_text(encoding="utf-8"))["distribution"]
    [pattern] = [one["includes"] for one in sets if one["@id"] == identity]
    return [path.relative_to(folder).as_posix() for path in sorted(folder.glob(pattern))]


def test_records_by_croissant_are_those_of_the_release(tmp_path: Path) -> None:
    metadata, found = read_croissant(write("huggingface", tmp_path / "out", bundle(splits={"i1": "dev"}), frozenset()))
    first = next(row for row in found["items"] if row["id"] == "i1")
    whole = items()[0]
    assert first["question"] == whole.question and tuple(first["answers"]) == whole.answers and first["split"] == "dev"
    assert first["evidence"][0]["items/evidence/start"] == whole.evidence[0].start
    assert len(found["items"]) == 3 and len(found["documents"]) == 2 and found["variants"][0]["kind"] == "formal"
    assert {file.encoding_formats[0] for file in metadata.file_objects if file.name.endswith(".parquet")} == {
        "application/x-parquet"
    }
    assert metadata.license == ["https://spdx.org/licenses/CC0-1.0.html"] and "Release b2:" in metadata.cite_as


def test_croissant_reads_an_export_in_several_files(tmp_path: Path) -> None:
    release = bundle()
    _, found = read_croissant(write("parquet", tmp_path / "out", replace(release, rows_per_file=1)))
    assert len(release.items) > 1 and {row["id"] for row in found["items"]} == {item.id for item in release.items}


def test_a_withheld_split_has_no_answer_by_croissant(tmp_path: Path) -> None:
    _, found = read_croissant(write("parquet", tmp_path / "out", bundle(splits={"i1": "dev"}), frozenset({"dev"})))
    hidden = next(row for row in found["items"] if row["id"] == "i1")
    assert hidden["answers"] == [] and hidden["withheld"] is True and [row["id"] for row in found["golds"]] == ["i2", "i3"]


def test_every_licence_is_told_and_an_unknown_one_is_called_so() -> None:
    licences = ["cc-by-4.0", "CC-BY-4.0", "Crown copyright", None]
    release = bundle(documents=[document(f"text {n}", "t", licence=name) for n, name in enumerate(licences)])
    assert list_licences(release) == ["Crown copyright", "https://spdx.org/licenses/CC-BY-4.0.html", "unknown"]


def test_a_citation_is_one_entry_whatever_the_name() -> None:
    assert render_bibtex(bundle(name="v1.2-b", hash="b2:0")) == (
        "@misc{v12b, title={v1.2-b}, author={{The makers of v1.2-b}}, note={Release b2:0}}"
    )


def test_rows_of_tables_are_described(tmp_path: Path) -> None:
    spec = TableSpec(name="people", columns={"name": "text", "age": "integer", "tags": "list"}, entity="person", key="name")
    rows = [("Ada", 36, ("a", "b")), ("Bo", 41, ("c",))]
    table = EntityTable(spec, rows, snapshot_hash(spec, data_hash(spec.columns, rows)))
    _, found = read_croissant(write("jsonl", tmp_path / "out", bundle(tables=[table])))
    [name] = [name for name in found if name.startswith("table_people_")]
    assert found[name] == [{"name": "Ada", "age": 36, "tags": ["a", "b"]}, {"name": "Bo", "age": 41, "tags": ["c"]}]


def test_ro_crate_lists_every_file_with_the_licence(tmp_path: Path) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate")
    folder = write("jsonl", tmp_path / "out", bundle())
    crate = rocrate.ROCrate(folder)
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert {entity.id for entity in crate.data_entities} == files - {"ro-crate-metadata.json", "checksums.json"}
    assert all((folder / entity.id).is_file() for entity in crate.data_entities)
    assert crate.root_dataset["license"].id == "https://spdx.org/licenses/CC0-1.0.html" and crate.name == "v1"
    assert crate.root_dataset["datePublished"] == "2026-01-02"  # of the last decision on record


def test_the_card_describes_the_columns(tmp_path: Path) -> None:
    card = (write("huggingface", tmp_path / "out", bundle()) / "README.md").read_text(encoding="utf-8")
    assert "| overlap | float | Share of the question's content words that are in its evidence, 0 to 1. |" in card


def load_beir(folder: Path, split: str) -> tuple[Mapping[str, Any], Mapping[str, str], Mapping[str, Mapping[str, int]]]:
    loader = pytest.importorskip("beir.datasets.data_loader").GenericDataLoader
    corpus, queries, judged = loader(str(folder)).load(split)
    return corpus, queries, judged


def test_beirs_own_loader_reads_corpus_queries_and_judgements(tmp_path: Path) -> None:
    folder = write("beir", tmp_path / "out", bundle(splits={"i1": "dev"}))
    corpus, queries, judged = load_beir(folder, "test")
    bridge, court = documents()
    assert corpus == {d.id: {"title": d.title, "text": d.text} for d in (bridge, court)}
    assert judged == {"i2": {court.id: 1}, "i3": {bridge.id: 1, court.id: 1}}
    assert queries == {item.id: item.question for item in items()[1:]}
    assert load_beir(folder, "dev")[2] == {"i1": {bridge.id: 1}}


def test_beir_searches_what_systems_may_search(tmp_path: Path) -> None:
    release = bundle()
    bridge, court = documents()
    release = replace(release, manifest={**release.manifest, "left_out": [bridge.id]})
    corpus, queries, judged = load_beir(write("beir", tmp_path / "out", release), "test")
    assert list(corpus) == [court.id] and judged == {"i2": {court.id: 1}, "i3": {court.id: 1}} and "i1" not in queries


def test_beir_tells_no_judgement_of_a_withheld_split(tmp_path: Path) -> None:
    folder = write("beir", tmp_path / "out", bundle(splits={"i1": "dev"}), frozenset({"dev"}))
    assert sorted(path.name for path in (folder / "qrels").iterdir()) == ["test.jsonl", "test.tsv"]
    assert "i1" in (folder / "queries.jsonl").read_text(encoding="utf-8")


def test_beir_without_evidence_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match=r"^No question of release 'v1' has evidence in a document that systems search"):
        write("beir", tmp_path / "out", bundle([replace(item, evidence=()) for item in items()]))


RUN = """
import json, sys
import datasets
print(json.dumps({name: {split: rows.to_list() for split, rows in datasets.load_dataset(sys.argv[1], name).items()}
                  for name in ("default", "corpus", "queries")}))
"""


def offline_environment(tmp_path: Path) -> dict[str, str]:
    home = {"HF_HOME": str(tmp_path / "hf"), "HOME": str(tmp_path)}
    return {**os.environ, **home, "HF_DATASETS_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}


def test_datasets_loads_what_mteb_loads(tmp_path: Path) -> None:
    """MTEB reads the configurations default, corpus and queries of a retrieval task by `datasets`."""
    folder = write("beir", tmp_path / "out", bundle(splits={"i1": "dev-1"}))
    command = [sys.executable, "-c", RUN, str(folder)]
    done = subprocess.run(command, env=offline_environment(tmp_path), cwd=tmp_path, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    bridge, court = documents()
    assert found["default"]["dev_1"] == [{"query-id": "i1", "corpus-id": bridge.id, "score": 1}]
    assert {row["_id"] for row in found["corpus"]["corpus"]} == {bridge.id, court.id}
    assert [row["metadata"]["level"] for row in found["queries"]["queries"]] == ["1", "1", "4"] and hub_name("dev-1") == "dev_1"


LM_EVAL = """
import json, sys
import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class KnowsOne(LM):
    asked = []
    def generate_until(self, requests, disable_tqdm=False):
        self.asked += [request.args[0] for request in requests]
        return [" Marta Quill" if "designed the bridge" in request.args[0] else "no" for request in requests]
    def loglikelihood(self, requests, disable_tqdm=False): raise NotImplementedError
    def loglikelihood_rolling(self, requests, disable_tqdm=False): raise NotImplementedError

tasks = sys.argv[1:]
model = KnowsOne()
results = lm_eval.simple_evaluate(model, tasks=tasks, task_manager=TaskManager(include_path="."))["results"]
metrics = ("exact_match,none", "token_f1,none")
print(json.dumps({"asked": model.asked, "results": {task: [results[task][m] for m in metrics] for task in tasks}}))
"""


@pytest.mark.slow
def test_lm_eval_runs_the_tasks_over_the_parquet_files(tmp_path: Path) -> None:
    pytest.importorskip("lm_eval", reason="lm-eval is not installed: its tasks alone have 78 MB")
    folder = write("huggingface", tmp_path / "out", bundle(splits={"i2": "dev"}), frozenset({"dev"}))
    command = [sys.executable, "-c", LM_EVAL, "benchwright_v1_question", "benchwright_v1_evidence"]
    done = subprocess.run(command, env=offline_environment(tmp_path), cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert list(found["results"].values()) == [[0.5, 0.5], [0.5, 0.5]]
    assert len(found["asked"]) == 4 and all(text.endswith("\nAnswer:") for text in found["asked"])
    assert found["asked"][0].startswith("Question: Who designed the bridge?")
    assert "The bridge at Orvel was designed by Marta Quill in 1931.\n\nQuestion: Who" in found["asked"][2]


def test_tasks_of_lm_eval_score_as_score_py_does() -> None:
    row = {"id": "i1", "question": "Who?", "answers": ["Marta Quill", "M. Quill"], "language": "en"}
    assert score_for_lm_eval(row, [" marta quill. "]) == {"exact_match": 1.0, "token_f1": 1.0}
    assert score_for_lm_eval(row, ["Quill"]) == {"exact_match": 0.0, "token_f1": pytest.approx(2 / 3)}


def test_a_release_whose_every_split_is_withheld_has_no_task(tmp_path: Path) -> None:
    folder = write("huggingface", tmp_path / "out", bundle(), frozenset({"test"}))
    assert not list(folder.glob("lm_eval*")) and "lm-eval" not in (folder / "README.md").read_text(encoding="utf-8")


def test_a_format_of_others_names_its_files_without_describing_them(tmp_path: Path) -> None:
    """As plug-ins call it: without a description of their files."""
    (tmp_path / "odd name.bin").write_bytes(b"\x00")
    write_common_files(bundle(), tmp_path, frozenset())
    metadata, found = read_croissant(tmp_path)
    assert "odd name.bin" in {file.content_url for file in metadata.file_objects} and list(found) == ["golds"]
