"""Options, texts and types that the verbs of several modules share."""

import argparse
from collections.abc import Callable
from typing import Any, Protocol

from agents.kind import full_names
from core.text.language import UNKNOWN, rows

AGENT = f"{', '.join(full_names())}, or an agent saved on the Agents page"
LANGUAGES = [*rows(), UNKNOWN]
STATUSES = ["drafted", "refused", "accepted", "discarded"]
PERSON = "Name of the person who acts, as the app knows it"
SEED = "Seed of every random choice; the same seed repeats the same choices"
OptionAdder = Callable[..., argparse.Action]
"""Type of the `add_argument` of a verb's parser."""
GroupMaker = Callable[[str, str], Any]
"""Type of a function that adds a group of verbs that share their first word, and returns the group."""


class VerbMaker(Protocol):
    """Type of a function that adds a verb and returns its parser with the parser's `add_argument`."""

    def __call__(
        self, name: str, function: str, about: str, among: Any = ..., options: argparse.ArgumentParser = ...
    ) -> tuple[argparse.ArgumentParser, OptionAdder]: ...


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


def add_person(add: OptionAdder) -> None:
    """Add the required option --as, which names the person who acts, to a verb."""
    add("--as", dest="person", required=True, metavar="NAME", help=PERSON)


def add_settings(added: argparse.ArgumentParser, about: str) -> None:
    """Add the option --set, which can be repeated, to a verb."""
    added.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=about)


def add_agent_options(added: argparse.ArgumentParser) -> None:
    """Add the options of all verbs that ask agents: --batch, --budget and --set."""
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
    """Add the options of all verbs whose work can be divided: --shard and --out."""
    added.add_argument("--shard", metavar="K/N", help="Do only part (shard) K of N of the work, K from 0; needs --out")
    added.add_argument("--out", metavar="FOLDER", help="Folder for the results of the shard, with its own workspace")


def seed(text: str) -> int:
    """Parse a random seed, which must be a number that the store and every random generator accept. The error of argparse
    contains the name of this function: invalid seed value."""
    value = int(text)
    if not 0 <= value < 2**63:
        raise argparse.ArgumentTypeError("give a whole number from 0 to 9223372036854775807")
    return value
