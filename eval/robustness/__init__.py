"""Robustness to wording: how much an answer, its cost and the decision to search depend on the wording of the question,
computed from stored traces (the query-variation study, and the audit of search triggers)."""
