"""Open a workspace in Python. The methods of a workspace run command-line verbs (commands) and return their JSON results as
DataFrames."""

import atexit
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchwright.asking import ask_callable
from benchwright.frames import COLUMNS, build_frame, build_items_frame
from benchwright.verb_session import VerbCaller
from core.errors import BenchError
from workbench.current_workbench import find_workspace_path
from workbench.evaluate.running.run_request import format_setting

if TYPE_CHECKING:
    from pandas import DataFrame

Settings = Mapping[str, Any]
"""Settings as for the option --set: a dict from setting name to value."""


class Workspace:
    """An open workspace. Call `close` at the end, or use the workspace in a `with` block. If the app has the workspace file
    open, the app runs the verbs that the methods call."""

    def __init__(self, path: str) -> None:
        self._caller = VerbCaller(path)
        atexit.register(self.close)

    @property
    def path(self) -> str:
        """Path of the workspace file."""
        return self._caller.path

    @property
    def is_through_app(self) -> bool:
        """Whether the app has the workspace open and therefore runs the verbs that the methods call."""
        return self._caller.is_through_app

    def add(
        self,
        *paths: str | Path,
        format: str = "auto",
        domain: str | None = None,
        language: str | None = None,
        licence: str | None = None,
    ) -> "DataFrame":
        """Add documents from files or folders; return the new documents as the DataFrame `documents`. Raises BenchError if no
        document was added, unless the workspace already had one of them."""
        options = list_options(format=format, domain=domain, language=language, licence=licence)
        result = self._caller.call("add", *options, "--", *map(str, paths))
        if not result["added"] and not result["already"]:
            why = [f"{refused['where']}: {refused['message']}" for refused in result["refused"]]
            raise BenchError(why[0] if why else "No document was added: the paths hold none.")
        return build_frame("documents", result["added"])

    def draft(
        self,
        task: str,
        domain: str,
        count: int,
        *,
        agent: str = "offline",
        seed: int = 0,
        budget: float | None = None,
        settings: Settings | None = None,
    ) -> "DataFrame":
        """Draft items with an agent; return them as the DataFrame `items`. Raises BenchError if the job was stopped."""
        options = list_options(task=task, domain=domain, count=count, agent=agent, seed=seed, budget=budget)
        return build_items_frame(self._caller.call("draft", *options, *list_settings(settings))["items"])

    def items(
        self,
        *,
        status: str | None = None,
        task: str | None = None,
        domain: str | None = None,
        level: int | str | None = None,
        language: str | None = None,
        text: str | None = None,
    ) -> "DataFrame":
        """Return the items that match the filters, oldest first, as the DataFrame `items`."""
        options = list_options(status=status, task=task, domain=domain, level=level, language=language, text=text)
        return build_items_frame(self._caller.call("items", *options))

    def reviews(self) -> "DataFrame":
        """Return all reviews of items and variants, oldest first, as the DataFrame `reviews`."""
        return build_frame("reviews", self._caller.call("reviews"))

    def runs(self, release: str | None = None) -> "DataFrame":
        """Return the runs of the workspace, newest first, as the DataFrame `runs`."""
        return build_frame("runs", self._caller.call("runs", *list_options(release=release)))

    def traces(self, run: "str | RunHandle") -> "DataFrame":
        """Return the answers of a run, as the DataFrame `traces`."""
        return build_frame("traces", self._caller.call("traces", str(run)))

    def scores(self, run: "str | RunHandle") -> "DataFrame":
        """Return the scores of a run, as the DataFrame `scores`."""
        return build_frame("scores", self._caller.call("scores", str(run)))

    def decide(
        self,
        item: str,
        decision: str,
        person: str,
        *,
        question: str | None = None,
        answer: str | None = None,
        reason: str | None = None,
    ) -> str:
        """Accept or discard an item or variant in the name of `person`; return its new status. Raises BenchError if the
        decision is not allowed."""
        options = [f"--as={person}", *list_options(question=question, answer=answer, reason=reason)]
        return str(self._caller.call("decide", item, decision, *options)[0]["status"])

    def freeze(
        self,
        name: str,
        *,
        split: Mapping[str, float] | None = None,
        seed: int = 0,
        allow_unlicensed: str | None = None,
        unreviewed_variants: bool = False,
    ) -> dict[str, Any]:
        """Freeze the accepted items into a release; return the JSON result of the verb: release, hash, items, documents and
        more. Raises BenchError if the release cannot be frozen."""
        shares = ",".join(f"{part}={share:g}" for part, share in split.items()) if split else None
        options = list_options(split=shares, seed=seed, allow_unlicensed=allow_unlicensed)
        flags = ["--unreviewed-variants"] if unreviewed_variants else []
        frozen: dict[str, Any] = self._caller.call("freeze", name, *options, *flags)
        return frozen

    def run(
        self,
        release: str,
        system: str | Callable[[Any], Any],
        *,
        agent: str | None = None,
        retriever: str | None = None,
        metrics: Sequence[str] | None = None,
        judges: Sequence[str] = (),
        variants: bool = False,
        sample: int | None = None,
        seed: int = 0,
        budget: float | None = None,
        settings: Settings | None = None,
    ) -> "RunHandle":
        """Run a system on a release and score its answers. `system` is the name of a system, or a function that gets a question
        and returns the answer (see benchwright.asking). Raises BenchError if the run was stopped."""
        words = list_options(agent=agent, retriever=retriever, sample=sample, seed=seed, budget=budget)
        words += list_options(metrics=",".join(metrics) if metrics is not None else None)
        words += [f"--judge={judge}" for judge in judges] + (["--variants"] if variants else [])
        with tempfile.TemporaryDirectory() as folder:
            if callable(system):
                if sample is not None:
                    raise BenchError("A function used as a system answers every question of the release: leave out `sample`.")
                file = ask_callable(system, self._list_questions(release, Path(folder) / "release", variants), Path(folder))
                settings = {**(settings or {}), "predictions": str(file)}
            name = "recorded" if callable(system) else system
            result = self._caller.call("run", release, f"--system={name}", *words, *list_settings(settings))
        return RunHandle(self, result["run"], result["answered"], result["failed"])

    def certify(
        self,
        release: str,
        *,
        agents: Sequence[str] = (),
        shortcuts: Sequence[str] = (),
        budget: float | None = None,
        settings: Settings | None = None,
    ) -> "DataFrame":
        """Try shortcuts on the questions of a release. Return how many questions each shortcut answers, as the DataFrame
        `shortcuts`. If `shortcuts` is empty, all shortcuts that need no agent are tried, and also closed_book if there are
        `agents`. Raises BenchError if the job was stopped."""
        words = [f"--agent={name}" for name in agents] + [f"--probe={name}" for name in shortcuts]
        made = self._caller.call("certificate", "make", release, *words, *list_options(budget=budget), *list_settings(settings))
        shown = self._caller.call("certificate", "show", release, f"--id={made['certificate']}")
        rows = [
            {
                **{name: rate[name] for name in ("shortcut", "agent", "failed")},
                **{name: rate["rate"][name] for name in ("n", "low", "high")},
                **{name: rate[name]["value"] for name in ("rate", "chance", "above_chance")},
                **{f"above_{end}": rate["above_chance"][end] for end in ("low", "high")},
                "undecided": sum(rate["undecided"].values()),
            }
            for rate in shown["rates"]
        ]
        return build_frame("shortcuts", rows)

    def check_half_life(
        self,
        release: str,
        *,
        tables: str | Path | Sequence[str | Path] = (),
        pages: str | Path | Sequence[str | Path] = (),
        at: str | None = None,
        agent: str | None = None,
        budget: float | None = None,
        settings: Settings | None = None,
    ) -> dict[str, Any]:
        """Ask the questions of a release again of newer tables and pages, each a file, a folder, or several; `at` is the day of
        these data, as YYYY-MM-DD (default: today). Return the JSON result of the verb `half-life check`, with the number of
        answers by outcome. Raises BenchError if the check cannot be made, or if the job was stopped."""
        named = {
            name: [given] if isinstance(given, str | Path) else given for name, given in (("tables", tables), ("pages", pages))
        }
        words = [f"--{name}={path}" for name, paths in named.items() for path in paths]
        words += list_options(at=at, agent=agent, budget=budget)
        made: dict[str, Any] = self._caller.call("half-life", "check", release, *words, *list_settings(settings))
        return made

    def half_life(self, release: str, tolerance: float = 0.1) -> dict[str, Any]:
        """Return how the answers of a release age by all its half-life checks: the JSON of the verb `half-life show`, with the
        curve, the half-life and the day by which to refresh, for all questions and by group."""
        shown: dict[str, Any] = self._caller.call("half-life", "show", release, f"--tolerance={tolerance:g}")
        return shown

    def sweep(self, plan: str | Path | Mapping[str, Any]) -> "DataFrame":
        """Run a sweep (many runs that differ in some factors). Return its scores as the DataFrame `sweep`, with one row for
        each combination of factors (cell) and metric. `plan` is the path of a YAML file, or a mapping with the same fields.
        Raises BenchError if the sweep was stopped, or if a field of the plan is invalid."""
        with tempfile.TemporaryDirectory() as folder:
            if isinstance(plan, Mapping):
                import json

                file = Path(folder) / "sweep.yaml"  # JSON is also YAML
                file.write_text(json.dumps(plan), encoding="utf-8")
            else:
                file = Path(plan)
            result = self._caller.call("sweeps", "start", str(file))
        rows = [
            {**{name: cell[name] for name in ("label", "state", "runs", "why")}, "metric": name, **figure}
            for cell in result["table"]
            for name, figure in (cell["metrics"] or {None: {}}).items()
        ]
        return build_frame("sweep", rows)

    def report(self, *runs: "str | RunHandle", by: Sequence[str] = ("level", "domain")) -> "ReportFrames":
        """Return the report on runs. The means in the report are grouped by the keys in `by`: level, domain, task, kind,
        language and label.NAME."""
        data = self._caller.call("report", *map(str, runs), *list_options(by=",".join(by)))
        return ReportFrames(data, tuple(by))

    def next_marks(
        self,
        run: "str | RunHandle",
        against: "str | RunHandle | None" = None,
        *,
        metric: str | None = None,
        scheme: str = "right_wrong",
        size: int = 20,
        width: float = 0.05,
        seed: int = 13,
    ) -> dict[str, Any]:
        """Return what people's marks show about a run, or about its difference from another run, and how many answers of which
        groups (strata) to mark next. The result is the JSON of the verb `gradings next`."""
        options = list_options(against=against, metric=metric, scheme=scheme, size=size, width=width, seed=seed)
        planned: dict[str, Any] = self._caller.call("gradings", "next", str(run), *options)
        return planned

    def close(self) -> None:
        """End the jobs that this process runs, and close the workspace."""
        atexit.unregister(self.close)
        self._caller.close()

    def __enter__(self) -> "Workspace":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Workspace {self.path}{' through the app' if self.is_through_app else ''}>"

    def _list_questions(self, release: str, folder: Path, variants: bool) -> Iterator[dict[str, Any]]:
        """Yield the items of a release as JSON records, and then, if `variants` is true, its variants. The record of a variant
        is that of its item, with the id and question of the variant."""
        import json

        self._caller.call("export", release, "--format=jsonl", str(folder))
        items = {item["id"]: item for line in (folder / "items.jsonl").open(encoding="utf-8") if (item := json.loads(line))}
        yield from items.values()
        for line in (folder / "variants.jsonl").open(encoding="utf-8") if variants else ():
            variant = json.loads(line)
            yield {**items[variant["item"]], "id": variant["id"], "question": variant["text"]}


@dataclass(frozen=True, slots=True)
class RunHandle:
    """A run of a system in a workspace, with methods for its results."""

    workspace: Workspace
    id: str
    answered: int
    failed: int

    def traces(self) -> "DataFrame":
        """Return the answers of the run, as the DataFrame `traces`."""
        return self.workspace.traces(self.id)

    def scores(self) -> "DataFrame":
        """Return the scores of the run, as the DataFrame `scores`."""
        return self.workspace.scores(self.id)

    def report(self, by: Sequence[str] = ("level", "domain")) -> "ReportFrames":
        """Return the report on this run alone."""
        return self.workspace.report(self, by=by)

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class ReportFrames:
    """A report on runs as DataFrames. A notebook shows this object as a table of the means."""

    data: Mapping[str, Any]
    """JSON result of the verb `report`."""
    by: tuple[str, ...]

    def to_pandas(self) -> "DataFrame":
        """Return the means of the runs, as the DataFrame `cells`."""
        runs = self.data["runs"]
        cells = [
            {**{name: run[name] for name in ("run", "system", "release")}, **cell} for run in runs for cell in run["cells"]
        ]
        names = COLUMNS["cells"]
        return build_frame("cells", cells, [*names[:3], *self.by, *names[3:]])

    def comparisons(self) -> "DataFrame":
        """Return the paired differences between the runs, as the DataFrame `comparisons`."""
        return build_frame("comparisons", self.data["comparisons"])

    def show(self) -> None:
        """Show the means of the runs: as a table in a notebook, otherwise as text."""
        try:
            from IPython.display import display  # type: ignore[import-not-found]
        except ImportError:
            print(self.to_pandas().to_string(index=False))
        else:
            display(self)

    def _repr_html_(self) -> str:
        return str(self.to_pandas().to_html(index=False))


def open_workspace(path: str | Path | None = None) -> Workspace:
    """Open a workspace file; create it if it does not exist. The default path is the value of the environment variable
    BENCHWRIGHT_WORKSPACE; if it is not set, the path is benchwright.duckdb. If the app has the file open, the app runs the
    verbs that the methods call. Raises WorkspaceHeld if another process than the app has the file open."""
    return Workspace(find_workspace_path() if path is None else os.fspath(path))


def list_options(**values: object) -> list[str]:
    """Return those options whose value is not None as command-line arguments of the form --name=value."""
    return [f"--{name.replace('_', '-')}={value}" for name, value in values.items() if value is not None]


def list_settings(settings: Settings | None) -> list[str]:
    """Return settings as command-line arguments of the form --set=name=value."""
    return [f"--set={name}={format_setting(value)}" for name, value in (settings or {}).items()]
