"""r_eval_oracle: the mean reward that choosing the best of several systems for each question would reach, beside the mean
reward of each system, over the questions for which every system has a reward. The page shows how much could be gained by
choosing a system per question, and how many questions none, one, two, ... of the systems answer correctly."""

from collections.abc import Sequence

from eval.figures.bars import draw_grouped_bars
from eval.figures.drawing import MAX_LINES, FigurePanel, PlottedValue
from eval.page import Figure, Page, Record, figure, interval_cells, tabulate
from eval.papers.matching import SharedRewards, average_values, check_rewards, collect_shared_rewards, list_cells, select_cell
from eval.papers.response_types import MIN_MATCHING_REWARD
from eval.papers.season import list_season_notes
from eval.preset import Preset
from eval.reports.report import Report
from eval.settings import read_share

BEST_OF_ALL = "best of all"
TITLE = "R-Eval: the best of several systems at each question"


def build(report: Report, threshold: float = MIN_MATCHING_REWARD) -> Page:
    """Return the page on the best system per question; `threshold` is the lowest reward at which an answer counts as correct.
    Raises BenchError if no answer has R-Eval's reward, or if the runs are of several seasons (releases)."""
    check_rewards(report)
    least = read_share({"threshold": threshold}, "threshold", MIN_MATCHING_REWARD)
    shared = collect_shared_rewards(report)
    best = shared.best_rewards()
    means = []
    records: list[Record] = []
    for run, name in enumerate(report.names):
        own = [rewards[run] for rewards in shared.rewards]
        means.append(average_values(report, shared.rows, own))
        gain = average_values(report, shared.rows, [b - a for b, a in zip(best, own, strict=True)])
        records.append(
            {
                "system": name,
                "n": means[run].n,
                **interval_cells("reward", means[run], 1, 100),
                **interval_cells("to gain", gain, 1, 100, ("gain low", "gain high")),
                "among the best": shared.count_wins(run),
                "alone": shared.count_sole_wins(run),
            }
        )
    together = average_values(report, shared.rows, best)
    whole = {"system": BEST_OF_ALL, "n": together.n, **interval_cells("reward", together, 1, 100)}
    records.append({**dict.fromkeys(records[0]), **whole})
    total = len({row.key for rows in report.rows for row in rows})
    note = (
        f"Over the {len(shared.rows):,} of {total:,} questions for which every system has a reward. To gain: the "
        "mean of the best system at each question minus the mean of this system. Among the best: number of "
        "questions on which no system has a higher reward, and the reward is above 0; alone: on which all other "
        "systems have a lower one."
    )
    matching = [sum(value >= least for value in own) for own in shared.rewards]
    spread = [
        {"systems": n, "questions": k, "%": figure(k / len(matching) if matching else None, 1, 100)}
        for n, k in ((n, matching.count(n)) for n in range(len(report.names) + 1))
    ]
    rule = f"An answer matches if its reward is at least {least:g}."
    tables = [tabulate("Reward, in hundredths", records, [note]), tabulate("Questions by systems that match", spread, [rule])]
    notes = list_season_notes(report)
    if not shared.rows:
        lonely = "No question has a reward from every one of these systems, so nothing is drawn: choose fewer systems."
        return Page(TITLE, tables, [], [lonely, *notes])
    highest = sorted(range(len(means)), key=lambda run: -(means[run].mean or 0.0))[: MAX_LINES - 1]
    captions = ["Mean reward; upright lines are 95 % bootstrap intervals."]
    if more := len(means) - len(highest):
        captions.append(f"{more} more systems, none with a higher mean, are not drawn. The table has all.")
    return Page(TITLE, tables, [Figure(TITLE, _draw_systems(report, shared, sorted(highest)), captions)], notes)


def _draw_systems(report: Report, shared: SharedRewards, runs: Sequence[int]) -> str:
    """Return a drawing of the given runs and of the best system per question, over all questions and by cell."""
    cells = list_cells(report)
    groups = {"all": shared.rows} | ({cell.label: select_cell(shared.rows, cell) for cell in cells} if len(cells) > 1 else {})
    places = {row.key: number for number, row in enumerate(shared.rows)}
    columns = {report.names[run]: [rewards[run] for rewards in shared.rewards] for run in runs}
    curves = [
        (
            name,
            [
                PlottedValue.from_interval(average_values(report, rows, [column[places[row.key]] for row in rows]))
                for rows in groups.values()
            ],
        )
        for name, column in {**columns, BEST_OF_ALL: shared.best_rewards()}.items()
    ]
    return draw_grouped_bars([FigurePanel("Mean reward", list(groups), curves)])


PRESET = Preset(label=TITLE, build=build, settings={"threshold": MIN_MATCHING_REWARD})
