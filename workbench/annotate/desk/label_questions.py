"""Manage label questions: questions that a project asks every reviewer about an item. A lead adds and retires label questions;
answers that exist stay stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from builders.task import Task, tasks
from core.errors import BenchError
from core.label_questions import LabelQuestion, QuestionKind, select_for_task
from store.engine.database import Database
from store.reviews import label_questions
from workbench.roles import requires

EVERY_TASK = "all"
"""Value that stands for all tasks in a list of names of tasks."""


@dataclass(frozen=True, slots=True)
class CountedQuestion:
    """A label question and the number of answers that reviewers gave to it."""

    question: LabelQuestion
    answers: int


class LabelQuestionStage:
    """Methods that list and change label questions."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def list_questions(self) -> list[CountedQuestion]:
        """List all label questions, including retired ones, in the order in which they were created."""
        counts = label_questions.counts(self._db)
        return [CountedQuestion(one, counts.get(one.name, 0)) for one in label_questions.list_questions(self._db)]

    @requires("set the rules of the work", lambda arguments: f"label question {arguments['name']}")
    def change(
        self,
        name: str,
        by: str = "",
        *,
        text: str | None = None,
        kind: QuestionKind | None = None,
        choice: Sequence[str] | None = None,
        top: int | None = None,
        task: Sequence[str] | None = None,
        required: bool | None = None,
        retired: bool | None = None,
    ) -> LabelQuestion:
        """Add a label question, or change the one named `name`; a parameter of None leaves its field unchanged.

        Raises BenchError if the question has no possible answers, or if a stored answer would become invalid."""
        task_names = None if task is None else _check_tasks(task, tasks())

        def apply_change(before: LabelQuestion | None) -> LabelQuestion:
            if before is None and (text is None or kind is None):
                raise BenchError(f"There is no label question {name[:60]} yet: a new question needs a text and a kind.")
            first = before or LabelQuestion(name, "", kind or "text")
            if kind is not None and kind != first.kind:  # choices and top depend on the kind of question
                first = replace(first, kind=kind, choices=(), top=0)
            fields = {
                "text": None if text is None else " ".join(text.split()),
                "choices": None if choice is None else tuple(one.strip() for one in choice),
                "top": top,
                "tasks": task_names,
                "is_required": required,
                "is_retired": retired,
            }
            return replace(first, **{field: value for field, value in fields.items() if value is not None})  # type: ignore[arg-type]

        return label_questions.save(self._db, name, apply_change, by)

    def tasks(self) -> dict[str, str]:
        """Return a dict from the name of each task to its label on the screen."""
        return {name: task.label["en"] for name, task in sorted(tasks().items())}

    def read_answers(self, options: Iterable[str]) -> dict[str, str | int | list[str]]:
        """Return the answers to label questions that command-line options give in the form NAME=ANSWER. Raises BenchError if an
        option has another form."""
        kinds = {one.name: one.kind for one in label_questions.list_questions(self._db)}
        chosen: dict[str, list[str]] = {}
        answers: dict[str, str | int | list[str]] = {}
        for option in options:
            name, sign, answer = option.partition("=")
            if not sign or name not in kinds:
                names = ", ".join(kinds) or "none yet"
                raise BenchError(
                    f"--label {option[:60]!r} names no label question: give NAME=ANSWER, with one of these names: {names}."
                )
            if kinds[name] == "several":
                chosen.setdefault(name, []).append(answer)
                answers[name] = chosen[name]
            elif name in answers:
                raise BenchError(f"The label question {name} takes only one answer: give --label {name}= only once.")
            else:
                answers[name] = int(answer) if kinds[name] == "rating" and answer.isascii() and answer.isdigit() else answer
        return answers


def _check_tasks(names: Sequence[str], known: dict[str, Task]) -> tuple[str, ...]:
    if EVERY_TASK in names:
        return ()
    if unknown := [name for name in names if name not in known]:
        raise BenchError(f"There is no task {unknown[0][:60]!r}: give one of {EVERY_TASK}, {', '.join(sorted(known))}.")
    return tuple(sorted(set(names)))


def list_task_questions(database: Database, task: str) -> list[LabelQuestion]:
    """List the label questions that reviewers answer about items of `task`."""
    return select_for_task(label_questions.list_questions(database), task)
