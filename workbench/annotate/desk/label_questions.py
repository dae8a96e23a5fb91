"""Label questions: what a project asks of every reviewer beside the words of an item. A lead asks and retires them; what is
answered stays as it is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from builders.task import Task, tasks
from core.errors import BenchError
from core.label_questions import LabelQuestion, QuestionKind, question_record
from store.engine.database import Database
from store.reviews import label_questions
from workbench.roles import requires

EVERY_TASK = "all"
"""In the place of a task: the question is asked of all."""


class LabelQuestionStage:
    """Verbs on label questions."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def every(self) -> list[dict[str, Any]]:
        """All of them as JSON records, in the order in which they were made: name, text, kind, choices, top, required, tasks,
        retired, and how many answers each ever had."""
        answered = label_questions.counts(self._db)
        return [
            question_record(one) | {"answers": answered.get(one.name, 0)} for one in label_questions.list_questions(self._db)
        ]

    @requires("set the rules of the work", lambda given: f"label question {given['name']}")
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
    ) -> dict[str, Any]:
        """Ask a question of a new name, or change the one of that name; what is None stays as it is. Raises BenchError on a
        question that nobody could answer, and on a change that would break a stored answer."""
        known = tasks()
        chosen = None if task is None else _task_names(task, known)

        def changed(before: LabelQuestion | None) -> LabelQuestion:
            if before is None and (text is None or kind is None):
                raise BenchError(f"There is no label question {name[:60]} yet: a new one wants a text and a kind.")
            first = before or LabelQuestion(name, "", kind or "text")
            if kind is not None and kind != first.kind:  # what belongs to the other kind goes with it
                first = replace(first, kind=kind, choices=(), top=0)
            return replace(
                first,
                text=first.text if text is None else " ".join(text.split()),
                choices=first.choices if choice is None else tuple(one.strip() for one in choice),
                top=first.top if top is None else top,
                tasks=first.tasks if chosen is None else chosen,
                is_required=first.is_required if required is None else required,
                is_retired=first.is_retired if retired is None else retired,
            )

        return question_record(label_questions.save(self._db, name, changed, by))

    def tasks(self) -> dict[str, str]:
        """Every task by name -> what people call it."""
        return {name: task.label["en"] for name, task in sorted(tasks().items())}

    def read_answers(self, given: Iterable[str]) -> dict[str, Any]:
        """Answers out of NAME=ANSWER, as a command line gives them. Raises BenchError on what is none."""
        kinds = {one.name: one.kind for one in label_questions.list_questions(self._db)}
        found: dict[str, Any] = {}
        for one in given:
            name, sign, answer = one.partition("=")
            if not sign or name not in kinds:
                there = ", ".join(kinds) or "none yet"
                raise BenchError(f"--label {one[:60]!r} names no label question: give NAME=ANSWER; there are: {there}.")
            if kinds[name] == "several":
                found.setdefault(name, []).append(answer)
            elif name in found:
                raise BenchError(f"The label question {name} takes one answer: give --label {name}= once.")
            else:
                found[name] = int(answer) if kinds[name] == "rating" and answer.isascii() and answer.isdigit() else answer
        return found


def _task_names(wanted: Sequence[str], known: dict[str, Task]) -> tuple[str, ...]:
    if EVERY_TASK in wanted:
        return ()
    if unknown := [name for name in wanted if name not in known]:
        raise BenchError(f"No task {unknown[0][:60]!r}: there are {EVERY_TASK}, {', '.join(sorted(known))}.")
    return tuple(sorted(set(wanted)))
