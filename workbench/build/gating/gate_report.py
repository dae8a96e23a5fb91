"""Reports the gates' findings, compares their flags with people's decisions, and counts people's decisions on the drafts. The
page Gates and the card of a release use it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from core.as_json import Json
from core.nouns import Item
from core.quality.calibration import Calibration, FlaggedDrafts, calibrate_gate, calibration_record
from core.quality.people_report import DecidedDrafts, people_report
from store.engine.database import Database
from store.items import gate_facts
from store.items.gate_facts import GateRow
from store.reviews import opinion_table

OUTCOMES = ("pass", "flag", "refuse", "not run")


class GateFindings(NamedTuple):
    """The findings of a gate on drafts of one kind."""

    gate: str
    rules: str
    kind: tuple[str, ...]
    """Values of the fields that group the findings."""
    counts: Mapping[str, int]
    """Number of drafts by outcome, one of OUTCOMES."""


class GateCalibration(NamedTuple):
    """A comparison of people's decisions with a gate in one version of its rules, prompts and agents."""

    gate: str
    rules: str
    prompts: tuple[str, ...]
    agents: tuple[str, ...]
    figures: Calibration

    @property
    def record(self) -> dict[str, Json]:
        """Return the report in the form that the card of a release stores."""
        names = {"gate": self.gate, "rules": self.rules, "prompts": list(self.prompts), "agents": list(self.agents)}
        return {**names, **calibration_record(self.figures)}


def count_findings(rows: Iterable[GateRow], by: Sequence[str]) -> list[GateFindings]:
    """Count findings by gate, rules and the fields of GateRow that `by` names."""
    counts: dict[tuple[str, str, tuple[str, ...]], dict[str, int]] = defaultdict(lambda: dict.fromkeys(OUTCOMES, 0))
    for row in rows:
        values = (getattr(row, name) for name in by)
        kind = tuple(", ".join(value) if isinstance(value, tuple) else str(value) for value in values)
        counts[row.gate, row.rules, kind][row.outcome] += row.n
    return [GateFindings(*key, findings) for key, findings in sorted(counts.items())]


def calibrate_gates(rows: Iterable[GateRow], tasks: frozenset[str] | None = None) -> list[GateCalibration]:
    """Compare with people's decisions every gate that flagged, or could have flagged, a draft of those tasks (None = all)."""
    rows = list(rows)
    drafts: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[FlaggedDrafts]] = defaultdict(list)
    flagging = {row.gate for row in rows if row.outcome in ("flag", "refuse") or row.agents}
    for row in rows:
        if row.gate in flagging and row.outcome != "not run" and row.fate and (tasks is None or row.task in tasks):
            flagged = FlaggedDrafts(row.outcome != "pass", row.fate, row.n)
            drafts[row.gate, row.rules, row.prompts, row.agents].append(flagged)
    return [GateCalibration(*key, calibrate_gate(flagged)) for key, flagged in sorted(drafts.items())]


def report_people(database: Database, frozen: Sequence[Item]) -> dict[str, Json]:
    """Compare people's decisions on all drafts of the same kinds as the frozen items with the gates."""
    kinds = {(item.task, item.domain, item.language) for item in frozen}
    opinions = opinion_table.load_opinions(database)
    place_of = {kind: place for place, kind in enumerate(opinions.kinds_of_items)}
    strata = [s for s in gate_facts.load_strata(database) if (s.task, s.domain, s.language) in kinds]
    decided = [
        DecidedDrafts(
            kind,
            s.drafts,
            s.decided,
            s.accepted,
            opinions.select(opinions.kinds == place_of.get(kind, -1)).tabulate_decisions(),
        )
        for s in strata
        for kind in [(s.task, s.domain, s.language)]
    ]
    reviewed = len(gate_facts.filter_decided(database, [item.id for item in frozen]))
    gates = calibrate_gates(gate_facts.load_findings(database), frozenset(item.task for item in frozen))
    return {**people_report(decided, len(frozen), reviewed), "gates": [gate.record for gate in gates]}
