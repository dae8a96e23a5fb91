"""The verbs, one file per stage of the work. Each turns options into a result of the workbench."""
