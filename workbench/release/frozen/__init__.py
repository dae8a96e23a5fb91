"""What a release freezes beside its items: absence twins, nuggets, language pairs and tables."""
