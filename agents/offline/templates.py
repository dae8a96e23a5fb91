"""Proposes question templates by rules from a description of tables: facts, sets, comparisons, aggregates over a relation, and
false premises, worded with the column names. The description has one JSON line per table."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

Line = dict[str, Any]
Made = dict[str, Any]
_NUMBERS = ("integer", "number")
_WORDS = {
    "simple": ("What is the {column} of the {row} {{name}}?", "{row}{{name}}的{column}是什么？"),
    "set": ("What are the {column} of the {row} {{name}}?", "{row}{{name}}的{column}有哪些？"),
    "comparison": (
        "Which {row} has the higher {column}, {{name}} or {{other}}?",
        "{{name}}与{{other}}，哪个{row}的{column}更高？",
    ),
    "count": ("How many {column} does the {row} {{name}} have?", "{row}{{name}}有多少个{column}？"),
    "max": (
        "What is the highest {column} among the {of} of the {row} {{name}}?",
        "{row}{{name}}的{of}中，最高的{column}是多少？",
    ),
    "over": ("What is the {column} of the {of} of the {row} {{name}}?", "{row}{{name}}的{of}的{column}是什么？"),
    "all_over": ("What {column} do the {of} of the {row} {{name}} have?", "{row}{{name}}的{of}有哪些{column}？"),
    "condition": (
        "What is the {column} of the {of} of the {row} {{name}} with {given} {{value}}?",
        "{row}{{name}}的{of}中，{given}为{{value}}的，其{column}是什么？",
    ),
    "minus": (
        "By how much does the {column} of the {row} {{name}} exceed its {given}?",
        "{row}{{name}}的{column}比{given}多多少？",
    ),
    "false": (
        "Since when has the {column} of the {row} {{name}} been {{value}}?",
        "{row}{{name}}的{column}从什么时候起是{{value}}？",
    ),
}
"""Dict from the kind of a question template to its wording in English and in Chinese."""


def propose_templates(described: str, kinds: Sequence[str], count: int, asked: Sequence[str], language: str) -> list[Made]:
    """Return at most `count` question templates, one of each kind in turn, without those whose text is in `asked`."""
    lines = {line["table"]: line for line in map(_line, described.splitlines()) if line}
    turns = {kind: [] for kind in kinds}  # type: dict[str, list[Made]]
    for line in lines.values():
        if line["key"] and line["name"]:
            for template in _ask_table(line, lines, language):
                if template["kind"] in turns and template["text"] not in asked:
                    turns[template["kind"]].append(template)
    proposals: list[Made] = []
    while len(proposals) < count and any(turns.values()):
        proposals += [waiting.pop(0) for waiting in turns.values() if waiting]
    return proposals[:count]


def _line(text: str) -> Line | None:
    try:
        line = json.loads(text)
    except ValueError:
        return None
    return line if isinstance(line, dict) and {"table", "key", "name", "columns"} <= set(line) else None


def _ask_table(line: Line, lines: dict[str, Line], language: str) -> Iterator[Made]:
    """Yield all question templates that the rules find for one table."""
    columns: dict[str, str] = line["columns"]
    asked = [c for c in line.get("asked_for") or columns if c in columns and c not in (line["key"], line["name"])]
    numbers = [c for c in asked if columns[c] in _NUMBERS]
    name = {"place": "name", "path": line["name"], "of": "subject"}

    def make_template(
        kind: str, how: str, path: str, level: str, *slots: Line, of: str = "", given: str = "", **more: str
    ) -> Made:
        words = _WORDS[how][language == "zh"]
        text = words.format(
            column=_word_path(path), row=line["one_row_is"] or line["table"], of=_word_path(of), given=_word_path(given)
        )
        id_ = "_".join([line["table"], how, *path.split(".")])
        return {
            "name": id_,
            "text": text,
            "table": line["table"],
            "kind": kind,
            "level": level,
            "slots": [name, *slots],
            "answer": "" if kind == "false_premise" else path,
            **more,
        }

    for column in asked:
        if columns[column] == "list":
            yield make_template("set", "set", column, "KU")
        else:
            yield make_template("simple", "simple", column, "KS")
    for column in numbers:
        yield make_template(
            "comparison", "comparison", column, "KU", {"place": "other", "path": line["name"], "of": "other"}, measure="max"
        )
    for more, less in pairwise(numbers):
        yield make_template("post-processing", "minus", more, "KA", given=less, minus=less, unit="number")
    for column in asked:
        if columns[column] == "text":
            yield make_template("false_premise", "false", column, "KU", {"place": "value", "path": column, "of": "false"})
    for relation, leads in (line.get("leads_to") or {}).items():
        yield from _ask_relation(make_template, relation, leads, lines)


def _ask_relation(make_template: Any, relation: str, leads: Line, lines: dict[str, Line]) -> Iterator[Made]:
    """Yield question templates about the rows to which a relation of the table leads."""
    there = lines.get(leads["to"])
    if there is None:
        return
    columns: dict[str, str] = there["columns"]
    asked = [c for c in there.get("asked_for") or () if c in columns]
    if not leads["several"]:
        for column in asked:
            yield make_template("multi-hop", "over", f"{relation}.{column}", "KA", of=relation)
        return
    yield make_template("aggregation", "count", relation, "KA", measure="count")
    for column in asked:
        if columns[column] in _NUMBERS:
            yield make_template("aggregation", "max", f"{relation}.{column}", "KA", of=relation, measure="max")
        elif columns[column] == "text":
            yield make_template("set", "all_over", f"{relation}.{column}", "KU", of=relation)
    shown = next((column for column in (there["name"], *asked) if column and columns[column] not in ("date", "list")), "")
    for condition in (column for column in asked if shown and columns[column] in ("integer", "date") and column != shown):
        yield make_template(
            "simple_w_condition",
            "condition",
            f"{relation}.{shown}",
            "KU",
            {"place": "value", "path": condition, "of": "condition"},
            of=relation,
            given=condition,
        )


def _word_path(path: str) -> str:
    """Return the last part of a dotted column path as words, with spaces for underscores."""
    return path.rpartition(".")[2].replace("_", " ")
