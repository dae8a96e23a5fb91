"""Command-line verbs that add documents and tables, and that draft, list, decide on and rewrite items."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.label_questions import question_record
from core.nouns import Item
from core.records import document_record, item_record, variant_record
from terminal import paths
from terminal.output import (
    agreement_lines,
    effect_lines,
    format_count,
    item_lines,
    label_lines,
    refusal_line,
    show,
    show_end,
    table_lines,
)
from terminal.session import Session, assign_batch, select_options
from workbench.settings import parse_settings

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.annotate.progress.agreement import AgreementReport
    from workbench.build.templates.tables import SavedTable, TableCard


def add(session: Session, options: Namespace) -> int:
    from workbench.build.corpus.corpus import Length, describe_own_facts

    with session.bench(options, is_expected=False) as b:
        result = b.corpus.add(
            [str(paths.find_file(session.folder, path)) for path in options.path],
            form=options.format,
            say=session.say,
            length=Length(options.min_length, options.max_length),
            **select_options(options, "domain", "language", "licence"),
        )
    lines = [refusal_line(refused) for refused in result.refused]
    lines += [misfit.message for misfit in result.left_out] + result.unclear + describe_own_facts(result.own_facts)
    if lines:
        session.say("\n".join(lines))
    counts = f"{len(result.added)} added, {len(result.already)} already there, {len(result.refused)} refused"
    counts += f", {len(result.left_out)} left out by their length." if result.left_out else "."
    added = [
        document_record(document, with_text=False) | {"characters": result.characters[document.id]} for document in result.added
    ]
    record = as_json(result)
    del record["unclear"], record["characters"], record["own_facts"]  # the record of each document has these facts
    show(session, options, {**record, "added": added}, counts)
    return 0 if result.added or result.already else 1


def draft(session: Session, options: Namespace) -> int:
    is_shard = options.shard or options.out or options.corpus
    if options.task == "template_question":
        if is_shard:
            raise BenchError("Questions from templates cannot be drafted in shards: leave out --shard, --out and --corpus.")
        return _draft_from_templates(session, options)
    request = {
        "agent": paths.agent(session.folder, options.agent),
        "settings": paths.settings(session.folder, options.set),
        **select_options(options, "task", "domain", "count", "seed", "budget"),
    }
    if is_shard:
        from terminal.verbs.shards import draft_shard

        return draft_shard(session, options, request)
    with session.bench(options) as b:
        job = b.drafts.plan(**request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
    has_reply = any(result[kind] for kind in ("drafted", "refused", "none", "unreadable"))
    return show_end(session, options, result) or int(bool(result["failed"]) and not has_reply)


def _draft_from_templates(session: Session, options: Namespace) -> int:
    """Draft questions from templates. The setting `template` names stored templates, or a JSON file of templates, which this
    function first stores. Each template defines the domain of its questions, and no agent is needed."""
    settings = parse_settings(options.set)
    names = [name.strip() for name in str(settings.pop("template", "")).split(",") if name.strip()]
    if not names or settings:
        raise BenchError("The task template_question needs only --set template=NAME: give a stored template or a JSON file.")
    with session.bench(options) as b:
        if names[0].endswith(".json"):
            names = b.templates.add_file(paths.find_file(session.folder, names[0]))
        job = b.seasons.plan(names, options.count, options.seed)
        result = session.finish(b, job)
        made = b.seasons.list_made(job) if options.json else []
    items = {"items": [item_record(item, lambda span: "") for item in made]} if options.json else {}
    return show_end(session, options, {**result, **items})


def vary(session: Session, options: Namespace) -> int:
    from workbench.build.varying.varying import VaryRequest

    kinds = dict.fromkeys(name for part in options.kinds.split(",") if (name := part.strip()))
    request = VaryRequest(
        kinds=tuple(kinds),
        agent=options.agent and paths.agent(session.folder, options.agent),
        settings=paths.settings(session.folder, options.set),
        **select_options(options, "task", "domain", "status", "release", "seed", "budget"),
    )
    if options.shard or options.out:
        from terminal.verbs.shards import vary_shard

        return vary_shard(session, options, request)
    with session.bench(options) as b:
        job = b.vary.plan(request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
        lists = b.vary.list_made(job) if options.json else None
    made = {"made": [variant_record(variant) for variant in lists.made]} if lists else {}
    return show_end(session, options, {"job": job, **result, **(as_json(lists) if lists else {}), **made})


def search(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.provider:
            b.search.save(options.provider, parse_settings(options.set))
        cards = b.search.list_providers()
    needs = {card.name: f"; still needs {', '.join(card.needs)}" if card.needs else "" for card in cards}
    lines = [f"{card.name}: {card.label}{needs[card.name]}" for card in cards]
    show(session, options, cards, "\n".join(lines))


def tables(session: Session, options: Namespace) -> None:
    if bool(options.path) + bool(options.correct) + bool(options.remove) > 1:
        raise BenchError(
            "Adding, correcting and removing tables cannot be combined: give only one of paths, --correct and --remove."
        )
    settings = parse_settings(options.set)
    if settings and not (options.path or options.correct):
        raise BenchError("--set needs a table: give the path of a new table, or --correct with the name of a stored one.")
    with session.bench(options) as b:
        templates: list[str] = []
        if options.path:
            files = [paths.find_file(session.folder, path) for path in options.path]
            records = [_saved_record(saved) for saved in b.tables.add(files, settings)]
            templates = b.templates.add(files)
        elif options.correct:
            records = [_saved_record(b.tables.correct(options.correct, settings))]
        else:
            if options.remove:
                b.tables.remove(options.remove)
            records = [_table_record(card) for card in b.tables.list_tables()]
    stored = f"\nTemplates stored: {', '.join(templates)}" if templates else ""
    show(session, options, {"tables": records, "templates": templates}, lambda: table_lines(records) + stored)


def _table_record(card: "TableCard") -> dict[str, Any]:
    """Return a table as a JSON record: its spec and its current snapshot."""
    from core.tables.nouns import spec_record

    facts = {name: getattr(card.stored, name) for name in ("hash", "data", "rows", "origin", "added_at")}
    return {**spec_record(card.stored.spec), **facts, "snapshots": card.snapshots, "accepted_from": card.accepted_from}


def _saved_record(saved: "SavedTable") -> dict[str, Any]:
    """Return the JSON record of a table that was just saved."""
    return {
        **_table_record(saved.card),
        "is_new": saved.is_new,
        "said": list(saved.notes),
        "replaced": saved.replaced,
        "items_on_replaced": saved.items_on_replaced,
    }


def items(session: Session, options: Namespace) -> None:
    filters = select_options(options, "task", "domain", "status", "text", "level", "language", "agent", "flag")
    with session.bench(options) as b:
        listed = b.item_list.items(**filters, person=options.person)
        records, n_hidden = _item_records(b, listed), b.item_list.count_hidden(listed)
    show(session, options, records, lambda: item_lines(records))
    if n_hidden and not options.person and session.person is None:
        session.say(
            f"A rule of the desk hides {format_count(n_hidden, 'listed draft')} from reviewers: with --as NAME, only the "
            "answers that NAME may see are listed."
        )


def _item_records(bench: "Workbench", listed: Sequence[Item]) -> list[dict[str, Any]]:
    """Return items as JSON records, with the text of their evidence."""
    cut = bench.item_list.load_evidence(listed)
    return [item_record(item, cut) for item in listed]


def decide(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        is_item = session.person is not None and b.item_list.load_items([options.item])
        if is_item and not b.reviews.is_alone(options.item, session.person or ""):
            b.reviews.check_shown(options.item, session.person or "")
        decided = b.reviews.decide(
            options.item,
            options.decision,
            label_answers=b.label_questions.read_answers(options.label) if options.label else None,
            **select_options(options, "person", "question", "answer", "evidence", "reason"),
            allows_long=options.allow_long,
        )
        records = _item_records(b, [decided]) if isinstance(decided, Item) else [variant_record(decided)]
    show(session, options, records, lambda: item_lines(records))


def labels(session: Session, options: Namespace) -> None:
    parts = select_options(options, "text", "kind", "choice", "top", "task", "required", "retired")
    changes = {name: value for name, value in parts.items() if value is not None}
    if changes and not options.name:
        raise BenchError("Give the name of the label question before the options; without options, all questions are listed.")
    with session.bench(options) as b:
        if options.name:
            b.label_questions.change(options.name, options.person or session.person or "", **changes)
        listed = b.label_questions.list_questions()
    questions = [{**question_record(card.question), "answers": card.answers} for card in listed]
    show(session, options, {"labels": questions}, lambda: label_lines(questions))


def agreement_record(report: "AgreementReport") -> dict[str, Any]:
    """Return a report on the agreement between people as JSON. "chance" is 0 for a measure that already corrects for chance
    agreement."""
    record: dict[str, Any] = as_json(report)
    del record["left_out"]
    for line in record["lines"]:
        if line.pop("is_corrected"):
            line["chance"] = 0.0
    return record


def agreement(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        report = agreement_record(b.progress.load_agreement())
    show(session, options, report, lambda: agreement_lines(report))


def effect(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        report = as_json(b.progress.load_effects())
    show(session, options, report, lambda: effect_lines(report))


def rewrite(session: Session, options: Namespace) -> None:
    from workbench.annotate.wordings.rewrites import OF_DRAFT

    with session.bench(options) as b:
        records = [variant_record(b.rewrites.rewrite(options.item, options.text, options.person, options.reason))]
        if b.rewrites.sheet(options.item, options.person).item.status == "drafted":
            session.say(OF_DRAFT)
    show(session, options, records, lambda: item_lines(records))
