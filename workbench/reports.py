"""Reports: runs side by side, from what is stored alone."""

from collections.abc import Sequence

from core.catalog import pick
from core.text import count_tokens
from eval.layout import page_of
from eval.preset import presets
from eval.renderer import renderers
from eval.report import report
from eval.results import RunResult
from store import runs
from store.database import Database
from workbench.releases import ReleaseStage


class ReportStage:
    """Verbs on reports."""

    def __init__(self, database: Database, releases: ReleaseStage) -> None:
        self._db, self._releases = database, releases

    def report(self, ids: Sequence[str], *, by: Sequence[str], form: str, preset: str | None = None) -> str:
        """The report of those runs (ids or their first 6 or more characters) as text; `preset` draws a paper's own layout."""
        renderer = pick(renderers(), form, "format")
        found = [self._result(id_) for id_ in ids]
        made = report(list({result.run.id: result for result in found}.values()), by)
        page = pick(presets(), preset, "preset").build(made) if preset else page_of(made)
        return renderer.render(page)

    def _result(self, id_: str) -> RunResult:
        run = runs.get(self._db, id_)
        content = self._releases.members(run.release, run.release_hash)
        texts = {document.id: document for document in content.documents}
        tokens = {document.id: count_tokens(document.text, document.language) for document in content.documents}
        return RunResult(
            run=run, traces=runs.traces(self._db, run.id), scores=runs.scores(self._db, run.id),
            items={item.id: item for item in content.items}, kinds={v.id: v.kind for v in content.variants},
            not_run=run.config.get("not_run", ()),
            context_tokens={i.id: sum(tokens[d] for d in i.given if d in texts) for i in content.items},
        )  # fmt: skip
