"""Functions that several command-line verbs share: they find the items that filters choose, wait for results that are computed
in the background, and format lines."""

import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from core.errors import BenchError
from core.nouns import Level

if TYPE_CHECKING:
    from workbench import Workbench
    from workbench.background_cache import RunningWork

T = TypeVar("T")
WAIT_SECONDS = 0.05


def wait_for(ask: Callable[[], "RunningWork[T]"]) -> T:
    """Call `ask` repeatedly until the result that it computes in the background is ready, and return the result."""
    while (work := ask()).value is None:
        time.sleep(WAIT_SECONDS)
    return work.value


def choose_items(bench: "Workbench", options: Namespace) -> list[str]:
    """Return the ids of the items that the command's options choose, oldest first. Raises BenchError if a named item does not
    exist."""
    if options.item:
        known = {item.id for item in bench.item_list.items()}
        if missing := [id_ for id_ in options.item if id_ not in known]:
            raise BenchError(f"There is no item {missing[0]} in this workspace: `items` lists all items.")
        return list(dict.fromkeys(options.item))
    filters = {name: getattr(options, name) for name in ("task", "domain", "status", "text", "level", "language", "flag")}
    return [item.id for item in bench.item_list.items(**filters, agent=options.drafted_by)]


def find_person(bench: "Workbench", options: Namespace) -> str:
    """Return the name given with --as, in the spelling that the workspace uses. Raises BenchError if the name is empty."""
    if not options.person.strip():
        raise BenchError("The name of the person who acts is empty: give it with --as NAME.")
    return bench.people.spell_name(options.person)


def read_level(text: str) -> Level:
    """Parse a level of difficulty: a number, KS, KU or KA."""
    return int(text) if text.isdigit() else text


def split_names(text: str | None) -> list[str]:
    """Split a comma-separated list into its names."""
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def join_lines(rows: Iterable[str], when_empty: str) -> str:
    """Join the rows to one text, each on its own line. Return `when_empty` if there are no rows."""
    return "\n".join(map(str.rstrip, rows)) or when_empty


def format_figures(figures: Mapping[str, Any]) -> str:
    """Format a dict from name to number as text, such as "flag 3, pass 7"."""
    return ", ".join(f"{name} {format(n, '.3f') if isinstance(n, float) else n}" for name, n in figures.items())
