"""Compares two results question by question, with interval and test."""

from typing import TYPE_CHECKING

from benchwright.frames import build_frame
from benchwright.scoring import ScoredPredictions
from benchwright.workspace import RunHandle
from core.errors import BenchError

if TYPE_CHECKING:
    from pandas import DataFrame


def compare_results(a: RunHandle | ScoredPredictions, b: RunHandle | ScoredPredictions) -> "DataFrame":
    """Compare two results and return the difference a - b, with interval and test, for each metric that both have. Returns the
    frame `comparisons`. Both are runs of one workspace, or both are scored predictions, whose lines are paired by their ids.
    Raises BenchError if they have no question in common."""
    from eval.scoring.paired import compare_scored

    if isinstance(a, RunHandle) and isinstance(b, RunHandle):
        if a.workspace is not b.workspace:
            raise BenchError("The two runs are of different workspaces: compare runs of one.")
        return a.workspace.report(a, b).comparisons()
    if isinstance(a, ScoredPredictions) and isinstance(b, ScoredPredictions):
        records = compare_scored(a.data["items"], b.data["items"], dict(a.parents))
        return build_frame("comparisons", records)
    raise BenchError("Compare two runs, or two results of score: one of each cannot be paired.")
