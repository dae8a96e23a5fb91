"""The command line: the app's verbs on a terminal. Names, JSON shapes and exit codes are a contract that scripts depend on:
0 done, 1 one sentence about what a person can mend, 2 usage, 3 the workspace is held by a process that is not ours.
With --json stdout carries JSON alone; progress and messages go to stderr."""

import argparse
import io
import json
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jobs
from core.errors import BenchError, WorkspaceHeld
from workbench import Workbench
from workbench.settings import parse_settings

Verb = Callable[[argparse.Namespace], int]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = parser().parse_args(words)
    try:
        check_words(words)
        code = int(options.verb(options))
        sys.stdout.flush()  # here, where a reader that went away is caught, not at the interpreter's end
        return code
    except WorkspaceHeld as error:
        return complain(options, error, 3)
    except BenchError as error:
        return complain(options, error, 1)
    except KeyboardInterrupt:
        say("Interrupted: what was stored stays; the same command goes on from there.")
        return 1
    except BrokenPipeError:  # `| head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = error.filename or "The operating system says"
        return complain(options, BenchError(f"{where}: {error.strerror or error}; check the path, its rights and its disk."), 1)


def check_words(words: Sequence[str]) -> None:
    """Raises BenchError on an argument that no store or file could hold: bytes of another encoding."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise BenchError(f"The argument {word!r} is not UTF-8: give it in UTF-8, or rename the file.") from error


def complain(options: argparse.Namespace, error: BenchError, code: int) -> int:
    """The sentence on stderr; what the error carries as a result still goes to stdout with --json."""
    result = getattr(error, "result", None)
    if options.json and result is not None:
        show_json(result)
    print(error, file=sys.stderr)
    return code


def show_json(value: Any) -> None:
    """One line of JSON; with escapes where stdout could not carry the letters themselves."""
    is_plain = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, ensure_ascii=not is_plain, allow_nan=False))


def show(options: argparse.Namespace, value: Any, text: str | Callable[[], str]) -> None:
    """JSON with --json, else the text for people."""
    if options.json:
        show_json(value)
    else:
        print(text() if callable(text) else text)


def say(message: str) -> None:
    """Progress, for people. Nobody listening is no reason to stop working."""
    try:
        print(message, file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


@contextmanager
def bench(options: argparse.Namespace, fresh: bool = False) -> Iterator[Workbench]:
    """The workspace that was named, by option or environment, open; its background runner ends with it."""
    named = options.workspace
    path = (os.environ.get("BENCHWRIGHT_WORKSPACE") or "benchwright.duckdb") if named is None else named
    with Workbench.open(path if path == ":memory:" else Path(path), fresh=fresh) as b:
        try:
            yield b
        finally:
            jobs.stop(b, seconds=0)


# The verbs


def add(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.corpus.add(
            options.path, domain=options.domain, language=options.language, form=options.format, licence=options.licence,
            say=say,
        )  # fmt: skip
    lines = [f"{r['where']}{':' + str(r['line']) if r['line'] else ''}: {r['message']}" for r in found["refused"]]
    say("\n".join(lines)) if lines else None
    counts = f"{len(found['added'])} added, {len(found['already'])} already there, {len(found['refused'])} refused."
    show(options, found, counts)
    return 0 if found["added"] or found["already"] else 1


def draft(options: argparse.Namespace) -> int:
    with bench(options) as b:
        job = b.drafts.plan(
            task=options.task, domain=options.domain, count=options.count, agent=options.agent, seed=options.seed,
            budget=options.budget, settings=parse_settings(options.set),
        )  # fmt: skip
        result = finish(b, job)
    return show_end(options, result)


def items(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.reviews.items(task=options.task, domain=options.domain, status=options.status)
    show(options, found, lambda: item_lines(found))
    return 0


def decide(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.reviews.decide(
            options.item, options.decision, person=options.person, question=options.question, answer=options.answer,
            reason=options.reason,
        )  # fmt: skip
    show(options, found, lambda: item_lines(found))
    return 0


def freeze(options: argparse.Namespace) -> int:
    with bench(options) as b:
        made = b.releases.freeze(
            options.name, tasks=options.task, domains=options.domain, split=options.split, seed=options.seed,
            allow_unlicensed=options.allow_unlicensed, unreviewed_variants=options.unreviewed_variants,
        )  # fmt: skip
    left = ", ".join(f"{n} {status}" for status, n in made["left_out"].items()) or "nothing"
    size = f"{counted(made['items'], 'item')}, {counted(made['documents'], 'document')}"
    show(options, made, f"{made['release']} {made['hash']}: {size}; left out: {left}.")
    return 0


def verify(options: argparse.Namespace) -> int:
    folder = Path(options.release)
    if folder.is_dir():
        from workbench.releases import verify_folder

        found = verify_folder(folder)
    else:
        with bench(options) as b:
            found = b.releases.verify(options.release)
    lines = [f"{p['file']}{':' + str(p['line']) if p.get('line') else ''}: {p['message']}" for p in found["problems"]]
    show(options, found, "\n".join([*lines, "ok" if found["ok"] else f"{len(lines)} problems"]))
    return 0 if found["ok"] else 1


def diff(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.releases.diff(options.a, options.b)
    show(options, found, lambda: ", ".join(f"{len(found[k])} {k}" for k in ("added", "removed", "edited", "relabelled")))
    return 0


def export(options: argparse.Namespace) -> int:
    with bench(options) as b:
        made = b.releases.export(options.release, options.format, Path(options.out), withhold=options.withhold)
    show(options, made, f"{made['files']} files in {options.out}.")
    return 0


def import_(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.releases.import_(Path(options.path), options.format)
    for refused in found["refused"]:
        say(f"{refused['where']}:{refused['line']}: {refused['message']}")
    text = f"{counted(found['items'], 'item')} and {counted(found['documents'], 'document')}; {found['already']} already there."
    show(options, found, text)
    return 0 if found["items"] or found["already"] or found["documents"] else 1


def run(options: argparse.Namespace) -> int:
    with bench(options) as b:
        job = b.runs.plan(
            options.release, system=options.system, agent=options.agent, retriever=options.retriever,
            metrics=names(options.metrics), judges=options.judge or [], votes=options.votes, budget=options.budget,
            settings=parse_settings(options.set), variants=options.variants, repeat=options.repeat, sample=options.sample,
            seed=options.seed,
        )  # fmt: skip
        result = finish(b, job)
    return show_end(options, result)


def score(options: argparse.Namespace) -> int:
    from workbench.scores import score_file

    found = score_file(
        Path(options.predictions), metrics=names(options.metrics) or [], language=options.language,
        judges=options.judge or [], votes=options.votes, budget=options.budget, settings=parse_settings(options.set), say=say,
    )  # fmt: skip
    show(options, found, lambda: "\n".join(
        f"{k:28} {v['mean'] if v['mean'] is None else format(v['mean'], '.4f')}  n={v['n']} failed={v['failed']}"
        for k, v in found["metrics"].items()))  # fmt: skip
    return 0


def report(options: argparse.Namespace) -> int:
    form = "json" if options.json else options.format
    with bench(options) as b:
        print(b.reports.report(options.run, by=names(options.by) or [], form=form, preset=options.preset), end="")
    return 0


def jobs_(options: argparse.Namespace) -> int:
    with bench(options) as b:
        if options.resume is not None:
            return show_end(options, finish(b, b.upkeep.resumable(options.resume)))
        if options.cancel is not None:
            b.upkeep.cancel(options.cancel)
        found = b.upkeep.jobs()
    show(options, found, lambda: "\n".join(f"{j['id']}  {j['kind']:6} {j['state']:10} {j['done']}/{j['total']}" for j in found))
    return 0


def backup(options: argparse.Namespace) -> int:
    with bench(options) as b:
        made = b.upkeep.backup(Path(options.out))
    show(options, made, f"{made['out']}: {made['bytes']} bytes.")
    return 0


def doctor(options: argparse.Namespace) -> int:
    with bench(options) as b:
        found = b.upkeep.doctor(agent=options.agent, settings=parse_settings(options.set), say=say)
    lines = [f"{'ok ' if c['ok'] else 'BAD'} {c['name']}: {c['message']}" for c in found["checks"]]
    show(options, found, "\n".join(lines))
    return 0 if all(c["ok"] for c in found["checks"]) else 1


def demo(options: argparse.Namespace) -> int:
    from workbench.demo import demo as play

    fresh = options.workspace is None
    if fresh:
        options.workspace = "demo.duckdb"
    with bench(options, fresh=fresh) as b:
        result = play(b, lambda job: finish(b, job), say)
    show(options, result, result["text"])
    return 0


def finish(b: Workbench, job: str) -> dict[str, Any]:
    """Work a job to its end in the background runner. Ctrl-C: the first press finishes the calls in flight and stores them,
    the second leaves at once. Where Ctrl-C is ignored (nohup, a script's `&`) it stays so."""
    running = jobs.start(b).submit(job, say)
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN:
        return running.result()
    signal.signal(signal.SIGINT, lambda *_: stop(running, before))
    try:
        return running.result()
    finally:
        signal.signal(signal.SIGINT, before)


def stop(running: jobs.Running, before: Any) -> None:
    signal.signal(signal.SIGINT, before)
    running.cancel()
    say("Stopping: calls in flight are finished and stored; press Ctrl-C again to leave at once.")


def show_end(options: argparse.Namespace, result: dict[str, Any]) -> int:
    """What a job came to; why it was stopped stands on stderr too when stdout is for a machine. Returns the exit code."""
    text = run_line(result) if "run" in result else result["message"]
    show(options, result, text)
    if result["stopped"] and options.json:
        say(text)
    return 1 if result["stopped"] else 0


def run_line(result: dict[str, Any]) -> str:
    """A run for people: a line."""
    text = (f"Run {result['run']}: {result['answered']} answered, {result['failed']} failed, {result['reused']} reused, "
            f"{counted(result['calls'], 'call')}.")  # fmt: skip
    return f"{text} Stopped ({result['stopped']}): {result['message']}" if result["stopped"] else text


def names(text: str | None) -> list[str] | None:
    """The names of a comma-separated list."""
    return [part.strip() for part in text.split(",") if part.strip()] if text is not None else None


def counted(n: int, what: str) -> str:
    """1 item, 2 items."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def item_lines(found: list[dict[str, Any]]) -> str:
    """Items for people: a block each."""
    return "\n".join(
        f"{i['id']} r{i['revision']} {i['status']:9} {i.get('task', i.get('kind'))} {i.get('domain', '')}\n"
        f"  Q {i.get('question', i.get('text'))}\n  A {' | '.join(i.get('answers', []))}" for i in found
    )  # fmt: skip


def seed(text: str) -> int:
    """A seed as the store and every generator can hold it."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value


def parser() -> argparse.ArgumentParser:
    """Every verb with its options; none can be abbreviated, so that a new one breaks no script."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--workspace", metavar="FILE", help="default: $BENCHWRIGHT_WORKSPACE, or benchwright.duckdb in this folder"
    )
    common.add_argument("--json", action="store_true", help="machine-readable output on stdout alone")
    top = argparse.ArgumentParser(prog="cli.py", description="Build RAG benchmarks and run RAG systems on them.",
                                  allow_abbrev=False)  # fmt: skip
    verbs = top.add_subparsers(required=True, metavar="VERB")

    def verb(name: str, function: Verb, about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, parents=[common], help=about, description=about, allow_abbrev=False)
        made.set_defaults(verb=function)
        return made

    def asks(made: argparse.ArgumentParser) -> None:
        made.add_argument("--budget", type=float, metavar="USD", help="stop before more than this is spent")
        made.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")

    verb("demo", demo, "The samples end to end, then the report.")

    p = verb("add", add, "Add documents: files or folders.")
    p.add_argument("path", nargs="+")
    p.add_argument("--domain")
    p.add_argument("--language", choices=["en", "zh"])
    p.add_argument("--format", choices=["auto", "lines", "jsonl"], default="auto")
    p.add_argument("--licence")

    p = verb("draft", draft, "Draft items with an agent.")
    p.add_argument("--task", required=True)
    p.add_argument("--domain", required=True)
    p.add_argument("--count", required=True, type=int)
    p.add_argument("--agent", required=True)
    p.add_argument("--seed", type=seed, default=0)
    asks(p)

    p = verb("items", items, "List items.")
    p.add_argument("--task")
    p.add_argument("--domain")
    p.add_argument("--status", choices=["drafted", "refused", "accepted", "discarded"])

    p = verb("decide", decide, "Accept (with or without an edit) or discard an item or variant.")
    p.add_argument("item")
    p.add_argument("decision", choices=["accept", "discard"])
    p.add_argument("--as", dest="person", required=True, metavar="NAME")
    p.add_argument("--question")
    p.add_argument("--answer")
    p.add_argument("--reason", default="")

    p = verb("freeze", freeze, "Freeze what is accepted into a named release.")
    p.add_argument("name")
    p.add_argument("--task", action="append")
    p.add_argument("--domain", action="append")
    p.add_argument("--split", metavar="NAME=SHARE,...")
    p.add_argument("--seed", type=seed, default=0)
    p.add_argument("--allow-unlicensed", metavar="REASON")
    p.add_argument("--unreviewed-variants", action="store_true")

    p = verb("verify", verify, "Check a release, or an exported folder, against its hash.")
    p.add_argument("release", metavar="NAME_OR_FOLDER")

    p = verb("diff", diff, "What changed between two releases.")
    p.add_argument("a")
    p.add_argument("b")

    p = verb("export", export, "Write a release into a new folder.")
    p.add_argument("release")
    p.add_argument("--format", required=True)
    p.add_argument("out")
    p.add_argument("--withhold", action="append", default=[], metavar="SPLIT")

    p = verb("import", import_, "Import a benchmark: items, documents, and the release of an exported folder.")
    p.add_argument("path")
    p.add_argument("--format", required=True)

    p = verb("run", run, "Run a RAG system on a release and score it.")
    p.add_argument("release")
    p.add_argument("--system", required=True)
    p.add_argument("--agent")
    p.add_argument("--retriever")
    p.add_argument("--metrics", metavar="M,M")
    p.add_argument("--judge", action="append")
    p.add_argument("--votes", type=int, default=1)
    p.add_argument("--variants", action="store_true")
    p.add_argument("--repeat", type=int, default=1)
    p.add_argument("--sample", type=int)
    p.add_argument("--seed", type=seed, default=0)
    asks(p)

    p = verb("score", score, "Score a predictions file; needs no workspace.")
    p.add_argument("predictions", metavar="PREDICTIONS.jsonl")
    p.add_argument("--metrics", required=True, metavar="M,M")
    p.add_argument("--language", choices=["en", "zh"])
    p.add_argument("--judge", action="append")
    p.add_argument("--votes", type=int, default=1)
    asks(p)

    p = verb("report", report, "Compare runs.")
    p.add_argument("run", nargs="+")
    p.add_argument("--by", default="level,domain")
    p.add_argument("--format", choices=["table", "csv", "latex", "html", "json"], default="table")
    p.add_argument("--preset")

    p = verb("jobs", jobs_, "List jobs; resume or cancel one.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID")
    either.add_argument("--cancel", metavar="ID")

    verb("backup", backup, "Copy the whole workspace into one file.").add_argument("out")

    p = verb("doctor", doctor, "Check this installation, and with --agent every prompt on the samples.")
    p.add_argument("--agent")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return top


if __name__ == "__main__":
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal without the letters shows their numbers
    code = main()
    if jobs.is_working():  # left at once: threads that still compute would hold the process up
        os._exit(code)
    sys.exit(code)
