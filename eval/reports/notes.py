"""Write the notes that come before a report's tables: on unfinished or offline runs, judges that are not calibrated, and
reasons to doubt the values."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.quality.tiny import describe_tiny
from eval.reports.results import RunResult

MAX_NAMED_RUNS = 3
"""Maximum number of runs that a note lists by name; further runs are only counted."""
OFFLINE_PARTS = {"draft": "questions were drafted", "answer": "answers were given", "judge": "answers were judged"}


def list_notes(names: Sequence[str], results: Sequence[RunResult], data: Mapping[str, Any]) -> list[str]:
    """Return the notes that a reader needs before the report's tables."""
    notes: dict[str, list[str]] = {}
    for name, result in zip(names, results, strict=True):
        tiny = describe_tiny(result.tiny)
        sentences = [sentence for sentence in (result.unfinished, result.erratum, tiny) if sentence]
        if result.run.offline:
            parts = " and ".join(OFFLINE_PARTS.get(part, part) for part in result.run.offline)
            sentences.append(f"{parts} by the offline agent (no LLM); its figures cannot be compared with those of an LLM.")
        for entry in result.not_run:
            sentences.append(f"{entry['n']} questions in {entry['language']} were not run: {entry['why']}")
        if result.run.config.get("sample"):
            n = len(result.traces)
            sentences.append(f"run on a sample of {n} {'question' if n == 1 else 'questions'}, not on the whole release.")
        for sentence in sentences:
            notes.setdefault(sentence, []).append(name)
    whole = _join_names(notes, len(results)) + list_not_taken(names, results)
    return whole + list_judge_notes(names, data) + list_doubts(names, results, data)


def _join_names(notes: Mapping[str, Sequence[str]], n: int) -> list[str]:
    """Return each note once, preceded by the names of the runs that it is about. `notes` is a dict from note to run names."""
    return [f"{_name_runs(names, n)}: {sentence}" for sentence, names in notes.items()]


def _name_runs(names: Sequence[str], n: int) -> str:
    if len(names) <= MAX_NAMED_RUNS:
        return "; ".join(names)
    if len(names) == n:
        return f"All {n} runs"
    return f"{len(names)} of {n} runs ({'; '.join(names[:MAX_NAMED_RUNS])} and {len(names) - MAX_NAMED_RUNS} more)"


def list_not_taken(names: Sequence[str], results: Sequence[RunResult]) -> list[str]:
    """Return the footnotes of a table of mean scores. They name the requested parameters that the endpoints of the agents did
    not accept."""
    notes: dict[str, list[str]] = {}
    for name, result in zip(names, results, strict=True):
        for sentence in result.not_taken:
            notes.setdefault(f"{sentence}.", []).append(name)
    return _join_names(notes, len(results))


def list_judge_notes(names: Sequence[str], data: Mapping[str, Any]) -> list[str]:
    """Return notes on judges with too few human marks; each note names all runs that it is about."""
    notes: dict[str, list[str]] = {}
    for name, run in zip(names, data["runs"], strict=True):
        lacking: dict[str, list[str]] = {}
        for judge in run["judges"]:
            if not judge["calibrated"]:
                lacking.setdefault(f"{judge['judge']}: {judge['why']}", []).append(judge["metric"])
        for why, metrics in lacking.items():
            notes.setdefault(f"{', '.join(dict.fromkeys(metrics))} by {why}.", []).append(name)
    return _join_names(notes, len(names))


def list_doubts(names: Sequence[str], results: Sequence[RunResult], data: Mapping[str, Any]) -> list[str]:
    """Return notes on reasons to doubt the values: suspicious values, unequal failure rates, scores of
    different versions, dependent questions."""
    by_id = {result.run.id: name for name, result in zip(names, results, strict=True)}
    alarms: dict[tuple[str, str], list[str]] = {}
    for alarm in data["alarms"]:
        metric = alarm.get("metric", "")
        alarms.setdefault((metric, alarm["message"].removeprefix(metric)), []).append(by_id[alarm["run"]])
    by_runs: dict[tuple[str, str], list[str]] = {}
    for (metric, message), of in alarms.items():
        whose = f"all {len(names)} runs" if MAX_NAMED_RUNS < len(of) == len(names) else _name_runs(of, len(names))
        by_runs.setdefault((whose, message), []).append(metric)
    doubts = [f"Alarm, {whose}: {', '.join(own)}{message}." for (whose, message), own in by_runs.items()]
    for pair in data["failure_rates"]:
        doubts.append(
            f"{by_id[pair['a']]} failed on {pair['failed_a']} and {by_id[pair['b']]} on {pair['failed_b']} of the same "
            f"{pair['n']} questions: their means are over different answers, so compare the bounds instead."
        )
    for record in data["versions"]:
        doubts.append(
            f"{record['metric']} scored {record['differ']} of the {record['n']} questions that the runs share by different "
            "versions of the metric, its votes or the sets that people edit: compare runs of one release, and start those "
            "again that were scored before the last change."
        )
    own = data["clusters"]
    if own["by"] != "item" and own["largest"] > 1:
        clusters = "1 cluster" if own["n"] == 1 else f"{own['n']} clusters"
        doubts.append(f"Intervals resample questions in {clusters} by {own['by']}; the largest has {own['largest']} items.")
    least, tests = 2 / 2 ** own["n"], len(data["comparisons"])
    if own["largest"] > 1 and tests and least * tests >= 0.05:
        doubts.append(
            f"{own['n']} clusters give no p below {least:.2g}, so hardly any of {tests} comparisons can hold after "
            f"correction: compare fewer runs, or take questions on more documents."
        )
    return doubts
