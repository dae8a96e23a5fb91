"""Describe jobs, and how they ended, in words for people."""

from collections.abc import Mapping
from typing import Any

from core.text.language import language_name
from workbench.annotate.finding.bulk_rules import ACTIONS


def describe_kind(kind: str) -> str:
    """Return the kind of a job in words."""
    return kind.replace("_", " ").capitalize()


def describe_job(kind: str, params: Mapping[str, Any]) -> str:
    """Return one line that says what a job does, from its kind and its parameters."""
    if kind == "count":
        return "Estimate tokens of documents"
    known = {
        "draft": _draft,
        "draft_one": _draft,
        "trial": _trial,
        "run": _run,
        "add": _add,
        "import": _import,
        "hub_import": _hub_import,
        "hub_publish": _hub_publish,
        "bulk": _bulk,
        "gates": _gates,
        "sweep": _sweep,
        "vary": _vary,
        "template": _template,
        "refresh": _refresh,
        "propose": _propose,
        "nuggets": _nuggets,
        "translate": _translate,
        "certificate": _certificate,
        "rescore": _rescore,
        "board": _board,
    }
    words = known.get(kind)
    return words(params) if words else describe_kind(kind)


def describe_end(state: str, result: Any, error: str | None) -> str:
    """Return a text that says how the job ended: the message of its result, or its error. Return "" if the job has not ended or
    has no message."""
    if state == "running":
        return ""
    said = str(result.get("message") or "") if isinstance(result, dict) else ""
    sentence = said or error or ""
    is_word = sentence.partition(" ")[0].isalpha()  # the name of an agent stays as it is
    return sentence[:1].upper() + sentence[1:] if is_word else sentence


def _draft(params: Mapping[str, Any]) -> str:
    task, count = str(params.get("task", "")).replace("_", " "), params.get("count", 1)
    items = f"{count:,} {task} {'item' if count == 1 else 'items'}"
    where = _domain(params)
    if places := (params.get("settings") or {}).get("places"):
        where = f"{len(places):,} chosen {'place' if len(places) == 1 else 'places'} of {where}"
    return f"Draft {items} from {where} with {params.get('agent')}"


def _trial(params: Mapping[str, Any]) -> str:
    task, agents = str(params.get("task", "")).replace("_", " "), list(dict.fromkeys(params.get("agents") or []))
    return (
        f"Trial: {task} in two ways on {params.get('windows'):,} windows from {_domain(params)} with "
        f"{' and '.join(map(str, agents))}"
    )


def _run(params: Mapping[str, Any]) -> str:
    parts = [f"Run {params.get('system')}"]
    if params.get("retriever"):
        parts.append(f"over {params['retriever']}")
    if params.get("agent"):
        parts.append(f"with {params['agent']}")
    parts.append(f"on {params.get('release')}")
    if params.get("sample"):
        parts.append(f"({params['sample']:,} sampled)")
    if (params.get("repeat") or 1) > 1:
        parts.append(f"{params['repeat']} times")
    return " ".join(parts)


def _sweep(params: Mapping[str, Any]) -> str:
    return f"Sweep {params.get('name')} on {params.get('release')}"


def _add(params: Mapping[str, Any]) -> str:
    files = params.get("files") or []
    return f"Add {files[0]['name']}" if len(files) == 1 else f"Add {len(files):,} files"


def _import(params: Mapping[str, Any]) -> str:
    files = params.get("files") or []
    return f"Import {files[0]['name'] if len(files) == 1 else f'{len(files):,} files'} as {params.get('format')}"


def _hub_import(params: Mapping[str, Any]) -> str:
    return f"Import {str(params.get('path')).removeprefix('hub:')} from the hub"


def _hub_publish(params: Mapping[str, Any]) -> str:
    return f"Publish {params.get('release')} as {str(params.get('to')).removeprefix('hub:')} on the hub"


def _bulk(params: Mapping[str, Any]) -> str:
    asked = params.get("asked") or {}
    if asked.get("action") == "undo":
        return f"Undo bulk action {asked.get('of')}"
    if asked.get("action") == "give":
        return f"Give items to {asked.get('to')}, asked by {asked.get('person')}"
    whom = f" ({asked['to']})" if asked.get("to") else ""
    return f"{ACTIONS.get(asked.get('action', ''), 'Change')}{whom}, in bulk, asked by {asked.get('person')}"


def _gates(params: Mapping[str, Any]) -> str:
    asked = f" by {', '.join(params['agents'])}" if params.get("agents") else ""
    return f"Run gates: {', '.join(params.get('gates') or ()).replace('_', ' ')}{asked}"


def _vary(params: Mapping[str, Any]) -> str:
    kinds, task = ", ".join(params.get("kinds") or ()), params.get("task")
    of = f"{params.get('status') or 'all'} items"
    of += f" of {task.replace('_', ' ')}" if task else ""
    of += f" of {params['release']}" if params.get("release") else ""
    asked = f" with {params['agent']}" if params.get("agent") else ""
    return f"Vary {of}: {kinds}{asked}"


def _template(params: Mapping[str, Any]) -> str:
    ids, count = [id for id, _ in params.get("templates") or ()], params.get("count", 0)
    of = f"template {ids[0]}" if len(ids) == 1 else f"{len(ids):,} templates"
    return f"Make {count:,} {'question' if count == 1 else 'questions'} of {of}"


def _propose(params: Mapping[str, Any]) -> str:
    count = params.get("count", 0)
    return f"Propose {count:,} {'template' if count == 1 else 'templates'} with {params.get('agent')}"


def _nuggets(params: Mapping[str, Any]) -> str:
    return f"Draft nuggets with {params.get('agent')}"


def _translate(params: Mapping[str, Any]) -> str:
    return f"Translate items into {language_name(str(params.get('language')))} with {params.get('agent')}"


def _certificate(params: Mapping[str, Any]) -> str:
    asked = f" with {', '.join(params['agents'])}" if params.get("agents") else ""
    return f"Look for shortcuts in {params.get('release')}{asked}"


def _refresh(params: Mapping[str, Any]) -> str:
    return f"Refresh season {params.get('season')}"


def _domain(params: Mapping[str, Any]) -> str:
    return "every domain" if params.get("domain") == "all" else str(params.get("domain"))


def _rescore(params: Mapping[str, Any]) -> str:
    return f"Score runs again on {params.get('release')}"


def _board(params: Mapping[str, Any]) -> str:
    return f"Score submission {params.get('number')} to the board of {params.get('release')}"
