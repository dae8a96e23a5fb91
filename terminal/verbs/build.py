"""Documents come in, items are drafted, listed, decided on and rewritten."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.label_questions import question_record
from core.nouns import Item
from core.records import document_record, item_record, variant_record
from terminal import paths
from terminal.output import agreement_lines, item_lines, label_lines, refusal_line, show, show_end, table_lines
from terminal.session import Session
from workbench.settings import parse_settings

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.annotate.progress.agreement import AgreementReport
    from workbench.build.templates.tables import SavedTable, TableCard


def add(session: Session, options: Namespace) -> int:
    from workbench.build.corpus.corpus import Length

    with session.bench(options) as b:
        found = b.corpus.add(
            [str(session.folder / path) for path in options.path],
            domain=options.domain,
            language=options.language,
            form=options.format,
            licence=options.licence,
            say=session.say,
            length=Length(options.min_length, options.max_length),
        )
    lines = [refusal_line(as_json(refused)) for refused in found.refused]
    lines += [misfit.message for misfit in found.left_out]
    if lines:
        session.say("\n".join(lines))
    counts = f"{len(found.added)} added, {len(found.already)} already there, {len(found.refused)} refused"
    counts += f", {len(found.left_out)} left out by their length." if found.left_out else "."
    added = [document_record(document, with_text=False) for document in found.added]
    show(session, options, {**as_json(found), "added": added}, counts)
    return 0 if found.added or found.already else 1


def draft(session: Session, options: Namespace) -> int:
    if options.task == "template_question":
        return _from_templates(session, options)
    with session.bench(options) as b:
        job = b.drafts.plan(
            task=options.task,
            domain=options.domain,
            count=options.count,
            agent=paths.agent(session.folder, options.agent),
            seed=options.seed,
            budget=options.budget,
            settings=paths.settings(session.folder, options.set),
        )
        result = session.finish(b, job)
    came = result["drafted"] or result["refused"] or result["none"] or result["unreadable"]
    return show_end(session, options, result) or int(bool(result["failed"]) and not came)


def _from_templates(session: Session, options: Namespace) -> int:
    """Questions of templates; `template` names a kept one, or several with commas between, or a JSON file of them, which are
    then kept. Templates have a domain of their own, and no agent is asked."""
    given = parse_settings(options.set)
    names = [name.strip() for name in str(given.pop("template", "")).split(",") if name.strip()]
    if not names or given:
        raise BenchError("template_question wants --set template=NAME and nothing else: name a kept template, or a JSON file.")
    with session.bench(options) as b:
        file = session.folder / names[0]
        if file.suffix == ".json":
            names = b.templates.add_file(file)
        job = b.seasons.plan(names, options.count, options.seed)
        result = session.finish(b, job)
        made = b.seasons.list_made(job) if options.json else []
    items = {"items": [item_record(item, lambda span: "") for item in made]} if options.json else {}
    return show_end(session, options, {**result, **items})


def vary(session: Session, options: Namespace) -> int:
    from workbench.build.varying.varying import VaryRequest

    kinds = dict.fromkeys(name for one in options.kinds.split(",") if (name := one.strip()))
    agent = paths.agent(session.folder, options.agent) if options.agent else None
    with session.bench(options) as b:
        wanted = VaryRequest(
            kinds=tuple(kinds),
            agent=agent,
            task=options.task,
            domain=options.domain,
            status=options.status,
            release=options.release,
            seed=options.seed,
            budget=options.budget,
            settings=paths.settings(session.folder, options.set),
        )
        job = b.vary.plan(wanted)
        result = session.finish(b, job)
        lists = b.vary.list_made(job) if options.json else None
    made = {"made": [variant_record(variant) for variant in lists.made]} if lists else {}
    return show_end(session, options, {"job": job, **result, **(as_json(lists) if lists else {}), **made})


def search(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        if options.provider:
            b.search.save(options.provider, parse_settings(options.set))
        cards = b.search.list_providers()
    needs = {card.name: f"; still needs {', '.join(card.needs)}" if card.needs else "" for card in cards}
    lines = [f"{card.name}: {card.label}{needs[card.name]}" for card in cards]
    show(session, options, cards, "\n".join(lines))
    return 0


def tables(session: Session, options: Namespace) -> int:
    if bool(options.path) + bool(options.correct) + bool(options.remove) > 1:
        raise BenchError("Tables are added, corrected or removed, one at a time: give paths, --correct or --remove.")
    settings = parse_settings(options.set)
    if settings and not (options.path or options.correct):
        raise BenchError("--set belongs to a table: give its path, or name one in use with --correct.")
    with session.bench(options) as b:
        templates: list[str] = []
        if options.path:
            paths = [session.folder / path for path in options.path]
            found = [_saved_record(saved) for saved in b.tables.add(paths, settings)]
            templates = b.templates.add(paths)
        elif options.correct:
            found = [_saved_record(b.tables.correct(options.correct, settings))]
        else:
            if options.remove:
                b.tables.remove(options.remove)
            found = [_table_record(card) for card in b.tables.list_tables()]
    kept = f"\nTemplates kept: {', '.join(templates)}" if templates else ""
    show(session, options, {"tables": found, "templates": templates}, lambda: table_lines(found) + kept)
    return 0


def _table_record(card: "TableCard") -> dict[str, Any]:
    """A table as JSON: its spec, and the snapshot in use."""
    from core.tables.nouns import spec_record

    facts = {name: getattr(card.stored, name) for name in ("hash", "data", "rows", "origin", "added_at")}
    return {**spec_record(card.stored.spec), **facts, "snapshots": card.snapshots, "accepted_from": card.accepted_from}


def _saved_record(saved: "SavedTable") -> dict[str, Any]:
    """A table that was saved, as JSON."""
    return {
        **_table_record(saved.card),
        "is_new": saved.is_new,
        "said": list(saved.notes),
        "replaced": saved.replaced,
        "items_on_replaced": saved.items_on_replaced,
    }


def items(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.item_list.items(
            task=options.task,
            domain=options.domain,
            status=options.status,
            text=options.text,
            level=options.level,
            language=options.language,
            agent=options.agent,
            flag=options.flag,
        )
        records = _item_records(b, found)
    show(session, options, records, lambda: item_lines(records))
    return 0


def _item_records(b: "Workbench", found: Sequence[Item]) -> list[dict[str, Any]]:
    """The items as JSON, with the text of their evidence."""
    cut = b.item_list.load_evidence(found)
    return [item_record(item, cut) for item in found]


def decide(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = b.reviews.decide(
            options.item,
            options.decision,
            person=options.person,
            question=options.question,
            answer=options.answer,
            reason=options.reason,
            label_answers=b.label_questions.read_answers(options.label) if options.label else None,
        )
        records = _item_records(b, [found]) if isinstance(found, Item) else [variant_record(found)]
    show(session, options, records, lambda: item_lines(records))
    return 0


def labels(session: Session, options: Namespace) -> int:
    given = {
        name: value
        for name in ("text", "kind", "choice", "top", "task", "required", "retired")
        if (value := getattr(options, name)) is not None
    }
    if given and not options.name:
        raise BenchError("Which label question? Give its name before the options; without any, all are listed.")
    with session.bench(options) as b:
        if options.name:
            b.label_questions.change(options.name, options.person, **given)
        found = [{**question_record(one.question), "answers": one.answers} for one in b.label_questions.list_questions()]
    show(session, options, {"labels": found}, lambda: label_lines(found))
    return 0


def agreement_record(report: "AgreementReport") -> dict[str, Any]:
    """The report as JSON; "chance" is 0 where the measure itself leaves chance out."""
    record: dict[str, Any] = as_json(report)
    del record["left_out"]
    for line in record["lines"]:
        if line.pop("is_corrected"):
            line["chance"] = 0.0
    return record


def agreement(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        found = agreement_record(b.progress.load_agreement())
    show(session, options, found, lambda: agreement_lines(found))
    return 0


def rewrite(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        records = [variant_record(b.rewrites.rewrite(options.item, options.text, options.person, options.reason))]
    show(session, options, records, lambda: item_lines(records))
    return 0
