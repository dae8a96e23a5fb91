"""recorded: reads answers that another system gave earlier from a predictions file (setting predictions=FILE.jsonl). Each line
is one object with id (of the item or the variant), prediction (null = failed), and optionally contexts (texts, best first),
error, seconds, calls and tokens.

A context that occurs verbatim in a document of the release becomes that span. Any other context keeps its rank, as a span of a
document that the release does not contain. An item without a readable line is a failed trace, "missing"."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import BenchError
from eval.scoring.predictions import read_predictions
from eval.settings import Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools


def open_file(questions: Sequence[Question], settings: Settings) -> Settings:
    path = settings["predictions"]
    if not path:
        raise BenchError("The system recorded reads a predictions file: name it with --set predictions=FILE.jsonl.")
    lines, refused = read_predictions(Path(path))
    ids = {question.variant or question.item for question in questions}
    by_id = {line.id: line for line in lines}
    if questions and not ids & by_id.keys():
        raise BenchError(f"No id in {path} is an item of this release: the file begins with {lines[0].id}.")
    messages = [entry["message"] for entry in refused]
    unused = len(by_id.keys() - ids)
    messages += [f"{unused} of {len(lines)} lines of {path} belong to no item of this run."] if unused else []
    return {**settings, "lines": by_id, "refused": refused, "messages": messages}


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    line = settings["lines"].get(question.variant or question.item)
    if line is None:
        broken = f" ({settings['refused'][0]['message']})" if settings["refused"] else ""
        raise SystemFailed(f"{settings['predictions']} has no readable line for this item{broken}.", stop="missing")
    if line.text is None:
        raise SystemFailed(line.error or "The file holds no prediction for this item.", stop="failed_elsewhere")
    retrieved = None if line.contexts is None else tuple(tools.locate(c, question.given) for c in line.contexts)
    return Answer(line.text, retrieved=retrieved, tokens_in=line.tokens, calls=line.calls, seconds=line.seconds)


SETTINGS = {"predictions": Setting("", "The file.")}
SYSTEM = SystemAdapter(label="Recorded", family="outside", settings=SETTINGS, open=open_file, answer=answer)
