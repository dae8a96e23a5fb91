"""Runs on the samples, made as the command line makes them: for the tests of results and traces."""

import jobs
from workbench import Workbench
from workbench.evaluate.running.run_request import RunRequest


def freeze(bench: Workbench) -> None:
    bench.releases.freeze("samples", split="dev=0.25,test=0.75", seed=7)


def run(
    bench: Workbench,
    system: str,
    agent: str | None = None,
    retriever: str | None = None,
    judges: tuple[str, ...] = (),
    sample: int | None = None,
    metrics: list[str] | None = None,
    release: str = "samples",
    **settings: object,
) -> str:
    """Its id."""
    job = bench.runs.plan(
        RunRequest(
            release=release,
            system=system,
            agent=agent,
            retriever=retriever,
            metrics=metrics,
            judges=list(judges),
            settings=dict(settings),
            sample=sample,
            seed=7,
        )
    )
    return str(jobs.start(bench).submit(job).result()["run"])
