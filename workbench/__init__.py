"""Contain the workbench: the operations (called verbs in the code) that pages, routes and commands call. Only this package
connects the package `store` with the packages `builders` and `eval`. Each stage of the work, such as drafting or evaluation,
has a module. The class Workbench opens the workspace file and gives access to the stages."""

from workbench.current_workbench import close_workbench, open_workbench
from workbench.workbench import Workbench

__all__ = ["Workbench", "close_workbench", "open_workbench"]
