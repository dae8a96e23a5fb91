"""The functions of the verbs, one file per stage of the work. Each calls the workbench as the options say and shows the
result."""
