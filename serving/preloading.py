"""What requests need is imported before the first one: two that met a package which a third was still importing would fail,
one of them after it had stored a decision."""

import importlib

NAMES = (
    "bm25s",
    "charset_normalizer",
    "agents.offline.agent",
    "multiprocessing.synchronize",
    "numpy",
    "rapidfuzz.distance",
    "rapidfuzz.fuzz",
    "rapidfuzz.process",
    "scipy.sparse",
)


def load() -> None:
    """Takes a second; what is imported already costs nothing."""
    for name in NAMES:
        importlib.import_module(name)
    from workbench.build.gating.gate_choice import list_gates
    from workbench.plug_ins import PLUG_INS

    PLUG_INS["task"]()
    list_gates()
