"""Compare two scored predictions files on the lines whose ids are in both."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BenchError
from core.statistics.statistics import compare_pairs
from eval.reports.comparing import correct_p_values, is_quality, record_pair


def compare_scored(
    a: Sequence[Mapping[str, Any]], b: Sequence[Mapping[str, Any]], parents: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the paired difference a - b for each quality metric, with Holm's correction. `a` and `b` are the scored lines that
    score_predictions returns under "items"; lines with the same parent form one cluster. Raises BenchError if no id is in
    both."""
    other = {line["id"]: line for line in b}
    pairs = [(line, other[line["id"]]) for line in a if line["id"] in other]
    if not pairs:
        raise BenchError("The two results have no prediction id in common: score predictions for the same questions.")
    clusters = [parents.get(line["id"], line["id"]) for line, _ in pairs]
    named = [{name for line in own for name in line} for own in (a, b)]
    records = []
    for name in sorted(filter(is_quality, named[0] & named[1])):
        differences = [_subtract(first.get(name), second.get(name)) for first, second in pairs]
        paired = compare_pairs(differences, clusters)
        records.append({**record_pair("a", "b", name, paired), **({"why": paired.why} if paired.why else {})})
    return correct_p_values(records)


def _subtract(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b
