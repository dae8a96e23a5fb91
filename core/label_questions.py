"""Label questions, which a project adds and which its reviewers answer about each item; this module defines their valid answers
and checks whether two people agree."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from core.errors import BenchError
from core.person_name import UNSTORABLE

LABEL_ANSWERS = "label_answers"
"""Key under which label answers are stored in a review's details and in a released item's labels, as a dict from question name
to answer."""
QuestionKind = Literal["one", "several", "rating", "text"]
KIND_LABELS: Mapping[QuestionKind, str] = MappingProxyType(
    {"one": "one choice", "several": "several choices", "rating": "rating", "text": "free text"}
)
"""Dict from each kind of label question to its label on the screen."""
MAX_CHARACTERS = MappingProxyType({"name": 40, "text": 500, "choice": 200, "answer": 5_000})
MAX_CHOICES = 50
MAX_QUESTIONS = 50
MAX_RATING = 10
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """A question that a project's reviewers answer about each item, identified by its name."""

    name: str
    """Short id of the label question, of letters, digits and underscores."""
    text: str
    """Wording of the label question, as reviewers see it."""
    kind: QuestionKind
    choices: tuple[str, ...] = ()
    """Choices that a question of the kind `one` or `several` offers; () for other kinds."""
    top: int = 0
    """Highest value of a question that asks for a rating, which starts at 1; 0 for other kinds."""
    is_required: bool = False
    """Whether an item can be accepted only with an answer to the question."""
    tasks: tuple[str, ...] = ()
    """Tasks for whose items the question is asked; () = all tasks."""
    is_retired: bool = False
    """Whether the question is retired: nobody is asked a retired question, but its answers stay stored."""


def question_record(question: LabelQuestion) -> dict[str, Any]:
    """Return the label question as JSON for the command line, releases and imports."""
    return {
        "name": question.name,
        "text": question.text,
        "kind": question.kind,
        "choices": list(question.choices),
        "top": question.top,
        "required": question.is_required,
        "tasks": list(question.tasks),
        "retired": question.is_retired,
    }


def question_from_record(record: object) -> LabelQuestion:
    """Build a label question from a record that `question_record` wrote. Raises BenchError if the value is not a valid record
    of a label question."""
    if not isinstance(record, Mapping) or not all(isinstance(record.get(name), str) for name in ("name", "text", "kind")):
        raise BenchError("A label question must be a JSON object with the string fields name, text and kind.")
    lists = {name: record.get(name) or () for name in ("choices", "tasks")}
    if not all(isinstance(part, list | tuple) and all(isinstance(text, str) for text in part) for part in lists.values()):
        raise BenchError(f"Label question {record['name'][:40]!r}: choices and tasks must be lists of strings.")
    top = record.get("top") or 0
    if isinstance(top, bool) or not isinstance(top, int):
        raise BenchError(f"Label question {record['name'][:40]!r}: top must be a whole number.")
    question = LabelQuestion(
        record["name"],
        record["text"],
        record["kind"],
        tuple(lists["choices"]),
        top,
        record.get("required") is True,
        tuple(lists["tasks"]),
        record.get("retired") is True,
    )
    check_question(question)
    return question


def check_question(question: LabelQuestion) -> None:
    """Check that a label question is valid: its name, text, kind, choices and rating. Raises BenchError if the label question
    is invalid."""
    if not NAME.fullmatch(question.name):
        raise BenchError(
            f"{question.name[:60]!r} is not a name for a label question: begin with a small letter, then small letters, digits "
            f"and underscores, at most {MAX_CHARACTERS['name']}."
        )
    about = f"The label question {question.name}"
    if question.kind not in get_args(QuestionKind):
        raise BenchError(f"{about} has the invalid kind {str(question.kind)[:40]!r}: use one of {', '.join(KIND_LABELS)}.")
    _check_text(question.text, "text", f"{about} has no text: write what reviewers are asked.", about)
    if question.kind == "rating":
        if not 2 <= question.top <= MAX_RATING:
            raise BenchError(
                f"The highest value of the rating {about} is {question.top}: choose a value from 2 to {MAX_RATING}."
            )
    elif question.top:
        raise BenchError(f"{about} is not a rating, and only a rating has a highest value: leave the highest value out.")
    if question.kind not in ("one", "several"):
        if question.choices:
            raise BenchError(f"{about} is of the kind {KIND_LABELS[question.kind]}, which has no choices: leave them out.")
        return
    fewest = 2 if question.kind == "one" else 1
    if not fewest <= len(question.choices) <= MAX_CHOICES:
        raise BenchError(f"{about} has {len(question.choices)} choices: give {fewest} to {MAX_CHOICES}.")
    for choice in question.choices:
        _check_text(choice, "choice", f"{about} has an empty choice: write it, or leave it out.", about)
    if len({choice.strip().casefold() for choice in question.choices}) < len(question.choices):
        raise BenchError(f"{about} has one choice twice: leave one of them out.")


def check_change(before: LabelQuestion, after: LabelQuestion, answered: Collection[Any]) -> None:
    """Check a change to a label question against its stored answers. Raises BenchError if the change contradicts stored
    answers.

    The text, the tasks and `is_required` may change, choices may be added, and the question may be retired."""
    if not answered:
        return
    if before.kind != after.kind:
        raise BenchError(
            f"The label question {after.name} has {len(answered):,} answers as {KIND_LABELS[before.kind]}, so its kind cannot "
            f"change: retire the question, and add a new one."
        )
    if after.kind == "rating" and (highest := max(answered)) > after.top:
        raise BenchError(
            f"The label question {after.name} has answers up to {highest}, so its highest value cannot be {after.top}: "
            f"choose a higher value, or retire the question and add a new one."
        )
    choices = [choice for answer in answered for choice in (answer if isinstance(answer, list) else [answer])]
    lost = [choice for choice in before.choices if choice not in after.choices and choice in choices]
    if lost:
        raise BenchError(
            f"The choice {lost[0]!r} of the label question {after.name} has {choices.count(lost[0]):,} answers, so it cannot "
            f"be removed: keep the choice, or retire the question and add a new one."
        )


def select_for_task(questions: Iterable[LabelQuestion], task: str) -> list[LabelQuestion]:
    """Return the label questions that are asked about items of the task."""
    return [question for question in questions if not question.is_retired and task in (question.tasks or (task,))]


def check_answers(questions: Sequence[LabelQuestion], answers: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return answers to label questions in the form in which they are stored: empty answers are left out, and chosen choices
    are in the order of the question's choices.

    Raises BenchError for an answer that its question does not allow, and for a question that is not in `questions`."""
    by_name = {question.name: question for question in questions}
    if unknown := [name for name in answers or () if name not in by_name]:
        raise BenchError(f"No label question {unknown[0][:40]!r} is asked about this item: load the page again.")
    checked = {name: _check_answer(by_name[name], answer) for name, answer in (answers or {}).items()}
    return {name: checked[name] for name in by_name if checked.get(name) is not None}


def find_unanswered(questions: Iterable[LabelQuestion], answers: Mapping[str, Any]) -> LabelQuestion | None:
    """Return the first required label question that has no answer, or None if all required questions are answered."""
    return next((question for question in questions if question.is_required and question.name not in answers), None)


def check_required(questions: Iterable[LabelQuestion], answers: Mapping[str, Any]) -> None:
    """Raise BenchError if a required label question has no answer."""
    if (missing := find_unanswered(questions, answers)) is not None:
        raise BenchError(f"The label question {missing.name} is required and has no answer ({missing.text}): answer it first.")


def is_agreed(questions: Iterable[LabelQuestion], a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Return whether two people agree: their answers are equal for all label questions that both answered and that are not
    retired. Free texts are not compared."""
    names = [question.name for question in questions if question.kind != "text" and not question.is_retired]
    return all(a[name] == b[name] for name in names if name in a and name in b)


def read_label_answers(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers to label questions in a review's details or an item's labels; {} if there are none."""
    answers = details.get(LABEL_ANSWERS)
    return dict(answers) if isinstance(answers, Mapping) else {}


def join_answers(questions: Sequence[LabelQuestion], every: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the answers of several people, who agree on the label questions, into one set of answers; different free texts are
    joined by blank lines."""
    joined: dict[str, Any] = {}
    texts = {question.name for question in questions if question.kind == "text"}
    for name, answer in (pair for answers in every for pair in answers.items()):
        if name in texts and name in joined and answer not in joined[name].split("\n\n"):
            joined[name] = f"{joined[name]}\n\n{answer}"
        else:
            joined.setdefault(name, answer)
    return joined


def format_answer(answer: object) -> str:
    """Return the answer to a label question as text for people."""
    return ", ".join(map(str, answer)) if isinstance(answer, list | tuple) else str(answer)


def _check_answer(question: LabelQuestion, answer: object) -> Any:
    """Return an answer in the form in which it is stored, or None if it is empty. Raises BenchError if the answer is not
    valid."""
    about = f"The label question {question.name}"
    if answer is None or answer == "" or answer == []:
        return None
    if question.kind == "rating":
        if isinstance(answer, bool) or not isinstance(answer, int) or not 1 <= answer <= question.top:
            raise BenchError(f"{about} needs a whole number from 1 to {question.top} as its answer, not {str(answer)[:40]!r}.")
        return answer
    if question.kind == "several":
        chosen = [answer] if isinstance(answer, str) else answer
        if not isinstance(chosen, list) or not all(isinstance(choice, str) for choice in chosen):
            raise BenchError(f"{about} must be answered with a list of its choices.")
        _check_choices(question, chosen)
        return [choice for choice in question.choices if choice in chosen]
    if not isinstance(answer, str):
        raise BenchError(f"{about} must be answered with a text, not {str(answer)[:40]!r}.")
    if question.kind == "one":
        _check_choices(question, [answer])
        return answer
    if UNSTORABLE.search(answer):
        raise BenchError(
            f"The answer to {question.name} has a character that no file can store (NUL or half of a character): remove it."
        )
    if len(answer) > MAX_CHARACTERS["answer"]:
        raise BenchError(
            f"The answer to {question.name} has {len(answer):,} characters; at most {MAX_CHARACTERS['answer']:,} can be stored."
        )
    return answer.strip() or None


def _check_choices(question: LabelQuestion, chosen: Sequence[str]) -> None:
    if unknown := [choice for choice in chosen if choice not in question.choices]:
        choices = ", ".join(question.choices)
        raise BenchError(f"{unknown[0][:60]!r} is not a choice of the label question {question.name}: choose among {choices}.")


def _check_text(text: str, part: Literal["text", "choice"], empty: str, about: str) -> None:
    if not text.strip():
        raise BenchError(empty)
    most = MAX_CHARACTERS[part]
    if len(text) > most or UNSTORABLE.search(text):
        raise BenchError(
            f"{about} has a {part} longer than {most} characters, or a {part} with a character that no file can store: "
            f"correct the {part}."
        )
