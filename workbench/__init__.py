"""The verbs: the only place where the store meets builders and eval. A stage of the work a file; Workbench opens the file
and hands them out."""

from workbench.bench import Workbench
from workbench.opened import close, opened

__all__ = ["Workbench", "close", "opened"]
