"""Which verdicts stand: of each gate on each revision the last one, whatever its version; one that could not run stands only
where none ever ran."""

LAST = "ORDER BY outcome = 'not run', number DESC"
STANDING = f"QUALIFY row_number() OVER (PARTITION BY item, revision, gate {LAST}) = 1"
"""Ends a query of verdict rows: those that stand are left."""
IS_FLAG = "outcome IN ('flag', 'refuse')"
"""Of a verdict row: the gate found something."""
FLAGS = f"',' || string_agg(DISTINCT gate, ',' ORDER BY gate) FILTER ({IS_FLAG}) || ','"
"""Of the standing rows of one revision: the gates that found something, as a state row holds them; NULL when none did."""
