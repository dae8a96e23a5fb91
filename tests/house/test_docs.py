"""README and docs tell the truth: their commands and snippets run, their transcripts are what is printed, their paths and links
lead somewhere, and each noun stands in the glossary."""

import argparse
import dataclasses
import importlib.util
import inspect
import json
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
import yaml

import cli
from core import nouns
from eval.metric import metrics
from tests.house.documents import CLI, PAGES, ROOT, TUTORIAL, Outcome, Step, read_page, steps, without_times, work
from tests.house.test_floors import modules

pytestmark = pytest.mark.slow

SOURCES = r"(?:agents|builders|core|deploy|docs|eval|pages|prompts|samples|serving|store|terminal|tests|workbench)/"
"""How a path of ours begins."""
OUTSIDE = ("make", ".venv/bin/streamlit", "ssh")
"""Commands that are not a verb of ours."""
EVERY_STEP = [step for page in PAGES for step in steps(page) if step.command]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Step, Outcome]]:
    return work(PAGES, tmp_path_factory.mktemp("docs"))


def test_every_command_and_snippet_runs(worked: list[tuple[Step, Outcome]]) -> None:
    failed = [f"{step.page}: {step.command or step.snippet}\n{one.said}" for step, one in worked if one.code != step.code]
    assert not failed, "\n".join(failed)
    assert {step.page for step, _ in worked} >= {TUTORIAL, "docs/how-to/add-a-metric.md", "docs/reference/json-shapes.md"}


def test_transcripts_are_what_the_commands_print(worked: list[tuple[Step, Outcome]]) -> None:
    transcripts = [(step, one) for step, one in worked if step.printed is not None and "--json" not in step.words]
    assert len(transcripts) >= 10
    for step, one in transcripts:
        assert without_times(one.printed) == without_times(step.printed or ""), step.command


def test_json_has_the_shapes_that_the_reference_shows(worked: list[tuple[Step, Outcome]]) -> None:
    shapes = [(step, one) for step, one in worked if step.printed is not None and "--json" in step.words]
    verbs = {step.words[2] for step, _ in shapes}
    assert verbs >= {"items", "draft", "freeze", "run", "report", "jobs"}
    for step, one in shapes:
        compare_shapes(json.loads(step.printed or ""), json.loads(one.printed), step.command)


WITHOUT_JSON = {"app"}
"""Verbs that print no result: the process becomes the server."""


def test_every_verb_has_a_shape_in_the_reference() -> None:
    shown = {
        " ".join(step.words[len(CLI) :])
        for step in EVERY_STEP
        if step.page == "docs/reference/json-shapes.md" and step.printed and "--json" in step.words
    }
    missing = [verb for verb in list_verbs(shared_parser()) if not any(f"{one} ".startswith(f"{verb} ") for one in shown)]
    assert set(missing) == WITHOUT_JSON, f"{missing}: show what they print with --json"


def list_verbs(parser: argparse.ArgumentParser, before: str = "") -> Iterator[str]:
    """Every verb with the words before it; a group of verbs is none, unless it is a verb by itself too."""
    inner = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if before and (not inner or parser.get_default("verb") is not None):
        yield before
    for action in inner:
        for name, one in action.choices.items():
            yield from list_verbs(one, f"{before} {name}".strip())


def compare_shapes(shown: object, printed: object, where: str) -> None:
    """Keys and types are the same; {} and [] stand for any object and list, null for anything."""
    if shown is None or printed is None:
        return
    if isinstance(shown, int | float) and not isinstance(shown, bool):
        assert isinstance(printed, int | float), where
        return
    assert type(shown) is type(printed), where
    if isinstance(shown, dict) and shown:
        assert isinstance(printed, Mapping) and set(shown) == set(printed), where
        for key in shown:
            compare_shapes(shown[key], printed[key], f"{where}: {key}")
    elif isinstance(shown, list) and shown:
        assert isinstance(printed, list) and printed, where
        compare_shapes(shown[0], printed[0], f"{where}: its first")


@pytest.mark.parametrize("step", EVERY_STEP, ids=lambda step: f"{step.page}: {step.command[:60]}")
def test_commands_are_understood(step: Step) -> None:
    if step.words[:2] == CLI:
        changes_the_parser = any(word == "template_question" or word.startswith("hub:") for word in step.words)
        (cli.parser() if changes_the_parser else shared_parser()).parse_args(step.words[2:])
    elif step.words[0] == "make":
        targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
        assert step.words[1] in targets
    else:
        assert step.words[0] in OUTSIDE, f"{step.page} has its reader run {step.command}, which nothing checks"


@cache
def shared_parser() -> argparse.ArgumentParser:
    """One parser for many tests, because building it takes longer than each of them."""
    return cli.parser()


@pytest.mark.parametrize("page", PAGES)
def test_commands_in_sentences_are_understood(page: str) -> None:
    text = re.sub(r"```.*?```", "", read_page(page), flags=re.DOTALL)
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert set(re.findall(r"`make (\w+)[^`]*`", text)) <= targets
    verbs = next(action for action in shared_parser()._actions if action.choices).choices or {}
    for verb in re.findall(r"`cli\.py ([a-z][\w-]*)[^`]*`", text):
        assert verb in verbs, verb
    options = {option for verb in verbs.values() for option in list_options(verb)}  # type: ignore[attr-defined]
    named = {words[0] for code in re.findall(r"`(--[^`]+)`", text) if (words := shlex.split(code))}
    assert {name for name in named if not name.startswith(("--browser.", "--server."))} <= options


def list_options(verb: argparse.ArgumentParser) -> Iterator[str]:
    """Every option of the verb, and of the verbs within it."""
    for action in verb._actions:
        yield from action.option_strings
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from list_options(inner)


@pytest.mark.parametrize("page", PAGES)
def test_paths_named_exist(page: str) -> None:
    text = read_page(page)
    saved = set(re.findall(r"`([\w./-]+)`:$", text, flags=re.MULTILINE))
    named = set(re.findall(rf"`({SOURCES}[\w./-]*)`", text)) | set(re.findall(r"`([\w-]+\.(?:py|md|cff)|[A-Z]{4,})`", text))
    shipped = ROOT / "store" / "formats" / "shipped"
    missing = [name for name in named - saved - NAMES if not (ROOT / name).exists() and not (shipped / name).exists()]
    assert not missing, missing


NAMES = {
    "LAUNCHER",
    "METRIC",
    "SHORTCUT",
    "SYSTEM",
    "TASK",
    "GATE",
    "FORMAT",
    "RETRIEVER",
    "PEERS",
    "PRESET",
    "PROVIDER",
    "PERTURBATION",
} | {
    "AGENT",
    "CHAIN",
    "ENVIRONMENT",
    "CHROMIUM",
    "EXPORT",
    "INDEX",
    "KIND",
    "LANGUAGE",
    "LANGUAGES",
    "PGPASSWORD",
    "RENDERER",
    "RERANKER",
    "TOOL",
}
"""Words in capitals that are not files: constants, a variable of the environment, and kinds of spans."""


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Those within the checkout, with their headings; `make docs` checks those within docs once more."""
    text = re.sub(r"```.*?```", "", read_page(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, heading = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), f"{page} links to {target}"
        assert not heading or heading in headings(file), f"{page} links to {target}"


def test_the_table_of_plug_ins_is_whole() -> None:
    called = re.compile(r'\bcatalog\("([\w.]+)", "(\w+)"')
    read = {call for path in modules() for call in called.findall(path.read_text(encoding="utf-8"))}
    rows = re.findall(r"^\| `([\w/]+)/` \| `(\w+)` \|", read_page("docs/architecture/index.md"), flags=re.MULTILINE)
    assert len(rows) == len(read) and {(folder.replace("/", "."), constant) for folder, constant in rows} == read


def headings(file: Path) -> set[str]:
    """The anchors that MkDocs gives to a page's headings."""
    titles = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip().lower()) for title in titles}


def test_every_page_is_in_the_menu() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    listed = re.findall(r"[\w/-]+\.md", json.dumps(menu))
    assert sorted(f"docs/{page}" for page in listed) == sorted(page for page in PAGES if page.startswith("docs/"))


def test_the_glossary_has_each_noun() -> None:
    glossary = read_page("docs/glossary.md")
    own = [name for name, one in inspect.getmembers(nouns, dataclasses.is_dataclass) if one.__module__ == "core.nouns"]
    assert len(own) >= 15
    assert [name for name in own if f"| **{name}** |" not in glossary] == []


@pytest.fixture(scope="module")
def hooks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_hooks", ROOT / "docs" / "hooks.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_hold_every_verb_and_metric(hooks: ModuleType) -> None:
    commands = hooks.on_page_markdown(read_page("docs/reference/command-line.md"))
    verbs = next(action for action in cli.parser()._actions if action.choices).choices or {}
    assert re.findall(r"^## (.+)$", commands, flags=re.MULTILINE) == list(verbs)
    assert "| `--budget USD` | Stop the job before it spends more than this amount |" in commands
    shown = hooks.on_page_markdown(read_page("docs/reference/metrics.md"))
    assert re.findall(r"^## (.+)$", shown, flags=re.MULTILINE) == list(metrics())
    assert "Parity: the SQuAD script" in shown
    columns = hooks.on_page_markdown(read_page("docs/reference/formats.md"))
    assert "| `overlap` | float | Share of the question's content words that are in its evidence, 0 to 1. |" in columns


@pytest.mark.parametrize("page", PAGES)
def test_every_generated_part_is_known(page: str, hooks: ModuleType) -> None:
    assert set(re.findall(r"^<!-- (\w+) -->$", read_page(page), flags=re.MULTILINE)) <= set(hooks.PARTS)
