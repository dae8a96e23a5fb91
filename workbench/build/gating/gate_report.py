"""What the gates found, how their flags did against people, and what people made of the drafts: for the page Gates and for the
card of a release."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.nouns import Item
from core.quality.calibration import FlaggedDrafts, calibration, record
from core.quality.people_report import DecidedDrafts, people_report
from store.engine.database import Database
from store.items import gate_facts
from store.items.gate_facts import GateRow
from store.reviews import progress

OUTCOMES = ("pass", "flag", "refuse", "not run")
BY = ("task", "drafted_with", "agents", "prompts", "language")
"""What the table of findings can be told apart by, besides the gate."""


def table(rows: Iterable[GateRow], by: Sequence[str]) -> list[dict[str, Any]]:
    """{"gate", those of `by`, "rules", outcome: drafts} by gate and those."""
    found: dict[tuple[Any, ...], dict[str, int]] = defaultdict(lambda: dict.fromkeys(OUTCOMES, 0))
    for row in rows:
        found[(row.gate, row.rules, *(_word(getattr(row, name)) for name in by))][row.outcome] += row.n
    return [{**dict(zip(("gate", "rules", *by), key, strict=True)), **counts} for key, counts in sorted(found.items())]


def calibrations(rows: Iterable[GateRow], tasks: frozenset[str] | None = None) -> list[dict[str, Any]]:
    """One a gate, version of its rules, prompts and agents, of those that flagged or could have: {"gate", "rules", "prompts",
    "agents", ...} as core/quality/calibration.py records them, over drafts of those tasks (None = all)."""
    found: dict[tuple[Any, ...], list[FlaggedDrafts]] = defaultdict(list)
    flagging = {row.gate for row in rows if row.outcome in ("flag", "refuse") or row.agents}
    for row in rows:
        if row.gate in flagging and row.outcome != "not run" and row.fate and (tasks is None or row.task in tasks):
            key = (row.gate, row.rules, row.prompts, row.agents)
            found[key].append(FlaggedDrafts(row.outcome != "pass", row.fate, row.n))
    return [
        {"gate": gate, "rules": rules, "prompts": list(prompts), "agents": list(agents), **record(calibration(judged))}
        for (gate, rules, prompts, agents), judged in sorted(found.items())
    ]


def of_release(database: Database, frozen: Sequence[Item]) -> Mapping[str, Any]:
    """What people had made of all drafts of the frozen items' kinds by now, and how the gates did against that."""
    kinds = {(item.task, item.domain, item.language) for item in frozen}
    ratings: dict[tuple[str, str, str], dict[str, dict[str, str]]] = defaultdict(dict)
    opinions = progress.opinions(database)
    of = gate_facts.kinds(database, {one.item.partition("@")[0] for one in opinions})
    for one in opinions:
        kind = of.get(one.item.partition("@")[0])
        if kind in kinds:
            ratings[kind].setdefault(one.item, {})[one.person] = one.decision
    found = [
        DecidedDrafts((s.task, s.domain, s.language), s.drafts, s.decided, s.accepted, ratings[s.task, s.domain, s.language])
        for s in gate_facts.strata(database)
        if (s.task, s.domain, s.language) in kinds
    ]
    reviewed = len(gate_facts.decided_among(database, [item.id for item in frozen]))
    tasks = frozenset(item.task for item in frozen)
    told = people_report(found, len(frozen), reviewed)
    return told | {"gates": calibrations(gate_facts.findings(database), tasks)}


def _word(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
