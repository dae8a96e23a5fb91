"""Label questions: what a project asks of every reviewer beside the words of an item, what an answer to each may be, and which
answers of two people are one."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, get_args

from core.errors import BenchError

LABEL_ANSWERS = "label_answers"
"""What a review's details, and a released item's labels, hold them under: question name -> answer."""
QuestionKind = Literal["one", "several", "rating", "text"]
KIND_LABELS: Mapping[QuestionKind, str] = MappingProxyType(
    {"one": "one choice", "several": "several choices", "rating": "rating", "text": "free text"}
)
"""Each kind, as it is called."""
MAX_CHARACTERS = MappingProxyType({"name": 40, "text": 500, "choice": 200, "answer": 5_000})
"""Characters."""
MAX_CHOICES = 50
MAX_QUESTIONS = 50
MAX_RATING = 10
"""A rating has at most so many steps."""
NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """One question that reviewers answer. Identity: its name."""

    name: str
    """A short id: letters, digits and underscores."""
    text: str
    """As reviewers read it."""
    kind: QuestionKind
    choices: tuple[str, ...] = ()
    """Of one or several choices."""
    top: int = 0
    """A rating is 1 to this; 0 for other kinds."""
    is_required: bool = False
    """Nothing is accepted without an answer."""
    tasks: tuple[str, ...] = ()
    """Those whose items it is asked of; () = of all."""
    is_retired: bool = False
    """It is asked no more; its answers stay."""

    def is_asked_of(self, task: str) -> bool:
        return not self.is_retired and (not self.tasks or task in self.tasks)


def question_record(question: LabelQuestion) -> dict[str, Any]:
    """The question as JSON: what the command line prints, a release tells and an import reads."""
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
    """The question of a record made by question_record. Raises BenchError on what is none."""
    if not isinstance(record, Mapping) or not all(isinstance(record.get(name), str) for name in ("name", "text", "kind")):
        raise BenchError("A label question is a JSON object with the texts name, text and kind.")
    lists = {name: record.get(name) or () for name in ("choices", "tasks")}
    if not all(isinstance(found, list | tuple) and all(isinstance(one, str) for one in found) for found in lists.values()):
        raise BenchError(f"Label question {record['name'][:40]!r}: choices and tasks are lists of texts.")
    top = record.get("top") or 0
    if isinstance(top, bool) or not isinstance(top, int):
        raise BenchError(f"Label question {record['name'][:40]!r}: top is a whole number.")
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
    """Raises BenchError on a question that nobody could answer, in a sentence."""
    if not NAME.fullmatch(question.name):
        raise BenchError(
            f"{question.name[:60]!r} is no name for a label question: begin with a small letter, then small letters, digits "
            f"and underscores, at most {MAX_CHARACTERS['name']}."
        )
    about = f"The label question {question.name}"
    if question.kind not in get_args(QuestionKind):
        raise BenchError(f"{about} is of the kind {str(question.kind)[:40]!r}: give one of {', '.join(KIND_LABELS)}.")
    _check_text(question.text, "text", f"{about} has no text: write what reviewers are asked.", about)
    if question.kind not in ("one", "several") and question.choices:
        raise BenchError(f"{about} is of the kind {KIND_LABELS[question.kind]}, which has no choices: leave them out.")
    if question.kind != "rating" and question.top:
        raise BenchError(f"{about} is no rating, and only a rating has a highest value: leave it out.")
    if question.kind == "rating" and not 2 <= question.top <= MAX_RATING:
        raise BenchError(f"{about} is a rating from 1 to {question.top}: give a highest value from 2 to {MAX_RATING}.")
    if question.kind in ("one", "several"):
        least = 2 if question.kind == "one" else 1
        if not least <= len(question.choices) <= MAX_CHOICES:
            raise BenchError(f"{about} has {len(question.choices)} choices: give {least} to {MAX_CHOICES}.")
        for choice in question.choices:
            _check_text(choice, "choice", f"{about} has an empty choice: write it, or leave it out.", about)
        if len({choice.strip().casefold() for choice in question.choices}) < len(question.choices):
            raise BenchError(f"{about} has one choice twice: leave one of them out.")


def check_change(before: LabelQuestion, after: LabelQuestion, answered: Collection[Any]) -> None:
    """Raises BenchError on a change that would break answers which are stored: `answered` are those to the question as it was.
    Its text, its tasks and whether it is required may change, choices may be added, and it may be retired."""
    if not answered:
        return
    if before.kind != after.kind:
        raise BenchError(
            f"The label question {after.name} has {len(answered):,} answers as {KIND_LABELS[before.kind]}, so its kind cannot "
            f"change: retire it, and ask a new one."
        )
    if after.kind == "rating" and (highest := max(answered)) > after.top:
        raise BenchError(
            f"The label question {after.name} has answers up to {highest}, so its highest value cannot be {after.top}: keep "
            f"it, or retire the question and ask a new one."
        )
    given = [one for answer in answered for one in (answer if isinstance(answer, list) else [answer])]
    lost = [choice for choice in before.choices if choice not in after.choices and choice in given]
    if lost:
        raise BenchError(
            f"The choice {lost[0]!r} of the label question {after.name} has {given.count(lost[0]):,} answers, so it cannot be "
            f"removed: keep it, or retire the question and ask a new one."
        )


def select_for_task(questions: Iterable[LabelQuestion], task: str) -> list[LabelQuestion]:
    """Those that reviewers of the task's items are asked."""
    return [question for question in questions if question.is_asked_of(task)]


def check_answers(questions: Sequence[LabelQuestion], given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The answers in the form that is stored: empty ones left out, several choices in the question's order. Raises BenchError
    on one that the question does not allow, or to a question that is not asked."""
    known = {question.name: question for question in questions}
    found = {}
    for name, answer in (given or {}).items():
        if name not in known:
            raise BenchError(f"No label question {name[:40]!r} is asked of this item: load the page again.")
        checked = _check_answer(known[name], answer)
        if checked is not None:
            found[name] = checked
    return {question.name: found[question.name] for question in questions if question.name in found}


def find_unanswered(questions: Iterable[LabelQuestion], answers: Mapping[str, Any]) -> LabelQuestion | None:
    """The first required question that has no answer; None when there is none."""
    return next((one for one in questions if one.is_required and one.name not in answers), None)


def check_required(questions: Iterable[LabelQuestion], answers: Mapping[str, Any]) -> None:
    """Raises BenchError when a required question has no answer."""
    if (missing := find_unanswered(questions, answers)) is not None:
        raise BenchError(f"The label question {missing.name} is required and has no answer ({missing.text}): answer it first.")


def is_agreed(questions: Iterable[LabelQuestion], a: Mapping[str, Any], b: Mapping[str, Any]) -> bool:
    """Whether two people's answers come to the same: those to questions that are asked, of a closed kind, and answered by
    both."""
    names = [one.name for one in questions if one.kind != "text" and not one.is_retired]
    return all(a[name] == b[name] for name in names if name in a and name in b)


def read_label_answers(details: Mapping[str, Any]) -> dict[str, Any]:
    """The answers among a review's details, or an item's labels; none where there are none."""
    found = details.get(LABEL_ANSWERS)
    return dict(found) if isinstance(found, Mapping) else {}


def join_answers(questions: Sequence[LabelQuestion], given: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the answers of people who agree come to: free texts that differ stand one below the other."""
    found: dict[str, Any] = {}
    words = {question.name for question in questions if question.kind == "text"}
    for answers in given:
        for name, answer in answers.items():
            if name in words and name in found and answer not in found[name].split("\n\n"):
                found[name] = f"{found[name]}\n\n{answer}"
            else:
                found.setdefault(name, answer)
    return found


def format_answer(answer: object) -> str:
    """An answer as people read it."""
    return ", ".join(map(str, answer)) if isinstance(answer, list | tuple) else str(answer)


def _check_answer(question: LabelQuestion, answer: object) -> Any:
    """The answer as it is stored; None for an empty one."""
    about = f"The label question {question.name}"
    if answer is None or answer == "" or answer == []:
        return None
    if question.kind == "rating":
        if isinstance(answer, bool) or not isinstance(answer, int) or not 1 <= answer <= question.top:
            raise BenchError(f"{about} takes a whole number from 1 to {question.top}, not {str(answer)[:40]!r}.")
        return answer
    if question.kind == "several":
        chosen = [answer] if isinstance(answer, str) else answer
        if not isinstance(chosen, list) or not all(isinstance(one, str) for one in chosen):
            raise BenchError(f"{about} takes a list of its choices.")
        if unknown := [one for one in chosen if one not in question.choices]:
            raise BenchError(_no_choice(question, unknown[0]))
        return [choice for choice in question.choices if choice in chosen]
    if not isinstance(answer, str):
        raise BenchError(f"{about} takes a text, not {str(answer)[:40]!r}.")
    if question.kind == "one":
        if answer not in question.choices:
            raise BenchError(_no_choice(question, answer))
        return answer
    if _UNSTORABLE.search(answer):
        raise BenchError(f"{about} holds a character that no file can hold (NUL or half a character): take it out.")
    if len(answer) > MAX_CHARACTERS["answer"]:
        raise BenchError(
            f"{about} has {len(answer):,} characters as its answer; at most {MAX_CHARACTERS['answer']:,} can be stored."
        )
    return answer.strip() or None


def _no_choice(question: LabelQuestion, given: str) -> str:
    return f"{given[:60]!r} is no choice of the label question {question.name}: choose among {', '.join(question.choices)}."


def _check_text(text: str, what: str, empty: str, about: str) -> None:
    if not text.strip():
        raise BenchError(empty)
    if len(text) > MAX_CHARACTERS[what] or _UNSTORABLE.search(text):
        raise BenchError(
            f"{about} has a {what} of {len(text):,} characters, or with one that no file can hold: "
            f"at most {MAX_CHARACTERS[what]}."
        )
