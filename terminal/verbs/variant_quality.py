"""Command-line verbs for samples of variants, whose quality two people judge without seeing each other's judgements."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.ids import new_id
from terminal.choosing import find_person, join_lines, split_names
from terminal.output import show
from terminal.session import Session
from terminal.verbs.desk import describe_variant, variant_sheet_record

if TYPE_CHECKING:
    from workbench import Workbench


def list_samples(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.draw is not None:
            b.variant_quality.draw(
                by=options.person,
                size=options.draw,
                kinds=split_names(options.kinds),
                seed=options.seed,
                reviewers=options.reviewer,
            )
        records: list[dict[str, Any]] = [as_json(card) for card in b.variant_quality.list_samples()]
    lines = (f"{r['sample']['id']}  {len(r['sample']['variants'])} variants" for r in records)
    show(session, options, {"samples": records}, lambda: join_lines(lines, "No samples."))


def open_next(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        waiting = b.variant_quality.list_waiting(person)
        sample = options.sample or next((one.id for one in waiting), None)
        found = None if sample is None else b.variant_quality.find_next(sample, person, options.after)
        record: dict[str, Any] = {"sample": sample, "variant": None, "left": 0}
        if sample is not None and found is not None:
            sheet = b.variant_quality.sheet(sample, found, person)
            record |= variant_sheet_record(sheet, _count_left(b, sample, person))
    nothing = f"No variant waits for {person}."
    show(session, options, record, lambda: describe_variant(record) if record["variant"] else nothing)


def judge(session: Session, options: Namespace) -> None:
    from workbench.annotate.wordings.variant_quality import QualityAnswer

    applied, kept = options.applied == "yes", options.meaning_kept == "yes"
    with session.bench(options) as b:
        person = find_person(b, options)
        answer = QualityAnswer(new_id(), person, options.sample, options.variant, applied, kept, comment=options.comment)
        b.variant_quality.judge(answer)
        left = _count_left(b, options.sample, person)
    record = {"sample": options.sample, "variant": options.variant, "applied": applied, "kept": kept, "left": left}
    show(session, options, record, f"{options.variant}: judgement stored; variants left to judge: {left}.")


def undo(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        undone = b.variant_quality.undo(options.sample, person, new_id())
        left = _count_left(b, options.sample, person)
    record = {"sample": options.sample, "undone": undone, "left": left}
    show(session, options, record, f"{undone}: judgement withdrawn; variants left to judge: {left}.")


def report(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        reader = b.people.spell_name(options.person or session.person or "")
        record: dict[str, Any] = as_json(b.variant_quality.report(options.sample, reader))
    lines = (f"{r['person']}, {r['kind']}: {r['passed']} of {r['n']} passed" for r in record["rates"])
    show(session, options, record, lambda: join_lines(lines, "Nobody has judged the sample yet."))


def _count_left(bench: "Workbench", sample: str, person: str) -> int:
    return next((one.left for one in bench.variant_quality.list_waiting(person) if one.id == sample), 0)
