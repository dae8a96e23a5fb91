"""The verbs: the only place where the store meets builders and eval. A stage of the work a file; Workbench opens the file
and hands them out."""

from workbench.current_workbench import close_workbench, open_workbench
from workbench.workbench import Workbench

__all__ = ["Workbench", "close_workbench", "open_workbench"]
