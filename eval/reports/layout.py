"""Lay a Report out as a Page for people: scores by group, HawkBench's averages, comparisons as sentences, retrieval by overlap.
The best and second-best values are marked only if a paired interval shows the difference; the first notes are about unfinished
and offline runs."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from core.statistics.statistics import Interval
from eval.metric import metrics, split_name
from eval.page import DASH, Cell, Page, Table, count, figure, interval_cell, tabulate, words
from eval.reports.comparing import is_quality, is_significant
from eval.reports.report import Report, leave_out_items
from eval.reports.results import Rows, group_rows

Mark = Literal["best", "second"]
MAX_REASONS = 20
"""Maximum number of sentences under a table that say why answers have no score."""


def build_page(report: Report) -> Page:
    """Return the Page that shows the report."""
    tables = [
        _tabulate_scores(report),
        tabulate_estimates(report),
        _tabulate_times(report),
        _tabulate_judges(report),
        _tabulate_averages(report),
    ]
    tables += [_tabulate_ranks(report), _tabulate_comparisons(report), _tabulate_overlap(report), _tabulate_models(report)]
    tables = [table for table in tables if table.rows]
    title = f"Runs on {', '.join(dict.fromkeys(r.run.release for r in report.results))}"
    return Page(
        title, [table for table in tables if table.rows], notes=report.notes, data=report.data, records=_list_records(report)
    )


def build_page_without(report: Report, flagged: Collection[str]) -> Page:
    """Return the Page that shows the report, with the scores and comparisons once more without the flagged items: those that a
    shortcut answers. Raises BenchError if no other item is left."""
    page, rest = build_page(report), leave_out_items(report, flagged)
    asked = {row.item for rows in report.rows for row in rows}
    out = len(asked.intersection(flagged))
    about = f"without the {out:,} of {len(asked):,} questions that a shortcut answers"
    tables = [
        replace(table, title=f"{table.title}, {about}") for table in (_tabulate_scores(rest), _tabulate_comparisons(rest))
    ]
    return replace(
        page,
        tables=[*page.tables, *(table for table in tables if table.rows)],
        data={**page.data, "without_shortcuts": {"questions": len(asked), "left_out": out, **rest.data}},
        records=[
            *({**record, "questions": "all"} for record in page.records),
            *({**record, "questions": "without shortcuts"} for record in _list_records(rest)),
        ],
    )


def mark_best(report: Report, metric: str, cells: Sequence[Cell], rows: Sequence[Rows]) -> list[Cell]:
    """Return the cells of a metric's column, one per run, with the best and the second-best value marked if the metric measures
    quality. The best is marked only if its paired difference from the second has an interval that excludes 0, and the second
    likewise against the third."""

    def are_separated(a: int, b: int) -> bool:
        compared = report.compare_runs(a, b, metric, rows[a], rows[b])
        return compared is not None and _is_one_sided(compared)

    values = [float(cell.value) if isinstance(cell.value, int | float) else None for cell in cells]
    best, second = _find_best(metric, values, are_separated)
    return [replace(cell, best=i == best, second=i == second) for i, cell in enumerate(cells)]


def mark_runs(metric: str, means: Mapping[str, float | None], comparisons: Sequence[Mapping[str, Any]]) -> dict[str, Mark]:
    """Return a dict from run id to its mark, best or second, from the intervals in a report's comparisons."""
    own = [comparison for comparison in comparisons if comparison["metric"] == metric]
    apart = {frozenset((comparison["a"], comparison["b"])) for comparison in own if _is_one_sided(comparison)}
    runs = list(means)
    best, second = _find_best(metric, list(means.values()), lambda a, b: frozenset((runs[a], runs[b])) in apart)
    marks: dict[str, Mark] = {runs[best]: "best"} if best is not None else {}
    return marks | ({runs[second]: "second"} if second is not None else {})


def _is_one_sided(comparison: Mapping[str, Any]) -> bool:
    return comparison["low"] is not None and (comparison["low"] > 0 or comparison["high"] < 0)


def _find_best(
    metric: str, values: Sequence[float | None], are_separated: Callable[[int, int], bool]
) -> tuple[int | None, int | None]:
    """Return the indexes of the best and the second-best value; None in place of an index if no interval separates the value
    from the next."""
    order = sorted((i for i, value in enumerate(values) if value is not None), key=lambda i: (-(values[i] or 0.0), i))
    if not is_quality(metric) or len(order) < 2 or not are_separated(order[0], order[1]):
        return None, None
    return order[0], order[1] if len(order) == 2 or are_separated(order[1], order[2]) else None


def select_headlines(names: Sequence[str]) -> list[str]:
    """Return the metric names that get a column: the headline part of each metric and the part @1 of a ranking metric, but not
    the values of single judges."""
    catalog = metrics()
    headlines = []
    for name in names:
        metric, base, part = split_name(name)
        parts = ("@1", catalog[metric].headline) if metric in catalog and catalog[metric].headline else ("",)
        if part in parts and ".judge" not in base:
            headlines.append(name)
    return headlines


def _tabulate_scores(report: Report) -> Table:
    """Return a table of scores with a row per group and run, and a column per metric with "mean [interval]"."""
    cells = [cell for run in report.data["runs"] for cell in run["cells"]]
    columns = select_headlines(sorted({cell["metric"] for cell in cells}))
    runs, by = report.data["runs"], report.by
    by_run = [{(tuple(cell[name] for name in by), cell["metric"]): cell for cell in run["cells"]} for run in runs]
    members = [group_rows(rows, report.by) for rows in report.rows]
    rows = []
    for key in group_rows([row for rows in report.rows for row in rows], report.by):
        here = [groups.get(key, []) for groups in members]
        values = {metric: [_interval_cell(own.get((key, metric))) for own in by_run] for metric in columns}
        marked = [mark_best(report, metric, column, here) for metric, column in values.items()]
        group = [words(DASH if part is None else part) for part in key]
        for number, name in enumerate(report.names):
            if here[number]:
                sizes = [count(len(here[number])), count(sum(row.failed for row in here[number]))]
                rows.append([*group, words(name), *sizes, *(column[number] for column in marked)])
    doubted = {cell["metric"] for cell in cells if cell.get("calibrated") is False}
    heads = [f"{name} (judge not calibrated)" if name in doubted else name for name in columns]
    note = "mean [95 % bootstrap interval] over answered questions; failed ones are counted apart and never scored."
    notes = [note, *describe_unscored(columns, [row for rows in report.rows for row in rows]), *report.footnotes]
    return Table("Scores", [*report.by, "run", "n", "failed", *heads], rows, notes)


def describe_unscored(columns: Sequence[str], rows: Rows) -> list[str]:
    """Return a sentence for each reason why answers have no score of a metric; it explains a dash in the table, or a mean over
    fewer answers."""
    counts: Counter[tuple[str, str]] = Counter()
    for row in rows:
        points = ((name, row.points[name]) for name in columns if name in row.points)
        counts.update((point.why, name) for name, point in points if point.value is None and point.why)
    groups: dict[tuple[str, int], list[str]] = {}
    for (why, name), number in sorted(counts.items()):
        groups.setdefault((why, number), []).append(name)
    sentences = [
        f"Not scored by {', '.join(own)}: {number} of {len(rows)} answers ({why})." for (why, number), own in groups.items()
    ]
    more = len(sentences) - MAX_REASONS
    return sentences if more <= 0 else [*sentences[:MAX_REASONS], f"Not scored: {more} more reasons; the traces have them."]


def _interval_cell(record: Mapping[str, Any] | None, mean: str = "mean", with_n: bool = False) -> Cell:
    """Return a cell with the mean and interval of a JSON record, and the number of values if `with_n`."""
    if record is None:
        return Cell(DASH)
    cell = interval_cell(Interval(record[mean], record["low"], record["high"], record["n"]))
    return replace(cell, text=f"{cell.text} n={record['n']}") if with_n and cell.value is not None else cell


def _tabulate_judges(report: Report) -> Table:
    """Return a table with a row for each judge of a run that is compared with human marks."""
    records = [
        {
            "run": name,
            "metric": judge["metric"],
            "judge": judge["judge"],
            "people marked": f"{judge['scheme'].replace('_', ' ')} by {judge['per']}",
            "n": judge["n"],
            "kappa": _interval_cell(judge["kappa"], "value"),
            "true positive": _interval_cell(judge["tpr"], "value", with_n=True),
            "true negative": _interval_cell(judge["tnr"], "value", with_n=True),
            "the judge's mean": _interval_cell(judge["raw"], "value"),
            "corrected": _interval_cell(judge["corrected"], "value"),
            "Rogan-Gladen": _interval_cell(judge["rogan_gladen"], "value"),
            "calibrated": "yes" if judge["calibrated"] else judge["why"],
        }
        for name, run in zip(report.names, report.data["runs"], strict=True)
        for judge in run["judges"]
        if "kappa" in judge
    ]
    note = (
        "value [95 % interval]. corrected: the mean that people would have given, estimated from their n marks and all of "
        "the judge's (prediction-powered inference); Rogan-Gladen: the same, estimated from the judge's two error rates."
    )
    return tabulate("Judges against people", records, [note])


def _tabulate_averages(report: Report) -> Table:
    """Return a table of HawkBench's averages (by level, overall) beside the plain mean."""
    averages = [run["averages"] for run in report.data["runs"]]
    levels = {level for own in averages for means in own["hawkbench"].values() for level in means}
    order = [*sorted(levels - {"overall"}), "overall"]
    records = [
        {
            "run": name,
            "metric": metric,
            **{level: figure(own["hawkbench"][metric].get(level)) for level in order},
            "plain": figure(own["plain"].get(metric)),
        }
        for name, own in zip(report.names, averages, strict=True)
        for metric in select_headlines(sorted(own["hawkbench"]))
    ]
    note = "A level is the mean of its domains' means, overall the mean of all domain x level cells; plain is over all answers."
    return tabulate("Averages as HawkBench computes them", records, [note, *report.footnotes])


def tabulate_estimates(report: Report) -> Table:
    """Return a table with a row for each metric of a run on a tiny release: the plain mean, and the estimate of the mean on the
    whole release."""
    records = [
        {
            "run": name,
            "metric": one["metric"],
            "n": one["plain"]["n"],
            "plain mean": figure(one["plain"]["value"]),
            "whole release": run["estimates"]["of"]["name"],
            "estimate of its mean [95 % interval]": _interval_cell(one["estimate"], "value"),
        }
        for name, run in zip(report.names, report.data["runs"], strict=True)
        if "estimates" in run
        for one in run["estimates"]["means"]
    ]
    note = (
        "The estimate is a mean in which each item counts as often as the number of items that it stands for; its interval "
        "resamples the items of the tiny release. The plain mean has its interval where the run's means are shown."
    )
    return tabulate("Estimates of the whole release (experimental)", records, [note])


def _tabulate_times(report: Report) -> Table:
    """Return a table with a row for each run that reported seconds: how they were measured, waiting times, and the cost of
    building."""
    records = [
        {
            "run": name,
            "measured": took["measured"],
            "n": took["n"],
            "seconds": figure(took["mean"], 2),
            "median": figure(took["p50"], 2),
            "p90": figure(took["p90"], 2),
            "queue": figure(took["queued"], 2),
            "retries": figure(took["retrying"], 2),
            "tokens out": figure(took["tokens_out"], 0),
            "thinking": figure(took["tokens_thinking"], 0),
            **tabulate_building(run["build_seconds"], run["building"], "building s"),
        }
        for name, run in zip(report.names, report.data["runs"], strict=True)
        if (took := run["latency"])["n"] or run["build_seconds"] is not None
    ]
    note = (
        "Service seconds of answered questions; the wait for a free slot and failed attempts are not part of them. "
        "Tokens are means; thinking is part of tokens out. "
        "Building: index, memory or graph, once per corpus."
    )
    return tabulate("Time", records, [note])


def _tabulate_models(report: Report) -> Table:
    """Return a table with a row for each model that a run used besides its agents, with its device and number format."""
    records = [
        {
            "run": name,
            "use": str(model["role"]),
            "model": str(model["model"]),
            "how": ", ".join(f"{key} {value}".strip() for key, value in model.items() if key not in ("role", "model")),
        }
        for name, run in zip(report.names, report.data["runs"], strict=True)
        for model in run.get("models", ())
    ]
    return tabulate("Models", records)


def tabulate_building(seconds: float | None, building: Mapping[str, Any] | None, head: str) -> dict[str, Cell]:
    """Return the columns of a table with a run's building costs; `head` is the head of the column with the seconds."""
    costs = building or {}
    calls, price = figure(costs.get("calls"), 0), figure(costs.get("price"), 4)
    return {head: figure(seconds, 2), "building calls": calls, "building USD": price}


def _tabulate_comparisons(report: Report) -> Table:
    names = {result.run.id: name for name, result in zip(report.names, report.results, strict=True)}
    records = []
    for pair in report.data["comparisons"]:
        odds, p = pair["odds"], pair["p_corrected"]
        records.append(
            {
                "a": names[pair["a"]],
                "b": names[pair["b"]],
                "metric": pair["metric"],
                "n": pair["n"],
                "a - b": Cell(f"{pair['difference']:+.3f}", pair["difference"]),
                "95 % interval": DASH if pair["low"] is None else f"[{pair['low']:+.3f}, {pair['high']:+.3f}]",
                "effect": figure(pair["effect"], 2) if odds is None else Cell(f"odds {odds:.2f}", odds),
                "p corrected": Cell("<0.001", p) if p is not None and p < 0.001 else figure(p),
                "wins / ties / losses": f"{pair['wins']} / {pair['ties']} / {pair['losses']}",
                "": "holds" if is_significant(pair) else "not decided",
            }
        )
    note = (
        "effect: mean difference over the standard deviation of the differences; for values of 0 and 1 the odds of a win over "
        "a loss."
    )
    return tabulate("Pairs of runs on the same questions", records, [report.data["summary"], note, *report.footnotes])


def _tabulate_ranks(report: Report) -> Table:
    """Return a table with a row per run and a column per headline metric: the rank with its interval."""
    by_run = {(place["run"], place["metric"]): place for place in report.data["ranks"]}
    columns = select_headlines(sorted({metric for _, metric in by_run}))

    def rank(run: str, metric: str) -> Cell:
        place = by_run.get((run, metric))
        if place is None or place["rank"] is None:
            return Cell(DASH)
        return Cell(f"{place['rank']} [{place['low']}, {place['high']}]", place["rank"])

    records = [
        {"run": name, **{metric: rank(result.run.id, metric) for metric in columns}}
        for name, result in zip(report.names, report.results, strict=True)
    ]
    detectable = [
        f"{metric}: {smallest['difference']:.3f} at n = {smallest['n']}"
        for metric, smallest in report.data["detectable"].items()
        if metric in columns and smallest["difference"] is not None
    ]
    notes = ["rank [best, worst rank in 95 % of the resamples], on the questions that every run has a value for."]
    notes += [f"Smallest difference detected with a power of 80 %: {'; '.join(detectable)}."] if detectable else []
    return tabulate("Ranks", records if columns else [], [*notes, *report.footnotes])


def _tabulate_overlap(report: Report) -> Table:
    records = [
        {
            "run": name,
            "overlap": f"{part['from']:.2f} to {part['to']:.2f}",
            "metric": part["metric"],
            "n": part["n"],
            "mean": _interval_cell(part),
        }
        for name, run in zip(report.names, report.data["runs"], strict=True)
        for part in run["overlap"]
        if part["n"] and part["metric"] in ("evidence_recall@1", "evidence_recall@5")
    ]
    note = (
        "overlap: share of the question's content words that occur in its evidence; evidence with a high "
        "overlap is easier to find."
    )
    return tabulate("Retrieval by overlap", records, [note])


def _list_records(report: Report) -> list[dict[str, Any]]:
    """Return a dict for each cell of the report with its unrounded values, for the lines of a CSV file."""
    records = []
    for run in report.data["runs"]:
        head = {"run": run["run"], "system": run["system"], "release": run["release"], "offline": "+".join(run["offline"])}
        for cell in run["cells"]:
            figures = {key: value for key, value in cell.items() if key not in ("bounds", "why")}
            low, high = cell["bounds"] or (None, None)
            records.append({**head, **figures, "all_failures_low": low, "all_failures_high": high, "why": cell.get("why")})
    return records
