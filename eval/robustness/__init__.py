"""How much an answer, its cost and the decision to search depend on the wording of the question, from stored traces alone (the
query-variation study, and the audit of what triggers a search)."""
