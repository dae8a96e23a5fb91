"""Plan a sweep. The cells of a sweep are runs that differ from a base run in one factor at a time, or in every combination of
factors (a grid). Each cell is an ordinary run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal, get_args

from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.ids import canonical_json
from eval.metric import metrics
from eval.retriever import retrievers
from eval.system import systems
from workbench.evaluate.running.run_request import COMMON_SETTINGS, RunRequest, format_setting, retriever_of

Shape = Literal["one", "grid"]
FIELDS = ("release", "system", "agent", "retriever")
"""Names of the fields of a run request that a factor can change, in addition to settings."""
SEARCH_SETTINGS = ("top_k", "chunk_tokens", "chunk_overlap")
"""Names of the settings that have no effect if the system never searches."""
MAX_CELLS = 400
CellPosition = Mapping[str, str]
"""Dict from factor to the label of its value in a cell; for a factor that is missing, the cell has the value of the base
run."""


@dataclass(frozen=True, slots=True)
class FactorValue:
    """One value of a factor of a sweep."""

    label: str
    changes: Mapping[str, Any]
    """Dict from field or setting to its value. The dict has several entries if they change together, such as chunk size and
    top-k."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of a sweep: what varies between the runs, with all its values."""

    name: str
    steps: Sequence[FactorValue]


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """A sweep: a base run, the factors that vary it, and the way in which they are combined."""

    name: str
    base: RunRequest
    """The request for the base run, which every cell changes. The budget of this request is for the whole sweep."""
    factors: Sequence[Factor]
    shape: Shape = "one"

    @property
    def release(self) -> str:
        return self.base.release

    def record(self) -> dict[str, Json]:
        """Return the sweep in the form in which a job stores it."""
        factors: Json = [
            {"name": f.name, "steps": [{"label": s.label, "changes": dict(s.changes)} for s in f.steps]} for f in self.factors
        ]
        head: dict[str, Json] = {"name": self.name, "shape": self.shape, "release": self.release}
        return head | {"base": self.base.record(), "factors": factors}


@dataclass(frozen=True, slots=True)
class SweepRun:
    """One cell of a sweep: a run that differs from the base run."""

    request: RunRequest
    at: Sequence[CellPosition]
    """All places of the run in the sweep. A run can belong to several factors, as the base run does."""

    @property
    def label(self) -> str:
        """Return the values by which the cell differs from the base run, in words."""
        position = next(filter(None, self.at), {})
        return ", ".join(f"{factor} {label}" for factor, label in position.items()) or "base"


def plan_of(record: Mapping[str, Any]) -> SweepPlan:
    """Return the sweep that a job's record describes."""
    factors = [Factor(f["name"], [FactorValue(s["label"], s["changes"]) for s in f["steps"]]) for f in record["factors"]]
    return SweepPlan(record["name"], RunRequest.from_record(record["release"], record["base"]), factors, record["shape"])


def factor(name: str, values: Sequence[Any], key: str | None = None) -> Factor:
    """Return a factor that gives one field or setting each of the `values`. `key` is the name of the field or setting if it
    differs from the factor's name."""
    return Factor(name, [FactorValue(format_setting(value), {key or name: value}) for value in values])


def list_cells(plan: SweepPlan) -> list[SweepRun]:
    """Return the runs of a sweep, each once, beginning with the base run. A cell leaves out settings that its system does not
    have. Raises BenchError if the sweep is empty or too large, if it names a factor or value twice, or if it has a setting that
    no cell uses."""
    _check(plan)
    if plan.shape == "grid":
        names = [varied.name for varied in plan.factors]
        positions = [dict(zip(names, values, strict=True)) for values in product(*(varied.steps for varied in plan.factors))]
    else:
        positions = [{}, *({varied.name: value} for varied in plan.factors for value in varied.steps)]
    cells: dict[str, tuple[RunRequest, list[CellPosition]]] = {}
    for position in positions:
        request = fit_request(_apply(plan.base, position))
        labels = {name: value.label for name, value in position.items()}
        cells.setdefault(canonical_json(request.params("")), (request, []))[1].append(labels)
    available = {setting for request, _ in cells.values() for setting in request.settings}
    changed = {key for varied in plan.factors for value in varied.steps for key in value.changes if key not in FIELDS}
    if unknown := sorted({*plan.base.settings, *changed} - available):
        raise BenchError(f"No cell of this sweep has the setting {unknown[0]!r}: leave it out, or choose a system that has it.")
    return [SweepRun(request, at) for request, at in cells.values()]


def fit_request(request: RunRequest) -> RunRequest:
    """Return the request without an agent, retriever or settings that its system does not use, so that equal runs are made only
    once."""
    adapter = pick(systems(), request.system, "system")
    searches = adapter.needs_retriever or request.system == "echo"
    agent = request.agent if adapter.needs_agent else None
    fitted = replace(request, agent=agent, retriever=request.retriever if searches else None)
    retriever = retriever_of(fitted)
    of_retriever = pick(retrievers(), retriever, "retriever").settings if retriever else {}
    common = [key for key in COMMON_SETTINGS if retriever or key not in SEARCH_SETTINGS]
    allowed = {*common, *adapter.settings, *of_retriever}

    def is_used(key: str) -> bool:
        owner = key.partition(".")[0] if "." in key else ""
        if owner in ("agent", "judge"):
            return agent is not None if owner == "agent" else bool(request.judges)
        if owner == "embedding":
            return "embedding_model" in allowed
        return key in allowed or owner in metrics()

    return replace(
        fitted, retriever=retriever, settings={key: value for key, value in request.settings.items() if is_used(key)}
    )


def _apply(base: RunRequest, position: Mapping[str, FactorValue]) -> RunRequest:
    """Return the base request with the changes of the given values of factors."""
    changes = {key: change for value in position.values() for key, change in value.changes.items()}
    fields = {key: change for key, change in changes.items() if key in FIELDS}
    settings = {key: change for key, change in changes.items() if key not in FIELDS}
    return replace(base, **fields, settings={**base.settings, **settings})


def _check(plan: SweepPlan) -> None:
    if plan.shape not in get_args(Shape):
        raise BenchError(f"{plan.shape!r} is not a shape of a sweep: give 'one' or 'grid'.")
    if not plan.factors or not all(varied.steps for varied in plan.factors):
        raise BenchError("A sweep needs at least one factor, each with at least one value.")
    for kind, names in [
        ("factor", [varied.name for varied in plan.factors]),
        *((f"value of {varied.name}", [value.label for value in varied.steps]) for varied in plan.factors),
    ]:
        if twice := [name for n, name in enumerate(names) if name in names[:n]]:
            raise BenchError(f"The {kind} {twice[0]!r} is named twice: name it once.")
    sizes = [len(varied.steps) for varied in plan.factors]
    size = math.prod(sizes) if plan.shape == "grid" else 1 + sum(sizes)
    if size > MAX_CELLS:
        raise BenchError(
            f"This sweep has {size:,} cells, and at most {MAX_CELLS} are allowed in one sweep: remove factors or values."
        )
