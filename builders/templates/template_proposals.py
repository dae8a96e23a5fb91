"""Templates that an agent proposes for tables. Each one is parsed, checked against the tables and tried on their rows before a
person sees it. It is not used until a person approves or edits it."""

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
TEMPLATES_PER_CALL = 8
"""Number of templates requested in one call."""
MAX_REPLY_TOKENS = 3000
"""Maximum number of tokens of a reply with that many templates."""
_UNFIT = re.compile(r"\W+")


class TemplateProposal(NamedTuple):
    """One proposed template from a reply."""

    record: Mapping[str, Any]
    """The readable part of the template's record."""
    why: str
    """Reason for not proposing the template; "" = proposed."""


class TemplateProposals(NamedTuple):
    """The template proposals of one call."""

    found: tuple[TemplateProposal, ...]
    calls: tuple[str, ...]
    prompt: str
    """Identity of the prompt."""
    none: str
    """Reason of the agent for proposing no template; "" = it proposed templates."""


def describe_tables(tables: Tables) -> str:
    """Return a description of the tables for a prompt: one line of JSON per table, without rows."""
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
                    "leads_to": {
                        relation.name: {"to": relation.to, "several": relation.many} for relation in tables.relations(name)
                    },
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
    """Ask the agent once for `count` templates. `asked` contains the texts of the existing templates, `taken` their names.
    Raises Unreadable, AgentError, BudgetReached."""
    prompt = load(PROMPT, language)
    inputs = {"tables": describe_tables(tables), "kinds": ", ".join(kinds), "count": count, "asked": "\n".join(asked)}
    reply = await ask_for(ask, prompt, inputs, Sampling(temperature=0.7, max_tokens=MAX_REPLY_TOKENS, seed=seed))
    names, words, proposals = set(taken), set(asked), []
    for entry in reply.values.get("templates") or ():
        proposal = _read_entry(entry, tables, language, names, words, kinds)
        if not proposal.why:
            names.add(proposal.record["id"])
            words.add(proposal.record["text"])
        proposals.append(proposal)
    return TemplateProposals(tuple(proposals), reply.calls, prompt.identity, str(reply.values.get("none") or ""))


def _read_entry(
    entry: Mapping[str, Any], tables: Tables, language: str, taken: set[str], asked: set[str], kinds: Sequence[str]
) -> TemplateProposal:
    """Return the template described by an entry of the reply, or the reason why the entry is invalid."""
    record = {
        "id": _choose_name(str(entry["name"]), taken),
        "text": entry["text"],
        "table": entry["table"],
        "kind": entry["kind"],
        "level": entry["level"],
        "language": language,
        "slots": {slot["place"]: {"path": slot["path"], "of": slot["of"]} for slot in entry["slots"]},
        "answer": entry["answer"],
        **{name: entry[name] for name in ("measure", "minus", "unit") if entry.get(name)},
    }
    if entry["text"] in asked:
        return TemplateProposal(record, "it is there already")
    if entry["kind"] not in kinds:
        return TemplateProposal(record, f"it is of kind {entry['kind']}, which was not asked for")
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
    """Return a valid template name that is not yet taken."""
    clean = _UNFIT.sub("_", name.strip().lower()).strip("_")[:60] or "template"
    base = clean if not clean[0].isdigit() else f"t_{clean}"
    return next(candidate for candidate in (base, *(f"{base}_{n}" for n in range(2, 10_000))) if candidate not in taken)
