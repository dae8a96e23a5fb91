"""Command-line verbs for question sets: the questions that the metric rag_quest_eval asks about a gold answer."""

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from terminal.choosing import join_lines
from terminal.output import format_count, show
from terminal.session import Session
from terminal.verbs.work import read_rows

if TYPE_CHECKING:
    from workbench.evaluate.scoring.question_sets import QuestionSet


def list_sets(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rows, total = b.question_sets.page(options.text, options.only.replace("-", " "), options.page)
    records = [{**set_record(row.set), "question": row.question} for row in rows]
    lines = (
        f"{r['item']} {r['gold']}  set {r['number']} by {r['by']}, {len(r['pairs'])} questions: {r['answer']}" for r in records
    )
    show(session, options, {"question_sets": records, "total": total}, lambda: join_lines(lines, "No question sets."))


def show_set(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.question_sets.card(options.item, options.gold)
    pairs = _pair_records(card.current)
    if options.lines:
        session.write_out("".join(json.dumps(pair, ensure_ascii=not session.is_plain) + "\n" for pair in pairs))
        return
    record = {"question": card.question, "versions": [set_record(version) for version in card.versions]}
    show(session, options, record, lambda: join_lines((f"{p['question']}  {p['answer']}" for p in pairs), "No questions."))


def save_set(session: Session, options: Namespace) -> None:
    rows = _read_pairs(session, options.file)
    with session.bench(options) as b:
        seen = options.seen if options.seen is not None else b.question_sets.card(options.item, options.gold).current.number
        saved = b.question_sets.save(options.item, options.gold, rows, seen=seen, by=options.person)
    text = f"Set {saved.number}: {format_count(len(saved.pairs), 'question')}, {saved.answered} answered by the gold answer."
    show(session, options, set_record(saved), text)


def set_record(one: "QuestionSet") -> dict[str, Any]:
    """Return a question set as JSON, with the key of its gold answer."""
    return {"item": one.item, "gold": one.gold, **as_json(one), "pairs": _pair_records(one)}


def _pair_records(one: "QuestionSet") -> list[dict[str, str]]:
    return [{"question": question, "answer": answer} for question, answer in one.pairs]


def _read_pairs(session: Session, file: str) -> list[dict[str, Any]]:
    """Read a file of JSON lines, each with a question and an answer. Raises BenchError if a line is not such an object."""
    wanted = 'write {"question": TEXT, "answer": TEXT} on each line'
    rows = read_rows(session, file, wanted)
    for number, row in rows:
        if not row.keys() <= {"question", "answer"}:
            raise BenchError(f"{file}:{number} has other fields than question and answer: {wanted}.")
    return [row for _, row in rows]
