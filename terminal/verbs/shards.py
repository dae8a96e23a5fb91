"""Command-line verbs that do one shard (part) of some work, such as a run, and that gather the results of all shards."""

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.catalog import pick
from core.errors import BenchError
from core.ids import Shard, content_hash, parse_shard
from terminal import paths
from terminal.choosing import split_names
from terminal.output import describe_scores, format_count, run_line, show, show_json
from terminal.planning import build_request
from terminal.session import Session, select_options
from workbench.evaluate.shards.shards import TABLES, GatheredShards
from workbench.settings import check_known, parse_settings

if TYPE_CHECKING:
    from workbench.build.varying.varying import VaryRequest

WORKSPACE = "work.duckdb"
"""Name of the workspace file that each shard has in its folder."""
MAX_NAMES = 20


def open_out(session: Session, options: Namespace) -> tuple[Shard, Path]:
    """Return the shard that the options name and its folder, which is created if it does not exist. Also set the workspace
    option to the shard's workspace file in that folder."""
    shard = parse_shard(options.shard or "")
    if not options.out:
        raise BenchError("--shard needs --out FOLDER, a folder for the shard's results.")
    if getattr(options, "batch", None) is not None:
        raise BenchError(
            "A shard sends each request directly, so --batch and --shard cannot be combined: leave out one of them."
        )
    if options.workspace is not None:
        raise BenchError("A shard has its own workspace in the folder of --out: leave out --workspace.")
    out = paths.find_file(session.folder, options.out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BenchError(f"{out} cannot be created ({error.strerror}): give another folder with --out.") from error
    options.workspace = str(out / WORKSPACE)
    return shard, out


def find_release_folder(session: Session, options: Namespace) -> Path:
    """Return the folder of the exported release that the options name. Raises BenchError if there is no such folder."""
    folder: Path = paths.find_file(session.folder, options.release)
    if not folder.is_dir():
        raise BenchError(f"{options.release} is not a folder: --shard needs the folder of an exported release, see `export`.")
    return folder


def run_shard(session: Session, options: Namespace) -> int:

    if options.retry_failed:
        raise BenchError(
            "A shard cannot repeat failed questions: gather the shards, then repeat this run with --retry-failed, not --shard."
        )
    folder = find_release_folder(session, options)
    shard, out = open_out(session, options)
    with session.bench(options) as b:
        name = b.shards.open_release(folder, shard, options.sample)
        job = b.shards.plan(build_request(session, options, name), shard)
        result = session.finish(b, job)
        manifest = b.shards.write_results(job, out, result["stopped"] is None) if result["run"] else None
    text = f"Shard {shard}: {run_line(result)}" + (f" Results in {options.out}." if manifest else "")
    if options.json:
        show_json(session, {**result, "shard": as_json(manifest)})
    else:
        session.write_out(f"{text}\n")
    if result["stopped"] and options.json:
        session.say(text)
    return 1 if result["stopped"] else 0


def vary_shard(session: Session, options: Namespace, request: "VaryRequest") -> int:
    if not options.release:
        raise BenchError("--shard needs an exported release: give its folder with --release.")
    folder = find_release_folder(session, options)
    shard, out = open_out(session, options)
    request = replace(request, release=None)
    result: dict[str, Any] = {"stopped": None, "message": ""}
    with session.bench(options) as b:
        b.shards.open_items(folder, shard, request.params)
        if request.list_items(b.database):
            result = session.finish(b, b.vary.plan(request))
        manifest = b.shards.write_variants(folder, shard, out, content_hash(request.params), result["stopped"] is None)
    text = f"Shard {shard}: {format_count(manifest.counts['variants'], 'variant')}. Results in {options.out}."
    return _show_shard(session, options, result, manifest, text)


def embed(session: Session, options: Namespace) -> int:
    folder = find_release_folder(session, options)
    shard, out = open_out(session, options)
    with session.bench(options) as b:
        manifest = b.embed_shards.embed(folder, shard, out, paths.settings(session.folder, options.set), session.say)
    text = f"Shard {shard}: {format_count(manifest.counts['passages'], 'passage')} embedded. Vectors in {options.out}."
    show(session, options, manifest, text)
    return 0


def draft_shard(session: Session, options: Namespace, request: dict[str, Any]) -> int:
    from workbench.evaluate.shards.draft_shards import copy_corpus

    if not options.corpus:
        raise BenchError("--shard drafts from a copy of a workspace: make one with `backup`, and give it with --corpus.")
    corpus = paths.find_file(session.folder, options.corpus)
    shard, out = open_out(session, options)
    hash_ = copy_corpus(corpus, Path(options.workspace))
    with session.bench(options) as b:
        job = b.draft_shards.plan(shard, hash_, request)
        result = session.finish(b, job)
        manifest = b.draft_shards.write_replies(job, out, corpus, result["stopped"] is None)
    text = f"Shard {shard}: {format_count(manifest.counts['windows'], 'window')} tried. Replies in {options.out}."
    return _show_shard(session, options, result, manifest, text)


def _show_shard(session: Session, options: Namespace, result: dict[str, Any], manifest: object, text: str) -> int:
    """Show the result of a shard's job, and why it stopped, if it did; return the exit code."""
    show(session, options, {**result, "shard": as_json(manifest)}, text)
    if result["stopped"]:
        session.say(result["message"])
    return 1 if result["stopped"] else 0


def score_shard(session: Session, options: Namespace) -> int:
    from workbench.evaluate.shards import score_shards

    shard, out = open_out(session, options)
    manifest = score_shards.score_shard(
        paths.find_file(session.folder, options.predictions),
        shard,
        out,
        Path(options.workspace),
        metrics=split_names(options.metrics),
        judges=paths.agents(session.folder, options.judge or []),
        settings=paths.settings(session.folder, options.set),
        say=session.say,
        **select_options(options, "language", "votes", "budget"),
    )
    text = f"Shard {shard}: {format_count(manifest.counts['asked'], 'line')} scored. Results in {options.out}."
    show(session, options, manifest, text)
    return 0


def gather(session: Session, options: Namespace) -> int:
    from workbench.evaluate.shards.shards import read_manifests

    folders = [paths.find_file(session.folder, path) for path in options.path]
    for path, folder in zip(options.path, folders, strict=True):
        if not folder.exists():
            raise BenchError(f"{path} does not exist: give the folders that --shard wrote with --out.")
    found, _ = read_manifests(folders)
    if {manifest.verb for manifest in found.values()} == {"score"}:
        return _gather_scores(session, options, folders)
    if {manifest.verb for manifest in found.values()} == {"draft"}:
        return _gather_drafts(session, options, folders)
    if {manifest.verb for manifest in found.values()} == {"embed"}:
        return _gather_vectors(session, options, folders)
    with session.bench(options) as b:
        gathered = b.shards.gather(folders, paths.find_file(session.folder, options.release) if options.release else None)
    show(session, options, gathered, "\n".join(_describe_gathered(gathered)))
    return 0


def _gather_scores(session: Session, options: Namespace, folders: Sequence[Path]) -> int:
    from workbench.evaluate.shards.score_shards import gather_scores

    report: dict[str, Any] = gather_scores(folders)
    shards = report["shards"]
    lines = [*describe_scores(report), *_list_missing(shards["missing"], shards["of"]), *_list_gaps(shards["unfinished"], [])]
    show(session, options, report, "\n".join(lines))
    return 0


def _gather_drafts(session: Session, options: Namespace, folders: Sequence[Path]) -> int:
    """Store the replies of the shards in the workspace and, once no shard is missing, draft items from the replies."""
    result: dict[str, Any] = {"stopped": None, "message": ""}
    with session.bench(options) as b:
        gathered = b.draft_shards.gather(folders)
        if gathered.is_complete and not gathered.is_done:
            result = session.finish(b, gathered.job)
    shards = f"{format_count(len(gathered.shards), 'shard')} of {gathered.of}"
    lines = [f"Gathered {shards}: {gathered.replies.taken:,} replies; {gathered.replies.already:,} already there."]
    lines += [*_list_gaps(gathered.unfinished, gathered.stopped), *_list_missing(gathered.missing_shards, gathered.of)]
    lines += [result["message"]] if result["message"] else []
    if gathered.is_done:
        lines.append(f"Job {gathered.job} has already drafted items from these replies.")
    show(session, options, {**as_json(gathered), **result}, "\n".join(lines))
    return 1 if result["stopped"] else 0


def _gather_vectors(session: Session, options: Namespace, folders: Sequence[Path]) -> int:
    with session.bench(options) as b:
        gathered = b.embed_shards.gather(folders)
    shards = f"{format_count(len(gathered.shards), 'shard')} of {gathered.of}"
    lines = [f"Gathered {shards}: {gathered.vectors.taken:,} vectors; {gathered.vectors.already:,} already there."]
    lines += [*_list_gaps(gathered.unfinished, []), *_list_missing(gathered.missing_shards, gathered.of)]
    show(session, options, gathered, "\n".join(lines))
    return 0


def _list_gaps(unfinished: Sequence[str], stopped: Sequence[int]) -> list[str]:
    """Return a line for each folder without results and, if shards stopped early, a line that names these shards."""
    lines = [f"Unfinished, without results: {name}" for name in unfinished]
    if stopped:
        lines.append(f"Stopped before all their work was done: shards {_list_numbers(stopped)}; run them again.")
    return lines


def _list_missing(numbers: Sequence[int], of: int) -> list[str]:
    return [f"Missing: shards {_list_numbers(numbers)} of {of}."] if numbers else []


def _describe_gathered(gathered: GatheredShards) -> list[str]:
    taken = [f"{rows.taken:,} of {name}" for name, rows in gathered.rows.items() if rows.taken]
    already = sum(rows.already for rows in gathered.rows.values())
    shards = f"{format_count(len(gathered.shards), 'shard')} of {gathered.of}"
    lines = [f"Gathered {shards} of {gathered.release}: {', '.join(taken) or 'nothing new'}; {already:,} rows already there."]
    lines += [f"Run {run}" for run in gathered.runs]
    lines += _list_gaps(gathered.unfinished, gathered.stopped)
    if gathered.missing:
        numbers = _list_numbers(gathered.missing_shards)
        lines.append(f"Missing: {gathered.missing:,} of {gathered.asked:,} answers, in shards {numbers}.")
    elif gathered.verb == "run":
        lines.append(f"None of {format_count(gathered.asked, 'answer')} is missing.")
    else:
        lines += _list_missing(gathered.missing_shards, gathered.of)
    return lines


def _list_numbers(numbers: Sequence[int]) -> str:
    every = [str(number) for number in numbers]
    return ", ".join(every[:MAX_NAMES]) + (f" and {len(every) - MAX_NAMES:,} more" if len(every) > MAX_NAMES else "")


def launch(session: Session, options: Namespace) -> int:
    from terminal.word_parser import parse_words
    from workbench.launcher import MAX_LISTED, LaunchedShards, launchers, plan_launch

    launcher = pick(launchers(), options.launcher, "launcher")
    if not options.command or options.command[0] not in TABLES or {"--shard", "--out"} & set(options.command):
        raise BenchError(
            "After the launcher's name comes a command without --shard and --out, such as `run FOLDER --system S`; verbs with "
            f"shards: {', '.join(TABLES)}."
        )
    parse_shard(f"0/{options.shards}")
    words = [*options.command, "--shard", f"0/{options.shards}", "--out", options.out]
    if getattr(parse_words(words), "batch", None) is not None:  # `parse_words` raises an error for a wrong command
        raise BenchError("A shard sends each request directly: launch the command without --batch.")
    settings = parse_settings(options.set)
    check_known(settings, launcher.settings, f"The launcher {options.launcher}")
    plan = plan_launch(options.command, options.shards, paths.find_file(session.folder, options.out))
    if not plan.numbers:
        text = f"All {plan.of} shards in {options.out} are complete: there is nothing to start."
        show(session, options, LaunchedShards(plan.of, []), text)
        return 0
    launched = launcher.launch(plan, settings, session.say)
    if launched.written:
        lines = [f"Wrote {launched.written} for {format_count(len(launched.started), 'shard')}: {launched.submit}"]
    else:
        lines = [f"{len(launched.started) - len(launched.failed)} of {format_count(len(launched.started), 'shard')} done."]
    lines += [f"Shard {number}: {why}" for number, why in list(launched.failed.items())[:MAX_LISTED]]
    show(session, options, launched, "\n".join(lines))
    return 1 if launched.failed else 0
