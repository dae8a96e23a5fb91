"""Score a predictions file in shards. Each shard scores a part of the lines without a workspace; the results of all shards
together give the same report as one process would."""

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.ids import Shard, canonical_json, content_hash
from core.installation import VERSION
from core.json_lines import read_objects
from eval.scoring.predictions import Prediction, Predictions, find_languages, read_predictions, summarise_predictions
from eval.scoring.scoring import MetricValue, ScoredCase
from store.runs.shard_files import MANIFEST, ShardManifest, hash_file, write_manifest, write_rows
from workbench.evaluate.scoring.prediction_robustness import list_records, measure_robustness
from workbench.evaluate.scoring.scores import score_file
from workbench.evaluate.shards.shards import open_shards

LINES = "lines.jsonl"
"""Name of the file with the lines of this shard, which are to be scored."""
SCORED = "scored"
COLUMNS = {"number": "int64", "id": "string", "line": "string", "language": "string", "result": "string", "offline": "bool_"}
"""Columns of a shard's results with their Arrow types: a line, its number and language, and its values. The columns `line` and
`result` contain JSON texts."""
NOT_VALUES = ("id", "error", "why", "details")
"""Keys of a line's result that are not names of metrics."""


def score_shard(
    path: Path,
    shard: Shard,
    out: Path,
    ledger: Path,
    *,
    metrics: Sequence[str],
    language: str | None,
    judges: Sequence[str],
    votes: int,
    budget: float | None,
    settings: Mapping[str, Any],
    say: Callable[[str], None],
) -> ShardManifest:
    """Score one shard of the lines of a predictions file, and write the results to the folder `out`. If a line is a variant of
    another line's question, both lines are in the same shard. Raises BenchError for the same reasons as `score`."""
    lines, refused = read_predictions(path)
    spoken = find_languages(lines, language)
    own = {line.id for line in lines if shard.has_item(line.parent or line.id)}
    unread = {row["line"] for row in refused}
    mine = {
        line.number: line.record
        for line in read_objects(path)
        if line.record is not None and line.number not in unread and str(line.record.get("id")) in own
    }
    report: dict[str, Any] = {"items": [], "offline": []}
    (out / MANIFEST).unlink(missing_ok=True)
    if mine:
        kept = [
            {key: value for key, value in record.items() if key not in ("parent", "kind")}
            | {"language": spoken[str(record["id"])]}
            for record in mine.values()
        ]
        (out / LINES).write_text("".join(json.dumps(record) + "\n" for record in kept), encoding="utf-8")
        report = score_file(
            out / LINES,
            metrics=metrics,
            judges=judges,
            votes=votes,
            budget=budget,
            settings=settings,
            say=say,
            ledger=ledger,
        )
    results = {result["id"]: result for result in report["items"]}
    rows = [
        {
            "number": number,
            "id": str(record["id"]),
            "line": canonical_json(record if record.get("language") or not language else {**record, "language": language}),
            "language": spoken[str(record["id"])],
            "result": json.dumps(results[str(record["id"])]),
            "offline": bool(report["offline"]),
        }
        for number, record in mine.items()
    ]
    for row in refused if shard.number == 0 else ():
        rows.append({"number": row["line"], "id": "", "line": "", "language": "", "result": json.dumps(row), "offline": False})
    request = {
        "metrics": list(metrics),
        "judges": list(judges),
        "votes": votes,
        "settings": dict(settings),
        "language": language,
    }
    failed = sum("error" in result for result in results.values())
    manifest = ShardManifest(
        verb="score",
        release=path.name,
        hash=f"sha256:{hash_file(path)}",
        configuration=content_hash(request),
        version=VERSION,
        shard=shard,
        runs=[],
        counts={"asked": len(mine), "answered": len(mine) - failed, "failed": failed, "lines": len(lines)},
        is_complete=True,
        files={SCORED: write_rows(out / f"{SCORED}.parquet", rows, COLUMNS)},
    )
    write_manifest(manifest, out)
    return manifest


def gather_scores(folders: Sequence[Path]) -> dict[str, Json]:
    """Return what the command `score` prints as JSON, over the lines of all given shards, each line once, and with {"shards":
    {"of", "missing", "unfinished"}}. Raises BenchError if the shards do not belong together or if one was changed."""
    import pyarrow.parquet

    opened = open_shards(folders)
    rows: dict[int, dict[str, Any]] = {}
    for folder, manifest in opened.found.items():
        for row in pyarrow.parquet.read_table(folder / manifest.files[SCORED].file).to_pylist():
            rows.setdefault(row["number"], row)
    every = [rows[number] for number in sorted(rows)]
    ordered = [row for row in every if row["line"]]
    if not ordered:
        raise BenchError("The given shards contain no scored line: give the folders of the other shards too.")
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / LINES
        path.write_text("".join(row["line"] + "\n" for row in ordered), encoding="utf-8")
        lines = read_predictions(path).lines
    predictions = Predictions(lines, tuple(json.loads(row["result"]) for row in every if not row["line"]))
    spoken = {row["id"]: row["language"] for row in ordered}
    scored = {
        line.id: _build_case(line, spoken[line.id], json.loads(row["result"]))
        for line, row in zip(lines, ordered, strict=True)
        if line.text is not None
    }
    report = summarise_predictions(predictions, scored, spoken, None, any(row["offline"] for row in ordered))
    if records := list_records(lines, None):
        report["robustness"] = measure_robustness(records)
    shards: Json = {"of": opened.first.shard.of, "missing": list(opened.missing), "unfinished": list(opened.unfinished)}
    return report | {"shards": shards}


def _build_case(line: Prediction, language: str, result: Mapping[str, Any]) -> ScoredCase:
    """Build the scored case of one line from the JSON result of `score` for the line."""
    why = result.get("why", {})
    values = {name: MetricValue(value, "", why.get(name, "")) for name, value in result.items() if name not in NOT_VALUES}
    return ScoredCase(line.case(language), values, result.get("details", {}))
