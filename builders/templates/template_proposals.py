"""Let an agent propose question templates for tables. Each proposal is parsed, checked against the tables and tested on the
tables' rows before a person sees the proposal, and is used only after a person approves it."""

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
"""Number of templates that the agent is asked for in one call."""
MAX_REPLY_TOKENS = 3000
"""Maximum number of tokens of a reply with TEMPLATES_PER_CALL templates."""
_UNFIT = re.compile(r"\W+")


class TemplateProposal(NamedTuple):
    """One template that an agent proposed, or the reason why the proposal is not shown."""

    record: Mapping[str, Any]
    """The proposed template as a JSON record, as far as the reply could be read."""
    why: str
    """Reason why the proposed template is not shown to a person; "" = it is shown."""


class TemplateProposals(NamedTuple):
    """The templates that an agent proposed in one call."""

    found: tuple[TemplateProposal, ...]
    calls: tuple[str, ...]
    prompt: str
    """Identity of the prompt that asked for the templates."""
    none: str
    """Reason that the agent gave for proposing no template; "" = the agent proposed templates."""


def describe_tables(tables: Tables) -> str:
    """Return a description of the tables for an agent's prompt: one line of JSON per table, without its rows."""
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
    """Ask the agent once for `count` templates of the given kinds. `asked` contains the texts of the existing templates,
    `taken` their names. Raises Unreadable, AgentError or BudgetReached if the agent gives no usable reply."""
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
    """Return the template that one entry of the agent's reply describes, or the reason why it is invalid."""
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
        return TemplateProposal(record, "this template exists already")
    if entry["kind"] not in kinds:
        return TemplateProposal(record, f"it is of kind {entry['kind']}, which was not asked for")
    try:
        template = template_from_record(record)
        check_template(template, tables)
        made = make(tables, template, n=3)
    except BenchError as error:
        return TemplateProposal(record, str(error))
    if not made.items:
        return TemplateProposal(record, "no row of the table gives a question")
    return TemplateProposal(template_record(template), "")


def _choose_name(name: str, taken: set[str]) -> str:
    """Return a valid template name that is similar to `name` and not in `taken`."""
    clean = _UNFIT.sub("_", name.strip().lower()).strip("_")[:60] or "template"
    base = clean if not clean[0].isdigit() else f"t_{clean}"
    return next(candidate for candidate in (base, *(f"{base}_{n}" for n in range(2, 10_000))) if candidate not in taken)
