"""Contains the verbs of the workbench, that is, the operations that pages, routes and commands call. Only this package connects
the store with builders and eval. Each stage of the work has a file; Workbench opens the workspace file and gives access to the
stages."""

from workbench.current_workbench import close_workbench, open_workbench
from workbench.workbench import Workbench

__all__ = ["Workbench", "close_workbench", "open_workbench"]
