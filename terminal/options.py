"""All verbs of the command line with their options. Names and defaults are a contract that scripts depend on."""

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from agents.kind import full_names
from core.installation import COMMAND, complete_name
from core.text.language import UNKNOWN, rows
from terminal.desk_options import add_desk_verbs, add_quality_verbs, add_writing_verbs
from terminal.session import Session, Verb
from terminal.work_options import add_annotate_verbs, add_build_verbs, add_evaluate_verbs, add_setup_verbs

LANGUAGES = [*rows(), UNKNOWN]
ROLES = ["annotator", "lead", "researcher", "admin", "guest"]
TOKEN_SCOPES = ["all", "metrics", "mcp"]
GUEST_RELEASE = "The only release that a guest may see; required for the role guest"
STATUSES = ["drafted", "refused", "accepted", "discarded"]
AGENT = f"{', '.join(full_names())}, or an agent saved on the Agents page"
SEED = "Seed of every random choice; the same seed repeats the same choices"
VOTES = "Ask each judge N times and take the majority verdict"
BATCH_FOLDER = "Folder that a command with --batch wrote"
PERSON = "Name of the person who acts, as the app knows it"


class PlugInHelp(str):
    """Help text that ends with the names of the plug-ins of one kind. They are looked up when the help is printed, not at each
    start."""

    kind: str

    def __new__(cls, about: str, kind: str) -> "PlugInHelp":
        text = super().__new__(cls, about)
        text.kind = kind
        return text

    def __mod__(self, values: object) -> str:
        from workbench.plug_ins import PLUG_INS

        return f"{self}: {', '.join(PLUG_INS[self.kind]())}"


def load_verb(path: str) -> Verb:
    """Return a function that runs the verb whose function `path` names as "file.function". It imports the file when it is
    called, so that a verb loads only the modules that it needs. A verb's function that returns None ends with exit code 0."""
    module, _, name = path.partition(".")

    def work(session: Session, options: argparse.Namespace) -> int:
        return int(getattr(import_module(complete_name(f"terminal.verbs.{module}")), name)(session, options) or 0)

    return work


class VersionOption(argparse.Action):
    """Action of the option --version, which prints version and commit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from core.installation import describe_version

        parser._print_message(f"{describe_version()}\n", sys.stdout)
        parser.exit()


class TaskOption(argparse.Action):
    """Action of the option --task of verbs that draft. Questions from templates need neither domain nor agent, so these options
    become optional."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
    ) -> None:
        setattr(namespace, self.dest, value)
        for action in parser._actions:
            action.required = action.required and not (value == "template_question" and action.dest in ("domain", "agent"))


class HubOption(argparse.Action):
    """Action of an argument that may be an address on the Hugging Face hub, for which folder and format become optional."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
    ) -> None:
        setattr(namespace, self.dest, value)
        for action in parser._actions:
            action.required = action.required and not (str(value).startswith("hub:") and action.dest in ("out", "format"))


def make_common_options(workspace: str) -> argparse.ArgumentParser:
    """Return the options that every verb has; `workspace` describes the default file."""
    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("--workspace", metavar="FILE", help=f"Workspace file; default: {workspace}")
    options.add_argument(
        "--server",
        metavar="URL",
        help="Address of a team's server that runs the verb in place of this process, as the person of the access token in "
        "$BENCHWRIGHT_TOKEN; default: $BENCHWRIGHT_SERVER",
    )
    options.add_argument("--json", action="store_true", help="Print JSON, and nothing else, on stdout")
    return options


def make_inner_options(common: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the options that every verb has without their defaults, for the verbs within a verb that has them too: a default
    would replace what was given before the inner verb."""
    options = make_common_options("that of the verb")
    for action, outer in zip(options._actions, common._actions, strict=True):
        action.default, action.help = argparse.SUPPRESS, outer.help
    return options


def parser(kind: type[argparse.ArgumentParser] = argparse.ArgumentParser) -> argparse.ArgumentParser:
    """Return the parser with all verbs and their options. No option can be abbreviated, so that a new option breaks no
    script."""
    common = make_common_options("$BENCHWRIGHT_WORKSPACE, or benchwright.duckdb in the current folder")
    top = kind(prog=COMMAND, description="Build RAG benchmarks and run RAG systems on them.", allow_abbrev=False)
    top.add_argument("--version", action=VersionOption, nargs=0, help="Print the version and the commit, and exit")
    verbs = top.add_subparsers(required=True, metavar="VERB")

    def verb(
        name: str, function: str, about: str, among: Any = verbs, options: argparse.ArgumentParser = common
    ) -> tuple[argparse.ArgumentParser, Callable[..., argparse.Action]]:
        added = among.add_parser(name, parents=[options], help=about, description=about, allow_abbrev=False)
        added.set_defaults(verb=load_verb(function))
        return added, added.add_argument

    def group(name: str, about: str) -> Any:
        """Add a group of verbs that share their first word, such as `batch submit` and `batch status`, and return the group."""
        added = verbs.add_parser(name, help=about, description=about, allow_abbrev=False)
        return added.add_subparsers(required=True, metavar="VERB")

    def add_agent_options(added: argparse.ArgumentParser) -> None:
        added.add_argument(
            "--batch",
            metavar="OUT",
            help="Ask nothing now: write the requests into files in the folder OUT, for a Batch API or vllm run-batch",
        )
        added.add_argument("--budget", type=float, metavar="USD", help="Stop before the job spends more than this")
        add_settings(
            added, "A setting whose VALUE is JSON or text, such as agent.temperature=0; an unknown KEY lists all; repeatable"
        )

    def add_shard_options(added: argparse.ArgumentParser) -> None:
        added.add_argument("--shard", metavar="K/N", help="Do only part (shard) K of N of the work, K from 0; needs --out")
        added.add_argument("--out", metavar="FOLDER", help="Folder for the results of the shard, with its own workspace")

    demo_options = make_common_options("demo.duckdb in the current folder, made anew")
    verb("demo", "upkeep.demo", "Draft, review, freeze, run and report on the sample documents.", options=demo_options)

    p, add = verb("app", "app.open_app", "Open the app in the browser; Ctrl-C ends it.")
    add("--port", type=int, metavar="N", help="Port of the app; default: 8501, or the next free one")

    p, add = verb("add", "build.add", "Add documents from files or folders.")
    add("path", nargs="+", help="Files or folders: txt, md, html, pdf, docx, jsonl")
    add("--domain", metavar="D", help="Domain of documents that name none; default: general")
    add("--language", choices=LANGUAGES, help="Language of the documents; default: detected in each text")
    add(
        "--format",
        choices=["auto", "lines", "jsonl"],
        default="auto",
        help="auto: one document per file, read by its file name extension; lines: one document per line; default: auto",
    )
    add("--licence", metavar="L", help="Licence of documents that name none; a release needs one for each document")
    add("--min-length", type=int, metavar="N", help="Leave out documents shorter than N characters, and list them")
    add("--max-length", type=int, metavar="N", help="Leave out documents longer than N characters, and list them")

    p, add = verb("draft", "build.draft", "Draft items with an agent, or from templates over tables.")
    add("--task", required=True, action=TaskOption, metavar="T", help=PlugInHelp("Kind of question", "task"))
    add("--domain", required=True, metavar="D", help="Domain of the documents to draft from; not needed for templates")
    add(
        "--count",
        required=True,
        type=int,
        metavar="N",
        help="Number of drafts; at most twice as many pieces of text (windows) are tried",
    )
    add("--agent", required=True, metavar="A", help=f"Agent that drafts: {AGENT}; not needed for templates")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add("--corpus", metavar="FILE", help="With --shard: the copy of the workspace, made by `backup`, from which to draft")
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb("vary", "build.vary", "Create variants of items' questions.")
    add("--kinds", required=True, metavar="K,K", help=PlugInHelp("Kinds of variants", "perturbation"))
    add("--agent", metavar="A", help=f"Agent that rewrites: {AGENT}; not needed for spelling, keyboard and ocr")
    add("--task", metavar="T", help="Only items of this task")
    add("--domain", metavar="D", help="Only items of this domain")
    add("--status", choices=STATUSES, default="accepted", help="Only items of this status; default: accepted")
    add("--release", metavar="R", help="Only the items of this release; with --shard the folder of an export")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb(
        "search", "build.search", "Configure a search provider, or list them; drafts choose one with --set search=NAME."
    )
    add("provider", nargs="?", help="Name of the provider; without it, all providers are listed")
    add_settings(p, "A setting of the provider: url=ADDRESS; repeatable")

    p, add = verb("tables", "build.tables", "Add tables of entities, correct or remove one, or list them.")
    add("path", nargs="*", help="Files of rows, or folders of them; a tables.json in a folder overrides the proposed columns")
    add("--correct", metavar="NAME", help="Change the spec of this table; needs --set")
    add("--remove", metavar="NAME", help="Remove this table; items drafted from it stay")
    add_settings(
        p,
        (
            "A field of the table's spec as FIELD=VALUE; FIELD is name, entity, key, label, attributes, relations, time, "
            "popularity, functions or types.COLUMN; repeatable"
        ),
    )

    p, add = verb("items", "build.items", "List items.")
    add("--task", metavar="T", help="Only items of this task")
    add("--domain", metavar="D", help="Only items of this domain")
    add("--status", choices=STATUSES, help="Only items of this status")
    add("--text", default="", help="Only items whose question or answer contains TEXT, ignoring case")
    add("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    add("--language", choices=LANGUAGES, help="Only items in this language")
    add("--agent", metavar="A", help="Only items drafted by this agent")
    add(
        "--flag",
        metavar="GATE",
        help="Only items that this gate flagged; any: flagged by at least one gate, none: flagged by no gate",
    )

    p, add = verb("decide", "build.decide", "Accept or discard an item or a variant; an acceptance can include an edit.")
    add("item", help="Id of the item or variant")
    add("decision", choices=["accept", "discard"], help="The decision")
    add("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    add("--question", metavar="TEXT", help="New question of the item; a variant is decided on as it is")
    add("--answer", metavar="TEXT", help="New answer of the item; a variant is decided on as it is")
    add("--allow-long", action="store_true", help="Store a new answer of 50,000 characters or more")
    add("--reason", default="", metavar="TEXT", help="Reason for the discard")
    add(
        "--label",
        action="append",
        default=[],
        metavar="NAME=ANSWER",
        help="An answer to a label question; repeatable, also for several choices of one question",
    )

    p, add = verb("rewrite", "build.rewrite", "Store a person's rewrite of an item's question.")
    add("item", help="Id of the item")
    add("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    add("--text", required=True, help="The rewritten question")
    add(
        "--reason",
        default="",
        metavar="TEXT",
        help="Reason to keep a rewrite that is close to the question or contains the answer; a second person then decides",
    )

    p, add = verb("labels", "build.labels", "Create, change or retire a label question for reviewers, or list them.")
    add("name", nargs="?", help="Name of a new or existing label question; without it, all are listed")
    add("--text", help="The question that reviewers see")
    add("--kind", choices=["one", "several", "rating", "text"], help="One choice, several choices, a rating, or free text")
    add("--choice", action="append", metavar="TEXT", help="One of the choices; repeat it for each choice, in order")
    add("--top", type=int, metavar="N", help="Highest value of a rating")
    add(
        "--task",
        action="append",
        metavar="T",
        help="Task whose items get this question; repeat for several tasks, or give all for every task",
    )
    either = p.add_mutually_exclusive_group()
    either.add_argument(
        "--required", action="store_true", default=None, help="Reviewers must answer the question before they accept an item"
    )
    either.add_argument(
        "--optional",
        action="store_false",
        dest="required",
        default=None,
        help="Reviewers may accept an item without answering the question",
    )
    either = p.add_mutually_exclusive_group()
    either.add_argument(
        "--retire", action="store_true", default=None, dest="retired", help="Stop asking this question; its answers are kept"
    )
    either.add_argument(
        "--restore", action="store_false", default=None, dest="retired", help="Ask this question again after --retire"
    )
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)

    verb("reviews", "records.reviews", "List all reviews of items and variants, oldest first.")

    verb("agreement", "build.agreement", "Report the agreement of reviewers on decisions and label questions.")

    add_build_verbs(verb, group)
    add_annotate_verbs(verb, group)
    add_quality_verbs(verb, make_inner_options(common))
    add_desk_verbs(verb, group)
    add_writing_verbs(verb, group)

    p, add = verb("freeze", "release.freeze", "Freeze all accepted items into a named release.")
    add("name", help="Name of the release; 'working' is reserved for the items accepted now")
    add("--task", action="append", metavar="T", help="Only items of this task; repeatable")
    add("--domain", action="append", metavar="D", help="Only items of this domain; repeatable")
    add(
        "--split",
        metavar="NAME=SHARE,...",
        help="Shares of the splits, such as dev=0.2,test=0.8; items of one document stay in one split",
    )
    add("--seed", type=seed, default=0, metavar="N", help="Seed of the split; the same seed repeats the same split")
    add("--allow-unlicensed", metavar="REASON", help="Include documents without a licence; the release card states the reason")
    add("--unreviewed-variants", action="store_true", help="Include variants that nobody has reviewed")
    add(
        "--include-gold",
        action="store_true",
        help="Keep the source documents of summaries and continuations in the retrieval corpus",
    )
    add(
        "--without-near-copies",
        action="store_true",
        help="Also remove exact and near copies of the source documents from the retrieval corpus",
    )

    p, add = verb("verify", "release.verify", "Check a release or an exported folder against its hash.")
    add("release", metavar="NAME_OR_FOLDER", help="Name of a release, or an exported folder")

    p, add = verb(
        "leakage", "release.leakage", "Measure how much of the removed source documents a release's corpus still contains."
    )
    add("release", help="Name of the release")

    p, add = verb("diff", "release.diff", "Show what changed between two releases.")
    add("a", help="The earlier release")
    add("b", help="The later release")

    p, add = verb("export", "release.export", "Write a release to a new folder, or publish it on the Hugging Face hub.")
    add("release", help="Name of the release")
    add(
        "--format", required=True, metavar="F", help=PlugInHelp("Format to write; default with --to: huggingface", "format out")
    )
    add("out", help="New or empty folder to write to; leave it out with --to")
    add(
        "--to",
        action=HubOption,
        metavar="hub:OWNER/NAME",
        help="Publish as a data set on the Hugging Face hub, with the release's name as tag; the token is $HF_TOKEN",
    )
    add("--public", action="store_true", help="With --to: everybody may see the data set; default: private")
    add(
        "--withhold",
        action="append",
        default=[],
        metavar="SPLIT",
        help="Write the questions of this split without answers and evidence; repeatable",
    )
    add(
        "--rows-per-file",
        type=int,
        metavar="N",
        help="For the formats parquet and huggingface: divide the records into files of at most N rows",
    )
    add("--without-html", action="store_true", help="For the format crag: write the text of web pages instead of their HTML")

    p, add = verb("import", "release.import_", "Import a benchmark: items, documents, and the release in an exported folder.")
    add("path", action=HubOption, help="File or folder to import, or hub:OWNER/NAME[@TAG] on the Hugging Face hub")
    add(
        "--format",
        required=True,
        metavar="F",
        help=PlugInHelp("Format to read; on the hub it is known from the data set", "format in"),
    )

    p, add = verb("run", "evaluate.run", "Run a RAG system on a release and score it.")
    add("release", help="Name of the release; 'working' means the items accepted now; with --shard the folder of an export")
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--system", metavar="S", help=PlugInHelp("System to run", "system"))
    either.add_argument("--preset", metavar="P", help=PlugInHelp("A named preset: a system with its settings", "run preset"))
    add("--agent", metavar="A", help=f"Agent that answers: {AGENT}")
    add("--retriever", metavar="R", help=PlugInHelp("Retriever of a system that searches", "retriever"))
    add(
        "--metrics",
        metavar="M,M",
        help=PlugInHelp("Metrics, separated by commas; default: those of each item's task; all metrics", "metric"),
    )
    add("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    add("--votes", type=int, default=1, metavar="N", help=VOTES)
    add("--variants", action="store_true", help="Also ask the variants of each question")
    add("--repeat", type=int, default=1, metavar="N", help="Repeat the run N times; each repetition is stored as its own run")
    add("--sample", type=int, metavar="N", help="Ask only N questions, chosen by the seed")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add("--retry-failed", action="store_true", help="Also ask the questions again that failed before in this run")
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb("embed", "shards.embed", "Embed a shard of a release's passages, for the runs that search them by vectors.")
    add("release", metavar="FOLDER", help="Folder of an exported release")
    add(
        "--shard",
        required=True,
        metavar="K/N",
        help="Embed only part (shard) K of N of the passages, K from 0; 0/1 is all of them",
    )
    add("--out", required=True, metavar="FOLDER", help="Folder for the vectors of the shard, with its own workspace")
    add_settings(p, "A setting of the retriever dense: embedding_model=NAME, chunk_tokens=N; repeatable")

    p, add = verb(
        "gather",
        "shards.gather",
        "Bring the results of shards (parts of a run or other work) into the workspace, each row once.",
    )
    add("path", nargs="+", metavar="FOLDER", help="Folders that --shard wrote with --out")
    add("--release", metavar="FOLDER", help="Folder of the exported release, for a workspace that lacks it")

    p, add = verb("launch", "shards.launch", "Start the shards of a command, or write the file by which a cluster starts them.")
    add("--shards", required=True, type=int, metavar="N", help="Number of shards")
    add("--out", required=True, metavar="FOLDER", help="Folder for the shards; complete shards in it are not started again")
    add_settings(p, "A setting of the launcher; an unknown KEY lists all; repeatable")
    add("launcher", help=PlugInHelp("Launcher, after all options", "launcher"))
    add("command", nargs=argparse.REMAINDER, metavar="COMMAND", help="The command to divide, such as run FOLDER --system S")

    p, add = verb("score", "evaluate.score", "Score a predictions file; no workspace is needed.")
    add("predictions", metavar="PREDICTIONS.jsonl", help="One JSON object per line: id, prediction (null: failed), answers")
    add("--metrics", required=True, metavar="M,M", help=PlugInHelp("Metrics, separated by commas", "metric"))
    add("--language", choices=LANGUAGES, help="Language of the answers; default: detected in the texts")
    add("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    add("--votes", type=int, default=1, metavar="N", help=VOTES)
    add_shard_options(p)
    add_agent_options(p)

    batch = group("batch", "Send the files of --batch, look at their batches, and collect the replies.")
    p, add = verb("submit", "batch.submit", "Send the files of a folder to their endpoint's Batch API.", batch)
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    p, add = verb("status", "batch.status", "Show the files of a folder and the state of their batches.", batch)
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    p, add = verb(
        "collect", "batch.collect", "Store the replies in the ledger, and continue the commands that wait for them.", batch
    )
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    add(
        "--replies",
        action="append",
        default=[],
        metavar="FILE",
        help="File of replies; repeatable; default: the replies at the endpoint, and OUT/replies.jsonl for OUT/requests.jsonl",
    )

    p, add = verb("report", "evaluate.report", "Compare runs, or report what became of the drafts.")
    add(
        "run",
        nargs="*",
        help="Ids of runs, or at least their first six characters; give none with --preset hawkbench_table1 or "
        "r_eval_table1, which describe the workspace",
    )
    add("--by", metavar="KEY,KEY", help="Group results by these keys; default: level,domain (hawkbench_table1: level)")
    add("--format", choices=["table", "csv", "latex", "html", "json"], default="table", help="Output format; default: table")
    add("--preset", metavar="P", help=PlugInHelp("A table or figure of a paper", "preset"))
    add_settings(p, "A setting of the preset: threshold=0.5, reference=RUN; repeatable")

    p, add = verb("runs", "records.runs", "List the runs, newest first.")
    add("--release", metavar="R", help="Only runs on this release")

    p, add = verb("traces", "records.traces", "List the answers of a run, without their steps.")
    add("run", help="Id of the run, or at least its first six characters")

    p, add = verb("scores", "records.scores", "List the scores of a run, one for each answer and metric.")
    add("run", help="Id of the run, or at least its first six characters")

    p, add = verb("export-run", "evaluate.export_run", "Write the results of a run in the format of another tool.")
    add("run", help="Id of the run, or at least its first six characters")
    forms = ["trec", "inspect", "promptfoo", "openinference", "parquet"]
    add("--format", choices=forms, required=True, help="Format of the file")
    add(
        "--rows-per-file",
        type=int,
        metavar="N",
        help="For the format parquet: divide answers and scores into files of at most N rows",
    )
    add("out", help="Path to write to: a new folder for the formats trec and parquet, else a new file")

    add_evaluate_verbs(verb, group)
    add_setup_verbs(verb, group)

    p, add = verb("send-run", "evaluate.send_run", "Send a run to a collector of traces, or to MLflow.")
    add("run", help="Id of the run, or at least its first six characters")
    add("--to", choices=["otlp", "mlflow"], required=True, help="otlp: OpenInference spans over HTTP; mlflow: a run of MLflow")
    add("address", help="Address of the collector; for MLflow a server, a folder, or sqlite:///FILE")

    people = group("people", "Manage who works here and who may sign in.")
    verb("list", "people.list_people", "List everybody who worked here, has a role, or may sign in.", people)
    p, add = verb("role", "people.give_role", "Give a person a role.", people)
    add("person", metavar="NAME", help=PERSON)
    add("role", choices=ROLES, help="New role of the person")
    add("--release", metavar="NAME", help=GUEST_RELEASE)
    p, add = verb("invite", "people.invite", "Create a link by which one person makes an account; it is shown once.", people)
    add("role", choices=ROLES, help="Role of the person who opens the link")
    add("--release", metavar="NAME", help=GUEST_RELEASE)
    add("--days", type=int, default=7, metavar="N", help="Days until the link expires; default: 7")
    add(
        "--for",
        dest="person",
        default="",
        metavar="NAME",
        help="Name of the new account; by default the person chooses it. Required for a name that has decided on items here",
    )
    add("--address", default="", metavar="URL", help="Address of the app in a browser; the printed link begins with it")
    verb("invites", "people.list_invites", "List the invites.", people)
    p, add = verb("revoke-invite", "people.revoke_invite", "Revoke an invite that nobody has used.", people)
    add("id", help="Id of the invite")
    p, add = verb("sign-out", "people.sign_out", "End all sessions of a person, in every browser.", people)
    add("person", metavar="NAME", help=PERSON)
    add("--tokens", action="store_true", help="Revoke the person's access tokens too")
    p, add = verb("let-in", "people.let_in", "Let a person whose sessions were ended sign in by the proxy again.", people)
    add("person", metavar="NAME", help=PERSON)
    p, add = verb(
        "remove-account", "people.remove_account", "Remove a person's account, sessions and tokens; their work stays.", people
    )
    add("person", metavar="NAME", help=PERSON)
    p, add = verb("remove", "people.remove", "End a person's work here: sessions and tokens end, the work stays.", people)
    add("person", metavar="NAME", help=PERSON)
    p, add = verb("bring-back", "people.bring_back", "Let a removed person work here again, with their former role.", people)
    add("person", metavar="NAME", help=PERSON)
    verb("without-roles", "people.turn_roles_off", "Remove all roles: everybody may then do everything.", people)
    p, add = verb("sign-ins", "people.list_sign_ins", "List sign-ins and refusals, newest first.", people)
    add("--limit", type=int, default=50, metavar="N", help="List at most N lines; default: 50")

    tokens = group("tokens", "Manage access tokens, by which scripts act as a person.")
    p, add = verb("create", "people.create_token", "Create an access token; it is shown once.", tokens)
    add("name", help="What the token is for")
    add("--as", dest="person", required=True, metavar="NAME", help="Name of the person for whom the script acts")
    add("--days", type=int, default=90, metavar="N", help="Days until the token expires; default: 90")
    add(
        "--scope",
        choices=TOKEN_SCOPES,
        default="all",
        help="What the token gives access to: all that the person may do, only the server's figures, or only the tools for "
        "assistants; default: all",
    )
    p, add = verb("list", "people.list_tokens", "List the access tokens.", tokens)
    add("--as", dest="person", default="", metavar="NAME", help="Only tokens of this person")
    p, add = verb("revoke", "people.revoke_token", "Revoke an access token.", tokens)
    add("id", help="Id of the token")

    p, add = verb("jobs", "upkeep.jobs", "List jobs, or resume or cancel one.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID", help="Resume a job that was stopped, killed, or reached its budget")
    either.add_argument("--cancel", metavar="ID", help="Cancel a job; its results so far are kept")
    either.add_argument("--pause", metavar="ID", help="Stop a running job of the app after its calls in flight")
    add("--budget", type=float, metavar="USD", help="New budget of the job to resume")

    p, add = verb("backup", "upkeep.backup", "Copy the whole workspace to one file.")
    add("out", help="Path of the copy: a new file")

    p, add = verb("doctor", "upkeep.doctor", "Check this installation; with --agent, also try every prompt on the samples.")
    add("--agent", metavar="A", help=f"Agent to try: {AGENT}")
    add(
        "--engine", metavar="R", help="Retriever whose search engine is checked: tantivy, lancedb, qdrant, pgvector, opensearch"
    )
    add_settings(p, "A setting of the agent or the engine: agent.timeout=60, engine_address=URL; repeatable")
    return top


def add_settings(added: argparse.ArgumentParser, about: str) -> None:
    """Add the option --set, which can be repeated, to a verb."""
    added.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=about)


def seed(text: str) -> int:
    """Parse a random seed, which must be a number that the store and every random generator accept."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value
