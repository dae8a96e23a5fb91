"""Define the workbench, which is an open workspace with its stages (groups of operations), and the way in which each kind of
job is run."""

import asyncio
from collections.abc import Callable, Coroutine
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from store.engine.database import Database
from store.jobs import jobs
from store.reviews import names
from workbench import actor
from workbench.background_cache import BackgroundCache
from workbench.control import Control
from workbench.stage import list_stages, stage

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
    from workbench.annotate.reviewing.conversations import ConversationReviews
    from workbench.annotate.reviewing.desk_visits import DeskVisits
    from workbench.annotate.reviewing.item_list import ItemList
    from workbench.annotate.reviewing.phases import PhaseStage
    from workbench.annotate.reviewing.reviews import ReviewStage
    from workbench.annotate.wordings.rewrite_visits import RewriteVisits
    from workbench.annotate.wordings.rewrites import RewriteStage
    from workbench.annotate.wordings.variant_quality import QualityStage
    from workbench.annotate.wordings.variant_visits import VariantVisits
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
    from workbench.evaluate.grading.next_marks import NextMarks
    from workbench.evaluate.half_life.half_life import HalfLifeStage
    from workbench.evaluate.results.absence import AbsenceStage
    from workbench.evaluate.results.analyses import AnalysisStage
    from workbench.evaluate.results.conversations import ConversationStage
    from workbench.evaluate.results.counterfactual import CounterfactualStage
    from workbench.evaluate.results.crosslingual import CrossLingualStage
    from workbench.evaluate.results.errata import ErrataStage
    from workbench.evaluate.results.reports import ReportStage
    from workbench.evaluate.results.robustness import RobustnessStage
    from workbench.evaluate.results.run_export import RunExport
    from workbench.evaluate.results.tiny import TinyStage
    from workbench.evaluate.running.quick_check import QuickCheckStage
    from workbench.evaluate.running.runs import RunStage
    from workbench.evaluate.scoring.conformance import ConformanceStage
    from workbench.evaluate.scoring.nuggets import NuggetStage
    from workbench.evaluate.scoring.question_sets import QuestionSetStage
    from workbench.evaluate.scoring.studies import Studies
    from workbench.evaluate.shards.draft_shards import DraftShardStage
    from workbench.evaluate.shards.embed_shards import EmbedShardStage
    from workbench.evaluate.shards.shards import ShardStage
    from workbench.evaluate.shortcuts.certificates import CertificateStage
    from workbench.evaluate.sweeps.sweeps import SweepStage
    from workbench.evaluate.traces.traces import TraceStage
    from workbench.home.board import BoardStage
    from workbench.home.own_work import OwnWorkStage
    from workbench.home.sample_work import SampleWorkStage
    from workbench.release.boards.sealed_boards import SealedBoardStage
    from workbench.release.contests import ContestStage
    from workbench.release.hub.hub import HubStage
    from workbench.release.pairs.language_pairs import LanguagePairStage
    from workbench.release.pairs.translations import TranslationStage
    from workbench.release.release_browser import ReleaseBrowser
    from workbench.release.releases import ReleaseStage
    from workbench.release.uploads import UploadStage
    from workbench.setup.access.access_tokens import AccessTokens
    from workbench.setup.accounts import Accounts
    from workbench.setup.agent_list import AgentList
    from workbench.setup.agents import Agents
    from workbench.setup.batches import BatchStage
    from workbench.setup.grammar_checker import GrammarCheckerStage
    from workbench.setup.log import LogStage
    from workbench.setup.people import PeopleStage
    from workbench.setup.prompts import PromptStage
    from workbench.setup.trial_call import TrialCalls
    from workbench.upkeep.server_figures import ServerFigures
    from workbench.upkeep.upkeep import UpkeepStage

JobBody = Callable[[str, Control], Coroutine[Any, Any, dict[str, Any]]]


class Workbench:
    """An open workspace, with an attribute for each stage (group of operations). Close the workbench after use, or use it in a
    `with` statement."""

    agents: "Agents" = stage("setup.agents")
    batches: "BatchStage" = stage("setup.batches", "agents")
    agent_list: "AgentList" = stage("setup.agent_list")
    trial_calls: "TrialCalls" = stage("setup.trial_call", "agents")
    grammar_checker: "GrammarCheckerStage" = stage("setup.grammar_checker")
    prompts: "PromptStage" = stage("setup.prompts")
    corpus: "CorpusStage" = stage("build.corpus.corpus", jobs={"count": "work_count"})
    removal: "RemovalStage" = stage("build.corpus.removal")
    near_copies: "NearCopyStage" = stage("build.corpus.near_copies")
    tables: "TableStage" = stage("build.templates.tables")
    templates: "TemplateStage" = stage("build.templates.templates", "tables")
    seasons: "SeasonStage" = stage("build.templates.seasons", "tables", jobs={"template": "work", "refresh": "work_refresh"})
    proposals: "ProposalStage" = stage(
        "build.templates.template_proposals", "agents", "tables", "templates", jobs={"propose": "work"}
    )
    web_questions: "WebQuestionStage" = stage("build.drafting.web_questions")
    item_list: "ItemList" = stage("annotate.reviewing.item_list")
    reviews: "ReviewStage" = stage("annotate.reviewing.reviews")
    conversation_reviews: "ConversationReviews" = stage("annotate.reviewing.conversations", "reviews")
    comments: "CommentStage" = stage("annotate.reviewing.comments", "reviews.check_open")
    page_view: "PageViewStage" = stage("annotate.desk.page_view")
    adjudication: "AdjudicationStage" = stage("annotate.reviewing.adjudication", "reviews")
    desk_visits: "DeskVisits" = stage("annotate.reviewing.desk_visits", "reviews", "adjudication")
    queue: "QueueStage" = stage("annotate.queue.queueing")
    find: "FindStage" = stage("annotate.finding.finding", "reviews.blind")
    bulk: "BulkStage" = stage("annotate.finding.bulk", "find", jobs={"bulk": "work"})
    rewrites: "RewriteStage" = stage("annotate.wordings.rewrites")
    rewrite_visits: "RewriteVisits" = stage("annotate.wordings.rewrite_visits", "rewrites")
    variants: "VariantStage" = stage("annotate.wordings.variants")
    variant_quality: "QualityStage" = stage("annotate.wordings.variant_quality")
    variant_visits: "VariantVisits" = stage("annotate.wordings.variant_visits", "variants", "variant_quality")
    phases: "PhaseStage" = stage("annotate.reviewing.phases")
    guidelines: "GuidelineStage" = stage("annotate.desk.guidelines")
    label_questions: "LabelQuestionStage" = stage("annotate.desk.label_questions")
    own_work: "OwnWorkStage" = stage(
        "home.own_work", "reviews", "adjudication", "rewrites", "variants", "phases", "conversation_reviews"
    )
    sample_work: "SampleWorkStage" = stage("home.sample_work", "corpus", "web_questions", "variant_quality")
    progress: "ProgressStage" = stage("annotate.progress.progress")
    search: "SearchStage" = stage("build.corpus.search", "corpus")
    reverse: "ReverseStage" = stage("build.drafting.reversed")
    coverage: "CoverageStage" = stage("build.corpus.coverage")
    drafts: "DraftStage" = stage("build.drafting.drafts", "agents", "corpus", "search", jobs={"draft": "work"})
    one_draft: "OneDraftStage" = stage(
        "build.trials.one_draft", "agents", "corpus", "drafts", "reviews", jobs={"draft_one": "work"}
    )
    draft_estimate: "DraftEstimate" = stage("build.drafting.draft_estimate", "agents", "corpus", "drafts")
    gating: "GatingStage" = stage("build.gating.gating", "agents", "corpus", "find", jobs={"gates": "work"})
    vary: "VaryStage" = stage("build.varying.varying", "agents", "grammar_checker", jobs={"vary": "work"})
    trials: "TrialStage" = stage(
        "build.trials.trials", "agents", "corpus", "drafts", "prompts", "reviews", "draft_estimate", jobs={"trial": "work"}
    )
    trial_desk: "TrialDesk" = stage("build.trials.trial_desk")
    releases: "ReleaseStage" = stage("release.releases")
    release_browser: "ReleaseBrowser" = stage("release.release_browser", "releases")
    language_pairs: "LanguagePairStage" = stage("release.pairs.language_pairs", "releases")
    translations: "TranslationStage" = stage("release.pairs.translations", "agents", jobs={"translate": "work"})
    contests: "ContestStage" = stage("release.contests", "release_browser")
    sealed_boards: "SealedBoardStage" = stage(
        "release.boards.sealed_boards", "releases", "release_browser", jobs={"board": "work"}
    )
    hub: "HubStage" = stage("release.hub.hub", "releases", jobs={"hub_import": "work_import", "hub_publish": "work_publish"})
    runs: "RunStage" = stage("evaluate.running.runs", "agents", "releases", "tables.tables", jobs={"run": "work"})
    shards: "ShardStage" = stage("evaluate.shards.shards", "releases", "runs")
    draft_shards: "DraftShardStage" = stage("evaluate.shards.draft_shards", "drafts")
    embed_shards: "EmbedShardStage" = stage("evaluate.shards.embed_shards")
    run_exports: "RunExport" = stage("evaluate.results.run_export", "releases")
    sweeps: "SweepStage" = stage("evaluate.sweeps.sweeps", "agents", "releases", "runs", jobs={"sweep": "work"})
    certificates: "CertificateStage" = stage(
        "evaluate.shortcuts.certificates", "agents", "releases", "runs", jobs={"certificate": "work"}
    )
    half_life: "HalfLifeStage" = stage(
        "evaluate.half_life.half_life", "agents", "releases", "contests", jobs={"half_life": "work"}
    )
    quick_check: "QuickCheckStage" = stage("evaluate.running.quick_check", "agents")
    studies: "Studies" = stage("evaluate.scoring.studies", "releases")
    reports: "ReportStage" = stage("evaluate.results.reports", "releases", "studies")
    absence: "AbsenceStage" = stage("evaluate.results.absence", "releases")
    conversations: "ConversationStage" = stage("evaluate.results.conversations", "releases")
    errata: "ErrataStage" = stage("evaluate.results.errata", "agents", "releases", jobs={"rescore": "work"})
    counterfactual: "CounterfactualStage" = stage("evaluate.results.counterfactual", "releases")
    tiny: "TinyStage" = stage("evaluate.results.tiny", "releases")
    crosslingual: "CrossLingualStage" = stage("evaluate.results.crosslingual", "releases")
    robustness: "RobustnessStage" = stage("evaluate.results.robustness", "studies")
    analyses: "AnalysisStage" = stage("evaluate.results.analyses")
    traces: "TraceStage" = stage("evaluate.traces.traces", "agents")
    question_sets: "QuestionSetStage" = stage("evaluate.scoring.question_sets")
    nuggets: "NuggetStage" = stage("evaluate.scoring.nuggets", "agents", jobs={"nuggets": "work"})
    grading: "GradingStage" = stage("evaluate.grading.grading")
    grading_desk: "GradingDesk" = stage("evaluate.grading.grading_desk")
    grading_files: "GradingFiles" = stage("evaluate.grading.grading_files")
    next_marks: "NextMarks" = stage("evaluate.grading.next_marks")
    calibrations: "CalibrationStage" = stage("evaluate.grading.calibrations")
    difficulty: "DifficultyStage" = stage("annotate.finding.difficulty")
    conformance: "ConformanceStage" = stage("evaluate.scoring.conformance")
    board: "BoardStage" = stage("home.board")
    uploads: "UploadStage" = stage("release.uploads", "corpus", "releases", jobs={"add": "work_add", "import": "work_import"})
    upkeep: "UpkeepStage" = stage("upkeep.upkeep", "agents")
    server_figures: "ServerFigures" = stage("upkeep.server_figures")
    people: "PeopleStage" = stage("setup.people")
    accounts: "Accounts" = stage("setup.accounts")
    access_tokens: "AccessTokens" = stage("setup.access.access_tokens")
    log: "LogStage" = stage("setup.log")

    def __init__(self, database: Database) -> None:
        self.database = database
        names.unite_spellings(database)

    @classmethod
    def open(cls, path: Path | str, fresh: bool = False) -> "Workbench":
        """Open the workspace file, or create it. If `fresh` is true, replace an existing file. Raises an error if another
        process has the file open or if the file is not a Benchwright workspace."""
        if fresh and path != ":memory:" and Path(path).exists():
            Database.open(path).close()
            for old in (Path(path), Path(f"{path}.wal"), Path(f"{path}.commits")):
                old.unlink(missing_ok=True)
        database = Database.open(path)
        jobs.requeue_interrupted(database)
        bench = cls(database)
        bench.prompts.put_in_force()
        return bench

    def find_job_body(self, kind: str) -> JobBody:
        """Return the function that runs jobs of `kind`. The job uses the versions of prompts that were in use when it was
        planned."""
        methods = {kind: (one.attribute, method) for one in list_stages(type(self)) for kind, method in one.jobs.items()}
        body: JobBody = attrgetter(".".join(methods[kind]))(self)

        async def run_in_its_words(job: str, control: Control) -> dict[str, Any]:
            planned = await asyncio.to_thread(jobs.get, self.database, job)
            with actor.enter_job(), self.prompts.in_force(planned.params.get("words", {})):
                return await self.batches.carry(job, lambda: body(job, control))

        return run_in_its_words

    def make_every_stage(self) -> None:
        """Import and create every stage now, so that no later request has to wait for imports."""
        for declared in list_stages(type(self)):
            getattr(self, declared.attribute)

    def close(self) -> None:
        """Close the stages that were created, the last one first, and then the database."""
        for part in reversed(list(vars(self).values())):  # the database was created first, so it is closed last
            for cache in list(getattr(part, "__dict__", {}).values()):
                if isinstance(cache, BackgroundCache):
                    cache.close()
            if hasattr(part, "close"):
                part.close()

    def __enter__(self) -> "Workbench":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
