"""parquet: export the answers and the scores of a run as columns, for DuckDB, Spark, `datasets` and pandas. answers.parquet has
a row for each question with the passages behind its answer, absence.parquet one for each absence twin, if the run asked any;
scores.parquet has a row for each metric of an answer. --rows-per-file divides each into several files."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from core.as_json import as_json
from eval.reports.export import ExportedRun, Files, RunExporter

PLACE = ("run", "item", "variant")
TRACE = ("answer", "stop", "error", "seconds", "queued", "calls", "tokens_in", "tokens_out")
ITEM = ("task", "domain", "language")
SCORE = ("metric", "version", "value", "why")


def files(run: ExportedRun) -> Files:
    import pyarrow

    text, whole, real = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    numbers = {"seconds": real, "queued": real, "value": real, "calls": whole, "tokens_in": whole, "tokens_out": whole}
    span = pyarrow.struct([("document", text), ("start", whole), ("end", whole)])
    columns = (*PLACE, *ITEM, "level", "question", *TRACE)
    answers = pyarrow.schema(
        [
            *((name, numbers.get(name, text)) for name in columns),
            ("answers", pyarrow.list_(text)),
            ("retrieved", pyarrow.list_(span)),
        ]
    )
    scores = pyarrow.schema([(name, numbers.get(name, text)) for name in (*PLACE, *SCORE)])
    written: dict[str, bytes] = {}
    twins = replace(run, result=replace(run.result, traces=[replace(trace, run=run.result.run.id) for trace in run.twins]))
    tables = [("answers", answers, _list_answers(run)), ("scores", scores, _list_scores(run))]
    tables += [("absence", answers, _list_answers(twins))] if run.twins else []
    for name, schema, rows in tables:
        every = list(rows)
        most = run.rows_per_file or max(len(every), 1)
        parts = [every[start : start + most] for start in range(0, len(every), most)] or [[]]
        for number, part in enumerate(parts):
            end = f"-{number:05}-of-{len(parts):05}" if len(parts) > 1 else ""
            written[f"{name}{end}.parquet"] = _write_table(part, schema)
    return written


def _list_answers(run: ExportedRun) -> Iterator[dict[str, Any]]:
    for trace, item, question, _ in run.answers():
        yield {
            **{name: getattr(trace, name) for name in (*PLACE, *TRACE)},
            **{name: getattr(item, name) for name in ITEM},
            "level": None if item.level is None else str(item.level),
            "question": question,
            "answers": list(item.answers),
            "retrieved": None if trace.retrieved is None else as_json(trace.retrieved),
        }


def _list_scores(run: ExportedRun) -> Iterator[dict[str, Any]]:
    for _, _, _, scores in run.answers():
        for score in sorted(scores, key=lambda score: (score.metric, score.version)):
            yield {name: getattr(score, name) for name in (*PLACE, *SCORE)}


def _write_table(rows: Sequence[dict[str, Any]], schema: Any) -> bytes:
    """Return the rows as a Parquet file in bytes; the same rows give the same bytes with the same version of pyarrow."""
    import pyarrow
    import pyarrow.parquet

    out = io.BytesIO()
    table = pyarrow.Table.from_pylist(list(rows), schema=schema)
    pyarrow.parquet.write_table(table, out, compression="zstd", store_schema=False)
    return out.getvalue()


EXPORT = RunExporter(label="Parquet", is_folder=True, has_several_files=True, files=files)
