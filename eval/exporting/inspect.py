"""inspect: export a run as one EvalLog in JSON (version 2), the format of inspect_ai, with one sample per answer and one score
per metric. A failed answer is a sample with an error and without scores. A metric without a value is listed with its reason in
the sample's metadata, and never exported as 0."""

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from core.nouns import Item, Score, Trace
from eval.reports.export import ExportedRun, Files, RunExporter, count_usage, name_trace, split_scores, write_json


def files(exported: ExportedRun) -> Files:
    run, answers = exported.result.run, list(exported.answers())
    traces = [trace for trace, *_ in answers]
    model = run.agent or run.system.name
    names = [name_trace(trace) for trace in traces]
    return write_json(
        {
            "version": 2,
            "status": "success",
            "eval": {
                "run_id": run.id,
                "created": exported.made_at,
                "task": run.release,
                "task_id": run.release_hash,
                "task_version": 0,
                "task_args": {},
                "dataset": {"name": run.release, "samples": len(names), "sample_ids": names, "shuffled": False},
                "model": model,
                "model_args": {},
                "config": {"epochs": 1},
                "metadata": {
                    "system": run.system.name,
                    "settings": dict(run.system.settings),
                    "identity": run.identity,
                    "repetition": run.repetition,
                    "offline": list(run.offline),
                    "config": dict(run.config),
                },
            },
            "plan": {"name": run.system.name, "steps": [], "config": {}},
            "results": {
                "total_samples": len(answers),
                "completed_samples": sum(trace.answer is not None for trace in traces),
                "scores": _average_scores([score for *_, scores in answers for score in scores]),
            },
            "stats": {
                "started_at": exported.made_at,
                "completed_at": exported.made_at,
                "model_usage": {model: _count_tokens(traces)},
            },
            "samples": [_build_sample(trace, item, question, scores, model) for trace, item, question, scores in answers],
        }
    )


def _build_sample(trace: Trace, item: Item, question: str, scores: Sequence[Score], model: str) -> dict[str, Any]:
    scored, unscored = split_scores(scores)
    message = {"role": "assistant", "content": trace.answer, "source": "generate"}
    sample: dict[str, Any] = {
        "id": name_trace(trace),
        "epoch": 1,
        "input": question,
        "target": list(item.answers),
        "messages": [],
        "output": {
            "model": model,
            "choices": [] if trace.answer is None else [{"message": message, "stop_reason": "stop"}],
            "usage": _count_tokens([trace]),
            "time": trace.seconds,
        },
        "scores": {name: {"value": value, "answer": trace.answer} for name, value in scored.items()},
        "metadata": {
            "task": item.task,
            "level": item.level,
            "domain": item.domain,
            "language": item.language,
            "stop": trace.stop,
            "calls": trace.calls,
            "unscored": unscored,
            "retrieved": None if trace.retrieved is None else [s.triple for s in trace.retrieved],
        },
    }
    if trace.answer is None:
        sample["error"] = {"message": trace.error or trace.stop, "traceback": "", "traceback_ansi": ""}
    return sample


def _average_scores(scores: Sequence[Score]) -> list[dict[str, Any]]:
    values: dict[str, list[float]] = {}
    for score in scores:
        if score.value is not None:
            values.setdefault(score.metric, []).append(score.value)
    return [
        {
            "name": name,
            "scorer": name,
            "params": {},
            "metrics": {"mean": {"name": "mean", "value": fmean(own)}},
            "metadata": {"n": len(own)},
        }
        for name, own in sorted(values.items())
    ]


def _count_tokens(traces: Sequence[Trace]) -> dict[str, int]:
    usage = count_usage(traces)
    return {"input_tokens": usage["prompt"], "output_tokens": usage["completion"], "total_tokens": usage["total"]}


EXPORT = RunExporter(label="inspect log", files=files)
