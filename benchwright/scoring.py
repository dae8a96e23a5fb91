"""Score predictions (answers in a file or DataFrame) without a workspace."""

import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.frames import build_frame
from benchwright.outside_loop import call_outside_loop
from core.as_json import as_json
from terminal.lines import Lines

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class ScoredPredictions:
    """The scores of predictions by metric. A notebook shows this object as a table of the means."""

    data: Mapping[str, Any]
    """JSON result of the verb `score`."""
    parents: Mapping[str, str] = field(default_factory=dict)
    """Dict from the id of a prediction to the id of the prediction for the original question, for predictions on variants of a
    question."""

    def to_pandas(self) -> "DataFrame":
        """Return the mean of each metric, as the DataFrame `metrics`."""
        return build_frame("metrics", ({"metric": name, **summary} for name, summary in self.data["metrics"].items()))

    def items(self) -> "DataFrame":
        """Return a DataFrame with a row for each prediction: its id, its value for each metric and, in `error`, the reason why
        the prediction failed."""
        from pandas import DataFrame

        names = ["id", *self.data["metrics"], "error"]
        rows = [{name: line.get(name) for name in names} for line in self.data["items"]]
        frame = DataFrame(rows, columns=names, dtype=object)
        return frame.astype(dict.fromkeys(self.data["metrics"], "float64"))

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


def score_records(
    predictions: "str | Path | Iterable[Mapping[str, Any]] | DataFrame",
    metrics: Sequence[str],
    *,
    language: str | None = None,
    judges: Sequence[str] = (),
    votes: int = 1,
    budget: float | None = None,
    settings: Mapping[str, Any] | None = None,
) -> ScoredPredictions:
    """Score predictions with the fields id, prediction and answers. The predictions are the path of a file of JSON lines,
    dicts, or a DataFrame. A prediction that is None counts as failed and gets no scores. `settings` has the names and values
    that the option `--set` takes. Raises BenchError if the predictions cannot be read."""
    import sys

    from workbench.evaluate.scoring.scores import score_file

    lines = Lines(lambda: sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(predictions) if isinstance(predictions, str | Path) else write_records(predictions, Path(folder))
        score = partial(
            score_file,
            path,
            metrics=[metrics] if isinstance(metrics, str) else list(metrics),
            language=language,
            judges=list(judges),
            votes=votes,
            budget=budget,
            settings=dict(settings or {}),
            say=lines.say,
        )
        result = call_outside_loop(score)
        lines.end()
        return ScoredPredictions(as_json(result), find_parents(path))


def write_records(predictions: "Iterable[Mapping[str, Any]] | DataFrame", folder: Path) -> Path:
    """Write predictions as JSON lines, with null for missing values; return the path of the file."""
    records: Any = predictions
    if hasattr(records, "to_dict"):
        records = records.astype(object).where(records.notna(), None).to_dict("records")
    path = folder / "predictions.jsonl"
    path.write_text("".join(json.dumps(as_json(record)) + "\n" for record in records), encoding="utf-8")
    return path


def find_parents(path: Path) -> dict[str, str]:
    """Return a dict from the id of each prediction for a variant of a question to the id of the prediction for the original
    question."""
    from eval.scoring.predictions import read_predictions

    return {line.id: line.parent for line in read_predictions(path).lines if line.parent is not None}
