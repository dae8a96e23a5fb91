"""Reads the predictions file of a submission to a board, and scores it by the sealed gold answers."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core.as_json import Json
from core.errors import BenchError
from core.installation import VERSION
from core.nouns import Item
from core.statistics.clusters import clusters
from core.text.text import normalise_answer
from eval.metric import ScoringCase, drop_blank_golds, metrics
from eval.reports.summary import summarise_answers
from eval.scoring.predictions import Prediction, read_predictions
from eval.scoring.scoring import ScoredCase, score_cases

MAX_FILE_BYTES = 32 * 2**20
DIGITS = 3
"""Number of decimal digits of the means and intervals that a board shows and records."""
MIN_ANSWERED_SHARE = 0.5
"""Smallest share of the sealed items that a submission must answer. A mean over a few chosen answers would reveal their scores
one by one."""
SEED = 13


class ReadSubmission(NamedTuple):
    """The predictions of a submission, and how many there are."""

    lines: Sequence[Prediction]
    answered: int
    failed: int
    """Number of lines without an answer, because the system failed."""
    missing: int
    """Number of sealed items without a line."""
    repeated: int
    """Number of answers that are the question itself."""

    def describe(self) -> dict[str, Json]:
        """Return the numbers as JSON values, for the record of the board."""
        return {
            "rows": len(self.lines),
            "answered": self.answered,
            "failed": self.failed,
            "missing": self.missing,
            "repeats_question": self.repeated,
        }


def read_submission(raw: bytes, file: str, questions: Mapping[str, Item]) -> ReadSubmission:
    """Return the predictions in a file. `questions` is a dict from public id to sealed item. Raises BenchError with a sentence
    if the file is too long, if any line cannot be read, has an unknown id or repeats one, or if too few items are answered."""
    if len(raw) > MAX_FILE_BYTES:
        raise BenchError(
            f"{file} is larger than {MAX_FILE_BYTES // 2**20} MB: submit one line per question, with short contexts."
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "predictions.jsonl"
        path.write_bytes(raw)
        try:
            found = read_predictions(path)
        except BenchError as error:
            raise BenchError(str(error).replace(str(path), file).replace(path.name, file)) from error
    if found.refused:
        raise BenchError(str(found.refused[0]["message"]).replace(path.name, file))
    lines = found.lines
    if unknown := [line.id for line in lines if line.id not in questions]:
        raise BenchError(
            f"{file} has {len(unknown)} ids that no sealed item of the release has, for example {unknown[0][:60]!r}: take the "
            "ids from the items of the exported release."
        )
    answered = [line for line in lines if line.text is not None]
    if len(answered) < MIN_ANSWERED_SHARE * len(questions):
        raise BenchError(
            f"{file} answers {len(answered)} of {len(questions)} sealed questions: answer at least "
            f"{MIN_ANSWERED_SHARE:.0%} of them, because a mean of few answers would tell single gold answers."
        )
    repeated = sum(_is_question(line.text or "", questions[line.id]) for line in answered)
    return ReadSubmission(lines, len(answered), len(lines) - len(answered), len(questions) - len(lines), repeated)


def check_metrics(names: Sequence[str]) -> list[str]:
    """Return the names without repetitions. Raises BenchError if there is none, or if a metric needs more than an answer and
    the gold answers, such as a judge or a model."""
    usable = sorted(name for name, metric in metrics().items() if metric.score)
    if wrong := [name for name in names if name not in usable]:
        raise BenchError(f"A board cannot score by {wrong[0]!r}: choose from {', '.join(usable)}.")
    if not names:
        raise BenchError(f"A board needs at least one metric: choose from {', '.join(usable)}.")
    return list(dict.fromkeys(names))


async def score_submission(submission: ReadSubmission, questions: Mapping[str, Item], names: Sequence[str]) -> dict[str, Json]:
    """Return {"metrics": {name: mean, n, low, high, unscored}, "versions"} of a submission; the versions are those of this
    program and of the scores. No value of a single item is returned, and means have DIGITS digits, because the further digits
    of a mean can tell the scores of many items at once. The 95 % intervals come from a bootstrap over clusters of items that
    share a document."""
    together = clusters({name: [span.document for span in item.evidence] for name, item in questions.items()}).of
    scored: dict[str, ScoredCase] = {}
    ordered = sorted(submission.lines, key=lambda line: line.id)  # the bootstrap depends on the order
    cases = [_make_case(line, questions[line.id]) for line in ordered if line.text is not None]
    async for result in score_cases(cases, names):
        scored[result.case.id] = result.join_case(scored.get(result.case.id))
    answers = [scored[case.id].values for case in cases]
    summaries = summarise_answers(answers, [together[case.id] for case in cases], SEED)
    versions = {name: sorted({own[name].version for own in answers if name in own}) for name in summaries}
    records: dict[str, Json] = {name: _round_record(summary.record()) for name, summary in summaries.items()}
    used: dict[str, Json] = {name: own for name, own in versions.items() if own}
    return {"metrics": records, "versions": {"benchwright": VERSION, "metrics": used}}


def _round_record(record: Mapping[str, Json]) -> dict[str, Json]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in record.items()}


def _make_case(line: Prediction, item: Item) -> ScoringCase:
    contexts, text = line.contexts or (), line.text or ""
    return ScoringCase(
        id=line.id,
        prediction=text,
        answers=drop_blank_golds(item.answers),
        language=item.language,
        question=item.question,
        contexts=contexts,
        observed=contexts,
        scratchpad=(*contexts, text),
    )


def _is_question(text: str, item: Item) -> bool:
    return bool(text.strip()) and normalise_answer(text) == normalise_answer(item.question)
