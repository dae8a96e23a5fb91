"""Counterfactual worlds: a release's corpus in which gold answers were replaced by others of their type."""
