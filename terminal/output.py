"""What verbs print: JSON alone with --json, else lines for people; and which exit code what went wrong has."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from core.as_json import as_json
from core.errors import BenchError, WorkspaceHeld
from terminal.session import Session


def show_json(session: Session, value: Any) -> None:
    """One line of JSON; with escapes where stdout could not carry the letters themselves."""
    session.write_out(json.dumps(as_json(value), ensure_ascii=not session.is_plain, allow_nan=False) + "\n")


def show(session: Session, options: Namespace, value: Any, text: str | Callable[[], str]) -> None:
    """JSON with --json, else the text for people."""
    if options.json:
        show_json(session, value)
    else:
        session.write_out(f"{text() if callable(text) else text}\n")


def show_end(session: Session, options: Namespace, result: Mapping[str, Any]) -> int:
    """What a job came to; why it was stopped stands on stderr too when stdout is for a machine. Returns the exit code."""
    text = run_line(result) if "run" in result else result["message"]
    show(session, options, result, text)
    if result["stopped"] and options.json:
        session.say(text)
    return 1 if result["stopped"] else 0


def run_line(result: Mapping[str, Any]) -> str:
    """A run for people: a line."""
    if result["run"] is None:
        return f"No run yet. Stopped ({result['stopped']}): {result['message']}"
    text = (
        f"Run {result['run']}: {result['answered']} answered, {result['failed']} failed, {result['reused']} reused, "
        f"{format_count(result['calls'], 'call')}."
    )
    if result["stopped"]:
        return f"{text} Stopped ({result['stopped']}): {result['message']}"
    return f"{text} First failure: {result['first_failure']}" if result.get("first_failure") else text


def format_count(n: int, what: str) -> str:
    """1 item, 2 items."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def refusal_line(refused: Mapping[str, Any]) -> str:
    """Why a record or file did not come in, for people: its place stands in front where the message does not name it."""
    if refused["where"] in refused["message"]:
        return str(refused["message"])
    line = f":{refused['line']}" if refused["line"] else ""
    return f"{refused['where']}{line}: {refused['message']}"


def item_lines(found: Iterable[Mapping[str, Any]]) -> str:
    """Items for people: a block each."""
    return "\n".join(
        f"{i['id']} r{i['revision']} {i['status']:9} {i.get('task', i.get('kind'))} {i.get('domain', '')}\n"
        f"  Q {i.get('question', i.get('text'))}\n  A {' | '.join(i.get('answers', []))}"
        for i in found
    )


def table_lines(found: Iterable[Mapping[str, Any]]) -> str:
    """Tables for people: a block each, with what there is to say of one that was added."""
    lines = []
    for table in found:
        what = f"one row = one {table['entity']}" if table["entity"] else "a link between tables"
        lines.append(f"{table['name']}  {table['rows']:,} {'row' if table['rows'] == 1 else 'rows'}, {what}  {table['hash']}")
        named = {"key": table["key"], "name": table["label"], "time": table["time"], "popularity": table["popularity"]}
        lines.append(
            "  " + ", ".join(f"{name} {column}" for name, column in named.items() if column)
            if any(named.values())
            else "  no key"
        )
        lines += [
            f"  {relation['name']}: {relation['column']} -> {relation['to']}.{relation['to_column']}"
            for relation in table["relations"]
        ]
        lines += [f"  {sentence}" for sentence in table.get("said", ())]
        if table.get("items_on_replaced"):
            lines.append(f"  {table['items_on_replaced']} accepted items were made from the snapshot before, which is kept.")
    return "\n".join(lines) or "No tables: add a CSV, Parquet or JSON lines file."


def run_verb(session: Session, options: Namespace, act: Callable[[], int]) -> int:
    """Do it; returns its exit code, or that of what it raised, which is then one sentence on stderr. Bugs, and a
    reader that went away, go through."""
    try:
        return act()
    except WorkspaceHeld as error:
        return complain(session, options, error, 3)
    except BenchError as error:
        return complain(session, options, error, 1)
    except KeyboardInterrupt:
        session.say("Interrupted: what was stored stays; the same command goes on from there.")
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        where = error.filename or "The operating system says"
        trouble = BenchError(f"{where}: {error.strerror or error}; check the path, its rights and its disk.")
        return complain(session, options, trouble, 1)


def complain(session: Session, options: Namespace, error: BenchError, code: int) -> int:
    """The sentence on stderr; what the error carries as a result still goes to stdout with --json."""
    result = getattr(error, "result", None)
    if options.json and result is not None:
        show_json(session, result)
    session.say(str(error))
    return code


def label_lines(found: Iterable[Mapping[str, Any]]) -> str:
    """Label questions for people: a block each."""
    lines = []
    for one in found:
        scale = f" 1 to {one['top']}" if one["kind"] == "rating" else f": {', '.join(one['choices'])}" if one["choices"] else ""
        marks = ["required"] * one["required"] + ["retired"] * one["retired"] + [f"of {', '.join(one['tasks']) or 'all tasks'}"]
        lines += [
            f"{one['name']}  {one['kind']}{scale}  ({', '.join(marks)}; {format_count(one['answers'], 'answer')})",
            f"  {one['text']}",
        ]
    return "\n".join(lines) or "No label questions: ask one with `cli.py labels NAME --text TEXT --kind KIND`."


def agreement_lines(found: Mapping[str, Any]) -> str:
    """How far people agree, for people: a line each measure."""
    lines = [
        f"{format_count(found['items'], 'item')} with opinions of two people or more, {found['blind']} of them given blind."
    ]
    for one in found["lines"]:
        value = one["why"] if one["value"] is None else format(one["value"], ".3f")
        ends = "" if one["low"] is None else f" [{one['low']:.3f}, {one['high']:.3f}]"
        chance = "" if one["chance"] is None else f" by chance {one['chance']:.3f}"
        lines.append(f"{one['what']}, {one['measure']}, {one['people']}: {value}{ends} n={one['items']}{chance}")
    return "\n".join(lines)
