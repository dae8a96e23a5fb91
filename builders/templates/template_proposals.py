"""Templates that an agent proposes for tables. Each is read, held against the tables and tried on their rows before a person
sees it; a person approves or edits it, and nothing is made of it before."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from builders.templates.template_questions import make
from builders.templates.templates import check_template, template_from_record, template_record
from core.agent import Sampling
from core.errors import BenchError
from core.tables.world import Tables
from prompts.prompt import load
from prompts.reply import Ask, ask_for

PROMPT = "draft/template"
AT_ONCE = 8
"""Templates that are asked for in one call."""
REPLY = 3000
"""Tokens of a reply with so many."""
_UNFIT = re.compile(r"\W+")


class TemplateProposal(NamedTuple):
    """One template of a reply."""

    record: Mapping[str, Any]
    """As far as it can be read."""
    why: str
    """Why it is not proposed; "" = it is."""


class TemplateProposals(NamedTuple):
    """What one call gave."""

    found: tuple[TemplateProposal, ...]
    calls: tuple[str, ...]
    prompt: str
    """Its identity."""
    none: str
    """Why the agent proposed nothing; "" = it did."""


def describe_tables(tables: Tables) -> str:
    """What a prompt tells of tables: a line of JSON each, without any row."""
    lines = []
    for name, table in tables.items():
        spec = table.spec
        lines.append(
            json.dumps(
                {
                    "table": name,
                    "one_row_is": spec.entity,
                    "key": spec.key,
                    "name": spec.label,
                    "columns": dict(spec.columns),
                    "asked_for": list(spec.attributes),
                    "leads_to": {one.name: {"to": one.to, "several": one.many} for one in tables.relations(name)},
                },
                ensure_ascii=False,
            )
        )
    return "\n".join(lines)


async def propose(
    ask: Ask,
    tables: Tables,
    *,
    kinds: Sequence[str],
    count: int,
    asked: Sequence[str],
    taken: Sequence[str],
    language: str,
    seed: int,
) -> TemplateProposals:
    """One call for `count` templates; `asked` = the words of those that are there, `taken` = their names. Raises Unreadable,
    AgentError, BudgetReached."""
    prompt = load(PROMPT, language)
    inputs = {"tables": describe_tables(tables), "kinds": ", ".join(kinds), "count": count, "asked": "\n".join(asked)}
    reply = await ask_for(ask, prompt, inputs, Sampling(temperature=0.7, max_tokens=REPLY, seed=seed))
    names, words, found = set(taken), set(asked), []
    for one in reply.values.get("templates") or ():
        proposal = _read_entry(one, tables, language, names, words, kinds)
        if not proposal.why:
            names.add(proposal.record["id"])
            words.add(proposal.record["text"])
        found.append(proposal)
    return TemplateProposals(tuple(found), reply.calls, prompt.identity, str(reply.values.get("none") or ""))


def _read_entry(
    one: Mapping[str, Any], tables: Tables, language: str, taken: set[str], asked: set[str], kinds: Sequence[str]
) -> TemplateProposal:
    """The template of an entry, or why it is none."""
    record = {
        "id": _choose_name(str(one["name"]), taken),
        "text": one["text"],
        "table": one["table"],
        "kind": one["kind"],
        "level": one["level"],
        "language": language,
        "slots": {slot["place"]: {"path": slot["path"], "of": slot["of"]} for slot in one["slots"]},
        "answer": one["answer"],
        **{name: one[name] for name in ("measure", "minus", "unit") if one.get(name)},
    }
    if one["text"] in asked:
        return TemplateProposal(record, "it is there already")
    if one["kind"] not in kinds:
        return TemplateProposal(record, f"it is of kind {one['kind']}, which was not asked for")
    try:
        template = template_from_record(record)
        check_template(template, tables)
        made = make(tables, template, n=3)
    except BenchError as error:
        return TemplateProposal(record, str(error))
    if not made.items:
        return TemplateProposal(record, "no row gives a question")
    return TemplateProposal(template_record(template), "")


def _choose_name(name: str, taken: set[str]) -> str:
    """A name that a template can have, and that none has."""
    clean = _UNFIT.sub("_", name.strip().lower()).strip("_")[:60] or "template"
    base = clean if not clean[0].isdigit() else f"t_{clean}"
    return next(one for one in (base, *(f"{base}_{n}" for n in range(2, 10_000))) if one not in taken)
