"""Measure robustness to wording: how much an answer, its cost and the decision to search depend on the wording of the question
(the query-variation study), from stored traces."""
