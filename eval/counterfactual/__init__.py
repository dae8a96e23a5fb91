"""What systems read and what they remember: items beside the same items in a counterfactual world."""
