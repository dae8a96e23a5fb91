"""Command-line verbs and their options that add documents, draft items and decide on items."""

import argparse

from terminal.shared_options import (
    AGENT,
    LANGUAGES,
    PERSON,
    SEED,
    STATUSES,
    PlugInHelp,
    VerbMaker,
    add_agent_options,
    add_person,
    add_settings,
    add_shard_options,
    seed,
)


class TaskOption(argparse.Action):
    """argparse action of the option --task of the verbs that draft items. If the task drafts questions from templates, --domain
    and --agent become optional."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
    ) -> None:
        setattr(namespace, self.dest, value)
        for action in parser._actions:
            action.required = action.required and not (value == "template_question" and action.dest in ("domain", "agent"))


def add_item_verbs(verb: VerbMaker) -> None:
    """Add to the command line's parser the verbs for documents, tables, drafts and decisions."""
    _, add = verb("add", "build.add", "Add documents from files or folders.")
    add("path", nargs="+", help="Files or folders: txt, md, html, pdf, docx, jsonl")
    add("--domain", metavar="D", help="Domain of documents that do not state a domain; default: general")
    add("--language", choices=LANGUAGES, help="Language of the documents; default: detected from each text")
    add(
        "--format",
        choices=["auto", "lines", "jsonl"],
        default="auto",
        help="auto: one document per file, parsed according to its extension; lines: one document per line; default: auto",
    )
    add("--licence", metavar="L", help="Licence of documents that state none; a release needs a licence for each document")
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
        help="Number of items to draft; at most twice as many document excerpts (windows) are tried",
    )
    add("--agent", required=True, metavar="A", help=f"Agent that drafts: {AGENT}; not needed for templates")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add("--corpus", metavar="FILE", help="With --shard: the copy of the workspace, made by `backup`, from which to draft")
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb("vary", "build.vary", "Create variants of items' questions.")
    add("--kinds", required=True, metavar="K,K", help=PlugInHelp("Kinds of variants", "perturbation"))
    add(
        "--agent",
        metavar="A",
        help=f"Agent that rewrites the questions: {AGENT}; the kinds of variants spelling, keyboard and ocr need none",
    )
    add("--task", metavar="T", help="Only items of this task")
    add("--domain", metavar="D", help="Only items of this domain")
    add("--status", choices=STATUSES, default="accepted", help="Only items of this status; default: accepted")
    add("--release", metavar="R", help="Only the items of this release; with --shard, the folder of an exported release")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb(
        "search",
        "build.search",
        "Configure a search provider, or list all providers; `draft --set search=NAME` uses a provider.",
    )
    add("provider", nargs="?", help="Name of the provider; without a name, all providers are listed")
    add_settings(p, "A setting of the provider: url=ADDRESS; repeatable")

    p, add = verb("tables", "build.tables", "Add tables of entities, correct or remove a table, or list all tables.")
    add(
        "path",
        nargs="*",
        help="Files with a table's rows, or folders of such files; a folder's tables.json corrects the proposed table specs",
    )
    add("--correct", metavar="NAME", help="Change the spec (the roles of the columns) of this table; needs --set")
    add("--remove", metavar="NAME", help="Remove this table; items drafted from it stay")
    add_settings(
        p,
        (
            "A field of the table's spec as FIELD=VALUE; FIELD is name, entity, key, label, attributes, relations, time, "
            "popularity, functions or types.COLUMN; repeatable"
        ),
    )

    _, add = verb("items", "build.items", "List items.")
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
    add(
        "--as",
        dest="person",
        default="",
        metavar="NAME",
        help="List the items as this person sees them, without answers that a rule of the desk hides from the person",
    )

    _, add = verb("decide", "build.decide", "Accept or discard an item or a variant; an acceptance can include an edit.")
    add("item", help="Id of the item or variant")
    add("decision", choices=["accept", "discard"], help="The decision")
    add_person(add)
    add("--question", metavar="TEXT", help="New question of the item; a variant cannot be edited")
    add("--answer", metavar="TEXT", help="New answer of the item; a variant cannot be edited")
    add(
        "--evidence",
        action="append",
        metavar="TEXT",
        help="A passage that proves the answer, copied from the item's documents; all evidence is replaced; repeatable",
    )
    add("--allow-long", action="store_true", help="Allow a new answer of 50,000 characters or more")
    add("--reason", default="", metavar="TEXT", help="Reason for the discard")
    add(
        "--label",
        action="append",
        default=[],
        metavar="NAME=ANSWER",
        help="An answer to a label question; repeatable, also for several choices of one question",
    )

    _, add = verb("rewrite", "build.rewrite", "Store a person's rewrite of an item's question.")
    add("item", help="Id of the item")
    add_person(add)
    add("--text", required=True, help="The rewritten question")
    add(
        "--reason",
        default="",
        metavar="TEXT",
        help="Reason to keep a rewrite that is close to the question or contains the answer; a second person then decides",
    )

    p, add = verb(
        "labels", "build.labels", "Create, change or retire a label question for reviewers, or list all label questions."
    )
    add("name", nargs="?", help="Name of a new or existing label question; without a name, all questions are listed")
    add("--text", help="The question that reviewers see")
    add(
        "--kind",
        choices=["one", "several", "rating", "text"],
        help="Kind of answer: one choice, several choices, a rating, or free text",
    )
    add("--choice", action="append", metavar="TEXT", help="One of the choices; repeat the option for each choice, in order")
    add("--top", type=int, metavar="N", help="Highest value of a rating")
    add(
        "--task",
        action="append",
        metavar="T",
        help='Task whose items get this question; repeat for several tasks, or give "all" for every task',
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
    either.add_argument("--restore", action="store_false", default=None, dest="retired", help="Ask a retired question again")
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)

    verb("reviews", "records.reviews", "List all reviews of items and variants, oldest first.")

    verb("agreement", "build.agreement", "Report the agreement of reviewers on decisions and label questions.")
    verb("effect", "build.effect", "Report the effect of drafts on people's answers, time and decisions.")
