"""Command-line verbs for the request files that --batch writes: they send the files, show the state of their batches, and
collect the replies."""

from argparse import Namespace
from pathlib import Path
from typing import Any

from core.as_json import as_json
from terminal import paths
from terminal.output import show
from terminal.session import Session
from terminal.verbs.evaluate import LEDGER_FILE, SCORE_COMMAND_FILE, read_command, score
from workbench.setup.batches import BatchFolder


def submit(session: Session, options: Namespace) -> None:
    folder = find_folder(session, options)
    with session.bench(options) as b:
        found = b.batches.submit(str(folder))
    show(session, options, found, lambda: folder_lines(found))


def status(session: Session, options: Namespace) -> None:
    folder = find_folder(session, options)
    with session.bench(options) as b:
        found = b.batches.status(str(folder))
    show(session, options, found, lambda: folder_lines(found))


def collect(session: Session, options: Namespace) -> int:
    folder = find_folder(session, options)
    results: list[dict[str, Any]] = []
    with session.bench(options) as b:
        found = b.batches.collect(str(folder), [paths.find_file(session.folder, path) for path in options.replies])
        # an earlier `collect` may have stored the replies and then ended before their jobs ran
        goes_on = found.has_news or not found.waiting
        jobs = b.batches.load_folder(str(folder)).jobs if goes_on else []
        for job in jobs:
            results.append({"job": job, **session.finish(b, job)})
    session.say(found.describe())
    if goes_on and (folder / SCORE_COMMAND_FILE).is_file():
        return score(session, Namespace(**read_command(folder / SCORE_COMMAND_FILE), json=options.json))
    show(session, options, {**as_json(found), "jobs": results}, lambda: "\n".join(r["message"] or "Done." for r in results))
    if not goes_on:
        return 1
    return int(any(result["stopped"] for result in results))


def find_folder(session: Session, options: Namespace) -> Path:
    """Return the folder that the options name. If `score --batch` wrote the folder and no workspace is given, set the workspace
    option to the folder's ledger file."""
    folder: Path = paths.find_file(session.folder, options.folder).resolve()
    if options.workspace is None and (folder / LEDGER_FILE).is_file():
        options.workspace = str(folder / LEDGER_FILE)
    return folder


def folder_lines(found: BatchFolder) -> str:
    """Format the request files of a --batch folder as text, one line for each file with the state of its batch."""
    lines = []
    for file in found.files:
        batch = f" as {file.batch}: {file.status}" if file.batch else f": {file.status}, not sent"
        answered = f", {file.answered:,} answered" if file.answered else ""
        lines.append(f"{file.name}: {file.requests:,} requests to {file.endpoint}, {file.waiting:,} waiting{batch}{answered}")
    price = ""
    if found.price_usd is not None and found.price_now_usd is not None and found.waiting:
        price = f"; at most {found.price_usd:.4g} USD in a batch, {found.price_now_usd:.4g} USD asked now"
    lines.append(f"{found.waiting:,} requests wait{price}.")
    return "\n".join(lines)
