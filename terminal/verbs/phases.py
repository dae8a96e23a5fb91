"""Command-line verbs for the review of web questions in two phases: first the labels, then the answers. The answers stay hidden
until the labels are decided. The opinions of other people stay hidden, except from a person who decides between two
opinions."""

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError
from core.ids import new_id
from core.quality import crag
from terminal.choosing import find_person, join_lines
from terminal.output import show
from terminal.session import Session

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.annotate.reviewing.phases import PhaseSheet

OPTIONS = {
    "question": "question",
    "domain": "domain",
    "question_type": "question-type",
    "static_or_dynamic": "static-or-dynamic",
    "popularity": "popularity",
    "answers": "answer",
    "answer_url": "answer-url",
}
"""A dict from each value that people review to the option that changes it, without its dashes."""


def open_next(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        person = find_person(b, options)
        sheet = b.phases.find_next(person, resolves=options.conflicts, after=options.after)
        record = {"item": None, "left": 0} if sheet is None else _sheet_record(b, sheet)
    nothing = "No opinions differ." if options.conflicts else f"No question waits for {person}."
    show(session, options, record, lambda: _describe_sheet(record) if record["item"] else nothing)


def _sheet_record(bench: "Workbench", sheet: "PhaseSheet") -> dict[str, Any]:
    """Return what the page Two phases shows for a question as JSON. In the label phase, the JSON has no answers."""
    item = sheet.item
    labels = {name: item.labels.get(name) for name in crag.LABELS}
    texts = {page.document: bench.corpus.document(page.document).text for page in sheet.pages if page.document}
    return {
        "item": item.id,
        "phase": sheet.phase,
        "question": item.question,
        "domain": item.domain,
        "labels": as_json(labels),
        "query_time": item.labels.get("query_time") or None,
        "values": as_json(sheet.values),
        "opinions": as_json(sheet.opinions),
        "pages": [{**as_json(page), "text": texts.get(page.document or "")} for page in sheet.pages],
        "left": sheet.left,
    }


def _describe_sheet(record: dict[str, Any]) -> str:
    lines = [f"{record['item']}  {record['phase']}  ({record['left']} left)", f"  Q {record['question']}"]
    lines += [f"  {name}: {_join(value)}" for name, value in record["values"].items() if name != "question"]
    lines.append(f"  asked at: {record['query_time'] or 'no time given'}")
    for opinion in record["opinions"]:
        said = ", ".join(f"{name} {_join(value)}" for name, value in opinion["values"].items())
        lines.append(f"  {opinion['person']}: {said}  {opinion['comment']}")
    lines += [f"\n{page['rank']}. {page['title']}  {page['url']}\n{page['text'] or ''}" for page in record["pages"]]
    return "\n".join(map(str.rstrip, lines))


def _join(value: Any) -> str:
    return " | ".join(map(str, value)) if isinstance(value, list) else str(value or "–")


def say(session: Session, options: Namespace) -> None:
    from workbench.annotate.reviewing.phase_values import FIELDS
    from workbench.annotate.reviewing.phases import PhaseOpinion

    own = FIELDS[options.phase]
    given = {name: getattr(options, name) for name in OPTIONS if getattr(options, name) is not None}
    if other := [name for name in given if name not in own]:
        takes = ", ".join(f"--{OPTIONS[name]}" for name in own)
        raise BenchError(f"The phase {options.phase} does not accept --{OPTIONS[other[0]]}: it accepts {takes}.")
    if given and options.discard:
        raise BenchError("A discarded question keeps its values: leave out the options that change values.")
    with session.bench(options) as b:
        person = find_person(b, options)
        sheet = b.phases.sheet(options.item, person)
        if sheet.phase != options.phase:
            raise BenchError(f"{options.item} is in the phase {sheet.phase}, not {options.phase}: `phases next` shows it.")
        values = None if options.discard else {**sheet.values, **given}
        opinion = PhaseOpinion(new_id(), person, options.item, options.phase, values, options.reason)
        effect = b.phases.say(opinion)
    record = {"item": options.item, "phase": options.phase, "effect": effect}
    show(session, options, record, f"{options.item}: {effect}.")


def report(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        rates: list[dict[str, Any]] = [as_json(one) for one in b.phases.rates()]
    lines = (f"{r['phase']}: {r['open']} open, {r['conflicts']} in conflict, {r['done']} settled" for r in rates)
    show(session, options, {"phases": rates}, lambda: "\n".join(lines))


def list_doubts(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        doubts: list[dict[str, Any]] = [as_json(one) for one in b.phases.list_doubts(options.run)]
    lines = (f"{d['item']}  {d['why']}  Q {d['question']}" for d in doubts)
    show(session, options, {"doubts": doubts}, lambda: join_lines(lines, "No gold answer is doubtful."))
