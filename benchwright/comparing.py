"""Compare two results question by question, with a confidence interval and a significance test."""

from typing import TYPE_CHECKING

from benchwright.frames import build_frame
from benchwright.scoring import ScoredPredictions
from benchwright.workspace import RunHandle
from core.errors import BenchError

if TYPE_CHECKING:
    from pandas import DataFrame


def compare_results(a: RunHandle | ScoredPredictions, b: RunHandle | ScoredPredictions) -> "DataFrame":
    """Compare two results; return the DataFrame `comparisons`. For each metric in both results, it has the difference a - b
    with a confidence interval and a significance test. `a` and `b` are two runs of one workspace, or two sets of scored
    predictions; predictions with the same id are compared. Raises BenchError if the two results have no question in common."""
    from eval.scoring.paired import compare_scored

    if isinstance(a, RunHandle) and isinstance(b, RunHandle):
        if a.workspace is not b.workspace:
            raise BenchError("The two runs belong to different workspaces: compare two runs of the same workspace.")
        return a.workspace.report(a, b).comparisons()
    if isinstance(a, ScoredPredictions) and isinstance(b, ScoredPredictions):
        records = compare_scored(a.data["items"], b.data["items"], dict(a.parents))
        return build_frame("comparisons", records)
    raise BenchError("A run cannot be compared with a result of `score`: give two runs, or two results of `score`.")
