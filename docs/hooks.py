"""Functions with which `mkdocs build` adds generated parts to the pages: the reference of commands, metrics, plug-ins and
formats, made from the code so that it always matches the code. A comment in a page, such as <!-- commands -->, marks the place
of a part."""

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with its generated parts."""
    return re.sub(r"^<!-- (\w+) -->$", lambda match: PARTS[match[1]](), markdown, flags=re.MULTILINE)


def render_commands() -> str:
    """Return every verb of the command line with its options, from the argument parser."""
    from cli import parser

    os.environ["COLUMNS"] = "100"
    verbs = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    return "\n\n".join(_render_verb(f"## {name}", verb) for name, verb in verbs.choices.items())


def _render_verb(heading: str, verb: argparse.ArgumentParser) -> str:
    inner = next((action for action in verb._actions if isinstance(action, argparse._SubParsersAction)), None)
    if inner is not None:
        own = [] if verb.get_default("verb") is None else _render_usage(verb)  # a verb that also works without a subcommand
        parts = [_render_verb(f"#{heading} {name}", part) for name, part in inner.choices.items()]
        return "\n\n".join([heading, str(verb.description), *own, *parts])
    return "\n\n".join([heading, str(verb.description), *_render_usage(verb)])


def _render_usage(verb: argparse.ArgumentParser) -> list[str]:
    """Return the usage of a verb, and the table of its options if it has any."""
    formatter = verb._get_formatter()
    rows = []
    for action in verb._actions:
        if action.dest in ("help", "workspace", "server", "json") or isinstance(action, argparse._SubParsersAction):
            continue
        choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else ""
        placeholder = action.metavar or choices or (action.dest.upper() if action.option_strings else action.dest)
        words = " ".join([", ".join(action.option_strings), "" if action.nargs == 0 else str(placeholder)]).strip()
        rows.append((f"`{words}`", formatter._expand_help(action) if action.help else ""))
    usage = verb.format_usage().rstrip()
    options = [_render_table(("option", "what it does"), rows)] if rows else []
    return [f"```text\n{usage}\n```", *options]


def render_metrics() -> str:
    """Return every metric with formula, scale, settings and parity, from the metric files and the conformance registry."""
    from eval.scoring.conformance import PEERS, list_metrics

    rows = list_metrics()
    overview = _render_table(
        ("metric", "how it is computed", "held equal to"),
        [(f"[{row.name}](#{row.name})", row.kind, row.metric.reference or "its own definition alone") for row in rows],
    )
    return "\n\n".join([overview, *(_render_metric(row, PEERS) for row in rows)])


def _render_metric(row: Any, peers: Mapping[str, Any]) -> str:
    from core.catalog import find_module

    metric = row.metric
    low, high = ("open" if end is None else f"{end:g}" for end in (metric.low, metric.high))
    order = {True: "higher is better", False: "lower is better", None: "no order"}[metric.higher_is_better]
    facts = [f"Scale: {low} to {high}; {order}.", f"Languages: {metric.describe_languages()}.", f"Version: `{metric.version}`."]
    if metric.settings:
        facts.append("Settings: " + ", ".join(f"`{row.name}.{key}={value}`" for key, value in metric.settings.items()) + ".")
    if metric.reference:
        facts.append(f"Parity: {metric.reference}.")
    if row.name in peers:
        facts.append(f"The page *Conformance* measures the difference from the library {peers[row.name][0]}.")
    about = find_module("eval.metrics", row.name).__doc__ or ""
    text = _escape(" ".join(about.split("\n\n")[0].split()))
    rest = [_escape(" ".join(part.split())) for part in about.split("\n\n")[1:]]
    source = f"Source: `eval/metrics/{row.name}.py`."
    return "\n\n".join([f"## {row.name}", text, *rest, "\n".join(f"- {fact}" for fact in [*facts, source])])


def render_formats() -> str:
    """Return every format, and whether it can be imported and exported, from the format files."""
    from store.format import Format, formats

    known: Mapping[str, Format] = formats()
    rows = []
    for name, one in known.items():
        ways = [way for way, can in (("in", one.read or one.pieces), ("out", one.write)) if can]
        module = sys.modules[(one.write or one.read or one.pieces).__module__]  # type: ignore[union-attr]
        rows.append((f"`{name}`", one.label, " and ".join(ways), _first_sentence(module.__doc__)))
    return _render_table(("format", "name", "way", "what"), rows)


def render_columns() -> str:
    """Return the columns of every kind of record in an export, from the descriptions that each export carries."""
    from store.formats._record_files import RECORD_FILES
    from store.formats.beir import RECORD_FILES as OF_BEIR

    parts = []
    for kind in (*RECORD_FILES, *OF_BEIR):
        rows = [(f"`{name}`", column.type, column.about) for name, column in {**kind.columns, **kind.prefixes}.items()]
        files = ", ".join(f"`{pattern}`" for pattern in kind.patterns)
        parts.append(f"### {kind.name}\n\n{kind.about} In {files}.\n\n{_render_table(('column', 'type', 'what'), rows)}")
    return "\n\n".join(parts)


def render_systems() -> str:
    """Return every system under test, from the system files."""
    from eval.system import systems

    return _render_catalog("eval.systems", ((name, one.label) for name, one in systems().items()))


def render_retrievers() -> str:
    """Return every retriever."""
    from eval.retriever import retrievers

    return _render_catalog("eval.retrievers", ((name, name) for name in retrievers()))


def render_tasks() -> str:
    """Return every task with its level and definition."""
    from builders.task import tasks

    rows = [(f"`{name}`", "–" if one.level is None else str(one.level), one.definition["en"]) for name, one in tasks().items()]
    return _render_table(("task", "level", "definition"), rows)


def render_gates() -> str:
    """Return every gate that asks no agent."""
    from builders.gate import gates

    return _render_catalog("builders.gates", ((name, name) for name in gates()))


def _render_catalog(package: str, named: Iterable[tuple[str, str]]) -> str:
    from core.catalog import find_module

    rows = [(f"`{name}`", _first_sentence(find_module(package, name).__doc__, name)) for name, _ in named]
    return _render_table(("name", "what"), rows)


def _first_sentence(docstring: str | None, name: str = "") -> str:
    text = " ".join((docstring or "").split("\n\n")[0].split()).removeprefix(f"{name}: ")
    return re.split(r"(?<=[\w)])\. (?=[A-Z])", text)[0].removesuffix(" with").rstrip(".:") + "."


def _render_table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *(tuple(_escape(cell) for cell in row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _escape(text: str) -> str:
    """Escape Markdown's marks in a text; keep code spans and links to headings as they are."""
    parts = re.split(r"(`[^`]*`|\[[^\]]*\]\(#[^)]*\))", text)
    plain = [
        re.sub(r"([\\*_<>|\[\]{}])", r"\\\1", part) if at % 2 == 0 else part.replace("|", "\\|")
        for at, part in enumerate(parts)
    ]
    return "".join(plain)


PARTS: Mapping[str, Callable[[], str]] = {
    "commands": render_commands,
    "metrics": render_metrics,
    "formats": render_formats,
    "columns": render_columns,
    "systems": render_systems,
    "retrievers": render_retrievers,
    "tasks": render_tasks,
    "gates": render_gates,
}
"""Dict from the name of a comment to the function that makes the text in its place."""
