"""A sweep as it is asked for: runs that differ from a base in one factor at a time, or in every combination (a grid), and the
cells it comes to. Each cell is an ordinary run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal, get_args

from core.catalog import pick
from core.errors import BenchError
from core.ids import canonical_json
from eval.metric import metrics
from eval.retriever import retrievers
from eval.system import systems
from workbench.evaluate.running.run_asked import COMMON, RunRequest, retriever_of, shown

Shape = Literal["one", "grid"]
FIELDS = ("release", "system", "agent", "retriever")
"""What a step may change besides settings, by its own name."""
SEARCHING = ("top_k", "chunk_tokens", "chunk_overlap")
"""Settings that mean nothing where nothing is searched."""
MOST_CELLS = 400
At = Mapping[str, str]
"""Factor -> label of its step; a factor that is not named stands as in the base."""


@dataclass(frozen=True, slots=True)
class FactorValue:
    """One value of a factor."""

    label: str
    changes: Mapping[str, Any]
    """Field or setting -> value; several where they go together, as chunk size and top-k."""


@dataclass(frozen=True, slots=True)
class Factor:
    """What is varied."""

    name: str
    steps: Sequence[FactorValue]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """A sweep."""

    name: str
    base: RunRequest
    """Its budget is the whole sweep's."""
    factors: Sequence[Factor]
    shape: Shape = "one"

    @property
    def release(self) -> str:
        """What the base runs on."""
        return self.base.release

    def record(self) -> dict[str, Any]:
        """As a job keeps it."""
        base = {**{key: getattr(self.base, key) for key in RunRequest.KEPT}, "judges": list(self.base.judges)}
        if self.base.metrics is not None:
            base["metrics"] = list(self.base.metrics)
        factors = [
            {"name": f.name, "steps": [{"label": s.label, "changes": dict(s.changes)} for s in f.steps]} for f in self.factors
        ]
        return {"name": self.name, "shape": self.shape, "release": self.release, "base": base, "factors": factors}


@dataclass(frozen=True, slots=True)
class SweepRun:
    """One run of a sweep."""

    asked: RunRequest
    at: Sequence[At]
    """Every place of the plan that it stands at: one run can be the same step of two factors."""

    @property
    def label(self) -> str:
        """In words."""
        named = next((at for at in self.at if at), {})
        return ", ".join(f"{factor} {label}" for factor, label in named.items()) or "base"


def plan_of(record: Mapping[str, Any]) -> SweepPlan:
    """The plan of that record."""
    factors = [Factor(f["name"], [FactorValue(s["label"], s["changes"]) for s in f["steps"]]) for f in record["factors"]]
    return SweepPlan(record["name"], RunRequest(release=record["release"], **record["base"]), factors, record["shape"])


def factor(name: str, values: Sequence[Any], key: str | None = None) -> Factor:
    """A factor of single values of one field or setting, `key` where it is called otherwise."""
    return Factor(name, [FactorValue(shown(value), {key or name: value}) for value in values])


def cells(plan: SweepPlan) -> list[SweepRun]:
    """Its runs, each once, the base first. What a cell's system or retriever does not have is left out of it. Raises BenchError
    when the plan is empty, too large, names a factor or step twice, or a setting that no cell knows."""
    _check(plan)
    places: list[dict[str, FactorValue]] = [{}]
    if plan.shape == "grid":
        places = [
            dict(zip((f.name for f in plan.factors), steps, strict=True)) for steps in product(*(f.steps for f in plan.factors))
        ]
    else:
        places += [{f.name: step} for f in plan.factors for step in f.steps]
    found: dict[str, tuple[RunRequest, list[At]]] = {}
    known: set[str] = set()
    for place in places:
        whole = _changed(plan.base, place)
        asked = fitted(whole)
        known |= set(asked.settings)
        key = canonical_json(asked.params(""))
        found.setdefault(key, (asked, []))[1].append({name: step.label for name, step in place.items()})
    wanted = {*plan.base.settings, *(k for f in plan.factors for s in f.steps for k in s.changes if k not in FIELDS)}
    if unknown := sorted(wanted - known):
        raise BenchError(f"No cell of this sweep knows the setting {unknown[0]!r}: leave it out, or choose what has it.")
    return [SweepRun(asked, at) for asked, at in found.values()]


def fitted(asked: RunRequest) -> RunRequest:
    """Without an agent, a retriever or settings that the system has no use for, so that cells that are the same run are one."""
    adapter = pick(systems(), asked.system, "system")
    searches = adapter.needs_retriever or asked.system == "echo"
    found = replace(asked, agent=asked.agent if adapter.needs_agent else None, retriever=asked.retriever if searches else None)
    retriever = retriever_of(found)
    own = pick(retrievers(), retriever, "retriever").settings if retriever else {}
    common = [key for key in COMMON if retriever or key not in SEARCHING]
    allowed = {*common, *adapter.settings, *own}

    def fits(key: str) -> bool:
        owner = key.partition(".")[0] if "." in key else ""
        if owner in ("agent", "judge"):
            return found.agent is not None if owner == "agent" else bool(found.judges)
        return key in allowed or owner in metrics()

    return replace(found, retriever=retriever, settings={key: value for key, value in asked.settings.items() if fits(key)})


def _changed(base: RunRequest, place: Mapping[str, FactorValue]) -> RunRequest:
    changes = {key: value for step in place.values() for key, value in step.changes.items()}
    fields = {key: value for key, value in changes.items() if key in FIELDS}
    settings = {key: value for key, value in changes.items() if key not in FIELDS}
    return replace(base, **fields, settings={**base.settings, **settings})


def _check(plan: SweepPlan) -> None:
    if plan.shape not in get_args(Shape):
        raise BenchError(f"A sweep has no shape {plan.shape!r}: give one or grid.")
    if not plan.factors or not all(f.steps for f in plan.factors):
        raise BenchError("A sweep varies something: give at least one factor, and each at least one value.")
    for what, names in [
        ("factor", [f.name for f in plan.factors]),
        *((f"value of {f.name}", [s.label for s in f.steps]) for f in plan.factors),
    ]:
        if twice := [name for n, name in enumerate(names) if name in names[:n]]:
            raise BenchError(f"The {what} {twice[0]!r} is named twice: name it once.")
    size = 1 + sum(len(f.steps) for f in plan.factors)
    if plan.shape == "grid":
        size = 1
        for f in plan.factors:
            size *= len(f.steps)
    if size > MOST_CELLS:
        raise BenchError(f"This sweep comes to {size:,} cells; {MOST_CELLS} are allowed: vary less at a time.")
