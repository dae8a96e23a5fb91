"""Command-line verbs for question templates, which are filled with values from the rows of tables."""

import json
from argparse import Namespace
from pathlib import Path
from typing import Any

from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import find_person, join_lines
from terminal.output import show, show_end
from terminal.session import Session, select_options


def list_templates(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        record: dict[str, Any] = {
            "templates": [
                {**as_json(one), "earlier": [as_json(version) for version in b.templates.versions(one.id)]}
                for one in b.templates.list_templates()
            ],
            "seasons": [as_json(card) for card in b.seasons.list_seasons()],
            "proposals": [as_json(one) for one in b.proposals.list_waiting()],
        }
    lines = [f"{t['id']}  version {t['version'][:12]}  {t['record'].get('question', '')}" for t in record["templates"]]
    lines += [f"season {s['season']['record']['id']}" for s in record["seasons"]]
    lines += [f"proposal {p['id']}  {p['content'].get('question', '')}" for p in record["proposals"]]
    show(session, options, record, lambda: join_lines(lines, "No templates."))


def save(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        names = b.templates.add_file(paths.find_file(session.folder, options.file))
    show(session, options, {"templates": names}, f"Templates stored: {', '.join(names)}.")


def use(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.templates.use_version(options.id, options.version)
    show(session, options, select_options(options, "id", "version"), f"{options.id}: version {options.version[:12]} is in use.")


def remove(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.templates.remove(options.id)
    show(session, options, {"removed": options.id}, f"{options.id}: removed.")


def refresh(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        job = b.seasons.plan_refresh(options.season)
        result = session.finish(b, job)
        changes = [as_json(change) for change in b.seasons.list_changes(job)]
    return show_end(session, options, {"job": job, **result, "changes": changes})


def propose(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        agent = paths.agent(session.folder, options.agent)
        job = b.proposals.plan(agent, options.count, **select_options(options, "language", "seed", "budget"))
        result = session.finish(b, job)
        refused = [as_json(one) for one in b.proposals.list_refused(job)]
        waiting = [as_json(one) for one in b.proposals.list_waiting()]
    return show_end(session, options, {"job": job, **result, "refused": refused, "waiting": waiting})


def approve(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        if options.file is None:
            stored = b.proposals.approve(options.person, options.id)
        else:
            record = _read_template(paths.find_file(session.folder, options.file))
            b.templates.preview(record, n=1)  # a template that does not fit the tables is refused before the proposal is taken
            person = find_person(b, options)
            b.templates.keep(person, b.proposals.take(person, options.id), record)
            stored = b.templates.hand_in(person, options.id)
    show(session, options, as_json(stored), f"{stored.id}: stored.")


def _read_template(file: Path) -> dict[str, Any]:
    """Read a question template from a JSON file. Raises BenchError if the file does not contain a JSON object."""
    try:
        record = json.loads(file.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise BenchError(
            f"{file.name} does not contain a template: write one JSON object with id, table, text, slots and answer."
        )
    return record


def turn_down(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        b.proposals.turn_down(options.id)
    show(session, options, {"turned_down": options.id}, f"{options.id}: rejected.")
