"""The task registry of a workspace, counted from what is stored."""

from builders.task import tasks
from core.catalog import pick
from eval.papers.response_types import METRICS
from eval.papers.task_registry import RegisteredTask, TaskFeasibility, TaskRegistry
from store.drafting import templates
from store.engine.database import Database
from store.items import task_registry as stored
from store.items.task_registry import QuestionPool, RegistryPlace
from store.runs import runs


def registry_of(database: Database) -> TaskRegistry:
    """Every task that has a question."""
    releases, seasons = stored.count_in_releases(database), stored.count_in_seasons(database)
    came = _feasible(database)
    lines = []
    for one in stored.load_pools(database):
        newest = next((held for held in releases if held.place == one.place), None)
        own = [line for line in came if line.place == tuple(one.place)]
        lines.append(
            RegisteredTask(
                **one.place._asdict(),
                metric=pick(tasks(), one.place.task, "task").metrics[0],
                context=_context(one),
                is_refreshing=one.made > 0,
                pool=one.n,
                frozen=newest.n if newest else 0,
                release=newest.name if newest else "",
                seasons=[held.name for held in seasons if held.place == one.place],
                tried=len(own),
                feasible=sum(line.above > 0 for line in own),
            )
        )
    return TaskRegistry(lines, [{**one.record, "made_at": one.made_at} for one in templates.list_seasons(database)], came)


def _feasible(database: Database) -> list[TaskFeasibility]:
    """All runs of a system with its agent together."""
    names = {run.id: (run.system.name, run.agent or "") for run in runs.list_runs(database, None)}
    sums: dict[tuple[str, str, RegistryPlace], list[int]] = {}
    for line in stored.load_rewarded(database, METRICS):
        total = sums.setdefault((*names[line.run], line.place), [0, 0])
        total[0] += line.n
        total[1] += line.above
    ordered = sorted(sums.items(), key=lambda one: (one[0][0], one[0][1], str(one[0][2])))
    return [
        TaskFeasibility(system, agent, (place.task, place.level, place.domain, place.dataset), n, above)
        for (system, agent, place), (n, above) in ordered
    ]


def _context(one: QuestionPool) -> str:
    """What its questions are answered from, in words."""
    found = ["tables" + (f" ({', '.join(one.tables)})" if one.tables else "")] if one.made else []
    found += ["its own documents"] if one.given else []
    found += ["the corpus"] if one.evidence and not one.given else []
    return " and ".join(found) or "none"
