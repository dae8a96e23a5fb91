"""Command-line verbs for the boards of sealed releases."""

from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from terminal import paths
from terminal.choosing import split_names
from terminal.output import format_count, show
from terminal.session import Session

if TYPE_CHECKING:
    from workbench.release.boards.sealed_boards import BoardView


def show_board(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        view = b.sealed_boards.view(options.release)
    show(session, options, view.record(), lambda: "\n".join(_render_board(view)))


def submit(session: Session, options: Namespace) -> None:
    raw = paths.read_bytes(session.folder, options.predictions)
    with session.bench(options) as b:
        taken = b.sealed_boards.submit(options.release, raw, Path(options.predictions).name, options.system, options.person)
        result = session.finish(b, taken.job)
    known = "was on record already" if taken.already else "is on record"
    text = f"{result['message']} It {known}; {format_count(taken.left, 'further submission')} this week. Receipt: {taken.hash}"
    show(session, options, {**taken.record(), "metrics": result["metrics"]}, text)


def set_rules(session: Session, options: Namespace) -> None:
    metrics = split_names(options.metrics) or None
    with session.bench(options) as b:
        if metrics is None and options.per_week is None:
            rules = b.sealed_boards.view(options.release).rules
        else:
            rules = b.sealed_boards.set_rules(options.release, metrics, options.per_week)
    text = f"{', '.join(rules.metrics)}; {format_count(rules.per_week, 'submission')} of a person in seven days."
    show(session, options, {"metrics": list(rules.metrics), "per_week": rules.per_week}, text)


def write_record(session: Session, options: Namespace) -> None:
    with session.bench(options) as b:
        n = b.sealed_boards.write_record(options.release, paths.find_file(session.folder, options.out))
    show(session, options, {"entries": n}, f"{options.out} has the record of the board up to entry {n}.")


def open_seal(session: Session, options: Namespace) -> None:
    out = None if options.out is None else paths.find_file(session.folder, options.out)
    with session.bench(options) as b:
        entry = b.sealed_boards.open(options.release, out)
    where = f" Its gold answers and salts are in {options.out}." if options.out else ""
    text = f"The seal of {options.release} was opened on {entry.at[:16].replace('T', ' ')} UTC.{where} Exports have both now."
    show(session, options, entry.record(), text)


def verify(session: Session, options: Namespace) -> int:
    with session.bench(options) as b:
        problems = b.sealed_boards.verify(options.release, options.receipt)
    lines = [f"{one.where}: {one.message}" for one in problems]
    record = {"ok": not problems, "problems": [asdict(one) for one in problems]}
    show(session, options, record, "\n".join([*lines, "ok" if not lines else f"{len(lines)} problems"]))
    return int(bool(problems))


def _render_board(view: "BoardView") -> Iterator[str]:
    state = f"opened on {view.opened.at[:10]}" if view.opened else "closed"
    yield (
        f"{view.release} {view.hash}: {format_count(view.items, 'sealed item')} ({', '.join(view.splits)}), the seal is "
        f"{state}; {format_count(view.rules.per_week, 'submission')} of a person in seven days."
    )
    for line in view.lines:
        place = f"{line.rank}." if line.rank else "–"
        means = ", ".join(f"{name} {line.describe_score(name)}" for name in view.rules.metrics)
        notes = [f"{line.counts[name]} {name}" for name in ("failed", "missing") if line.counts[name]]
        notes += [] if line.sealed else ["after the seal was opened"]
        about = f" ({', '.join(notes)})" if notes else ""
        who = f"{line.person}, {line.at[:10]}, entry {line.number}"
        yield f"{place:4} {line.system} ({who}): {means}{about}"
    if not view.lines:
        yield "No submissions."
    yield f"The record ends with entry {view.entries}: {view.head}"
