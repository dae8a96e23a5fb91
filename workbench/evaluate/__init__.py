"""Systems answer releases: asked, estimated, run, scored, reported, and looked at question by question."""
