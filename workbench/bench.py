"""One open workspace and its stages, the words that it asks in, and the body of each kind of job."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from store import jobs
from store.database import Database
from workbench import acting
from workbench.annotate.adjudication import AdjudicationStage
from workbench.annotate.bulk import BulkStage
from workbench.annotate.comments import CommentStage
from workbench.annotate.finding import FindStage
from workbench.annotate.guidelines import GuidelineStage
from workbench.annotate.page_view import PageViewStage
from workbench.annotate.phases import PhaseStage
from workbench.annotate.progress import ProgressStage
from workbench.annotate.queueing import QueueStage
from workbench.annotate.reviews import ReviewStage
from workbench.annotate.rewrites import RewriteStage
from workbench.annotate.variant_quality import QualityStage
from workbench.annotate.variants import VariantStage
from workbench.construct.corpus import CorpusStage
from workbench.construct.coverage import CoverageStage
from workbench.construct.draft_estimate import DraftEstimate
from workbench.construct.drafts import DraftStage
from workbench.construct.gating import GatingStage
from workbench.construct.near_copies import NearCopyStage
from workbench.construct.one_draft import OneDraftStage
from workbench.construct.reversed import ReverseStage
from workbench.construct.search import SearchStage
from workbench.construct.seasons import SeasonStage
from workbench.construct.tables import TableStage
from workbench.construct.template_proposals import ProposalStage
from workbench.construct.templates import TemplateStage
from workbench.construct.trial_desk import TrialDesk
from workbench.construct.trials import TrialStage
from workbench.construct.uploads import UploadStage
from workbench.construct.varying import VaryStage
from workbench.construct.web_questions import WebQuestionStage
from workbench.control import Control
from workbench.evaluate.analyses import AnalysisStage
from workbench.evaluate.calibrations import CalibrationStage
from workbench.evaluate.conformance import ConformanceStage
from workbench.evaluate.difficulty import DifficultyStage
from workbench.evaluate.grading import GradingStage
from workbench.evaluate.grading_desk import GradingDesk
from workbench.evaluate.grading_files import GradingFiles
from workbench.evaluate.question_sets import QuestionSetStage
from workbench.evaluate.quick_check import QuickCheckStage
from workbench.evaluate.reports import ReportStage
from workbench.evaluate.robustness import RobustnessStage
from workbench.evaluate.run_export import RunExport
from workbench.evaluate.runs import RunStage
from workbench.evaluate.studied import Studies
from workbench.evaluate.sweeps import SweepStage
from workbench.evaluate.traces import TraceStage
from workbench.home.board import BoardStage
from workbench.release.releases import ReleaseStage
from workbench.release.shelf import ShelfStage
from workbench.setup.agent_list import AgentList
from workbench.setup.agents import Agents
from workbench.setup.log import LogStage
from workbench.setup.people import PeopleStage
from workbench.setup.prompts import PromptStage
from workbench.setup.trial_call import TrialCalls
from workbench.setup.upkeep import UpkeepStage

Work = Callable[[str, Control], Awaitable[dict[str, Any]]]


class Workbench:
    """A workspace, open. Close it, or use it in a `with`."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.agents = Agents(database)
        self.agent_list = AgentList(database)
        self.trial_calls = TrialCalls(database, self.agents)
        self.prompts = PromptStage(database)
        self.corpus = CorpusStage(database)
        self.near_copies = NearCopyStage(database)
        self.tables = TableStage(database)
        self.templates = TemplateStage(database, self.tables)
        self.seasons = SeasonStage(database, self.tables)
        self.proposals = ProposalStage(database, self.agents, self.tables, self.templates)
        self.web_questions = WebQuestionStage(database)
        self.reviews = ReviewStage(database)
        self.comments = CommentStage(database, self.reviews.check_open)
        self.page_view = PageViewStage(database)
        self.adjudication = AdjudicationStage(database, self.reviews)
        self.queue = QueueStage(database)
        self.find = FindStage(database, self.reviews.blind.hides)
        self.bulk = BulkStage(database, self.find)
        self.rewrites = RewriteStage(database)
        self.variants = VariantStage(database)
        self.variant_quality = QualityStage(database)
        self.phases = PhaseStage(database)
        self.guidelines = GuidelineStage(database)
        self.progress = ProgressStage(database)
        self.search = SearchStage(database, self.corpus)
        self.reverse = ReverseStage(database)
        self.coverage = CoverageStage(database)
        self.drafts = DraftStage(database, self.agents, self.corpus, self.search)
        self.one_draft = OneDraftStage(database, self.agents, self.corpus, self.drafts, self.reviews)
        self.draft_estimate = DraftEstimate(database, self.agents, self.corpus, self.drafts)
        self.gating = GatingStage(database, self.agents, self.corpus, self.find)
        self.vary = VaryStage(database, self.agents)
        self.trials = TrialStage(database, self.agents, self.corpus, self.drafts, self.prompts, self.reviews,
                                 self.draft_estimate)  # fmt: skip
        self.trial_desk = TrialDesk(database)
        self.releases = ReleaseStage(database)
        self.shelf = ShelfStage(database, self.releases)
        self.runs = RunStage(database, self.agents, self.releases, self.tables.tables)
        self.run_exports = RunExport(database, self.releases)
        self.sweeps = SweepStage(database, self.agents, self.releases, self.runs)
        self.quick_check = QuickCheckStage(database, self.agents)
        self._studies = studies = Studies(database, self.releases)
        self.reports = ReportStage(database, self.releases, studies)
        self.robustness = RobustnessStage(database, studies)
        self.analyses = AnalysisStage(database)
        self.traces = TraceStage(database, self.agents)
        self.question_sets = QuestionSetStage(database)
        self.grading = GradingStage(database)
        self.grading_desk = GradingDesk(database)
        self.grading_files = GradingFiles(database)
        self.calibrations = CalibrationStage(database)
        self.difficulty = DifficultyStage(database)
        self.conformance = ConformanceStage(database)
        self.board = BoardStage(database)
        self.uploads = UploadStage(database, self.corpus, self.releases)
        self.upkeep = UpkeepStage(database, self.agents)
        self.people = PeopleStage(database)
        self.log = LogStage(database)

    @classmethod
    def open(cls, path: Path | str, fresh: bool = False) -> "Workbench":
        """Open or make the workspace file; with `fresh` an old one of that name is made anew, unless it is held, or is no
        workspace of ours."""
        if fresh and path != ":memory:" and Path(path).exists():
            Database.open(path).close()
            for old in (Path(path), Path(f"{path}.wal")):
                old.unlink(missing_ok=True)
        database = Database.open(path)
        jobs.interrupted(database)
        bench = cls(database)
        bench.prompts.put_in_force()
        return bench

    def work(self, kind: str) -> Work:
        """The body of that kind of job, asking in the words that it was planned with."""
        body: Work = {
            "draft": self.drafts.work, "draft_one": self.one_draft.work, "run": self.runs.work,
            "count": self.corpus.work_count, "add": self.uploads.work_add, "import": self.uploads.work_import,
            "bulk": self.bulk.work, "gates": self.gating.work, "trial": self.trials.work,
            "sweep": self.sweeps.work, "vary": self.vary.work, "template": self.seasons.work,
            "refresh": self.seasons.work_refresh, "propose": self.proposals.work,
        }[kind]  # fmt: skip

        async def in_its_words(job: str, control: Control) -> dict[str, Any]:
            planned = await asyncio.to_thread(jobs.get, self.database, job)
            with acting.job(), self.prompts.in_force(planned.params.get("words", {})):
                return await body(job, control)

        return in_its_words

    def close(self) -> None:
        self.one_draft.close()
        self.reviews.close()
        self.page_view.close()
        self.bulk.close()
        self.gating.close()
        self.vary.close()
        self.find.close()
        self.progress.close()
        self.near_copies.close()
        self.templates.close()
        self.tables.close()
        self.coverage.close()
        self.difficulty.close()
        self.conformance.close()
        self.shelf.clear()
        self.robustness.close()
        self.analyses.close()
        self.reports.close()
        self._studies.close()
        self.grading.close()
        self.calibrations.close()
        self.agent_list.close()
        self.prompts.close()
        self.runs.close()
        self.sweeps.close()
        self.quick_check.close()
        self.database.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
