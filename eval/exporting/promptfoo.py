"""promptfoo: one result file in JSON (results of version 3): a test an answer, its metrics as named scores. promptfoo's pass
and score are of assertions, and here are none: an answer passes with 1, a failure is an error. What could not be scored stands
in the test's metadata with its reason."""

import json
from collections.abc import Sequence
from typing import Any

from core.ids import content_hash
from core.nouns import Item, Score, Trace
from eval.reports.export import ExportedRun, Files, RunExporter, name_trace


def files(run: ExportedRun) -> Files:
    made = run.result.run
    answers = list(run.answers())
    label = made.agent or made.system.name
    prompt = {"raw": "{{question}}", "label": made.system.name, "id": content_hash(made.system.name), "provider": label}
    rows = [_row(n, *answer, prompt, label) for n, answer in enumerate(answers)]
    passed = sum(row["success"] for row in rows)
    usage = _usage([trace for trace, *_ in answers])
    results = {
        "version": 3,
        "timestamp": run.made_at,
        "results": rows,
        "prompts": [
            {
                **prompt,
                "metrics": {
                    "score": passed,
                    "testPassCount": passed,
                    "testFailCount": 0,
                    "testErrorCount": len(rows) - passed,
                    "tokenUsage": usage,
                },
            }
        ],
        "stats": {"successes": passed, "failures": 0, "errors": len(rows) - passed, "tokenUsage": usage},
    }
    whole = {
        "evalId": f"eval-{made.id}",
        "results": results,
        "shareableUrl": None,
        "config": {
            "description": f"{made.system.name} on {made.release}",
            "metadata": {
                "identity": made.identity,
                "release": made.release,
                "release_hash": made.release_hash,
                "offline": list(made.offline),
                "repetition": made.repetition,
                "config": dict(made.config),
            },
        },
    }
    return {"": json.dumps(whole, ensure_ascii=False, indent=1, allow_nan=False) + "\n"}


def _row(
    number: int, trace: Trace, item: Item, question: str, scores: Sequence[Score], prompt: dict[str, str], label: str
) -> dict[str, Any]:
    given = {"question": question, "answers": list(item.answers)}
    is_answered = trace.answer is not None
    row: dict[str, Any] = {
        "id": name_trace(trace),
        "promptIdx": 0,
        "testIdx": number,
        "promptId": prompt["id"],
        "vars": given,
        "testCase": {"vars": given, "assert": [], "metadata": {"task": item.task, "level": item.level, "domain": item.domain}},
        "prompt": {"raw": question, "label": prompt["label"]},
        "provider": {"id": label, "label": label},
        "response": {"output": trace.answer, "tokenUsage": _usage([trace])} if is_answered else {"error": trace.error},
        "success": is_answered,
        "score": int(is_answered),
        "failureReason": 0 if is_answered else 2,
        "namedScores": {score.metric: score.value for score in scores if score.value is not None},
        "latencyMs": None if trace.seconds is None else round(trace.seconds * 1000),
        "gradingResult": None,
        "metadata": {"stop": trace.stop, "unscored": {score.metric: score.why for score in scores if score.value is None}},
    }
    return row if is_answered else {**row, "error": trace.error or trace.stop}


def _usage(traces: Sequence[Trace]) -> dict[str, int]:
    tokens_in, tokens_out = (sum(getattr(t, name) or 0 for t in traces) for name in ("tokens_in", "tokens_out"))
    return {
        "total": tokens_in + tokens_out,
        "prompt": tokens_in,
        "completion": tokens_out,
        "numRequests": sum(t.calls for t in traces),
    }


EXPORT = RunExporter(label="promptfoo results", files=files)
