"""The functions of the command-line verbs, one module for each topic. Each function calls the workbench as the options demand
and shows the result."""
