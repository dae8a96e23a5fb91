"""Command-line verbs for gold sets, which judges use in place of a gold answer: the questions that the metric rag_quest_eval
asks about it, and the nuggets, short facts that a good answer must or may contain."""

import json
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import join_lines
from terminal.output import format_count, show, show_end
from terminal.session import Session, assign_batch
from terminal.verbs.work import read_rows

if TYPE_CHECKING:
    from workbench.evaluate.scoring.nuggets import NuggetFilter, NuggetSet
    from workbench.evaluate.scoring.question_sets import QuestionSet


def list_questions(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rows, total = b.question_sets.page(options.text, options.only.replace("-", " "), options.page)
    records = [{**question_record(row.set), "question": row.question} for row in rows]
    lines = (
        f"{r['item']} {r['gold']}  set {r['number']} by {r['by']}, {len(r['pairs'])} questions: {r['answer']}" for r in records
    )
    show(session, options, {"question_sets": records, "total": total}, lambda: join_lines(lines, "No question sets."))


def show_questions(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.question_sets.card(options.item, options.gold)
    pairs = _pair_records(card.current)
    if options.lines:
        session.write_out("".join(json.dumps(pair, ensure_ascii=not session.is_plain) + "\n" for pair in pairs))
        return
    record = {"question": card.question, "versions": [question_record(version) for version in card.versions]}
    show(session, options, record, lambda: join_lines((f"{p['question']}  {p['answer']}" for p in pairs), "No questions."))


def save_questions(session: Session, options: Namespace) -> None:
    rows = _read_pairs(session, options.file)
    with session.bench(options) as b:
        seen = options.seen if options.seen is not None else b.question_sets.card(options.item, options.gold).current.number
        saved = b.question_sets.save(options.item, options.gold, rows, seen=seen, by=options.person)
    text = f"Set {saved.number}: {format_count(len(saved.pairs), 'question')}, {saved.answered} answered by the gold answer."
    show(session, options, question_record(saved), text)


def question_record(one: "QuestionSet") -> dict[str, Any]:
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


def list_nuggets(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rows, total = b.nuggets.page(_build_filter(options, options.text, options.only), options.page)
    records = [
        {
            **{name: getattr(row, name) for name in ("item", "question", "answer", "task", "level", "language")},
            "set": nugget_record(row.set) if row.set else None,
        }
        for row in rows
    ]
    lines = (f"{r['item']}  {_describe_nuggets(r['set'])}: {r['question']}" for r in records)
    show(session, options, {"items": records, "total": total}, lambda: join_lines(lines, "No items."))


def show_nuggets(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.nuggets.card(options.item)
    nuggets = nugget_record(card.current)["nuggets"] if card.current else []
    if options.lines:
        session.write_out("".join(json.dumps(one, ensure_ascii=not session.is_plain) + "\n" for one in nuggets))
        return
    record = {
        "item": card.item.id,
        "question": card.item.question,
        "answer": card.item.answers[0],
        "sentences": [{**as_json(one.span), "title": one.title, "text": one.text} for one in card.sentences],
        "versions": [nugget_record(version) for version in card.versions],
    }
    show(
        session,
        options,
        record,
        lambda: join_lines((f"{one['importance']:5}  {one['text']}" for one in nuggets), "No nuggets."),
    )


def save_nuggets(session: Session, options: Namespace) -> None:
    rows = _read_nuggets(session, options.file)
    with session.bench(options) as b:
        current = b.nuggets.card(options.item).current
        seen = options.seen if options.seen is not None else current.number if current else 0
        saved = b.nuggets.save(options.item, rows, seen=seen, by=options.person)
    text = f"Set {saved.number}: {format_count(len(saved.nuggets), 'nugget')}, {saved.vital} of them vital."
    show(session, options, nugget_record(saved), text)


def draft_nuggets(session: Session, options: Namespace) -> int:
    from workbench.evaluate.scoring.nuggets import DraftRequest

    request = DraftRequest(
        agent=paths.agent(session.folder, options.agent),
        only=_build_filter(options),
        items=tuple(options.item),
        limit=options.limit,
        budget=options.budget,
        settings=paths.settings(session.folder, options.set),
    )
    with session.bench(options) as b:
        job = b.nuggets.plan(request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result}) or int(not result["drafted"] and bool(result["failed"]))


def nugget_record(one: "NuggetSet") -> dict[str, Any]:
    """Return a nugget set as JSON, with the key of its gold answer."""
    nuggets = [
        {"text": nugget.text, "importance": nugget.importance, "evidence": [list(as_json(s).values()) for s in nugget.evidence]}
        for nugget in one.nuggets
    ]
    return {"item": one.item, "gold": one.gold, **as_json(one), "nuggets": nuggets}


def _build_filter(options: Namespace, text: str = "", only: str = "all") -> "NuggetFilter":
    from workbench.evaluate.scoring.nuggets import STATES, NuggetFilter

    state = next(name for name in STATES if name == only)
    return NuggetFilter(text, (options.task,) if options.task else (), options.level, options.domain, state)


def _describe_nuggets(one: dict[str, Any] | None) -> str:
    return f"set {one['number']} by {one['by']}, {format_count(len(one['nuggets']), 'nugget')}" if one else "no nuggets"


def _read_nuggets(session: Session, file: str) -> list[dict[str, Any]]:
    """Read a file of JSON lines, each with a nugget. Raises BenchError if a line is not such an object."""
    wanted = 'write {"text": TEXT, "importance": "vital" or "okay", "evidence": [[DOCUMENT, START, END]]} on each line'
    rows = read_rows(session, file, wanted)
    for number, row in rows:
        if not row.keys() <= {"text", "importance", "evidence"}:
            raise BenchError(f"{file}:{number} has other fields than text, importance and evidence: {wanted}.")
    return [row for _, row in rows]
