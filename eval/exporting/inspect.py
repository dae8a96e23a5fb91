"""inspect: one EvalLog in JSON (version 2), as inspect_ai reads it: a sample an answer, a score a metric. A failed answer is a
sample with an error and no score; what could not be scored stands in the sample's metadata with its reason, never as 0."""

import json
from collections.abc import Sequence
from statistics import fmean
from typing import Any

from core.nouns import Item, Score, Trace
from eval.reports.export import ExportedRun, Files, RunExporter, name_trace


def files(run: ExportedRun) -> Files:
    made = run.result.run
    answers = list(run.answers())
    model = made.agent or made.system.name
    log = {
        "version": 2,
        "status": "success",
        "eval": {
            "run_id": made.id,
            "created": run.made_at,
            "task": made.release,
            "task_id": made.release_hash,
            "task_version": 0,
            "task_args": {},
            "dataset": {
                "name": made.release,
                "samples": len(answers),
                "sample_ids": [name_trace(trace) for trace, *_ in answers],
                "shuffled": False,
            },
            "model": model,
            "model_args": {},
            "config": {"epochs": 1},
            "metadata": {
                "system": made.system.name,
                "settings": dict(made.system.settings),
                "identity": made.identity,
                "repetition": made.repetition,
                "offline": list(made.offline),
                "config": dict(made.config),
            },
        },
        "plan": {"name": made.system.name, "steps": [], "config": {}},
        "results": {
            "total_samples": len(answers),
            "completed_samples": sum(trace.answer is not None for trace, *_ in answers),
            "scores": _means([score for *_, scores in answers for score in scores]),
        },
        "stats": {
            "started_at": run.made_at,
            "completed_at": run.made_at,
            "model_usage": {model: _usage([trace for trace, *_ in answers])},
        },
        "samples": [_sample(trace, item, question, scores, model) for trace, item, question, scores in answers],
    }
    return {"": json.dumps(log, ensure_ascii=False, indent=1, allow_nan=False) + "\n"}


def _sample(trace: Trace, item: Item, question: str, scores: Sequence[Score], model: str) -> dict[str, Any]:
    unscored = {score.metric: score.why for score in scores if score.value is None}
    said = {"role": "assistant", "content": trace.answer, "source": "generate"}
    sample: dict[str, Any] = {
        "id": name_trace(trace),
        "epoch": 1,
        "input": question,
        "target": list(item.answers),
        "messages": [],
        "output": {
            "model": model,
            "choices": [] if trace.answer is None else [{"message": said, "stop_reason": "stop"}],
            "usage": _usage([trace]),
            "time": trace.seconds,
        },
        "scores": {score.metric: {"value": score.value, "answer": trace.answer} for score in scores if score.value is not None},
        "metadata": {
            "task": item.task,
            "level": item.level,
            "domain": item.domain,
            "language": item.language,
            "stop": trace.stop,
            "calls": trace.calls,
            "unscored": unscored,
            "retrieved": None if trace.retrieved is None else [[s.document, s.start, s.end] for s in trace.retrieved],
        },
    }
    if trace.answer is None:
        sample["error"] = {"message": trace.error or trace.stop, "traceback": "", "traceback_ansi": ""}
    return sample


def _means(scores: Sequence[Score]) -> list[dict[str, Any]]:
    values: dict[str, list[float]] = {}
    for score in scores:
        values.setdefault(score.metric, [])
        if score.value is not None:
            values[score.metric].append(score.value)
    return [
        {
            "name": name,
            "scorer": name,
            "params": {},
            "metrics": {"mean": {"name": "mean", "value": fmean(found)}},
            "metadata": {"n": len(found)},
        }
        for name, found in sorted(values.items())
        if found
    ]


def _usage(traces: Sequence[Trace]) -> dict[str, int]:
    tokens_in, tokens_out = (sum(getattr(t, name) or 0 for t in traces) for name in ("tokens_in", "tokens_out"))
    return {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": tokens_in + tokens_out}


EXPORT = RunExporter(label="inspect log", files=files)
