"""Writes the output of verbs: only JSON with --json, else human-readable lines. Also turns errors into exit codes."""

import json
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from core.as_json import as_json
from core.errors import BenchError, WorkspaceHeld
from core.installation import COMMAND
from terminal.session import Session

if TYPE_CHECKING:
    from core.readers.reading import RefusedFile


def show_json(session: Session, value: Any) -> None:
    """Write a value as one line of JSON to stdout; escape non-ASCII characters if stdout cannot encode all of Unicode. The
    elements of a list are converted and written one after the other, because a list of items may be large."""
    encode = json.JSONEncoder(ensure_ascii=not session.is_plain, allow_nan=False).encode
    if not isinstance(value, list):
        session.write_out(f"{encode(as_json(value))}\n")
        return
    session.write_out("[")
    for number, element in enumerate(value):
        session.write_out(f"{', ' if number else ''}{encode(as_json(element))}")
    session.write_out("]\n")


def show(session: Session, options: Namespace, value: Any, text: str | Callable[[], str]) -> None:
    """Write `value` as JSON if the command has --json, else the human-readable `text`."""
    if options.json:
        show_json(session, value)
    else:
        session.write_out(f"{text() if callable(text) else text}\n")


def show_end(session: Session, options: Namespace, result: Mapping[str, Any]) -> int:
    """Write the result of a job and return the exit code. The exit code is 1 if the job was stopped or every question of a run
    failed; with --json, the reason is then also written to stderr."""
    is_run = "run" in result
    text = run_line(result) if is_run else result["message"]
    show(session, options, result, text)
    if is_run and result["failed"]:
        session.say(describe_retry(result["failed"]))
    is_failed = bool(result["stopped"]) or (is_run and bool(result["failed"]) and not result["answered"])
    if is_failed and options.json:
        session.say(text)
    return int(is_failed)


def run_line(result: Mapping[str, Any]) -> str:
    """Return a human-readable line that describes the result of a run."""
    if result["run"] is None:
        return f"No run yet. Stopped ({result['stopped']}): {result['message']}"
    if result["failed"] and not result["answered"] and not result["stopped"]:
        first = f" First failure: {result['first_failure']}" if result.get("first_failure") else ""
        return f"Run {result['run']}: every question failed, {result['failed']} of {result['failed']}.{first}"
    text = (
        f"Run {result['run']}: {result['answered']} answered, {result['failed']} failed, {result['reused']} reused, "
        f"{format_count(result['calls'], 'call')}."
    )
    if result["stopped"]:
        return f"{text} Stopped ({result['stopped']}): {result['message']}"
    if bare := result.get("without_standalone"):
        text += f" {format_count(bare, 'follow-up')} without a standalone question: asked as written, alone."
    return f"{text} First failure: {result['first_failure']}" if result.get("first_failure") else text


def describe_retry(failed: int) -> str:
    """Return a message that says how to repeat the failed questions of a run."""
    return (
        f"{format_count(failed, 'question')} failed, and stay failed if the run is resumed or repeated: `{COMMAND} run` with "
        "the same options and --retry-failed asks them again. Stored replies cost nothing."
    )


def format_count(n: int, noun: str) -> str:
    """Return a count with its noun in the singular or plural, such as "1 item" or "2 items"."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def refusal_line(refused: "RefusedFile") -> str:
    """Return a line that says why a record or file was refused; put the file and line number first if the message does not name
    the file."""
    if refused.where in refused.message:
        return refused.message
    line = f":{refused.line}" if refused.line else ""
    return f"{refused.where}{line}: {refused.message}"


def describe_scores(report: Mapping[str, Any]) -> list[str]:
    """Format the mean scores of a predictions file as human-readable lines."""
    lines = []
    width = max([28, *map(len, report["metrics"])])
    for name, score in report["metrics"].items():
        mean = score["mean"] if score["mean"] is None else format(score["mean"], ".4f")
        whys = dict.fromkeys(item["why"][name] for item in report["items"] if name in item.get("why", {}))
        unscored = f" unscored={score['unscored']} ({'; '.join(whys)})" if score["unscored"] else ""
        lines.append(f"{name:{width}} {mean}  n={score['n']} failed={score['failed']}{unscored}")
    for name, by_kind in report.get("robustness", {}).get("figures", {}).items():
        values = [
            f"{kind} {figure['mean']:.3f} (n={figure['n']})" for kind, figure in by_kind.items() if figure["mean"] is not None
        ]
        lines += [f"{name:28} {', '.join(values)}"] if values else []
    return lines


def item_lines(items: Iterable[Mapping[str, Any]]) -> str:
    """Format items as text, with several lines for each item."""
    return "\n".join(
        f"{i['id']} r{i['revision']} {i['status']:9} {i.get('task', i.get('kind'))} {i.get('domain', '')}\n"
        f"  Q {i.get('question', i.get('text'))}\n  A {' | '.join(i.get('answers', []))}"
        for i in items
    )


def table_lines(tables: Iterable[Mapping[str, Any]]) -> str:
    """Format tables as text, with several lines for each table, and with remarks on tables that were just added."""
    lines = []
    for table in tables:
        row = f"one row = one {table['entity']}" if table["entity"] else "a link between tables"
        lines.append(f"{table['name']}  {table['rows']:,} {'row' if table['rows'] == 1 else 'rows'}, {row}  {table['hash']}")
        uses = {"key": table["key"], "name": table["label"], "time": table["time"], "popularity": table["popularity"]}
        lines.append(f"  {', '.join(f'{use} {column}' for use, column in uses.items() if column) or 'no key'}")
        lines += [f"  {r['name']}: {r['column']} -> {r['to']}.{r['to_column']}" for r in table["relations"]]
        lines += [f"  {sentence}" for sentence in table.get("said", ())]
        if table.get("items_on_replaced"):
            lines.append(
                f"  {table['items_on_replaced']} accepted items are based on the previous snapshot, which stays stored."
            )
    return "\n".join(lines) or "No tables: add a CSV, Parquet or JSON lines file."


def run_verb(session: Session, options: Namespace, act: Callable[[], int]) -> int:
    """Run the function of a verb and return the exit code. For a BenchError, Ctrl-C or an OSError, write a one-line message to
    stderr. Raises BrokenPipeError if a pipe is closed, and any exception that a bug causes."""
    try:
        return act()
    except BenchError as error:
        return report_error(session, options, error, 3 if isinstance(error, WorkspaceHeld) else 1)
    except KeyboardInterrupt:
        session.say("Interrupted: results so far are stored; run the same command again to continue.")
        return 1
    except BrokenPipeError:
        raise
    except OSError as error:
        where = error.filename or "The operating system says"
        sentence = f"{where}: {error.strerror or error}; check the path, its permissions and its disk."
        return report_error(session, options, BenchError(sentence), 1)


def report_error(session: Session, options: Namespace, error: BenchError, code: int) -> int:
    """Write the message of an error to stderr and return the exit code `code`. With --json, also write the result that the
    error carries, if any, to stdout."""
    result = getattr(error, "result", None)
    if options.json and result is not None:
        show_json(session, result)
    session.say(str(error))
    return code


def label_lines(questions: Iterable[Mapping[str, Any]]) -> str:
    """Format label questions as text, with two lines for each question."""
    lines = []
    for q in questions:
        scale = f" 1 to {q['top']}" if q["kind"] == "rating" else f": {', '.join(q['choices'])}" if q["choices"] else ""
        marks = ["required"] * q["required"] + ["retired"] * q["retired"] + [f"of {', '.join(q['tasks']) or 'all tasks'}"]
        lines.append(f"{q['name']}  {q['kind']}{scale}  ({', '.join(marks)}; {format_count(q['answers'], 'answer')})")
        lines.append(f"  {q['text']}")
    return "\n".join(lines) or f"No label questions: ask one with `{COMMAND} labels NAME --text TEXT --kind KIND`."


def effect_lines(report: Mapping[str, Any]) -> str:
    """Format a report on the effect of drafts on people as text, with one line for each value."""
    rule = report["rule"]
    if rule is None:
        return f"No decision was made while drafts were hidden: set a share with `{COMMAND} desk rules`."
    lines = [
        f"Blind reveal {rule['share']:.0%}, no draft {rule['alone']:.0%}, seed {rule['seed']}; left out: "
        f"{format_count(report['other_rules'], 'decision')} under other rules, {report['seen_before']} on drafts seen before. "
        f"Intervals of 95 %, resampled by person with seed {report['seed']}."
    ]
    for one in report["effects"]:
        counts = "; ".join(
            f"{arm}: {format_count(n, 'decision')}, people {one['people'][arm]:,}" for arm, n in one["decisions"].items()
        )
        lines.append(f"{' '.join(filter(None, [one['group'], one['name']]))}  ({counts})")
        lines.append(f"  anchoring: {_format_intervals(one['anchoring'], '{}')}")
        for row in one["rows"]:
            lines.append(f"  {row['measure']}: {_format_intervals(row['arms'], '{}')}")
            if any(value["mean"] is not None for value in row["effects"].values()):
                against = "{} / draft" if row["measure"] == "seconds" else "{} - draft"
                lines.append(f"    effect: {_format_intervals(row['effects'], against)}")
    return "\n".join(lines)


def _format_intervals(values: Mapping[str, Mapping[str, Any]], name: str) -> str:
    """Format the intervals of several arms on one line; `name` is the form of an arm's name."""
    return "; ".join(f"{name.format(arm)} {_format_interval(value)}" for arm, value in values.items())


def _format_interval(value: Mapping[str, Any]) -> str:
    """Format a mean with its interval and n, or the reason why it is missing."""
    if value["mean"] is None:
        return f"\u2013 ({value['why']})"
    ends = f" ({value['why']})" if value["low"] is None else f" [{value['low']:.3f}, {value['high']:.3f}]"
    return f"{value['mean']:.3f}{ends} n={value['n']}"


def agreement_lines(report: Mapping[str, Any]) -> str:
    """Format a report on the agreement between people as text, with one line for each measure."""
    items = format_count(report["items"], "item")
    lines = [f"{items} with opinions of two people or more, {report['blind']} of them given blind."]
    for line in report["lines"]:
        value = line["why"] if line["value"] is None else format(line["value"], ".3f")
        ends = "" if line["low"] is None else f" [{line['low']:.3f}, {line['high']:.3f}]"
        chance = "" if line["chance"] is None else f" by chance {line['chance']:.3f}"
        lines.append(f"{line['what']}, {line['measure']}, {line['people']}: {value}{ends} n={line['items']}{chance}")
    return "\n".join(lines)
