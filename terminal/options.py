"""The verbs with their options. Names and defaults are a contract that scripts depend on."""

import argparse

from terminal.session import Verb
from terminal.verbs import build, evaluate, release, upkeep
from workbench.plug_ins import PLUG_INS

LANGUAGES = ["en", "zh"]
STATUSES = ["drafted", "refused", "accepted", "discarded"]
AGENT = "offline, recorded, openai:MODEL, huggingface:FOLDER_OR_NAME, scripted:FILE.jsonl, or one saved on the page Agents"
SEED = "of all that is drawn; the same seed draws the same"
VOTES = "a judge is asked so often, and the most frequent verdict counts"
PERSON = "who does it, by the name that the app knows"


class Names(str):
    """A line of help that ends with the plug-ins of a kind; they are read when it is printed, not at each start."""

    def __new__(cls, about: str, kind: str) -> "Names":
        made = super().__new__(cls, about)
        made.kind = kind
        return made

    kind: str

    def __mod__(self, values: object) -> str:
        return f"{self}: {', '.join(PLUG_INS[self.kind]())}"


class Task(argparse.Action):
    """--task of a verb that drafts: templates have a domain of their own and ask no agent, so these are not wanted then."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
                 ) -> None:  # fmt: skip
        setattr(namespace, self.dest, value)
        for one in parser._actions:
            one.required = one.required and not (value == "template_question" and one.dest in ("domain", "agent"))


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
        settings(made, "a setting, as JSON or text: agent.temperature=0, agent.price_in=0.15; a wrong KEY lists what there is")

    verb("demo", upkeep.demo, "The samples end to end, then the report.")

    p = verb("add", build.add, "Add documents: files or folders.")
    p.add_argument("path", nargs="+", help="files or folders: txt, md, html, pdf, docx, jsonl")
    p.add_argument("--domain", metavar="D", help="of those that name none themselves; default: general")
    p.add_argument("--language", choices=LANGUAGES, help="default: found in each text")
    p.add_argument("--format", choices=["auto", "lines", "jsonl"], default="auto",
                   help="auto: by suffix, a file is a document; lines: a document a line")  # fmt: skip
    p.add_argument("--licence", metavar="L", help="of those that name none themselves; a release wants one for each")

    p = verb("draft", build.draft, "Draft items with an agent, or from templates over tables.")
    p.add_argument("--task", required=True, action=Task, metavar="T", help=Names("what kind of question", "task"))
    p.add_argument("--domain", required=True, metavar="D", help="whose documents; templates have their own")
    p.add_argument("--count", required=True, type=int, metavar="N",
                   help="drafts wanted; at most twice as many windows are tried")  # fmt: skip
    p.add_argument("--agent", required=True, metavar="A", help=f"{AGENT}; templates ask none")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    asks(p)

    p = verb("vary", build.vary, "Put items' questions in other forms.")
    p.add_argument("--kinds", required=True, metavar="K,K", help=Names("what is done to them", "perturbation"))
    p.add_argument("--agent", metavar="A", help=f"{AGENT}; spelling, keyboard and ocr ask none")
    p.add_argument("--task", metavar="T", help="items of this task alone")
    p.add_argument("--domain", metavar="D", help="items of this domain alone")
    p.add_argument("--status", choices=STATUSES, default="accepted", help="items of this status; default: accepted")
    p.add_argument("--release", metavar="R", help="the items of a release")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    asks(p)

    p = verb("search", build.search, "Set a search provider up, or list them; drafts choose one with --set search=NAME.")
    p.add_argument("provider", nargs="?", help="its name; none: list what there is")
    settings(p, "of the provider: url=ADDRESS")

    p = verb("tables", build.tables, "Add tables of entities, put one under another spec, take one out of use, or list them.")
    p.add_argument("path", nargs="*", help="files of rows, or folders of them, where a tables.json corrects proposals")
    p.add_argument("--correct", metavar="NAME", help="put a table in use under another spec")
    p.add_argument("--remove", metavar="NAME", help="take a table out of use; what items were made from stays")
    settings(p, "a field of the spec: name entity key label attributes relations time popularity functions, or types.COLUMN")

    p = verb("items", build.items, "List items.")
    p.add_argument("--task", metavar="T", help="of this task alone")
    p.add_argument("--domain", metavar="D", help="of this domain alone")
    p.add_argument("--status", choices=STATUSES, help="of this status alone")
    p.add_argument("--text", default="", help="stands in the question or an answer, in upper or lower case")
    p.add_argument("--level", help="1 to 4, KS, KU or KA")
    p.add_argument("--language", choices=LANGUAGES)
    p.add_argument("--agent", metavar="A", help="who drafted them")
    p.add_argument("--flag", metavar="GATE", help="a gate that did not pass them; any = one at least, none = all passed")

    p = verb("decide", build.decide, "Accept (with or without an edit) or discard an item or variant.")
    p.add_argument("item", help="its id, or a variant's")
    p.add_argument("decision", choices=["accept", "discard"])
    p.add_argument("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    p.add_argument("--question", metavar="TEXT", help="in the place of its question, or of a variant's words")
    p.add_argument("--answer", metavar="TEXT", help="in the place of its answer")
    p.add_argument("--reason", default="", metavar="TEXT", help="why it is discarded")

    p = verb("rewrite", build.rewrite, "Store a person's own words for an item's question.")
    p.add_argument("item", help="its id")
    p.add_argument("--as", dest="person", required=True, metavar="NAME", help=PERSON)
    p.add_argument("--text", required=True, help="the question in these words")

    p = verb("freeze", release.freeze, "Freeze what is accepted into a named release.")
    p.add_argument("name", help="of the release, which never changes; working stands for what is accepted now")
    p.add_argument("--task", action="append", metavar="T", help="items of this task alone; may be given again")
    p.add_argument("--domain", action="append", metavar="D", help="items of this domain alone; may be given again")
    p.add_argument("--split", metavar="NAME=SHARE,...", help="dev=0.2,test=0.8; items of one document stay together")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help="of the split; the same seed makes the same")
    p.add_argument("--allow-unlicensed", metavar="REASON",
                   help="take documents without a licence too; the reason stands in the card")  # fmt: skip
    p.add_argument("--unreviewed-variants", action="store_true", help="take variants too that nobody has decided on")
    p.add_argument("--include-gold", action="store_true",
                   help="leave the sources of summaries and continuations in the retrieval corpus")  # fmt: skip
    p.add_argument("--without-near-copies", action="store_true",
                   help="leave their exact and near copies out of it, too")  # fmt: skip

    p = verb("verify", release.verify, "Check a release, or an exported folder, against its hash.")
    p.add_argument("release", metavar="NAME_OR_FOLDER")

    p = verb("leakage", release.leakage, "How much of the sources left out of a release its corpus still holds.")
    p.add_argument("release", help="its name")

    p = verb("diff", release.diff, "What changed between two releases.")
    p.add_argument("a", help="the earlier one")
    p.add_argument("b", help="the later one")

    p = verb("export", release.export, "Write a release into a new folder.")
    p.add_argument("release", help="its name")
    p.add_argument("--format", required=True, metavar="F", help=Names("one", "format out"))
    p.add_argument("out", help="a folder that is new or empty")
    p.add_argument("--withhold", action="append", default=[], metavar="SPLIT",
                   help="write its questions without answers and evidence")  # fmt: skip
    p.add_argument("--without-html", action="store_true", help="crag: the text of web pages in the place of their HTML")

    p = verb("import", release.import_, "Import a benchmark: items, documents, and the release of an exported folder.")
    p.add_argument("path", help="a file, or a folder")
    p.add_argument("--format", required=True, metavar="F", help=Names("one", "format in"))

    p = verb("run", evaluate.run, "Run a RAG system on a release and score it.")
    p.add_argument("release", help="its name; working stands for what is accepted now")
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--system", metavar="S", help=Names("one", "system"))
    either.add_argument("--preset", metavar="P", help=Names("a system with its settings", "run preset"))
    p.add_argument("--agent", metavar="A", help=f"who answers: {AGENT}")
    p.add_argument("--retriever", metavar="R", help=Names("one, for systems that search", "retriever"))
    p.add_argument("--metrics", metavar="M,M", help=Names("default: each item's task has its own; there are", "metric"))
    p.add_argument("--judge", action="append", metavar="A", help=f"who judges: {AGENT}; may be given again")
    p.add_argument("--votes", type=int, default=1, metavar="N", help=VOTES)
    p.add_argument("--variants", action="store_true", help="ask the release's variants too")
    p.add_argument("--repeat", type=int, default=1, metavar="N", help="answer everything so often, each a run")
    p.add_argument("--sample", type=int, metavar="N", help="ask so many questions, drawn by the seed")
    p.add_argument("--seed", type=seed, default=0, metavar="N", help=SEED)
    asks(p)

    p = verb("score", evaluate.score, "Score a predictions file; needs no workspace.")
    p.add_argument("predictions", metavar="PREDICTIONS.jsonl",
                   help="a JSON object a line: id, prediction (null = failed), answers")  # fmt: skip
    p.add_argument("--metrics", required=True, metavar="M,M", help=Names("some", "metric"))
    p.add_argument("--language", choices=LANGUAGES, help="default: found in the texts")
    p.add_argument("--judge", action="append", metavar="A", help=f"who judges: {AGENT}; may be given again")
    p.add_argument("--votes", type=int, default=1, metavar="N", help=VOTES)
    asks(p)

    p = verb("report", evaluate.report, "Compare runs; or what became of the drafts.")
    p.add_argument("run", nargs="*", help="ids, or at least six letters of each; none with --preset hawkbench_table1 or "
                                          "r_eval_table1, which are of the workspace")  # fmt: skip
    p.add_argument("--by", metavar="KEY,KEY", help="default: level,domain; level for hawkbench_table1")
    p.add_argument("--format", choices=["table", "csv", "latex", "html", "json"], default="table")
    p.add_argument("--preset", metavar="P", help=Names("a table or figure of a paper", "preset"))
    settings(p, "of the preset: threshold=0.5, reference=RUN")

    p = verb("export-run", evaluate.export_run, "Write a run down as another tool's result files.")
    p.add_argument("run", help="its id, or at least six letters of it")
    p.add_argument("--format", choices=["trec", "inspect", "promptfoo"], required=True)
    p.add_argument("out", help="a new folder for trec, else a new file")

    p = verb("jobs", upkeep.jobs, "List jobs; resume or cancel one.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID", help="go on with one that was stopped, killed, or at its budget")
    either.add_argument("--cancel", metavar="ID", help="end one; what it made stays")

    p = verb("backup", upkeep.backup, "Copy the whole workspace into one file.")
    p.add_argument("out", help="a new file")

    p = verb("doctor", upkeep.doctor, "Check this installation, and with --agent every prompt on the samples.")
    p.add_argument("--agent", metavar="A", help=AGENT)
    settings(p, "of the agent: agent.timeout=60")
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
