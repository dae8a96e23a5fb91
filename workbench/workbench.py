"""One open workspace and its stages, the words that it asks in, and the body of each kind of job."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.engine.database import Database
from store.jobs import jobs
from store.reviews import names
from workbench import actor
from workbench.control import Control
from workbench.stage import Stage, stage

if TYPE_CHECKING:
    from workbench.annotate.desk.guidelines import GuidelineStage
    from workbench.annotate.desk.label_questions import LabelQuestionStage
    from workbench.annotate.desk.page_view import PageViewStage
    from workbench.annotate.finding.bulk import BulkStage
    from workbench.annotate.finding.difficulty import DifficultyStage
    from workbench.annotate.finding.finding import FindStage
    from workbench.annotate.progress.progress import ProgressStage
    from workbench.annotate.queue.queueing import QueueStage
    from workbench.annotate.reviewing.adjudication import AdjudicationStage
    from workbench.annotate.reviewing.comments import CommentStage
    from workbench.annotate.reviewing.item_list import ItemList
    from workbench.annotate.reviewing.phases import PhaseStage
    from workbench.annotate.reviewing.reviews import ReviewStage
    from workbench.annotate.wordings.rewrites import RewriteStage
    from workbench.annotate.wordings.variant_quality import QualityStage
    from workbench.annotate.wordings.variants import VariantStage
    from workbench.build.corpus.corpus import CorpusStage
    from workbench.build.corpus.coverage import CoverageStage
    from workbench.build.corpus.near_copies import NearCopyStage
    from workbench.build.corpus.removal import RemovalStage
    from workbench.build.corpus.search import SearchStage
    from workbench.build.drafting.draft_estimate import DraftEstimate
    from workbench.build.drafting.drafts import DraftStage
    from workbench.build.drafting.reversed import ReverseStage
    from workbench.build.drafting.web_questions import WebQuestionStage
    from workbench.build.gating.gating import GatingStage
    from workbench.build.templates.seasons import SeasonStage
    from workbench.build.templates.tables import TableStage
    from workbench.build.templates.template_proposals import ProposalStage
    from workbench.build.templates.templates import TemplateStage
    from workbench.build.trials.one_draft import OneDraftStage
    from workbench.build.trials.trial_desk import TrialDesk
    from workbench.build.trials.trials import TrialStage
    from workbench.build.varying.varying import VaryStage
    from workbench.evaluate.grading.calibrations import CalibrationStage
    from workbench.evaluate.grading.grading import GradingStage
    from workbench.evaluate.grading.grading_desk import GradingDesk
    from workbench.evaluate.grading.grading_files import GradingFiles
    from workbench.evaluate.results.analyses import AnalysisStage
    from workbench.evaluate.results.reports import ReportStage
    from workbench.evaluate.results.robustness import RobustnessStage
    from workbench.evaluate.results.run_export import RunExport
    from workbench.evaluate.running.quick_check import QuickCheckStage
    from workbench.evaluate.running.runs import RunStage
    from workbench.evaluate.scoring.conformance import ConformanceStage
    from workbench.evaluate.scoring.question_sets import QuestionSetStage
    from workbench.evaluate.scoring.studies import Studies
    from workbench.evaluate.sweeps.sweeps import SweepStage
    from workbench.evaluate.traces.traces import TraceStage
    from workbench.home.board import BoardStage
    from workbench.home.own_work import OwnWorkStage
    from workbench.home.sample_work import SampleWorkStage
    from workbench.release.releases import ReleaseStage
    from workbench.release.shelf import ShelfStage
    from workbench.release.uploads import UploadStage
    from workbench.setup.agent_list import AgentList
    from workbench.setup.agents import Agents
    from workbench.setup.log import LogStage
    from workbench.setup.people import PeopleStage
    from workbench.setup.prompts import PromptStage
    from workbench.setup.trial_call import TrialCalls
    from workbench.upkeep.upkeep import UpkeepStage

Work = Callable[[str, Control], Awaitable[dict[str, Any]]]
WORK = {
    "draft": ("drafts", "work"),
    "draft_one": ("one_draft", "work"),
    "run": ("runs", "work"),
    "count": ("corpus", "work_count"),
    "add": ("uploads", "work_add"),
    "import": ("uploads", "work_import"),
    "bulk": ("bulk", "work"),
    "gates": ("gating", "work"),
    "trial": ("trials", "work"),
    "sweep": ("sweeps", "work"),
    "vary": ("vary", "work"),
    "template": ("seasons", "work"),
    "refresh": ("seasons", "work_refresh"),
    "propose": ("proposals", "work"),
}
"""Kind of job -> the stage that works it, and how."""

CLOSED = (
    "one_draft",
    "reviews",
    "page_view",
    "bulk",
    "gating",
    "vary",
    "find",
    "progress",
    "near_copies",
    "templates",
    "tables",
    "coverage",
    "difficulty",
    "conformance",
    "robustness",
    "analyses",
    "reports",
    "studies",
    "grading",
    "calibrations",
    "agent_list",
    "prompts",
    "runs",
    "sweeps",
    "quick_check",
)
"""Stages that have something to end, in that order."""


class Workbench:
    """A workspace, open. Close it, or use it in a `with`."""

    agents: "Agents" = stage("setup.agents", "Agents")
    agent_list: "AgentList" = stage("setup.agent_list", "AgentList")
    trial_calls: "TrialCalls" = stage("setup.trial_call", "TrialCalls", "agents")
    prompts: "PromptStage" = stage("setup.prompts", "PromptStage")
    corpus: "CorpusStage" = stage("build.corpus.corpus", "CorpusStage")
    removal: "RemovalStage" = stage("build.corpus.removal", "RemovalStage")
    near_copies: "NearCopyStage" = stage("build.corpus.near_copies", "NearCopyStage")
    tables: "TableStage" = stage("build.templates.tables", "TableStage")
    templates: "TemplateStage" = stage("build.templates.templates", "TemplateStage", "tables")
    seasons: "SeasonStage" = stage("build.templates.seasons", "SeasonStage", "tables")
    proposals: "ProposalStage" = stage("build.templates.template_proposals", "ProposalStage", "agents", "tables", "templates")
    web_questions: "WebQuestionStage" = stage("build.drafting.web_questions", "WebQuestionStage")
    item_list: "ItemList" = stage("annotate.reviewing.item_list", "ItemList")
    reviews: "ReviewStage" = stage("annotate.reviewing.reviews", "ReviewStage")
    comments: "CommentStage" = stage("annotate.reviewing.comments", "CommentStage", "reviews.check_open")
    page_view: "PageViewStage" = stage("annotate.desk.page_view", "PageViewStage")
    adjudication: "AdjudicationStage" = stage("annotate.reviewing.adjudication", "AdjudicationStage", "reviews")
    queue: "QueueStage" = stage("annotate.queue.queueing", "QueueStage")
    find: "FindStage" = stage("annotate.finding.finding", "FindStage", "reviews.blind.is_hidden")
    bulk: "BulkStage" = stage("annotate.finding.bulk", "BulkStage", "find")
    rewrites: "RewriteStage" = stage("annotate.wordings.rewrites", "RewriteStage")
    variants: "VariantStage" = stage("annotate.wordings.variants", "VariantStage")
    variant_quality: "QualityStage" = stage("annotate.wordings.variant_quality", "QualityStage")
    phases: "PhaseStage" = stage("annotate.reviewing.phases", "PhaseStage")
    guidelines: "GuidelineStage" = stage("annotate.desk.guidelines", "GuidelineStage")
    label_questions: "LabelQuestionStage" = stage("annotate.desk.label_questions", "LabelQuestionStage")
    own_work: "OwnWorkStage" = stage(
        "home.own_work", "OwnWorkStage", "reviews", "adjudication", "rewrites", "variants", "phases"
    )
    sample_work: "SampleWorkStage" = stage("home.sample_work", "SampleWorkStage", "corpus", "web_questions", "variant_quality")
    progress: "ProgressStage" = stage("annotate.progress.progress", "ProgressStage")
    search: "SearchStage" = stage("build.corpus.search", "SearchStage", "corpus")
    reverse: "ReverseStage" = stage("build.drafting.reversed", "ReverseStage")
    coverage: "CoverageStage" = stage("build.corpus.coverage", "CoverageStage")
    drafts: "DraftStage" = stage("build.drafting.drafts", "DraftStage", "agents", "corpus", "search")
    one_draft: "OneDraftStage" = stage("build.trials.one_draft", "OneDraftStage", "agents", "corpus", "drafts", "reviews")
    draft_estimate: "DraftEstimate" = stage("build.drafting.draft_estimate", "DraftEstimate", "agents", "corpus", "drafts")
    gating: "GatingStage" = stage("build.gating.gating", "GatingStage", "agents", "corpus", "find")
    vary: "VaryStage" = stage("build.varying.varying", "VaryStage", "agents")
    trials: "TrialStage" = stage(
        "build.trials.trials", "TrialStage", "agents", "corpus", "drafts", "prompts", "reviews", "draft_estimate"
    )
    trial_desk: "TrialDesk" = stage("build.trials.trial_desk", "TrialDesk")
    releases: "ReleaseStage" = stage("release.releases", "ReleaseStage")
    shelf: "ShelfStage" = stage("release.shelf", "ShelfStage", "releases")
    runs: "RunStage" = stage("evaluate.running.runs", "RunStage", "agents", "releases", "tables.tables")
    run_exports: "RunExport" = stage("evaluate.results.run_export", "RunExport", "releases")
    sweeps: "SweepStage" = stage("evaluate.sweeps.sweeps", "SweepStage", "agents", "releases", "runs")
    quick_check: "QuickCheckStage" = stage("evaluate.running.quick_check", "QuickCheckStage", "agents")
    studies: "Studies" = stage("evaluate.scoring.studies", "Studies", "releases")
    reports: "ReportStage" = stage("evaluate.results.reports", "ReportStage", "releases", "studies")
    robustness: "RobustnessStage" = stage("evaluate.results.robustness", "RobustnessStage", "studies")
    analyses: "AnalysisStage" = stage("evaluate.results.analyses", "AnalysisStage")
    traces: "TraceStage" = stage("evaluate.traces.traces", "TraceStage", "agents")
    question_sets: "QuestionSetStage" = stage("evaluate.scoring.question_sets", "QuestionSetStage")
    grading: "GradingStage" = stage("evaluate.grading.grading", "GradingStage")
    grading_desk: "GradingDesk" = stage("evaluate.grading.grading_desk", "GradingDesk")
    grading_files: "GradingFiles" = stage("evaluate.grading.grading_files", "GradingFiles")
    calibrations: "CalibrationStage" = stage("evaluate.grading.calibrations", "CalibrationStage")
    difficulty: "DifficultyStage" = stage("annotate.finding.difficulty", "DifficultyStage")
    conformance: "ConformanceStage" = stage("evaluate.scoring.conformance", "ConformanceStage")
    board: "BoardStage" = stage("home.board", "BoardStage")
    uploads: "UploadStage" = stage("release.uploads", "UploadStage", "corpus", "releases")
    upkeep: "UpkeepStage" = stage("upkeep.upkeep", "UpkeepStage", "agents")
    people: "PeopleStage" = stage("setup.people", "PeopleStage")
    log: "LogStage" = stage("setup.log", "LogStage")

    def __init__(self, database: Database) -> None:
        self.database = database
        names.unite_spellings(database)

    @classmethod
    def open(cls, path: Path | str, fresh: bool = False) -> "Workbench":
        """Open or make the workspace file; with `fresh` an old one of that name is made anew, unless it is held, or is no
        workspace of ours."""
        if fresh and path != ":memory:" and Path(path).exists():
            Database.open(path).close()
            for old in (Path(path), Path(f"{path}.wal"), Path(f"{path}.commits")):
                old.unlink(missing_ok=True)
        database = Database.open(path)
        jobs.requeue_interrupted(database)
        bench = cls(database)
        bench.prompts.put_in_force()
        return bench

    def work(self, kind: str) -> Work:
        """The body of that kind of job, asking in the words that it was planned with."""
        attribute, method = WORK[kind]
        body: Work = getattr(getattr(self, attribute), method)

        async def in_its_words(job: str, control: Control) -> dict[str, Any]:
            planned = await asyncio.to_thread(jobs.get, self.database, job)
            with actor.enter_job(), self.prompts.in_force(planned.params.get("words", {})):
                return await body(job, control)

        return in_its_words

    def make_every_stage(self) -> None:
        """Import and make all of them: for a process that many ask at once, before the first does."""
        for attribute in [name for name, one in vars(type(self)).items() if isinstance(one, Stage)]:
            getattr(self, attribute)

    def close(self) -> None:
        """End what the stages that were made are at, then let go of the file."""
        for attribute in CLOSED:
            if attribute in self.__dict__:
                self.__dict__[attribute].close()
        if "shelf" in self.__dict__:
            self.shelf.clear()
        self.database.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
