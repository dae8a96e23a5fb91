"""Select the current verdicts of gates (automatic checks): the last verdict of each gate on each revision, whichever version of
the gate gave it. A verdict that a gate could not run counts only if that gate never ran on the revision."""

from collections.abc import Iterable

from core.nouns import Verdict

CURRENT_VERDICTS = """QUALIFY row_number() OVER (
    PARTITION BY item, revision, gate ORDER BY outcome = 'not run', number DESC) = 1"""
"""SQL that, at the end of a query of verdicts, restricts the result to current verdicts."""
FLAGS = "',' || string_agg(DISTINCT gate, ',' ORDER BY gate) FILTER (outcome IN ('flag', 'refuse')) || ','"
"""SQL expression that, given the current verdicts on one revision, lists the gates that flagged or refused it; NULL if no gate
did. The state row of an item contains these names in the same form."""


def select_current_verdicts(numbered: Iterable[tuple[int, Verdict]]) -> list[Verdict]:
    """Return the current verdicts of one item, sorted by revision and gate, from (number, verdict) pairs. The result is the
    same as with the SQL in CURRENT_VERDICTS, in half the time."""
    ran_last = sorted(numbered, key=lambda pair: (pair[1].outcome != "not run", pair[0]))
    current = {(verdict.revision, verdict.gate): verdict for _, verdict in ran_last}
    return [current[key] for key in sorted(current)]


def format_flags(verdicts: Iterable[Verdict]) -> str:
    """Return the names of the gates that flagged or refused a revision, in the text format of the column `flags` in the table
    `state`. The parameter is the revision's current verdicts."""
    gates = sorted({verdict.gate for verdict in verdicts if verdict.outcome in ("flag", "refuse")})
    return f",{','.join(gates)}," if gates else ""
