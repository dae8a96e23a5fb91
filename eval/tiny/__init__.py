"""Choose a few items of a release that stand for all of them, and measure how often decisions on these items are wrong."""
