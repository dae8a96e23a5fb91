"""A Report as a Page for people: scores by group, HawkBench's averages, comparisons in sentences, retrieval by overlap;
best and second marked only where the paired interval allows it; what was offline said first."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from eval.metric import metrics
from eval.page import DASH, Cell, Page, Table, count, figure, words
from eval.reports.comparing import is_quality, is_significant
from eval.reports.metric_names import split_name
from eval.reports.report import Report
from eval.reports.results import ResultRow, RunResult, group_rows
from eval.reports.run_names import name_runs

DASH_CELL = Cell(DASH)
MAX_NAMED_RUNS = 3
"""Runs that a sentence names."""
NAMES = {"draft": "questions were drafted", "answer": "answers were given", "judge": "answers were judged"}


def build_page(report: Report) -> Page:
    """The report's own page."""
    tables = [_scores(report), _times(report), _judges(report), _averages(report), _ranks(report), _comparisons(report)]
    tables += [_overlap(report)]
    title = f"Runs on {', '.join(dict.fromkeys(r.run.release for r in report.results))}"
    return Page(title, [t for t in tables if t.rows], notes=list_notes(report), data=report.data, records=_records(report))


def name_results(results: Sequence[RunResult]) -> list[str]:
    """As run_names."""
    return name_runs([result.run for result in results])


def list_notes(report: Report) -> list[str]:
    """What a reader must know before the figures."""
    notes: dict[str, list[str]] = {}
    for name, result in zip(name_results(report.results), report.results, strict=True):
        told = [result.unfinished] if result.unfinished else []
        if result.run.offline:
            what = " and ".join(NAMES.get(part, part) for part in result.run.offline)
            told.append(f"{what} by the offline agent (no LLM); no figure of it compares with one of an LLM.")
        for entry in result.not_run:
            told.append(f"{entry['n']} questions in {entry['language']} were not run: {entry['why']}")
        if result.run.config.get("sample"):
            n = len(result.traces)
            told.append(f"run on a sample of {n} {'question' if n == 1 else 'questions'}, not on the whole release.")
        for sentence in told:
            notes.setdefault(sentence, []).append(name)
    said = [f"{_name_runs(names, len(report.results))}: {sentence}" for sentence, names in notes.items()]
    return said + list_judge_notes(report) + list_doubts(report)


def _name_runs(names: Sequence[str], of: int) -> str:
    """Runs of which the same is true: the first few by name."""
    if len(names) <= MAX_NAMED_RUNS:
        return "; ".join(names)
    if len(names) == of:
        return f"All {of} runs"
    return f"{len(names)} of {of} runs ({'; '.join(names[:MAX_NAMED_RUNS])} and {len(names) - MAX_NAMED_RUNS} more)"


def list_judge_notes(report: Report) -> list[str]:
    """Judges that people have not seen enough of, each once for all runs of which the same is true."""
    found: dict[str, list[str]] = {}
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        lacking: dict[str, list[str]] = {}
        for one in run["judges"]:
            if not one["calibrated"]:
                lacking.setdefault(f"{one['judge']}: {one['why']}", []).append(one["metric"])
        for why, metrics_ in lacking.items():
            found.setdefault(f"{', '.join(dict.fromkeys(metrics_))} by {why}.", []).append(name)
    return [f"{_name_runs(names, len(report.results))}: {sentence}" for sentence, names in found.items()]


def list_doubts(report: Report) -> list[str]:
    """What speaks against taking the figures as they are: alarms, failures that differ, how questions hang together."""
    names = dict(zip((result.run.id for result in report.results), name_results(report.results), strict=True))
    alarms: dict[tuple[str, str], list[str]] = {}
    for one in report.data["alarms"]:
        metric = one.get("metric", "")
        alarms.setdefault((metric, one["message"].removeprefix(metric)), []).append(names[one["run"]])
    alike: dict[tuple[str, str], list[str]] = {}
    for (metric, message), of in alarms.items():
        whose = f"all {len(names)} runs" if MAX_NAMED_RUNS < len(of) == len(names) else _name_runs(of, len(names))
        alike.setdefault((whose, message), []).append(metric)
    found = [f"Alarm, {of}: {', '.join(metrics_)}{message}." for (of, message), metrics_ in alike.items()]
    for one in report.data["failure_rates"]:
        found.append(
            f"{names[one['a']]} failed on {one['failed_a']} and {names[one['b']]} on {one['failed_b']} of the same "
            f"{one['n']} questions: their means are over different answers, so read the bounds."
        )
    own = report.data["clusters"]
    if own["by"] != "item" and own["largest"] > 1:
        many = "1 cluster" if own["n"] == 1 else f"{own['n']} clusters"
        found.append(f"Intervals draw questions in {many} by {own['by']}; the largest has {own['largest']} items.")
    least, tests = 2 / 2 ** own["n"], len(report.data["comparisons"])
    if own["largest"] > 1 and tests and least * tests >= 0.05:
        found.append(
            f"{own['n']} clusters give no p below {least:.2g}, so hardly any of {tests} comparisons can hold after "
            f"correction: compare fewer runs, or take questions on more documents."
        )
    return found


def mark_best(report: Report, metric: str, cells: Sequence[Cell], rows: Sequence[Sequence[ResultRow]]) -> list[Cell]:
    """One column's cells, one per run, with best and second: only on a metric of quality, and best only when its paired
    interval against the second lies on one side of 0; likewise second against the third."""
    found = list(cells)
    values = [float(cell.value) if isinstance(cell.value, int | float) else None for cell in cells]
    best, second = _place_best(metric, values, lambda a, b: _are_separated(report, a, b, metric, rows))
    if best is not None:
        found[best] = replace(cells[best], best=True)
    if second is not None:
        found[second] = replace(cells[second], second=True)
    return found


def mark_runs(
    metric: str, means: Mapping[str, float | None], comparisons: Sequence[Mapping[str, Any]]
) -> dict[str, Literal["best", "second"]]:
    """As marked, for whole runs by id, from the intervals of a report's own comparisons."""
    apart = {
        frozenset((one["a"], one["b"]))
        for one in comparisons
        if one["metric"] == metric and one["low"] is not None and (one["low"] > 0 or one["high"] < 0)
    }
    runs = list(means)
    best, second = _place_best(metric, list(means.values()), lambda a, b: frozenset((runs[a], runs[b])) in apart)
    found: dict[str, Literal["best", "second"]] = {runs[best]: "best"} if best is not None else {}
    return found | ({runs[second]: "second"} if second is not None else {})


def _place_best(
    metric: str, values: Sequence[float | None], separated: Callable[[int, int], bool]
) -> tuple[int | None, int | None]:
    """Places of best and second; None where nothing separates them from the next."""
    order = sorted((i for i, value in enumerate(values) if value is not None), key=lambda i: (-(values[i] or 0.0), i))
    if not is_quality(metric) or len(order) < 2 or not separated(order[0], order[1]):
        return None, None
    return order[0], order[1] if len(order) == 2 or separated(order[1], order[2]) else None


def _are_separated(report: Report, a: int, b: int, metric: str, rows: Sequence[Sequence[ResultRow]]) -> bool:
    compared = report.compare_runs(a, b, metric, rows[a], rows[b])
    return compared is not None and compared["low"] is not None and (compared["low"] > 0 or compared["high"] < 0)


def select_headlines(names: Sequence[str]) -> list[str]:
    """The names that one column each is given: a metric's headline, a ranking's first place, no parts, no single judge's."""
    known = metrics()
    found = []
    for name in names:
        metric, base, part = split_name(name)
        wanted = ("@1", known[metric].headline) if metric in known and known[metric].headline else ("",)
        if part in wanted and ".judge" not in base:
            found.append(name)
    return found


def _scores(report: Report) -> Table:
    """A row per group and run, a column per metric: mean [interval]."""
    everywhere = [name for run in report.data["runs"] for cell in run["cells"] for name in [cell["metric"]]]
    shown = select_headlines(sorted(set(everywhere)))
    by_run = [_index_cells(run["cells"], report.by) for run in report.data["runs"]]
    keys = list(group_rows([row for rows in report.rows for row in rows], report.by))
    members = [group_rows(rows, report.by) for rows in report.rows]
    rows = []
    for key in keys:
        here = [groups.get(key, []) for groups in members]
        columns = [
            mark_best(report, metric, [_with_interval(cells.get((key, metric))) for cells in by_run], here) for metric in shown
        ]
        for number, name in enumerate(name_results(report.results)):
            if here[number]:
                group = [words(DASH if part is None else part) for part in key]
                sizes = [count(len(here[number])), count(sum(row.failed for row in here[number]))]
                rows.append([*group, words(name), *sizes, *(column[number] for column in columns)])
    doubted = {cell["metric"] for run in report.data["runs"] for cell in run["cells"] if cell.get("calibrated") is False}
    heads = [f"{name} (judge not calibrated)" if name in doubted else name for name in shown]
    note = "mean [95 % bootstrap interval] over answered questions; failed ones are counted apart and never scored."
    return Table("Scores", [*report.by, "run", "n", "failed", *heads], rows, [note])


def _index_cells(cells: Sequence[Mapping[str, Any]], by: Sequence[str]) -> dict[tuple[tuple[Any, ...], str], Mapping[str, Any]]:
    return {(tuple(cell[name] for name in by), cell["metric"]): cell for cell in cells}


def _with_interval(cell: Mapping[str, Any] | None) -> Cell:
    if cell is None or cell["mean"] is None:
        return Cell(DASH)
    interval = "" if cell["low"] is None else f" [{cell['low']:z.3f}, {cell['high']:z.3f}]"
    return Cell(f"{cell['mean']:.3f}{interval}", cell["mean"])


def _judges(report: Report) -> Table:
    """A row a judge of a run that people's marks are held against."""
    rows = []
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        for one in run["judges"]:
            if "kappa" in one:
                other = one["rogan_gladen"]
                rows.append(
                    [
                        words(name),
                        words(one["metric"]),
                        words(one["judge"]),
                        words(f"{one['scheme'].replace('_', ' ')} by {one['per']}"),
                        count(one["n"]),
                        _spread(one["kappa"]),
                        _spread(one["tpr"], with_n=True),
                        _spread(one["tnr"], with_n=True),
                        _spread(one["raw"]),
                        _spread(one["corrected"]),
                        DASH_CELL if other is None else _spread(other),
                        words("yes" if one["calibrated"] else one["why"]),
                    ]
                )
    heads = [
        "run",
        "metric",
        "judge",
        "people marked",
        "n",
        "kappa",
        "true positive",
        "true negative",
        "the judge's mean",
        "corrected",
        "Rogan-Gladen",
        "calibrated",
    ]
    notes = [
        "value [95 % interval]. corrected: the mean that people would have given, estimated from their n marks and all of "
        "the judge's (prediction-powered); Rogan-Gladen: the same from the two rates, for comparison."
    ]
    return Table("Judges against people", heads, rows, notes)


def _spread(one: Mapping[str, Any], with_n: bool = False) -> Cell:
    if one["value"] is None:
        return DASH_CELL
    ends = "" if one["low"] is None else f" [{one['low']:z.3f}, {one['high']:z.3f}]"
    return Cell(f"{one['value']:.3f}{ends}" + (f" n={one['n']}" if with_n else ""), one["value"])


def _averages(report: Report) -> Table:
    """HawkBench's averages (cell, level, overall) beside the plain mean."""
    levels = [level for run in report.data["runs"] for means in run["averages"]["hawkbench"].values() for level in means]
    order = [*sorted({level for level in levels if level != "overall"}), "overall"]
    rows = []
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        for metric in select_headlines(sorted(run["averages"]["hawkbench"])):
            means = run["averages"]["hawkbench"][metric]
            plain = run["averages"]["plain"].get(metric)
            rows.append([words(name), words(metric), *(figure(means.get(level)) for level in order), figure(plain)])
    note = "A level is the mean of its domains' means, overall the mean of all domain x level cells; plain is over all answers."
    return Table("Averages as HawkBench takes them", ["run", "metric", *order, "plain"], rows, [note])


def _times(report: Report) -> Table:
    """A row a run that told its seconds: how they were measured, what waited, and what reading the corpus beforehand cost."""
    rows = []
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        took, built = run["latency"], run["building"] or {}
        if took["n"] or run["build_seconds"] is not None:
            told = [took[key] for key in ("mean", "p50", "p90", "queued", "retrying")]
            rows.append(
                [
                    words(name),
                    words(took["measured"]),
                    count(took["n"]),
                    *(figure(value, 2) for value in told),
                    figure(run["build_seconds"], 2),
                    figure(built.get("calls"), 0),
                    figure(built.get("price"), 4),
                ]
            )
    heads = [
        "run",
        "measured",
        "n",
        "seconds",
        "median",
        "p90",
        "queue",
        "retries",
        "building s",
        "building calls",
        "building USD",
    ]
    note = (
        "Service seconds of answered questions; the wait for a free place and failed attempts are no part of them. "
        "Building: index, memory or graph, once per corpus."
    )
    return Table("Time", heads, rows, [note])


def _comparisons(report: Report) -> Table:
    names = {result.run.id: name for name, result in zip(name_results(report.results), report.results, strict=True)}
    rows = []
    for one in report.data["comparisons"]:
        spread = DASH if one["low"] is None else f"[{one['low']:+.3f}, {one['high']:+.3f}]"
        rows.append(
            [
                words(names[one["a"]]),
                words(names[one["b"]]),
                words(one["metric"]),
                count(one["n"]),
                Cell(f"{one['difference']:+.3f}", one["difference"]),
                words(spread),
                _effect(one),
                _p(one["p_corrected"]),
                words(f"{one['wins']} / {one['ties']} / {one['losses']}"),
                words("holds" if is_significant(one) else "not decided"),
            ]
        )
    heads = ["a", "b", "metric", "n", "a - b", "95 % interval", "effect", "p corrected", "wins / ties / losses", ""]
    notes = [
        report.data["summary"],
        "effect: mean difference over the standard deviation of the differences; for values of "
        "0 and 1 the odds of a win over a loss.",
    ]
    return Table("Pairs of runs on the same questions", heads, rows, notes)


def _effect(one: Mapping[str, Any]) -> Cell:
    if one["odds"] is not None:
        return Cell(f"odds {one['odds']:.2f}", one["odds"])
    return figure(one["effect"], 2)


def _ranks(report: Report) -> Table:
    """A row a run, a column a headline metric: place and the interval of places."""
    found = {(one["run"], one["metric"]): one for one in report.data["ranks"]}
    shown = select_headlines(sorted({metric for _, metric in found}))
    rows = [
        [words(name), *(_rank(found.get((result.run.id, metric))) for metric in shown)]
        for name, result in zip(name_results(report.results), report.results, strict=True)
    ]
    seen = [
        f"{metric}: {one['difference']:.3f} at n = {one['n']}"
        for metric, one in report.data["detectable"].items()
        if metric in shown and one["difference"] is not None
    ]
    notes = ["place [best, worst place in 95 % of the resamples], on the questions that every run has a value for."]
    notes += [f"Smallest difference found four times in five: {'; '.join(seen)}."] if seen else []
    return Table("Ranks", ["run", *shown], rows if shown else [], notes)


def _rank(one: Mapping[str, Any] | None) -> Cell:
    if one is None or one["rank"] is None:
        return Cell(DASH)
    return Cell(f"{one['rank']} [{one['low']}, {one['high']}]", one["rank"])


def _p(value: float | None) -> Cell:
    return Cell("<0.001", value) if value is not None and value < 0.001 else figure(value)


def _overlap(report: Report) -> Table:
    rows = []
    for name, run in zip(name_results(report.results), report.data["runs"], strict=True):
        for one in run["overlap"]:
            if one["n"] and one["metric"] in ("evidence_recall@1", "evidence_recall@5"):
                rows.append(
                    [
                        words(name),
                        words(f"{one['from']:.2f} to {one['to']:.2f}"),
                        words(one["metric"]),
                        count(one["n"]),
                        _with_interval(one),
                    ]
                )
    note = "overlap: share of the question's content words that stand in its evidence; what is lifted is easy to find."
    return Table("Retrieval by overlap", ["run", "overlap", "metric", "n", "mean"], rows, [note])


def _records(report: Report) -> list[dict[str, Any]]:
    """A line per cell, unrounded."""
    found = []
    for run in report.data["runs"]:
        for cell in run["cells"]:
            figures = {key: value for key, value in cell.items() if key not in ("bounds", "why")}
            ends = cell["bounds"] or (None, None)
            head = {"run": run["run"], "system": run["system"], "release": run["release"], "offline": "+".join(run["offline"])}
            found.append({**head, **figures, "all_failures_low": ends[0], "all_failures_high": ends[1], "why": cell.get("why")})
    return found
