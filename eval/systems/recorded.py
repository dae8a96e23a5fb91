"""recorded: reads the answers of another system from a predictions file (setting predictions=FILE.jsonl). Each line is a JSON
object with id (of the item or the variant), prediction (null = failed), and optionally contexts (texts, best first), error,
seconds, calls and tokens.

A context that occurs verbatim in a document of the release becomes a span of that document. A context that occurs in no
document keeps its rank, as a span of a document that the release does not contain. An item without a readable line gets a
failed trace with the stop reason "missing".

With spans=FILE in place of predictions, the answers are those of a RAG application in production: OpenInference spans as OTLP
JSON, JSON lines or Parquet (core/spans/). A question gets the answer of the span that names its item; if no span names the
item, it gets the answer of a span with the same question text."""

from collections.abc import Sequence
from pathlib import Path

from core.errors import BenchError
from core.spans.answered_questions import read_answered_questions
from core.text.text import normalise_answer
from eval.scoring.predictions import Prediction, read_predictions
from eval.settings import Setting, Settings
from eval.system import Answer, Question, SystemAdapter, SystemFailed, Tools


def open_file(questions: Sequence[Question], settings: Settings) -> Settings:
    path = settings["predictions"]
    if bool(path) == bool(settings["spans"]):
        raise BenchError(
            "The system recorded reads one file: name it with --set predictions=FILE.jsonl, or with --set spans=FILE."
        )
    if settings["spans"]:
        return {**settings, **_match_spans(questions, Path(settings["spans"]))}
    lines, refused = read_predictions(Path(path))
    ids = {question.variant or question.item for question in questions}
    by_id = {line.id: line for line in lines}
    if questions and not ids & by_id.keys():
        raise BenchError(f"No id in {path} is an item of this release: the first id in the file is {lines[0].id}.")
    messages = [entry["message"] for entry in refused]
    unused = len(by_id.keys() - ids)
    messages += [f"{unused} of {len(lines)} lines of {path} belong to no item of this run."] if unused else []
    return {**settings, "lines": by_id, "refused": refused, "messages": messages}


def _match_spans(questions: Sequence[Question], path: Path) -> Settings:
    """Return {"lines", "refused", "messages"} read from a file of OpenInference spans; of several answers to a question, the
    last one counts."""
    file = read_answered_questions(path)
    by_words = {normalise_answer(one.question): one for one in file.questions}
    by_item = {one.item: one for one in file.questions if one.item}
    lines, used = {}, set()
    for question in questions:
        name = question.variant or question.item
        found = by_item.get(name) or by_words.get(normalise_answer(question.text))
        if found is not None:
            used.add(found.trace)
            tokens = None if found.tokens_out is None else found.tokens_out + (found.tokens_in or 0)
            lines[name] = Prediction(
                name, found.answer, found.error or None, contexts=found.contexts, seconds=found.seconds, calls=found.calls,
                tokens=tokens,
            )  # fmt: skip
    if questions and not lines:
        first = f": it begins with “{file.questions[0].question[:80]}”" if file.questions else f": {file.refused[0]}"
        raise BenchError(f"No question of {path.name} is one of this release{first}.")
    unused = sum(one.trace not in used for one in file.questions)
    messages = list(file.refused)
    messages += [f"{unused} of {len(file.questions)} questions of {path.name} are in no item of this run."] if unused else []
    return {"lines": lines, "refused": [], "messages": messages, "predictions": path.name}


async def answer(question: Question, tools: Tools, settings: Settings) -> Answer:
    line = settings["lines"].get(question.variant or question.item)
    if line is None:
        broken = f" ({settings['refused'][0]['message']})" if settings["refused"] else ""
        raise SystemFailed(f"{settings['predictions']} has no readable line for this item{broken}.", stop="missing")
    if line.text is None:
        raise SystemFailed(line.error or "The file has no prediction for this item.", stop="failed_elsewhere")
    retrieved = None if line.contexts is None else tuple(tools.locate(c, question.given) for c in line.contexts)
    return Answer(line.text, retrieved=retrieved, tokens_in=line.tokens, calls=line.calls, seconds=line.seconds)


SETTINGS = {
    "predictions": Setting("", "The file of predictions."),
    "spans": Setting("", "A file of OpenInference spans in place of predictions."),
}
SYSTEM = SystemAdapter(label="Recorded", family="outside", settings=SETTINGS, open=open_file, answer=answer)
