"""The verbs, a stage of the work a file: options in, the workbench's answer out."""
