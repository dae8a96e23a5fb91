"""Count what gates (checks of drafts) found, and compare their flags with people's decisions on the same drafts. The results
are on the page Gates and on the card of a release."""

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
    """Numbers of a gate's outcomes over the drafts of one group."""

    gate: str
    rules: str
    kind: tuple[str, ...]
    """Values of the fields that form the group, such as task or language."""
    counts: Mapping[str, int]
    """Dict from outcome (one of OUTCOMES) to the number of drafts."""


class GateCalibration(NamedTuple):
    """How the flags of a gate, with certain rules, prompts and agents, compare with people's decisions."""

    gate: str
    rules: str
    prompts: tuple[str, ...]
    agents: tuple[str, ...]
    figures: Calibration

    @property
    def record(self) -> dict[str, Json]:
        """Return the comparison as a dict, in the form in which the card of a release stores it."""
        names = {"gate": self.gate, "rules": self.rules, "prompts": list(self.prompts), "agents": list(self.agents)}
        return {**names, **calibration_record(self.figures)}


def count_findings(rows: Iterable[GateRow], by: Sequence[str]) -> list[GateFindings]:
    """Count the outcomes by gate, version of its rules, and the fields of GateRow named in `by`."""
    counts: dict[tuple[str, str, tuple[str, ...]], dict[str, int]] = defaultdict(lambda: dict.fromkeys(OUTCOMES, 0))
    for row in rows:
        values = (getattr(row, name) for name in by)
        kind = tuple(", ".join(value) if isinstance(value, tuple) else str(value) for value in values)
        counts[row.gate, row.rules, kind][row.outcome] += row.n
    return [GateFindings(*key, findings) for key, findings in sorted(counts.items())]


def calibrate_gates(rows: Iterable[GateRow], tasks: frozenset[str] | None = None) -> list[GateCalibration]:
    """Compare the flags of each gate with people's decisions on drafts of `tasks` (None = all). Gates that never flag are left
    out."""
    rows = list(rows)
    drafts: dict[tuple[str, str, tuple[str, ...], tuple[str, ...]], list[FlaggedDrafts]] = defaultdict(list)
    flagging = {row.gate for row in rows if row.outcome in ("flag", "refuse") or row.agents}
    for row in rows:
        if row.gate in flagging and row.outcome != "not run" and row.fate and (tasks is None or row.task in tasks):
            flagged = FlaggedDrafts(row.outcome != "pass", row.fate, row.n)
            drafts[row.gate, row.rules, row.prompts, row.agents].append(flagged)
    return [GateCalibration(*key, calibrate_gate(flagged)) for key, flagged in sorted(drafts.items())]


def report_people(database: Database, frozen: Sequence[Item]) -> dict[str, Json]:
    """Return a report on people's decisions, and on how gates compare with them. The report covers all drafts with the task,
    domain and language of a frozen item."""
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
