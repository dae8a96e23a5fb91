"""The verbs with their options. Names and defaults are a contract that scripts depend on."""

import argparse
from importlib import import_module

from agents.kind import full_names
from terminal.session import Session, Verb

LANGUAGES = ["en", "zh"]
STATUSES = ["drafted", "refused", "accepted", "discarded"]
AGENT = f"{', '.join(full_names())}, or an agent saved on the Agents page"
SEED = "Seed of every random choice; the same seed repeats the same choices"
VOTES = "Ask each judge N times and take the majority verdict"
PERSON = "Name of the person who acts, as the app knows it"


class PlugInHelp(str):
    """A line of help that ends with the plug-ins of a kind; they are read when it is printed, not at each start."""

    def __new__(cls, about: str, kind: str) -> "PlugInHelp":
        made = super().__new__(cls, about)
        made.kind = kind
        return made

    kind: str

    def __mod__(self, values: object) -> str:
        from workbench.plug_ins import PLUG_INS

        return f"{self}: {', '.join(PLUG_INS[self.kind]())}"


def load_verb(path: str) -> Verb:
    """The function of that name ("file.function") among the verbs; its file is imported when it is called, so that a verb
    imports what it works with."""
    module, _, name = path.partition(".")

    def work(session: Session, options: argparse.Namespace) -> int:
        done: int = getattr(import_module(f"terminal.verbs.{module}"), name)(session, options)
        return done

    return work


class TaskOption(argparse.Action):
    """--task of a verb that drafts: templates have a domain of their own and ask no agent, so these are not wanted then."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
    ) -> None:
        setattr(namespace, self.dest, value)
        for one in parser._actions:
            one.required = one.required and not (value == "template_question" and one.dest in ("domain", "agent"))


def parser() -> argparse.ArgumentParser:
    """Every verb with its options; none can be abbreviated, so that a new one breaks no script."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--workspace",
        metavar="FILE",
        help="Workspace file; default: $BENCHWRIGHT_WORKSPACE, or benchwright.duckdb in the current folder",
    )
    common.add_argument("--json", action="store_true", help="Print JSON, and nothing else, on stdout")
    top = argparse.ArgumentParser(
        prog="cli.py", description="Build RAG benchmarks and run RAG systems on them.", allow_abbrev=False
    )
    verbs = top.add_subparsers(required=True, metavar="VERB")

    def verb(name: str, function: str, about: str) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, parents=[common], help=about, description=about, allow_abbrev=False)
        made.set_defaults(verb=load_verb(function))
        return made

    def add_agent_options(made: argparse.ArgumentParser) -> None:
        made.add_argument("--budget", type=float, metavar="USD", help="Stop before the job spends more than this")
        settings(
            made, "A setting, as JSON or text: agent.temperature=0, agent.price_in=0.15; an unknown KEY lists all; repeatable"
        )

    verb("demo", "upkeep.demo", "Draft, review, freeze, run and report on the sample documents.")

    p = verb("add", "build.add", "Add documents from files or folders.")
    p.add_argument("path", nargs="+", help="Files or folders: txt, md, html, pdf, docx, jsonl")
    p.add_argument("--domain", metavar="D", help="Domain of documents that name none; default: general")
    p.add_argument("--language", choices=LANGUAGES, help="Language of the documents; default: detected in each text")
    p.add_argument(
        "--format",
        choices=["auto", "lines", "jsonl"],
        default="auto",
        help="auto: one document per file, read by its suffix; lines: one document per line; default: auto",
    )
    p.add_argument("--licence", metavar="L", help="Licence of documents that name none; a release needs one for each document")
    p.add_argument("--min-length", type=int, metavar="N", help="Leave out documents shorter than N characters, and list them")
    p.add_argument("--max-length", type=int, metavar="N", help="Leave out documents longer than N characters, and list them")

    p = verb("draft", "build.draft", "Draft items with an agent, or from templates over tables.")
    p.add_argument("--task", required=True, action=TaskOption, metavar="T", help=PlugInHelp("Kind of question", "task"))
    p.add_argument(
        "--domain", required=True, metavar="D", help="Domain of the documents to draft from; not needed for templates"
    )
    p.add_argument(
        "--count", required=True, type=int, metavar="N", help="Number of drafts; at most twice as many windows are tried"
    )
    p.add_argument("--agent", required=True, metavar="A", help=f"Agent that drafts: {AGENT}; not needed for templates")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    add_agent_options(p)

    p = verb("vary", "build.vary", "Create variants of items' questions.")
    p.add_argument("--kinds", required=True, metavar="K,K", help=PlugInHelp("Kinds of variants", "perturbation"))
    p.add_argument("--agent", metavar="A", help=f"Agent that rewrites: {AGENT}; not needed for spelling, keyboard and ocr")
    p.add_argument("--task", metavar="T", help="Only items of this task")
    p.add_argument("--domain", metavar="D", help="Only items of this domain")
    p.add_argument("--status", choices=STATUSES, default="accepted", help="Only items of this status; default: accepted")
    p.add_argument("--release", metavar="R", help="Only the items of this release")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    add_agent_options(p)

    p = verb("search", "build.search", "Configure a search provider, or list them; drafts choose one with --set search=NAME.")
    p.add_argument("provider", nargs="?", help="Name of the provider; without it, all providers are listed")
    settings(p, "A setting of the provider: url=ADDRESS; repeatable")

    p = verb("tables", "build.tables", "Add tables of entities, correct or remove one, or list them.")
    p.add_argument(
        "path", nargs="*", help="Files of rows, or folders of them; a tables.json in a folder overrides the proposed columns"
    )
    p.add_argument("--correct", metavar="NAME", help="Change the spec of this table; needs --set")
    p.add_argument("--remove", metavar="NAME", help="Remove this table; items drafted from it stay")
    settings(
        p, "A spec field: name entity key label attributes relations time popularity functions, or types.COLUMN; repeatable"
    )

    p = verb("items", "build.items", "List items.")
    p.add_argument("--task", metavar="T", help="Only items of this task")
    p.add_argument("--domain", metavar="D", help="Only items of this domain")
    p.add_argument("--status", choices=STATUSES, help="Only items of this status")
    p.add_argument("--text", default="", help="Only items whose question or answer contains TEXT, ignoring case")
    p.add_argument("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    p.add_argument("--language", choices=LANGUAGES, help="Only items in this language")
    p.add_argument("--agent", metavar="A", help="Only items drafted by this agent")
    p.add_argument(
        "--flag",
        metavar="GATE",
        help="Only items that this gate flagged; any: flagged by at least one gate, none: flagged by no gate",
    )

    p = verb("decide", "build.decide", "Accept or discard an item or a variant; an accept may edit it.")
    p.add_argument("item", help="Id of the item or variant")
    p.add_argument("decision", choices=["accept", "discard"], help="The decision")
    p.add_argument("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    p.add_argument("--question", metavar="TEXT", help="New question of the item, or new words of the variant")
    p.add_argument("--answer", metavar="TEXT", help="New answer")
    p.add_argument("--reason", default="", metavar="TEXT", help="Reason for the discard")
    p.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="NAME=ANSWER",
        help="An answer to a label question; repeatable, also for several choices of one question",
    )

    p = verb("rewrite", "build.rewrite", "Store a person's rewrite of an item's question.")
    p.add_argument("item", help="Id of the item")
    p.add_argument("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    p.add_argument("--text", required=True, help="The rewritten question")
    p.add_argument(
        "--reason",
        default="",
        metavar="TEXT",
        help="Why to keep a rewrite that is close to the question or contains the answer; a second person then decides",
    )

    p = verb("labels", "build.labels", "Create, change or retire a label question for reviewers, or list them.")
    p.add_argument("name", nargs="?", help="Name of a new or existing label question; without it, all are listed")
    p.add_argument("--text", help="The question that reviewers see")
    p.add_argument(
        "--kind", choices=["one", "several", "rating", "text"], help="One choice, several choices, a rating, or free text"
    )
    p.add_argument("--choice", action="append", metavar="TEXT", help="One of the choices; repeat it for each choice, in order")
    p.add_argument("--top", type=int, metavar="N", help="Highest value of a rating")
    p.add_argument(
        "--task", action="append", metavar="T", help="Ask it only for items of this task; repeatable; all: for every task"
    )
    either = p.add_mutually_exclusive_group()
    either.add_argument(
        "--required", action="store_true", default=None, help="Reviewers must answer it before they accept an item"
    )
    either.add_argument("--optional", action="store_false", dest="required", default=None, help="Reviewers may leave it out")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--retire", action="store_true", default=None, dest="retired", help="Stop asking it; its answers stay")
    either.add_argument("--restore", action="store_false", default=None, dest="retired", help="Ask it again after --retire")
    p.add_argument("--as", dest="person", default="", metavar="NAME", help=PERSON)

    p = verb("agreement", "build.agreement", "Report the agreement of reviewers on decisions and label questions.")

    p = verb("freeze", "release.freeze", "Freeze all accepted items into a named release.")
    p.add_argument("name", help="Name of the release; 'working' is reserved for the items accepted now")
    p.add_argument("--task", action="append", metavar="T", help="Only items of this task; repeatable")
    p.add_argument("--domain", action="append", metavar="D", help="Only items of this domain; repeatable")
    p.add_argument(
        "--split", metavar="NAME=SHARE,...", help="For example dev=0.2,test=0.8; items of one document stay together"
    )
    p.add_argument("--seed", type=seed, default=0, metavar="N", help="Seed of the split; the same seed repeats the same split")
    p.add_argument(
        "--allow-unlicensed", metavar="REASON", help="Include documents without a licence; the release card states the reason"
    )
    p.add_argument("--unreviewed-variants", action="store_true", help="Include variants that nobody has reviewed")
    p.add_argument(
        "--include-gold",
        action="store_true",
        help="Keep the source documents of summaries and continuations in the retrieval corpus",
    )
    p.add_argument(
        "--without-near-copies",
        action="store_true",
        help="Also remove exact and near copies of these sources from the retrieval corpus",
    )

    p = verb("verify", "release.verify", "Check a release or an exported folder against its hash.")
    p.add_argument("release", metavar="NAME_OR_FOLDER", help="Name of a release, or an exported folder")

    p = verb(
        "leakage", "release.leakage", "Measure how much of the removed source documents a release's corpus still contains."
    )
    p.add_argument("release", help="Name of the release")

    p = verb("diff", "release.diff", "Show what changed between two releases.")
    p.add_argument("a", help="The earlier release")
    p.add_argument("b", help="The later release")

    p = verb("export", "release.export", "Write a release to a new folder.")
    p.add_argument("release", help="Name of the release")
    p.add_argument("--format", required=True, metavar="F", help=PlugInHelp("Format to write", "format out"))
    p.add_argument("out", help="A new or empty folder")
    p.add_argument(
        "--withhold",
        action="append",
        default=[],
        metavar="SPLIT",
        help="Write the questions of this split without answers and evidence; repeatable",
    )
    p.add_argument("--without-html", action="store_true", help="crag: write the text of web pages instead of their HTML")

    p = verb("import", "release.import_", "Import a benchmark: items, documents, and the release in an exported folder.")
    p.add_argument("path", help="A file or a folder")
    p.add_argument("--format", required=True, metavar="F", help=PlugInHelp("Format to read", "format in"))

    p = verb("run", "evaluate.run", "Run a RAG system on a release and score it.")
    p.add_argument("release", help="Name of the release; 'working' means the items accepted now")
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--system", metavar="S", help=PlugInHelp("System to run", "system"))
    either.add_argument("--preset", metavar="P", help=PlugInHelp("A system with its settings", "run preset"))
    p.add_argument("--agent", metavar="A", help=f"Agent that answers: {AGENT}")
    p.add_argument("--retriever", metavar="R", help=PlugInHelp("Retriever of a system that searches", "retriever"))
    p.add_argument(
        "--metrics",
        metavar="M,M",
        help=PlugInHelp("Metrics, separated by commas; default: those of each item's task; all metrics", "metric"),
    )
    p.add_argument("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    p.add_argument("--votes", type=int, default=1, metavar="N", help=VOTES)
    p.add_argument("--variants", action="store_true", help="Also ask the variants of each question")
    p.add_argument(
        "--repeat", type=int, default=1, metavar="N", help="Repeat the run N times; each repetition is stored as its own run"
    )
    p.add_argument("--sample", type=int, metavar="N", help="Ask only N questions, chosen by the seed")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    add_agent_options(p)

    p = verb("score", "evaluate.score", "Score a predictions file; no workspace is needed.")
    p.add_argument(
        "predictions", metavar="PREDICTIONS.jsonl", help="One JSON object per line: id, prediction (null: failed), answers"
    )
    p.add_argument("--metrics", required=True, metavar="M,M", help=PlugInHelp("Metrics, separated by commas", "metric"))
    p.add_argument("--language", choices=LANGUAGES, help="Language of the answers; default: detected in the texts")
    p.add_argument("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    p.add_argument("--votes", type=int, default=1, metavar="N", help=VOTES)
    add_agent_options(p)

    p = verb("report", "evaluate.report", "Compare runs, or report what became of the drafts.")
    p.add_argument(
        "run",
        nargs="*",
        help="Ids of runs, or at least their first six letters; give none with --preset hawkbench_table1 or "
        "r_eval_table1, which describe the workspace",
    )
    p.add_argument(
        "--by", metavar="KEY,KEY", help="Group results by these keys; default: level,domain (hawkbench_table1: level)"
    )
    p.add_argument(
        "--format", choices=["table", "csv", "latex", "html", "json"], default="table", help="Output format; default: table"
    )
    p.add_argument("--preset", metavar="P", help=PlugInHelp("A table or figure of a paper", "preset"))
    settings(p, "A setting of the preset: threshold=0.5, reference=RUN; repeatable")

    p = verb("export-run", "evaluate.export_run", "Write a run in the result format of another tool.")
    p.add_argument("run", help="Id of the run, or at least its first six letters")
    p.add_argument("--format", choices=["trec", "inspect", "promptfoo"], required=True, help="Tool that reads the result")
    p.add_argument("out", help="A new folder for trec, a new file otherwise")

    p = verb("jobs", "upkeep.jobs", "List jobs, or resume or cancel one.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID", help="Resume a job that was stopped, killed, or reached its budget")
    either.add_argument("--cancel", metavar="ID", help="Cancel a job; its results so far are kept")

    p = verb("backup", "upkeep.backup", "Copy the whole workspace to one file.")
    p.add_argument("out", help="A new file")

    p = verb("doctor", "upkeep.doctor", "Check this installation; with --agent, also try every prompt on the samples.")
    p.add_argument("--agent", metavar="A", help=f"Agent to try: {AGENT}")
    settings(p, "A setting of the agent: agent.timeout=60; repeatable")
    return top


def settings(made: argparse.ArgumentParser, about: str) -> None:
    """--set, as often as wanted."""
    made.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=about)


def seed(text: str) -> int:
    """A seed as the store and every generator can hold it."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value
