"""Tells whether systems read their answers in a counterfactual corpus or remember the answers of the original release."""
