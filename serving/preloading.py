"""Imports the packages that requests need before the first request. Otherwise, requests that import the same package at the
same time could fail, even after they have stored a decision."""

import atexit
import gc
import importlib

from core.installation import complete_name

NAMES = (
    "bm25s",
    "charset_normalizer",
    complete_name("agents.offline.agent"),
    "multiprocessing.synchronize",
    "numpy",
    "py3langid.langid",
    "rapidfuzz.distance",
    "rapidfuzz.fuzz",
    "rapidfuzz.process",
    "scipy.sparse",
)


def load() -> None:
    """Import the packages and plug-ins that requests need. The import takes about one second."""
    for name in NAMES:
        importlib.import_module(name)
    from workbench.build.gating.gate_choice import list_gates
    from workbench.plug_ins import PLUG_INS

    PLUG_INS["task"]()
    list_gates()
    exempt_from_collection()


def exempt_from_collection() -> None:
    """Exempt all objects that exist now from garbage collection. Streamlit collects garbage after each run of a page's script,
    and answers no other request meanwhile: going through the objects of the loaded packages took longer than most scripts run.
    At the end of the process these objects are collected too, because a package written in C++ reports objects that are left
    then as a leak."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)
