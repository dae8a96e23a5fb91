"""hawkbench_table3: service seconds per query by level, without the time spent waiting for a free slot, and separately the
seconds for building an index. A level's value is the mean of its domain means."""

import numpy as np

from eval.page import Page, figure, tabulate
from eval.papers.hawkbench import list_levels, order_by_family
from eval.preset import Preset
from eval.reports.latency import describe_window
from eval.reports.layout import tabulate_building
from eval.reports.report import Report, average_cells


def build(report: Report) -> Page:
    levels = list_levels(report)
    records = []
    for i in order_by_family(report):
        cells = average_cells([row for row in report.rows[i] if row.level in levels])
        seconds = [means["seconds"] for means in cells.values() if "seconds" in means]
        result = report.results[i]
        records.append(
            {
                "system": report.names[i],
                **tabulate_building(result.build_seconds, result.building, "building"),
                **{f"L{level}": figure(report.hawkbench(i, level, "seconds"), 2) for level in levels},
                "Avg.": figure(float(np.mean(seconds)) if seconds else None, 2),
                "measured": describe_window(result),
            }
        )
    title = "HawkBench: seconds per query by level"
    note = "Service seconds of answered questions, without waiting for a free slot. Building: once per corpus, where timed."
    return Page(title, [tabulate(title, records, [note])], notes=report.notes)


PRESET = Preset(label="HawkBench table 3: seconds per query", build=build)
