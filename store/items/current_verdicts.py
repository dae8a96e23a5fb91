"""Which verdicts stand: of each gate on each revision the last one, whatever its version; one that could not run stands only
where none ever ran."""

from collections.abc import Iterable

from core.nouns import Verdict

LAST_RUN_ORDER = "ORDER BY outcome = 'not run', number DESC"
CURRENT_VERDICTS = f"QUALIFY row_number() OVER (PARTITION BY item, revision, gate {LAST_RUN_ORDER}) = 1"
"""Ends a query of verdict rows: those that stand are left."""
IS_FLAG = "outcome IN ('flag', 'refuse')"
"""Of a verdict row: the gate found something."""
FLAGS = f"',' || string_agg(DISTINCT gate, ',' ORDER BY gate) FILTER ({IS_FLAG}) || ','"
"""Of the standing rows of one revision: the gates that found something, as a state row holds them; NULL when none did."""


def select_current_verdicts(made: Iterable[tuple[int, Verdict]]) -> list[Verdict]:
    """Those that stand of (number, verdict) of one item, by revision and gate: as STANDING, of the few
    rows of an item in half the time."""
    ran_last = sorted(made, key=lambda one: (one[1].outcome != "not run", one[0]))
    found = {(verdict.revision, verdict.gate): verdict for _, verdict in ran_last}
    return [found[key] for key in sorted(found)]


def format_flags(found: Iterable[Verdict]) -> str:
    """The gates that found something, of the standing verdicts of one revision, as a state row holds them."""
    gates = sorted({verdict.gate for verdict in found if verdict.outcome in ("flag", "refuse")})
    return f",{','.join(gates)}," if gates else ""
