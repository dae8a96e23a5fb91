"""promptfoo: export a run as one JSON file of results (version 3), with one test per answer and its metrics as named scores.
promptfoo computes pass and score from assertions, which a run does not have: an answer passes with score 1, and a failed answer
is an error. A metric without a value is listed with its reason in the test's metadata."""

from collections.abc import Sequence
from typing import Any

from core.ids import content_hash
from core.nouns import Item, Score, Trace
from eval.reports.export import ExportedRun, Files, RunExporter, count_usage, name_trace, split_scores, write_json


def files(exported: ExportedRun) -> Files:
    run, answers = exported.result.run, list(exported.answers())
    system, provider = run.system.name, run.agent or run.system.name
    prompt = {"raw": "{{question}}", "label": system, "id": content_hash(system), "provider": provider}
    rows = [_build_row(n, *answer, prompt) for n, answer in enumerate(answers)]
    passed = sum(row["success"] for row in rows)
    errors, usage = len(rows) - passed, count_usage([trace for trace, *_ in answers])
    metrics = {"score": passed, "testPassCount": passed, "testFailCount": 0, "testErrorCount": errors, "tokenUsage": usage}
    return write_json(
        {
            "evalId": f"eval-{run.id}",
            "results": {
                "version": 3,
                "timestamp": exported.made_at,
                "results": rows,
                "prompts": [{**prompt, "metrics": metrics}],
                "stats": {"successes": passed, "failures": 0, "errors": errors, "tokenUsage": usage},
            },
            "shareableUrl": None,
            "config": {
                "description": f"{system} on {run.release}",
                "metadata": {
                    "identity": run.identity,
                    "release": run.release,
                    "release_hash": run.release_hash,
                    "offline": list(run.offline),
                    "repetition": run.repetition,
                    "config": dict(run.config),
                },
            },
        }
    )


def _build_row(
    number: int, trace: Trace, item: Item, question: str, scores: Sequence[Score], prompt: dict[str, str]
) -> dict[str, Any]:
    inputs = {"question": question, "answers": list(item.answers)}
    is_answered, (scored, unscored) = trace.answer is not None, split_scores(scores)
    row: dict[str, Any] = {
        "id": name_trace(trace),
        "promptIdx": 0,
        "testIdx": number,
        "promptId": prompt["id"],
        "vars": inputs,
        "testCase": {"vars": inputs, "assert": [], "metadata": {"task": item.task, "level": item.level, "domain": item.domain}},
        "prompt": {"raw": question, "label": prompt["label"]},
        "provider": {"id": prompt["provider"], "label": prompt["provider"]},
        "response": {"output": trace.answer, "tokenUsage": count_usage([trace])} if is_answered else {"error": trace.error},
        "success": is_answered,
        "score": int(is_answered),
        "failureReason": 0 if is_answered else 2,
        "namedScores": scored,
        "latencyMs": None if trace.seconds is None else round(trace.seconds * 1000),
        "gradingResult": None,
        "metadata": {"stop": trace.stop, "unscored": unscored},
    }
    return row if is_answered else {**row, "error": trace.error or trace.stop}


EXPORT = RunExporter(label="promptfoo results", files=files)
