"""Define the sweeps (series of runs) of papers: CRUD-RAG's factors, varied one at a time around its base run, and HawkBench's
top-k. The caller gives the agents of the workspace, embedding models, and the folder of a cross-encoder."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from eval.metric import metrics
from workbench.evaluate.running.run_request import RunRequest
from workbench.evaluate.sweeps.sweep_plan import Factor, FactorValue, SweepPlan, factor

CRUD_CHUNKS = {64: 16, 128: 8, 256: 4, 512: 2}
"""Dict from number of tokens in a chunk to top-k; the numbers are chosen so that the context always has 1,024 tokens."""
CRUD_OVERLAPS = (0, 10, 30, 50, 70)
"""Overlaps of neighbouring chunks, each in percent of a chunk."""
CRUD_BASE = {"chunk_tokens": 128, "chunk_overlap": 0, "top_k": 8}
CRUD_METRICS = (
    *("bleu", "bleu_crud", "rouge_l_crud", "embed_cosine", "rag_quest_eval"),
    *("length", "evidence_recall", "seconds", "calls", "tokens"),
)
HAWKBENCH_TOP_K = (1, 5, 10, 50)


@dataclass(frozen=True, slots=True)
class SweepPreset:
    """A paper's sweep: its name, the factors that it varies, and the function that builds it."""

    label: str
    about: str
    make: Callable[[RunRequest, Sequence[str], Sequence[str]], SweepPlan]
    """Function that builds the sweep from (request, agents, embedding models). The paper's settings replace those of the
    request."""


def _plan_crud_rag(request: RunRequest, agents: Sequence[str], models: Sequence[str]) -> SweepPlan:
    base = replace(
        request,
        system="vanilla",
        retriever="dense",
        settings={**request.settings, **CRUD_BASE, **({"embedding_model": models[0]} if models else {})},
        metrics=[name for name in CRUD_METRICS if name in metrics()] if request.metrics is None else request.metrics,
    )
    size = CRUD_BASE["chunk_tokens"]
    chunks = [FactorValue(str(tokens), {"chunk_tokens": tokens, "top_k": k}) for tokens, k in CRUD_CHUNKS.items()]
    overlaps = [FactorValue(f"{share} %", {"chunk_overlap": round(size * share / 100)}) for share in CRUD_OVERLAPS]
    factors = [
        Factor("chunk size", chunks),
        Factor("overlap", overlaps),
        factor("retriever", ["dense", "bm25", "hybrid", "rerank"]),
        factor("top-k", [2, 4, 6, 8, 10], "top_k"),
        *([factor("embedding model", models, "embedding_model")] if models else []),
        *([factor("agent", agents)] if len(agents) > 1 else []),
    ]
    return SweepPlan("CRUD-RAG", base, factors)


def _plan_hawkbench(request: RunRequest, agents: Sequence[str], models: Sequence[str]) -> SweepPlan:
    system = request.system if request.system != "echo" else "vanilla"
    return SweepPlan("HawkBench top-k", replace(request, system=system), [factor("top-k", HAWKBENCH_TOP_K, "top_k")])


SWEEPS: Mapping[str, SweepPreset] = {
    "crud_rag": SweepPreset(
        "CRUD-RAG: one factor at a time",
        "Chunk size with top-k coupled to it, overlap, retriever, top-k, embedding model and agent, around dense search of 8 "
        "chunks of 128 tokens.",
        _plan_crud_rag,
    ),
    "hawkbench": SweepPreset("HawkBench: top-k 1, 5, 10, 50", "One system with more passages in each run.", _plan_hawkbench),
}
