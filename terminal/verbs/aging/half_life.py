"""Command-line verbs that ask the questions of a release again of newer tables and pages, and show how its answers age."""

import datetime
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from core.as_json import as_json
from core.errors import BenchError
from terminal import paths
from terminal.choosing import join_lines
from terminal.output import format_count, show, show_end
from terminal.session import Session, assign_batch

if TYPE_CHECKING:
    from workbench.release.uploads import Upload


def check(session: Session, options: Namespace) -> int:
    from workbench.evaluate.half_life.half_life import HalfLifeRequest

    with session.bench(options) as b, ExitStack() as files:
        request = HalfLifeRequest(
            release=options.release,
            at=options.at or str(datetime.datetime.now(datetime.UTC).date()),
            tables=[_open_file(path, files) for path in _list_files(session, options.tables)],
            pages=[_open_file(path, files) for path in _list_files(session, options.pages)],
            agent=paths.agent(session.folder, options.agent) if options.agent else None,
            budget=options.budget,
            settings=paths.settings(session.folder, options.set),
        )
        job = b.half_life.plan(request)
        assign_batch(session, b, job, options)
        result = session.finish(b, job)
    return show_end(session, options, {"job": job, **result})


def show_curve(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.half_life.report(options.release, options.tolerance, "json" if options.json else options.format)
    session.write_out(text)


def list_checks(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        found = b.half_life.list_checks(options.release)
    lines = (
        f"{one.id}  {one.on}  {format_count(len(one.inputs['tables']), 'table')}, "
        f"{format_count(len(one.inputs['pages']), 'page')}  {one.inputs['agent'] or 'no agent'}  made {one.at}"
        for one in found
    )
    show(session, options, {"checks": [one.record() for one in found]}, lambda: join_lines(lines, "No half-life checks."))


def show_answers(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        text = b.half_life.render_answers(options.release, options.check, "json" if options.json else options.format)
    session.write_out(text)


def contest(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        made = b.half_life.contest(options.release, options.check, options.person)
    gone = f" {format_count(made.gone, 'question')} without an answer now: not contested." if made.gone else ""
    show(
        session,
        options,
        as_json(made),
        f"{format_count(len(made.contests), 'contest')} made, one for each changed answer.{gone}",
    )


def _list_files(session: Session, names: Sequence[str]) -> Iterator[Path]:
    """Yield the files that are named, and the files in the folders that are named, sorted by name."""
    for name in names:
        path = paths.find_file(session.folder, name)
        if not path.exists():
            raise BenchError(f"{name} does not exist: give the path of a file or folder that does.")
        yield from sorted(inside for inside in path.iterdir() if inside.is_file()) if path.is_dir() else [path]


def _open_file(path: Path, files: ExitStack) -> "Upload":
    from workbench.release.uploads import Upload

    if not path.is_file():
        raise BenchError(f"{path.name} is no regular file, such as a pipe or a device: give a file.")
    try:
        return Upload(path.name, files.enter_context(path.open("rb")), path.stat().st_size)
    except OSError as error:
        raise BenchError(f"{path.name} cannot be read ({error.strerror}): give a file that can.") from error
