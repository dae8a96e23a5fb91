"""The parser of the command line, with all verbs (commands) and their options. Scripts depend on the names and the defaults of
the options."""

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from threading import RLock
from typing import Any

from core.installation import COMMAND, complete_name
from terminal.desk_options import add_desk_verbs, add_quality_verbs, add_writing_verbs
from terminal.item_options import add_item_verbs
from terminal.people_options import add_people_verbs
from terminal.release_options import add_release_verbs
from terminal.run_options import add_run_verbs
from terminal.session import Session, Verb
from terminal.shared_options import AGENT, OptionAdder, add_settings
from terminal.work_options import add_annotate_verbs, add_build_verbs, add_evaluate_verbs, add_setup_verbs


def load_verb(path: str) -> Verb:
    """Return a wrapper of a verb's function, which `path` names as "module.function" or "folder.module.function". The wrapper
    imports the module only when it is called, so that a verb loads only the modules that it needs. If the function returns
    None, the exit code is 0."""
    module, _, name = path.rpartition(".")

    def work(session: Session, options: argparse.Namespace) -> int:
        return int(getattr(import_module(complete_name(f"terminal.verbs.{module}")), name)(session, options) or 0)

    return work


_parsing = RLock()


class VerbParser(argparse.ArgumentParser):
    """Argument parser that several threads can use for many commands. An action that makes other arguments optional has this
    effect only for the command that is being parsed."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        with _parsing:
            were_required = [(action, action.required) for action in self._actions]
            try:
                return super().parse_known_args(args, namespace)
            finally:
                for action, was_required in were_required:
                    action.required = was_required


class VersionOption(argparse.Action):
    """argparse action of the option --version, which prints the version and the commit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from core.installation import describe_version

        parser._print_message(f"{describe_version()}\n", sys.stdout)
        parser.exit()


def make_common_options(workspace: str) -> argparse.ArgumentParser:
    """Return a parser with the options that every verb has; `workspace` describes the default workspace file in the help."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--workspace", metavar="FILE", help=f"Workspace file; default: {workspace}")
    options.add_argument(
        "--server",
        metavar="URL",
        help="Address of a team's server, which then runs the verb for the person whose access token is in "
        "$BENCHWRIGHT_TOKEN; default: $BENCHWRIGHT_SERVER",
    )
    options.add_argument("--json", action="store_true", help="Print JSON, and nothing else, on stdout")
    return options


def make_inner_options(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return a parser with the options that every verb has, but without defaults. Subcommands use this parser, because a
    default of the subcommand would replace the value that the user gave to the verb."""
    options = make_common_options("that of the verb")
    for action, outer in zip(options._actions, common._actions, strict=True):
        action.default, action.help = argparse.SUPPRESS, outer.help
    return options


@cache  # building the parser takes 60 ms, and the app and the Python API parse many commands
def parser(kind: type[VerbParser] = VerbParser) -> argparse.ArgumentParser:
    """Return the parser with all verbs and their options. The parser rejects abbreviated options, so that a new option cannot
    break a script."""
    common = make_common_options("$BENCHWRIGHT_WORKSPACE, or benchwright.duckdb in the current folder")
    top = kind(prog=COMMAND, description="Build RAG benchmarks and run RAG systems on them.", allow_abbrev=False)
    top.add_argument("--version", action=VersionOption, nargs=0, help="Print the version and the commit, and exit")
    verbs = top.add_subparsers(required=True, metavar="VERB")

    def verb(
        name: str, function: str, about: str, among: Any = verbs, options: argparse.ArgumentParser = common
    ) -> tuple[argparse.ArgumentParser, OptionAdder]:
        added = among.add_parser(name, parents=[options], help=about, description=about, allow_abbrev=False)
        added.set_defaults(verb=load_verb(function))
        return added, added.add_argument

    def group(name: str, about: str) -> Any:
        """Add a group of verbs that share their first word, such as `batch submit` and `batch status`, and return the group."""
        added = verbs.add_parser(name, help=about, description=about, allow_abbrev=False)
        return added.add_subparsers(required=True, metavar="VERB")

    demo_options = make_common_options("demo.duckdb in the current folder, which is created anew")
    verb("demo", "upkeep.demo", "Try all stages on sample documents: draft, review, freeze, run, report.", options=demo_options)

    _, add = verb("app", "app.open_app", "Open the app in the browser; Ctrl-C ends the app.")
    add("--port", type=int, metavar="N", help="Port of the app; default: 8501, or the next free port")

    add_item_verbs(verb)
    add_build_verbs(verb, group)
    add_annotate_verbs(verb, group)
    add_quality_verbs(verb, make_inner_options(common))
    add_desk_verbs(verb, group)
    add_writing_verbs(verb, group)
    add_release_verbs(verb, group)
    add_run_verbs(verb, group)
    add_evaluate_verbs(verb, group)
    add_setup_verbs(verb, group)

    _, add = verb("send-run", "evaluate.send_run", "Send a run to an OpenTelemetry collector, or to MLflow.")
    add("run", help="Id of the run, or at least its first six characters")
    add("--to", choices=["otlp", "mlflow"], required=True, help="otlp: OpenInference spans over HTTP; mlflow: a run of MLflow")
    add("address", help="Address of the collector; for MLflow a server, a folder, or sqlite:///FILE")

    add_people_verbs(verb, group)

    p, add = verb("jobs", "upkeep.jobs", "List jobs, or resume, pause or cancel a job.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID", help="Resume a job that was stopped or killed, or that reached its budget")
    either.add_argument("--cancel", metavar="ID", help="Cancel a job; its results so far are kept")
    either.add_argument("--pause", metavar="ID", help="Pause a running job of the app once its calls in flight have finished")
    add("--budget", type=float, metavar="USD", help="New budget of the job that --resume names")

    _, add = verb("backup", "upkeep.backup", "Copy the whole workspace to one file.")
    add("out", help="Path of the copy: a new file")

    p, add = verb("doctor", "upkeep.doctor", "Check this installation; with --agent, also try every prompt on sample texts.")
    add("--agent", metavar="A", help=f"Agent to try: {AGENT}")
    add(
        "--engine", metavar="R", help="Retriever whose search engine is checked: tantivy, lancedb, qdrant, pgvector, opensearch"
    )
    add_settings(p, "A setting of the agent or engine, such as agent.timeout=60 or engine_address=URL; repeatable")
    return top
