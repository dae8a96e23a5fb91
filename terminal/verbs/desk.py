"""Command-line verbs that do the same as the review page (the desk): they reserve the next item for a person and show what the
page shows, so that the person can then use `decide`, `adjudicate` or `rewrite`. The verbs hide from the person what the page
hides."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.ids import new_id
from core.installation import COMMAND
from terminal.choosing import find_person, read_level
from terminal.output import format_count, show
from terminal.session import Session, select_options

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.annotate.desk.desk_data import DeskData
    from workbench.annotate.queue.queueing import ItemKind
    from workbench.annotate.reviewing.conversations import ConversationCard
    from workbench.annotate.wordings.variant_sheet import VariantSheet
    from workbench.annotate.wordings.variants import VariantKind

ITEM_FIELDS = ("id", "revision", "status", "task", "level", "domain", "language", "question")
SHEET_FIELDS = (
    "kind",
    "text",
    "status",
    "generator",
    "edited_by",
    "asks",
    "guards",
    "flags",
    "making",
    "reasons",
    "held",
    "blocked",
    "decided",
    "said",
)
"""Fields of a VariantSheet that are copied unchanged to its record."""
WAITING_NOUNS = {"items": "item waits", "disputed": "disputed item waits", "variants": "variant waits"}


def open_next(session: Session, options: Namespace) -> None:
    after = options.after
    with session.bench(options) as b:
        person = find_person(b, options)
        if options.queue == "variants":
            variants = _read_variant_kind(options)
            record = _open_variant(b, b.variants.find_next(variants, person, after), person, variants)
        else:
            items = _read_item_kind(options)
            if options.queue == "disputed":
                found = b.adjudication.find_next(person, after, items)
            else:
                found = b.reviews.find_next(items, person, after)
            record = _open_item(b, found, person, items, options)
    _show(session, options, record, f"No {WAITING_NOUNS[options.queue]} for {person}.")


def open_next_rewrite(session: Session, options: Namespace) -> None:
    level = None if options.level is None else read_level(options.level)
    kind = _make_item_kind()._replace(level=level, **select_options(options, "task", "domain", "language"))
    with session.bench(options) as b:
        person = find_person(b, options)
        b.rewrites.consent.check_agreed(person)
        found = b.rewrites.find_next(kind, person, options.after)
        record: dict[str, Any] = {"item": None, "left": b.rewrites.count(kind, person).left}
        if found is not None:
            sheet = b.rewrites.sheet(found, person)
            item = {name: as_json(getattr(sheet.item, name)) for name in (*ITEM_FIELDS, "answers")}
            record |= {"item": item | {"evidence": as_json(sheet.evidence)}, "people": sheet.people, "wanted": sheet.wanted}
    nothing = f"No question waits for a rewrite of {person}."
    show(session, options, record, lambda: _describe_rewrite(record) if record["item"] else nothing)


def _describe_rewrite(record: dict[str, Any]) -> str:
    """Format a question that a person is to rewrite as text."""
    item = record["item"]
    head = f"{item['id']} r{item['revision']} {item['task']} {item['domain']}  ({record['left']} left)"
    lines = [head, f"  Q {item['question']}", f"  A {' | '.join(item['answers'])}"]
    lines += [f"  > {span['text']}" for span in item["evidence"]]
    return "\n".join([*lines, f"  {record['people']} of {record['wanted']} people have rewritten it."])


def open_previous(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person, before = find_person(b, options), options.before
        if options.queue == "variants":
            found = b.variants.find_previous(person, before)
        elif options.queue == "disputed":
            found = b.adjudication.find_previous(person, before)
        else:
            found = b.reviews.find_previous(person, before)
        record = _open(b, found, person, options)
    _show(session, options, record, f"{person} has no earlier decision.")


def open_item(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.queue != "variants" and b.item_list.find_variant(options.id) is not None:
            raise BenchError(f"{options.id} is a variant: give --queue variants.")
        record = _open(b, options.id, find_person(b, options), options)
    _show(session, options, record, "")


def reveal(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        data = b.reviews.reveal(options.item, person, options.text, None)
        left = b.desk_visits.load_bar(_make_item_kind(), person, options.item).left
        record = _desk_record(b, data, left, options.documents)
    _show(session, options, record, "")


def take_over(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        b.reviews.holds.take_over(options.item, person)
        record = _open_item(b, options.item, person, _make_item_kind(), options)
    _show(session, options, record, "")


def release(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        by = find_person(b, options)
        holder = b.people.spell_name(options.holder or by)
        b.reviews.holds.release(holder, by, options.item)
    record = {"released": options.item, "person": holder}
    show(session, options, record, f"{options.item or 'Every item'}: not reserved for {holder} any more.")


def skip(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        revision = b.reviews.desk(options.item, person).item.revision
        b.reviews.skips.skip(options.item, person, key=new_id(), revision=revision, reason=options.reason)
    show(session, options, {"skipped": options.item}, f"{options.item}: skipped.")


def change_rules(session: Session, options: Namespace) -> None:
    is_change = any(
        getattr(options, name) is not None for name in ("hold_minutes", "blind", "alone", "control", "qualification")
    )
    if options.passing is not None and options.qualification is None:
        raise BenchError("--passing changes nothing without --qualification: give both.")
    hides = options.blind is not None or options.alone is not None
    if options.seed is not None and not hides and options.control is None:
        raise BenchError("--seed changes nothing without --blind, --alone or --control: give one of them too.")
    with session.bench(options) as b:
        person = find_person(b, options) if is_change else ""
        stage = b.reviews
        if options.hold_minutes is not None:
            b.reviews.holds.set_minutes(options.hold_minutes)
        if hides:
            rule = stage.blind.rule()
            share = rule.share if options.blind is None else options.blind
            b.reviews.blind.set_rule(share, _pick(options.seed, rule.seed), person, options.alone)
        if options.control is not None:
            b.reviews.control_sampling.set_rule(
                options.control, _pick(options.seed, stage.control_sampling.rule().seed), person
            )
        if options.qualification is not None:
            b.reviews.qualification.set_rule(options.qualification, _pick(options.passing, options.qualification), person)
        blind, control, qualification = stage.blind.rule(), stage.control_sampling.rule(), stage.qualification.rule()
        record = {
            "hold_minutes": stage.holds.minutes,
            "blind": {"share": blind.share, "seed": blind.seed, "alone": blind.alone},
            "control": {"every": control.every, "seed": control.seed},
            "qualification": {"items": qualification.n, "passing": qualification.passing},
        }
    lines = [
        f"An item stays reserved for a person for {record['hold_minutes']} minutes without activity.",
        f"The answers of {blind.share:.0%} of the items are hidden at first.",
        f"{blind.alone:.0%} of the items are answered without their draft.",
        f"One item in {control.every} is a control item." if control.every else "No item is a control item.",
        f"Qualification: {qualification.passing} of {qualification.n} right." if qualification.n else "No qualification.",
    ]
    show(session, options, record, "\n".join(lines))


def _pick(given: int | None, default: int) -> int:
    return default if given is None else given


def exempt(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        by = find_person(b, options)
        b.reviews.qualification.excuse(options.name, by)
        name = b.people.spell_name(options.name)
    show(session, options, {"exempted": name}, f"{name}: exempted from the qualification test.")


def _read_item_kind(options: Namespace) -> "ItemKind":
    if options.kind is not None:
        raise BenchError("--kind filters variants: give it with --queue variants.")
    level = None if options.level is None else read_level(options.level)
    return _make_item_kind()._replace(level=level, **select_options(options, "task", "domain", "language", "agent", "flag"))


def _make_item_kind() -> "ItemKind":
    from workbench.annotate.queue.queueing import ItemKind

    return ItemKind()


def _read_variant_kind(options: Namespace) -> "VariantKind":
    from workbench.annotate.wordings.variants import CLEAN, FLAGGED

    if unfit := [name for name in ("level", "language", "agent") if getattr(options, name) is not None]:
        raise BenchError(f"--{unfit[0]} filters items, not variants: leave it out.")
    if options.flag not in (None, CLEAN, FLAGGED):
        raise BenchError(f"With --queue variants, --flag must be {FLAGGED} or {CLEAN}, not {options.flag}.")
    return _make_variant_kind()._replace(**select_options(options, "kind", "task", "domain", "flag"))


def _make_variant_kind() -> "VariantKind":
    from workbench.annotate.wordings.variants import VariantKind

    return VariantKind()


def _open(bench: "Workbench", found: str | None, person: str, options: Namespace) -> dict[str, Any]:
    """Reserve the item or variant for the person and return what its page shows; the number of waiting entries includes all
    tasks and domains."""
    if options.queue == "variants":
        return _open_variant(bench, found, person, _make_variant_kind())
    return _open_item(bench, found, person, _make_item_kind(), options)


def _open_variant(bench: "Workbench", found: str | None, person: str, kind: "VariantKind") -> dict[str, Any]:
    """Reserve the variant `found` for the person and return what the page Variants shows for it. If `found` is None, return a
    record without a variant."""
    if found is None:
        return {"variant": None, "left": 0}
    sheet = bench.variants.sheet(found, person)
    bench.variants.hold(found, person)
    return variant_sheet_record(sheet, bench.variants.progress(kind, person).left)


def _open_item(bench: "Workbench", found: str | None, person: str, kind: "ItemKind", options: Namespace) -> dict[str, Any]:
    """Reserve the item `found` for the person and return what the desk shows for it. If `found` is None, return a record
    without an item."""
    from workbench.annotate.reviewing import phases

    if found is None:
        return {"item": None, "left": 0}
    is_disputed = options.queue == "disputed"
    data = bench.adjudication.desk(found, person) if is_disputed else bench.reviews.desk(found, person)
    if phases.is_waiting(data.item):
        raise BenchError(f"{found} waits for its review in two phases: `{COMMAND} phases next` shows such questions.")
    if is_disputed:
        bench.adjudication.hold(found, person)
        left: int | None = bench.adjudication.count_disputed(person, kind).left
    else:
        bench.reviews.holds.hold(found, person)
        left = bench.desk_visits.load_bar(kind, person, found).left
    return _desk_record(bench, data, left, options.documents)


def _show(session: Session, options: Namespace, record: dict[str, Any], when_empty: str) -> None:
    if record.get("variant"):
        show(session, options, record, lambda: describe_variant(record))
    else:
        show(session, options, record, lambda: _describe_item(record) if record.get("item") else when_empty)


def _desk_record(bench: "Workbench", data: "DeskData", left: int | None, with_documents: bool) -> dict[str, Any]:
    """Return what the desk shows for an item as JSON. `left` is the number of items that wait for the person; None = not shown
    during qualification."""
    item, documents = data.item, [as_json(document) for document in data.documents]
    evidence = [
        as_json(span) | {"text": bench.reviews.document(span.document).text[span.start : span.end]} for span in item.evidence
    ]
    if with_documents:
        documents = [document | {"text": bench.reviews.document(document["id"]).text} for document in documents]
    head = {name: as_json(getattr(item, name)) for name in ITEM_FIELDS}
    return {
        "item": head | {"answers": list(item.answers), "evidence": evidence, "labels": as_json(item.labels)},
        "blind": data.blind,
        "alone": data.alone,
        "own_answer": as_json(data.own_answer),
        "guideline": data.guideline and {"version": data.guideline.version, "text": data.guideline.text},
        "documents": documents,
        "verdicts": as_json(data.verdicts),
        "claims": as_json(data.claims),
        "label_questions": as_json(data.label_questions),
        "reasons": list(data.reasons),
        "comments": as_json(data.comments.thread),
        "opinions": as_json(data.opinions.given) if data.opinions else [],
        "decision": as_json(data.decision),
        "feedback": as_json(data.feedback),
        "held": as_json(data.held),
        "left": left,
    }


def _describe_item(record: dict[str, Any]) -> str:
    """Format what the desk shows for an item as text."""
    item = record["item"]
    head = f"{item['id']} r{item['revision']} {item['status']} {item['task']} {item['domain']}"
    lines = [head if record["left"] is None else f"{head}  ({record['left']} left)", f"  Q {item['question']}"]
    if record["alone"]:
        shown = f"(answered without the draft: `{COMMAND} decide {item['id']} accept --answer TEXT --evidence PASSAGE`)"
    elif record["blind"]:
        shown = f"(hidden: write your own answer first, with `{COMMAND} desk reveal`)"
    else:
        shown = " | ".join(item["answers"])
    lines.append(f"  A {shown}")
    lines += [f"  > {span['text']}" for span in item["evidence"]]
    lines += [
        f"  {v['gate']}: {v['outcome']}  {v['why']}" for v in record["verdicts"] if v["outcome"] not in ("pass", "not run")
    ]
    lines += [f"  {o['letter']}  {o['decision']}  {o['reason']}  Q {o['question']}" for o in record["opinions"]]
    lines += [f"  {one['person']}: {one['text']}" for one in record["comments"] if not one["taken_back"]]
    if record["feedback"]:
        lines.append(f"  {record['feedback']['did']} Expected: {record['feedback']['expected']} {record['feedback']['why']}")
    if record["held"]:
        lines.append(f"  This item is now reserved for {record['held']['by']}.")
    lines += [f"\n{document['title']}\n{document['text']}" for document in record["documents"] if "text" in document]
    return "\n".join(lines)


def variant_sheet_record(sheet: "VariantSheet", left: int) -> dict[str, Any]:
    """Return what the page Variants shows for a variant as JSON. `left` is the number of variants that wait for the person."""
    original = {"id": sheet.original.id, "question": sheet.original.question, "answers": list(sheet.original.answers)}
    fields = {name: as_json(getattr(sheet, name)) for name in SHEET_FIELDS}
    return {"variant": {**as_json(sheet.item), **fields, "original": original}, "left": left}


def describe_variant(record: dict[str, Any]) -> str:
    """Format what the page Variants shows for a variant as text."""
    variant = record["variant"]
    lines = [f"{variant['id']} {variant['status']} {variant['kind']}  ({record['left']} left)", f"  {variant['asks']}"]
    lines += [f"  Q {variant['original']['question']}", f"  V {variant['text']}"]
    lines.append(f"  A {' | '.join(variant['original']['answers'])}")
    lines += [f"  {flag['flag']}: {flag['about']}" for flag in variant["flags"]]
    if variant["held"]:
        lines.append(f"  This variant is now reserved for {variant['held']['by']}.")
    return "\n".join(lines + [f"  {variant['blocked']}"] * bool(variant["blocked"]))


def list_conversations(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        page = b.conversation_reviews.page(options.state, options.page)
    lines = [f"{one.id}  {one.state}, {format_count(one.turns, 'turn')}  {one.first_question}" for one in page.lines]
    record = {"conversations": as_json(page.lines), "total": page.total, "counts": dict(page.counts)}
    show(session, options, record, "\n".join(lines) or "No conversations.")


def show_conversation(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        card = b.conversation_reviews.load(options.conversation)
    _show_card(session, options, card)


def decide_conversation(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        card = b.conversation_reviews.decide(options.conversation, options.decision, person=person, reason=options.reason)
    _show_card(session, options, card)


def _show_card(session: Session, options: Namespace, card: "ConversationCard") -> None:
    turns = [
        {
            "item": one.item.id,
            "turn": one.turn.number,
            "status": one.item.status,
            "question": one.item.question,
            "standalone": one.turn.standalone or None,
            "answers": list(one.item.answers),
            "evidence": [{"title": title, "text": text} for title, text in one.evidence],
            "unfit": one.why_unfit or None,
        }
        for one in card.turns
    ]
    record = {"id": card.id, "goal": card.goal, "state": card.state, "lacking": card.lacking, "turns": turns}
    lines = [f"{card.id}  {card.state}  {card.goal}".rstrip()]
    for one in card.turns:
        answer = one.item.answers[0] if one.item.answers else "no answer"
        lines.append(f"{one.turn.number}. {one.item.question}  [{answer}]  {one.item.status}, {one.item.id}")
        lines += [f"   Standalone: {one.turn.standalone}"] if one.turn.standalone else []
        lines += [f"   Evidence, {title or 'without a title'}: {' '.join(text.split())}" for title, text in one.evidence]
        lines += [f"   The follow-up {one.why_unfit}."] if one.why_unfit else []
    show(session, options, record, "\n".join(lines))
