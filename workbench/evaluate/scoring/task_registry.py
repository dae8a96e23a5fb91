"""Build the task registry of a workspace from stored data: for each task the number of questions, and how many of them each
system answered with a reward."""

from builders.task import tasks
from core.catalog import pick
from eval.papers.response_types import METRICS
from eval.papers.task_registry import RegisteredTask, TaskFeasibility, TaskRegistry
from store.drafting import templates
from store.engine.database import Database
from store.items import task_registry as stored
from store.items.task_registry import QuestionPool, RegistryPlace
from store.runs import runs


def load_registry(database: Database) -> TaskRegistry:
    """Return the task registry with every task that has a question."""
    releases, seasons = stored.count_in_releases(database), stored.count_in_seasons(database)
    feasible = _count_feasible(database)
    lines = []
    for pool in stored.load_pools(database):
        newest = next((held for held in releases if held.place == pool.place), None)
        tried = [line for line in feasible if line.place == tuple(pool.place)]
        lines.append(
            RegisteredTask(
                **pool.place._asdict(),
                metric=pick(tasks(), pool.place.task, "task").metrics[0],
                context=_describe_context(pool),
                is_refreshing=pool.made > 0,
                pool=pool.n,
                frozen=newest.n if newest else 0,
                release=newest.name if newest else "",
                seasons=[held.name for held in seasons if held.place == pool.place],
                tried=len(tried),
                feasible=sum(line.above > 0 for line in tried),
            )
        )
    return TaskRegistry(
        lines, [{**season.record, "made_at": season.made_at} for season in templates.list_seasons(database)], feasible
    )


def _count_feasible(database: Database) -> list[TaskFeasibility]:
    """Return the number of answers with a reward, by system, agent, task, level and domain. All runs of a system with the same
    agent count as one."""
    names = {run.id: (run.system.name, run.agent or "") for run in runs.list_runs(database, None)}
    sums: dict[tuple[str, str, RegistryPlace], list[int]] = {}
    for line in stored.load_rewarded(database, METRICS):
        total = sums.setdefault((*names[line.run], line.place), [0, 0])
        total[0] += line.n
        total[1] += line.above
    ordered = sorted(sums.items(), key=lambda entry: (entry[0][0], entry[0][1], str(entry[0][2])))
    return [
        TaskFeasibility(system, agent, (place.task, place.level, place.domain, place.dataset), n, above)
        for (system, agent, place), (n, above) in ordered
    ]


def _describe_context(pool: QuestionPool) -> str:
    """Return a description of what the task's questions are answered from, such as documents or tables."""
    sources = ["tables" + (f" ({', '.join(pool.tables)})" if pool.tables else "")] if pool.made else []
    sources += ["its own documents"] if pool.given else []
    sources += ["the corpus"] if pool.evidence and not pool.given else []
    return " and ".join(sources) or "none"
