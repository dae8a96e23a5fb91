"""The functions of the command-line verbs, one module for each topic. Each function calls the workbench according to the
options and shows the result."""
