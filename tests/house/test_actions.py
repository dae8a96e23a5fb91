"""Each page and each action of the workbench has a verb on the command line."""

import argparse
import functools
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cli
from tests.house.test_docs import list_options
from workbench import Workbench
from workbench.stage import list_stages

ROOT = Path(__file__).parents[2]
TABLES = (ROOT / "docs" / "reference" / "actions.md").read_text(encoding="utf-8").split("## Actions")
ROWS = [dict(re.findall(r"^\| `([\w./]+)` \| (.+) \|$", table, flags=re.MULTILINE)) for table in TABLES]
UNGUARDED = {
    "accounts.accept_invite": "it makes the account of whoever has the link",
    "accounts.change_password": "only the person's own password, at the screen",
    "access_tokens.create": "`tokens create`",
    "access_tokens.revoke": "`tokens revoke`",
    "accounts.revoke_sessions": "`people sign-out`",
}
"""Actions whose methods check by themselves who acts, because a person may do them for themselves."""


def list_actions() -> Iterator[str]:
    """Every method of a stage, or of a part of one, that changes something and names its permission; also those that a stage
    takes over from a part."""
    with Workbench.open(":memory:") as bench:
        stages = {one.attribute: getattr(bench, one.attribute) for one in list_stages(Workbench)}
        for attribute, stage in stages.items():
            parts = {
                name: part for name, part in vars(stage).items() if not name.startswith("_") and part not in stages.values()
            }
            for prefix, one in ((attribute, stage), *((f"{attribute}.{name}", part) for name, part in parts.items())):
                for name, verb in inspect.getmembers(one, inspect.ismethod):
                    if getattr(verb, "is_action", False):
                        yield f"{prefix}.{name}"


make_parser = functools.cache(cli.parser)


def find_parser(words: list[str]) -> argparse.ArgumentParser | None:
    """The parser of a verb, or of a verb within a group; None where there is none."""
    found: argparse.ArgumentParser | None = make_parser()
    for word in words:
        groups = [one for one in found._actions if isinstance(one, argparse._SubParsersAction)] if found else []
        found = groups[0].choices.get(word) if groups else None
    return found


def test_every_action_is_in_the_table() -> None:
    actions = set(list_actions())
    assert len(actions) > 70 and not set(ROWS[1]) - actions, "the table names actions that are gone"
    assert not actions - set(ROWS[1]), "an action without a verb: give it one"


def test_every_page_is_in_the_table() -> None:
    pages = {path.relative_to(ROOT / "pages").with_suffix("").as_posix() for path in (ROOT / "pages").glob("*/*.py")}
    pages = {page for page in pages if not page.startswith(("parts/", "components/"))}
    assert set(ROWS[0]) == pages


@pytest.mark.parametrize("row", [*ROWS[0].items(), *ROWS[1].items(), *UNGUARDED.items()], ids=lambda row: row[0])
def test_a_verb_that_is_named_exists(row: tuple[str, str]) -> None:
    name, verbs = row
    codes = re.findall(r"`([^`]+)`", verbs)
    assert name in UNGUARDED or (codes and verbs == ", ".join(f"`{code}`" for code in codes)), "verbs alone"
    for code in codes:
        words = code.split()
        options = [word for word in words if word.startswith("--")]
        parser = find_parser([word for word in words if not word.startswith("--")])
        assert parser is not None, code
        assert set(options) <= set(list_options(parser)), code


def test_verbs_that_are_named_call_what_they_are_named_for() -> None:
    """A group of words such as `gates choose` stands in the table because a file of verbs calls the action, or its twin."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "terminal" / "verbs").rglob("*.py"))
    twins = {
        "upkeep.pause",
        "agent_list.list_models", "corpus.load_samples", "one_draft.plan", "reviews.settle",
        "reviews.holds.find_next", "reviews.holds.give", "reviews.holds.plan_next", "reviews.holds.take_back",
        "rewrites.write", "sample_work.load", "tables.save", "templates.save", "trial_calls.begin", "uploads.add",
        "hub.plan_import", "hub.plan_publishing", "uploads.import_",
        "variants.settle", "variants.undo", "reviews.undo", "templates.begin",
    }  # fmt: skip
    """Actions whose verb calls another method that does the same."""
    unnamed = {name for name in ROWS[1] if f"b.{name}(" not in text and f"bench.{name}(" not in text}
    assert unnamed <= twins, unnamed - twins
