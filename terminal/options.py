"""The verbs with their options. Names and defaults are a contract that scripts depend on."""

import argparse

from terminal.session import Verb
from terminal.verbs import build, evaluate, release, upkeep


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
        made.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")

    verb("demo", upkeep.demo, "The samples end to end, then the report.")

    p = verb("add", build.add, "Add documents: files or folders.")
    p.add_argument("path", nargs="+")
    p.add_argument("--domain")
    p.add_argument("--language", choices=["en", "zh"])
    p.add_argument("--format", choices=["auto", "lines", "jsonl"], default="auto")
    p.add_argument("--licence")

    p = verb("draft", build.draft, "Draft items with an agent, or from templates over tables.")
    p.add_argument("--task", required=True, action=Task)
    p.add_argument("--domain", required=True)
    p.add_argument("--count", required=True, type=int)
    p.add_argument("--agent", required=True)
    p.add_argument("--seed", type=seed, default=0)
    asks(p)

    p = verb("vary", build.vary, "Put items' questions in other forms.")
    p.add_argument("--kinds", required=True, metavar="K,K")
    p.add_argument("--agent")
    p.add_argument("--task")
    p.add_argument("--domain")
    p.add_argument("--status", choices=["drafted", "refused", "accepted", "discarded"], default="accepted")
    p.add_argument("--release", metavar="R")
    p.add_argument("--seed", type=seed, default=0)
    asks(p)

    p = verb("search", build.search, "Set a search provider up, or list them; drafts choose one with --set search=NAME.")
    p.add_argument("provider", nargs="?")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")

    p = verb("tables", build.tables, "Add tables of entities, put one under another spec, take one out of use, or list them.")
    p.add_argument("path", nargs="*", help="files of rows, or folders of them, where a tables.json corrects proposals")
    p.add_argument("--correct", metavar="NAME", help="put a table in use under another spec")
    p.add_argument("--remove", metavar="NAME", help="take a table out of use; what items were made from stays")
    p.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a field of the spec: name entity key label attributes relations time popularity functions, or types.COLUMN",
    )

    p = verb("items", build.items, "List items.")
    p.add_argument("--task")
    p.add_argument("--domain")
    p.add_argument("--status", choices=["drafted", "refused", "accepted", "discarded"])
    p.add_argument("--text", default="", help="stands in the question or an answer, in upper or lower case")
    p.add_argument("--level")
    p.add_argument("--language", choices=["en", "zh"])
    p.add_argument("--agent", help="who drafted them")
    p.add_argument("--flag", metavar="GATE", help="a gate that did not pass them; any = one at least, none = all passed")

    p = verb("decide", build.decide, "Accept (with or without an edit) or discard an item or variant.")
    p.add_argument("item")
    p.add_argument("decision", choices=["accept", "discard"])
    p.add_argument("--as", dest="person", required=True, metavar="NAME")
    p.add_argument("--question")
    p.add_argument("--answer")
    p.add_argument("--reason", default="")

    p = verb("rewrite", build.rewrite, "Store a person's own words for an item's question.")
    p.add_argument("item")
    p.add_argument("--as", dest="person", required=True, metavar="NAME")
    p.add_argument("--text", required=True)

    p = verb("freeze", release.freeze, "Freeze what is accepted into a named release.")
    p.add_argument("name")
    p.add_argument("--task", action="append")
    p.add_argument("--domain", action="append")
    p.add_argument("--split", metavar="NAME=SHARE,...")
    p.add_argument("--seed", type=seed, default=0)
    p.add_argument("--allow-unlicensed", metavar="REASON")
    p.add_argument("--unreviewed-variants", action="store_true")
    p.add_argument("--include-gold", action="store_true",
                   help="leave the sources of summaries and continuations in the retrieval corpus")  # fmt: skip
    p.add_argument("--without-near-copies", action="store_true",
                   help="leave their exact and near copies out of it, too")  # fmt: skip

    p = verb("verify", release.verify, "Check a release, or an exported folder, against its hash.")
    p.add_argument("release", metavar="NAME_OR_FOLDER")

    p = verb("leakage", release.leakage, "How much of the sources left out of a release its corpus still holds.")
    p.add_argument("release")

    p = verb("diff", release.diff, "What changed between two releases.")
    p.add_argument("a")
    p.add_argument("b")

    p = verb("export", release.export, "Write a release into a new folder.")
    p.add_argument("release")
    p.add_argument("--format", required=True)
    p.add_argument("out")
    p.add_argument("--withhold", action="append", default=[], metavar="SPLIT")
    p.add_argument("--without-html", action="store_true", help="crag: the text of web pages in the place of their HTML")

    p = verb("import", release.import_, "Import a benchmark: items, documents, and the release of an exported folder.")
    p.add_argument("path")
    p.add_argument("--format", required=True)

    p = verb("run", evaluate.run, "Run a RAG system on a release and score it.")
    p.add_argument("release")
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--system")
    either.add_argument("--preset", metavar="P", help="crag_task1, crag_task2, crag_task3 or crag_open")
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

    p = verb("score", evaluate.score, "Score a predictions file; needs no workspace.")
    p.add_argument("predictions", metavar="PREDICTIONS.jsonl")
    p.add_argument("--metrics", required=True, metavar="M,M")
    p.add_argument("--language", choices=["en", "zh"])
    p.add_argument("--judge", action="append")
    p.add_argument("--votes", type=int, default=1)
    asks(p)

    p = verb("report", evaluate.report, "Compare runs; or what became of the drafts.")
    p.add_argument("run", nargs="*", help="none with --preset hawkbench_table1 or r_eval_table1, which are of the workspace")
    p.add_argument("--by", metavar="KEY,KEY", help="default: level,domain; level for hawkbench_table1")
    p.add_argument("--format", choices=["table", "csv", "latex", "html", "json"], default="table")
    p.add_argument("--preset")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                   help="of the preset: threshold=0.5, reference=RUN")  # fmt: skip

    p = verb("export-run", evaluate.export_run, "Write a run down as another tool's result files.")
    p.add_argument("run")
    p.add_argument("--format", choices=["trec", "inspect", "promptfoo"], required=True)
    p.add_argument("out", help="a new folder for trec, else a new file")

    p = verb("jobs", upkeep.jobs, "List jobs; resume or cancel one.")
    either = p.add_mutually_exclusive_group()
    either.add_argument("--resume", metavar="ID")
    either.add_argument("--cancel", metavar="ID")

    verb("backup", upkeep.backup, "Copy the whole workspace into one file.").add_argument("out")

    p = verb("doctor", upkeep.doctor, "Check this installation, and with --agent every prompt on the samples.")
    p.add_argument("--agent")
    p.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    return top


def seed(text: str) -> int:
    """A seed as the store and every generator can hold it."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value
