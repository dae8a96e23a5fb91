"""The verbs, one file per stage of the work: options in, the workbench's result out."""
