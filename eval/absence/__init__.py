"""What systems answer when the evidence is gone: items beside their absence twins."""
