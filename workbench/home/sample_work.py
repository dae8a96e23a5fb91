"""Load the samples for a new user: documents with reviewed items, and some work for every page of Annotate."""

from collections.abc import Sequence

from builders.drafting.sample_work import SampleNuggets, SampleReview, SampleWork, sample_work
from builders.drafting.samples import sample_documents
from builders.variation.guards import NOT_MEASURED, GuardedVariant, guards
from core.ids import derived_id
from core.nouns import Item, Review, Span, Variant
from eval.scoring.nuggets import DRAFT, cut_evidence
from prompts.prompt import load
from store.engine.columns import current_time
from store.engine.database import Database
from store.items import items
from store.people import guidelines
from store.queue import queue_rules
from store.queue.kind import ItemKind
from store.queue.queue_rules import OverlapRule, QueueRules
from store.reviews import opinions, reviews
from store.runs.nugget_sets import TABLE, Nugget, NuggetSet
from store.variants import variants
from workbench.annotate.wordings.variant_quality import QualityStage
from workbench.build.corpus.corpus import CorpusStage
from workbench.build.drafting.web_questions import WebQuestionStage
from workbench.roles import requires

BY = "Sample team"
"""Name of the person under whose name the sample guidelines and the sample web question are stored."""
LICENCE = "CC0-1.0"
"""Licence of the sample documents, and of the web pages of the sample question."""
OPINIONS_WANTED = 2
"""Number of reviewers for the sample draft on which opinions differ."""


class SampleWorkStage:
    """Loads the samples when the first page asks for it."""

    def __init__(self, database: Database, corpus: CorpusStage, web_questions: WebQuestionStage, quality: QualityStage) -> None:
        self._db, self._corpus, self._web, self._quality = database, corpus, web_questions, quality

    @requires("change the corpus", lambda arguments: "the samples with work on them")
    def load(self) -> None:
        """Load the sample documents, their reviewed items, and work for every page of Annotate. Content that is already in the
        workspace is not added again."""
        self._corpus.load_samples()
        work = sample_work(sample_documents())
        if items.load_items(self._db, [work.drafts[0].id]):
            return
        for task, text in work.guidelines.items():
            if task not in guidelines.load_current(self._db):
                guidelines.add(self._db, task, text.strip(), "starter text of the samples", BY)
        items.add(self._db, work.drafts)
        self._add_opinions(work)
        self._vary(work)
        self._ask_the_web(work)
        self._add_nuggets(work)

    def _add_opinions(self, work: SampleWork) -> None:
        """Store opinions of two sample people that differ on one draft, unless somebody has set rules for the review queue."""
        of = {draft.id: draft for draft in work.drafts}
        wanted = {said.item for said in work.opinions}
        if not wanted or queue_rules.load_current_rules(self._db.rows).overlaps:
            return
        rules = [OverlapRule(ItemKind(task=of[id_].task, domain=of[id_].domain), OPINIONS_WANTED) for id_ in sorted(wanted)]
        opinions.set_rules(self._db, QueueRules(rules), BY)
        for said in work.opinions:
            reviews.decide(self._db, _opinion(said, of[said.item]))

    def _vary(self, work: SampleWork) -> None:
        by_id = {
            variant.id: variant
            for variant in items.load_items(self._db, dict.fromkeys(variant.item for variant in work.variants))
        }
        looked = [GuardedVariant(by_id[variant.item], variant.kind, variant.text) for variant in work.variants]
        measured = guards(looked, NOT_MEASURED)
        made = [
            Variant(
                variant.id,
                variant.item,
                by_id[variant.item].revision,
                variant.kind,
                variant.text,
                "drafted",
                variant.generator,
                None,
                checks,
            )
            for variant, checks in zip(work.variants, measured, strict=True)
        ]
        variants.add(self._db, made)
        self._quality.draw(by=BY, size=len(made))

    def _ask_the_web(self, work: SampleWork) -> None:
        draft = self._web.begin(BY)
        self._web.keep(BY, draft, work.web_question["fields"])
        for page in work.web_question["pages"]:
            self._web.add_page(BY, draft, page["text"], {key: value for key, value in page.items() if key != "text"})
        item = self._web.hand_in(BY, draft)
        self._corpus.set_licence(item.given, LICENCE, BY)

    def _add_nuggets(self, work: SampleWork) -> None:
        """Store the nuggets (facts of gold answers) of some sample items, most of them as an agent's drafts that no person has
        checked."""
        of = {item.id: item for item in items.load_items(self._db, [one.item for one in work.nuggets])}
        sets = [self._build_nuggets(one, of[one.item]) for one in work.nuggets if one.item in of]
        self._db.write(lambda cursor: TABLE.insert_sets(cursor, sets))

    def _build_nuggets(self, one: SampleNuggets, item: Item) -> NuggetSet:
        """Return the nuggets, each with those sentences of the evidence that it cites by number."""

        def cite(numbers: Sequence[int]) -> tuple[Span, ...]:
            pieces = [item.evidence[number - 1] for number in numbers]
            return tuple(sentence.span for sentence in cut_evidence(pieces, self._corpus.text, item.language))

        nuggets = tuple(Nugget(row["text"], row["importance"], cite(row["evidence"])) for row in one.nuggets)
        prompts = (load(DRAFT, item.language).identity,) if one.by else ()
        return NuggetSet(item.id, item.answers[0], item.language, nuggets, one.by or BY, prompts)


def _opinion(said: SampleReview, item: Item) -> Review:
    id_ = derived_id("sample opinion", said.item, said.person)
    decision = "accept" if said.decision == "accept" else "discard"
    return Review(id_, item.id, item.revision, said.person, decision, said.reason, said.comment, at=current_time())  # type: ignore[arg-type]
