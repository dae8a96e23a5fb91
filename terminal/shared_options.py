"""Options, texts and types that the verbs of several modules share."""

import argparse
from collections.abc import Callable
from typing import Any, Protocol

from agents.kind import full_names
from core.text.language import UNKNOWN, rows

AGENT = f"{', '.join(full_names())}, or an agent saved on the Agents page"
LANGUAGES = [*rows(), UNKNOWN]
STATUSES = ["drafted", "refused", "accepted", "discarded"]
PERSON = "Name of the person who acts, as in the app"
SEED = "Seed of every random choice; the same seed repeats the same choices"
OptionAdder = Callable[..., argparse.Action]
"""Type of the `add_argument` of a verb's parser."""
GroupMaker = Callable[[str, str], Any]
"""Type of a function that adds a group of verbs that share their first word, and returns the group."""


class VerbMaker(Protocol):
    """Type of a function that adds a verb to the command line and returns the verb's parser and the parser's method
    `add_argument`."""

    def __call__(
        self, name: str, function: str, about: str, among: Any = ..., options: argparse.ArgumentParser = ...
    ) -> tuple[argparse.ArgumentParser, OptionAdder]: ...


MAX_PAGE = 1_000_000_000
"""Largest number of a page, so that the number of its first row fits into the database's integers."""


class PlugInHelp(str):
    """Help text that ends with the names of the plug-ins of one kind. The names are looked up only when the help is printed."""

    kind: str

    def __new__(cls, about: str, kind: str) -> "PlugInHelp":
        text = super().__new__(cls, about)
        text.kind = kind
        return text

    def __mod__(self, values: object) -> str:
        from workbench.plug_ins import PLUG_INS

        return f"{self}: {', '.join(PLUG_INS[self.kind]())}"


def add_person(add: OptionAdder) -> None:
    """Add to a verb the required option --as, which names the person who acts."""
    add("--as", dest="person", required=True, metavar="NAME", help=PERSON)


def add_settings(added: argparse.ArgumentParser, about: str) -> None:
    """Add to a verb the option --set, which can be repeated."""
    added.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=about)


def add_agent_options(added: argparse.ArgumentParser) -> None:
    """Add to a verb the options of all verbs that call agents: --batch, --budget and --set."""
    added.add_argument(
        "--batch",
        metavar="OUT",
        help="Send no requests now: write them into files in the folder OUT, for a Batch API or vllm run-batch",
    )
    added.add_argument("--budget", type=float, metavar="USD", help="Stop the job before it spends more than this amount")
    add_settings(
        added,
        "A setting, such as agent.temperature=0; VALUE is JSON or text; the error for a wrong KEY lists all keys; repeatable",
    )


def add_shard_options(added: argparse.ArgumentParser) -> None:
    """Add to a verb the options of all verbs whose work can be divided into shards: --shard and --out."""
    added.add_argument(
        "--shard", metavar="K/N", help="Do only shard K of the N shards (parts) of the work, counted from 0; needs --out"
    )
    added.add_argument("--out", metavar="FOLDER", help="Folder for the results and the workspace of the shard")


def parse_page(text: str) -> int:
    """Parse the number of a page of a list, from 1."""
    if not text.strip().isdecimal() or not 1 <= int(text[:20]) <= MAX_PAGE:
        raise argparse.ArgumentTypeError(f"give the number of a page, from 1 to {MAX_PAGE}")
    return int(text)


def seed(text: str) -> int:
    """Parse a random seed: a whole number that the database and all random generators accept. argparse puts the name of this
    function into its error message: invalid seed value."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value
