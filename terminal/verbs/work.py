"""Command-line verbs for the work of reviewers and leads: undo, comments, adjudication, bulk actions, and the rules for this
work."""

from argparse import Namespace
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.ids import new_id
from core.json_lines import read_objects
from core.nouns import Item
from core.records import item_record, variant_record
from terminal import paths
from terminal.choosing import choose_items, find_person, format_figures, join_lines, read_level, wait_for
from terminal.output import format_count, item_lines, show, show_end
from terminal.session import Session, select_options
from workbench.settings import parse_settings

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.annotate.queue.queueing import QueueRules

MAX_QUEUE_CHARACTERS = 1_000_000


def undo(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        is_variant = options.item is not None and b.item_list.find_variant(options.item) is not None
        stage = b.variants if is_variant else b.reviews
        undone = stage.undo(options.person, new_id(), options.item)
        variant = b.item_list.find_variant(undone) if is_variant else None
        if variant is not None:
            records = [variant_record(variant)]
        else:
            found = b.item_list.load_items([undone]) or [b.reviews.load_item(undone, find_person(b, options))]
            cut = b.item_list.load_evidence(found)
            records = [item_record(item, cut) for item in found]
    show(session, options, records, lambda: item_lines(records))


def comment(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.text is not None:
            b.comments.say(options.person, options.item, options.text, new_id())
        if options.withdraw is not None:
            b.comments.take_back(options.person, options.withdraw)
        records: list[dict[str, Any]] = [as_json(one) for one in b.comments.thread(options.item, options.person)]
    lines = (f"{r['id']}  {r['at'][:16]}  {r['person']}: {'(withdrawn)' if r['taken_back'] else r['text']}" for r in records)
    show(session, options, {"comments": records}, lambda: join_lines(lines, "No comments."))


def adjudicate(session: Session, options: Namespace) -> None:
    from workbench.annotate.desk.decisions import DecisionRequest, check_new_words

    with session.bench(options) as b:
        if options.item is None:
            _list_disputed(session, options, b)
            return
        data = b.adjudication.desk(options.item, options.person)
        assert data.opinions is not None
        opinions = [as_json(one) for one in data.opinions.given]
        if options.decision is None:
            lines = (f"{o['letter']}  {o['decision']}  {o['reason']}\n  Q {o['question']}" for o in opinions)
            show(session, options, {"item": options.item, "opinions": opinions}, lambda: join_lines(lines, "No opinions."))
            return
        [item] = b.item_list.load_items([options.item])
        check_new_words(item, options.question, options.answer, options.reason, allows_long=options.allow_long)
        request = DecisionRequest(
            key=new_id(),
            item=item.id,
            revision=item.revision,
            question=item.question if options.question is None else options.question,
            answer=next(iter(item.answers), "") if options.answer is None else options.answer,
            evidence=tuple(item.evidence),
            **select_options(options, "person", "decision", "reason"),
        )
        result = b.adjudication.settle(request, data.opinions.seen)
        record = item_record(result.item, b.item_list.load_evidence([result.item]))
    show(session, options, [record], lambda: item_lines([record]))


def _list_disputed(session: Session, options: Namespace, bench: "Workbench") -> None:
    items: list[Item] = bench.adjudication.list_disputed(options.person)
    cut = bench.item_list.load_evidence(items)
    records = [item_record(item, cut) for item in items]
    show(session, options, records, lambda: item_lines(records) or "No item is disputed.")


def change_bulk(session: Session, options: Namespace) -> int:
    from workbench.annotate.finding.bulk import BulkRequest

    request = BulkRequest(**select_options(options, "action", "person", "reason", "to", "of"))
    with session.bench(options) as b:
        chosen = [] if request.action == "undo" else choose_items(b, options)
        turn = new_id()
        preview = wait_for(lambda: b.bulk.preview(request, chosen, turn))
        if not options.yes:
            record = {"total": preview.total, "will": preview.will, "left_out": [as_json(one) for one in preview.left_out]}
            left = "".join(f"\n  {one.n} left out: {one.why}" for one in preview.left_out)
            show(session, options, record, f"{preview.will} of {format_count(preview.total, 'item')} would change.{left}")
            return 0
        job = b.bulk.plan(request, chosen, preview.mark)
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result})


def queue(session: Session, options: Namespace) -> None:
    changed, new_rules = None, None
    if options.file:
        new_rules = read_queue_rules(read_text(session, options.file), options.file)
    with session.bench(options) as b:
        if new_rules is not None:
            changed = b.queue.set_rules(replace(new_rules, version=b.queue.rules().version), options.person)
        current = b.queue.rules()
        places = b.queue.coverage()
    record: dict[str, Any] = {
        "overlaps": [{**_kind_record(rule.kind), "wanted": rule.wanted, "share": rule.share} for rule in current.overlaps],
        "first": [_kind_record(kind) for kind in current.first],
        "seed": current.seed,
        "version": current.version,
        "by": current.by,
        "at": current.at,
        "coverage": [as_json(place) for place in places],
        **({} if changed is None else {"changed": changed}),
    }
    lines = [f"{rule['wanted']} people review {rule['share']:.0%} of {_describe_kind(rule)}" for rule in record["overlaps"]]
    lines += [f"first: {_describe_kind(kind)}" for kind in record["first"]]
    show(session, options, record, lambda: join_lines(lines, "No rules: one person reviews each item, the oldest item first."))


def read_queue_rules(text: str, name: str) -> "QueueRules":
    """Parse the rules of the review queue from the YAML text of the file `name`. Raises BenchError if the text does not contain
    valid rules."""
    import yaml

    from workbench.annotate.queue.queueing import ItemKind, OverlapRule, QueueRules

    def read_kind(record: Any, *others: str) -> ItemKind:
        unknown = [key for key in record if key not in (*ItemKind._fields, *others)] if isinstance(record, dict) else [record]
        if unknown:
            fields = ", ".join((*ItemKind._fields, *others))
            raise BenchError(f"{name}: a rule has no field {str(unknown[0])[:60]!r}: its fields are {fields}.")
        return ItemKind(**{key: value for key, value in record.items() if key not in others})

    try:
        record = yaml.safe_load(text[:MAX_QUEUE_CHARACTERS]) or {}
    except yaml.YAMLError as error:
        raise BenchError(f"{name} is not YAML: write `overlaps:`, `first:` and `seed:`.") from error
    if not isinstance(record, dict) or not all(isinstance(record.get(key) or [], list) for key in ("overlaps", "first")):
        raise BenchError(f"{name} has no queue rules: write lists under `overlaps:` and `first:`, and a number under `seed:`.")
    if unknown := [key for key in record if key not in ("overlaps", "first", "seed")]:
        raise BenchError(
            f"{name} has an unknown field {str(unknown[0])[:60]!r}: the fields are `overlaps:`, `first:` and `seed:`."
        )
    overlaps = []
    for row in record.get("overlaps") or []:
        kind = read_kind(row, "wanted", "share")
        wanted, share, seed = row.get("wanted"), row.get("share", 1.0), record.get("seed", 0)
        if type(wanted) is not int or not isinstance(share, int | float) or type(seed) is not int:
            raise BenchError(f"{name}: a rule needs `wanted`, a whole number of people; `share` and `seed` must be numbers.")
        overlaps.append(OverlapRule(kind, wanted, float(share)))
    return QueueRules(tuple(overlaps), tuple(read_kind(row) for row in record.get("first") or []), record.get("seed", 0))


def _describe_kind(kind: dict[str, Any]) -> str:
    words = [f"{name} {kind[name]}" for name in ("task", "level", "domain", "language", "agent", "flag") if name in kind]
    return ", ".join(words) or "all items"


def _kind_record(kind: Any) -> dict[str, Any]:
    return {name: value for name, value in kind._asdict().items() if value is not None}


def targets(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.number is not None:
            if not options.task or not options.domain:
                raise BenchError("A target is set for a task and a domain: give --task and --domain.")
            cells = b.board.cells()
            own = [task.level for task in cells.tasks if task.task == options.task]
            if not own:
                raise BenchError(f"{options.task!r} is not a task for which a target can be set: `targets` lists the tasks.")
            if options.number != "none" and not options.number.isdigit():
                raise BenchError(f"A target is a whole number or none, not {options.number!r}.")
            level = own[0] if options.level is None else read_level(options.level)
            number = None if options.number == "none" else int(options.number)
            b.board.set_target(options.task, level, options.domain, number, options.spread)
        records = [
            {"task": task, "level": level, "domain": domain, **as_json(counts)}
            for (task, level), row in b.board.cells().cells.items()
            for domain, counts in row.items()
        ]
    lines = (
        f"{r['task']} {r['level'] or ''} in {r['domain']}: {r['accepted']} of {r['target'] or '–'} accepted" for r in records
    )
    show(session, options, {"targets": records}, lambda: join_lines(lines, "No items and no targets."))


def difficulty(session: Session, options: Namespace) -> None:
    from core.quality.difficulty import spread_record

    with session.bench(options) as b:
        rule = b.difficulty.rule()
        changes = {"metric": options.metric, "least": options.least, "systems": options.system and tuple(options.system)}
        if given := {name: value for name, value in changes.items() if value is not None}:
            b.difficulty.set_rule(rule._replace(**given))
            rule = b.difficulty.rule()
        record = spread_record(rule, wait_for(b.difficulty.spread))
        model = wait_for(b.difficulty.model)
    rows: Any = record["rows"]
    lines = [f"An item counts as solved from {rule.metric} {rule.least:g}, measured with {', '.join(rule.systems)}."]
    lines += [
        f"{'no level' if row['level'] is None else 'level ' + str(row['level'])}, {row['band'] or 'undefined'}: {row['items']}"
        for row in rows
    ]
    fitted = {"model": None if model.fit is None else as_json(model.fit), "why": model.why}
    show(session, options, {**record, **fitted}, "\n".join(lines))


def rules(session: Session, options: Namespace) -> None:
    weights: dict[str, Any] = parse_settings(options.weight)
    with session.bench(options) as b:
        if options.own_opinions is not None:
            b.adjudication.set_rule(options.own_opinions == "on", options.person)
        if options.rewriters is not None:
            b.rewrites.set_wanted(options.rewriters)
        if options.second_reader is not None:
            b.rewrites.set_second_reader(options.second_reader == "on")
        if options.robustness_model is not None:
            b.robustness.set_model(options.robustness_model)
        if options.grammar_checker is not None:
            b.grammar_checker.choose(options.grammar_checker)
        if weights:
            b.reports.set_weights({**b.reports.weights(), **weights})
        record: dict[str, Any] = {
            "own_opinions": b.adjudication.rule().is_on,
            "rewriters": b.rewrites.wanted,
            "second_reader": b.rewrites.needs_second_reader,
            "robustness_model": b.robustness.model(),
            "grammar_checker": b.grammar_checker.find_server(),
            "weights": b.reports.weights(),
        }
    lines = [f"{name.replace('_', ' ')}: {value}" for name, value in record.items() if name != "weights"]
    show(session, options, record, "\n".join([*lines, f"weights: {format_figures(record['weights'])}"]))


def show_guideline(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.guidelines.card(options.task)
    versions = [as_json(version) for version in card.versions]
    record = {"task": card.task, "text": card.text, "versions": versions}
    show(session, options, record, card.text or "No guideline.")


def save_guideline(session: Session, options: Namespace) -> None:
    text = read_text(session, options.file)
    with session.bench(options) as b:
        version = b.guidelines.save(options.task, text, by=options.person, note=options.note)
    show(session, options, as_json(version), f"Stored version {version.version} of the guideline.")


def show_consent(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        current = b.rewrites.consent.load_current()
        person = b.people.spell_name(options.person or session.person or "")
        agreed = b.rewrites.consent.find_unagreed(person) is None if person and current.text else None
    record = {**as_json(current), "agreed": agreed}
    show(session, options, record, current.text or "No consent text.")


def save_consent(session: Session, options: Namespace) -> None:
    text = read_text(session, options.file)
    with session.bench(options) as b:
        saved = b.rewrites.consent.change(text)
    show(session, options, as_json(saved), f"Stored version {saved.version} of the consent text.")


def agree_to_consent(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        b.rewrites.consent.agree(person, options.version)
    record = {"person": person, "agreed": options.version}
    show(session, options, record, f"{person}: agreed to version {options.version}.")


def read_text(session: Session, file: str) -> str:
    """Return the text of a file. Raises BenchError if the file is not encoded in UTF-8."""
    try:
        return paths.read_bytes(session.folder, file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BenchError(f"{file} is not UTF-8 text: save it as UTF-8.") from error


def read_rows(session: Session, file: str, wanted: str) -> list[tuple[int, dict[str, Any]]]:
    """Return (line number, object) for each line of a file of JSON lines. Raises BenchError at the first line that is not a
    JSON object; the error's message ends with `wanted`, which says what to write."""
    rows = []
    for line in read_objects(paths.find_file(session.folder, file)):
        if line.record is None:
            raise BenchError(f"{file}:{line.number} {line.why}: {wanted}.")
        rows.append((line.number, line.record))
    return rows


def show_own_work(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        record = _own_work_record(b, person)
        if options.seen:
            listed = [one["comment"] for one in record["mentions"]] + [str(one["version"]) for one in record["guidelines"]]
            for thing in listed if "all" in options.seen else options.seen:
                if thing not in listed:
                    raise BenchError(f"{thing} is not among the comments and guidelines that wait for {person}.")
                b.own_work.mark_seen(person, thing)
            record = _own_work_record(b, person)
    lines = [f"{one['page']}: {one['free']} waiting" for one in record["waiting"]]
    lines += [f"not submitted: {one['item']}  {one['question']}" for one in record["unsent"]]
    lines += [f"comment {one['comment']} on {one['item']}  {one['by']}: {one['text']}" for one in record["mentions"]]
    lines += [
        f"guideline {one['version']} of {one['task'] or 'all tasks'}  {one['by']}: {one['note']}".rstrip(": ")
        for one in record["guidelines"]
    ]
    show(session, options, record, lambda: join_lines(lines, f"Nothing waits for {person}."))


def _own_work_record(bench: "Workbench", person: str) -> dict[str, Any]:
    """Return the work that waits for a person, and the comments and guidelines that the person has not seen yet, as JSON."""
    guidelines = [as_json(version) for version in bench.own_work.list_changed_guidelines(person)]
    return {
        "waiting": as_json(bench.own_work.list_waiting(person)),
        "unsent": [{"item": one.item, "question": one.question} for one in bench.board.list_unsent_edits(person)],
        "mentions": as_json(bench.own_work.list_mentions(person)),
        "guidelines": [{name: one[name] for name in ("version", "task", "note", "by", "at")} for one in guidelines],
    }
