"""Measure robustness to wording from stored traces: how much the answer, its cost and the decision to search depend on the
wording of the question (the query-variation study)."""
