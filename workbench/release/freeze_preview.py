"""Preview what a release would contain if it were frozen now, without loading its items."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.nouns import Item, Level
from store.engine.database import Database
from store.items import frames, items
from store.items.items import ItemCount
from store.releases import releases
from store.runs import nugget_sets
from workbench.build.corpus.sources import leaves_any_out, sources_of
from workbench.release.held_back import ANSWER_TOLD, INCOMPLETE_CONVERSATION, OUTSIDE_PHASES, find_held_back
from workbench.release.members import UNFILLED_FRAME
from workbench.release.releases import HeldBackItem, build_held_back


@dataclass(frozen=True, slots=True)
class FreezePreview:
    """What a release would contain, and what it would leave out, if it were frozen now."""

    cells: Sequence[ItemCount]
    """Number of items that the release would contain, by task, level, domain and language."""
    items: int
    left_out: Mapping[str, int]
    """Dict from the status of items that would be left out, or from the reason why an accepted item would be, to the number of
    these items."""
    held_back: Sequence[HeldBackItem]
    documents: int
    unlicensed: int
    """Number of documents without a licence that the release would contain."""
    documents_left_out: Mapping[tuple[str, str], int]
    """Dict from (domain, language) to the number of documents that would be left out because no item of the release has this
    domain and language."""
    sources: int
    """Number of documents that RAG systems may not retrieve, because they contain answers."""
    variants: Mapping[str, int]
    """Dict to numbers of variants. The keys are the variants' statuses, "moved_on" (the question was edited after the variant
    was made), and reasons why variants would be left out."""
    rewrites_read_by_one: int
    """Number of people's rewrites, among the accepted variants, that only their writer has accepted."""
    nugget_sets: int
    """Number of items of the release whose nuggets (facts of the gold answer) it would contain."""
    nugget_sets_left_out: int
    """Number of items of the release without their nuggets (facts of the gold answer), because only the offline agent (no LLM)
    drafted these."""
    tasks: Sequence[str]
    """Tasks of all items in the workspace, including items that the preview does not select."""
    domains: Sequence[str]


def preview_freeze(database: Database, tasks: Sequence[str] = (), domains: Sequence[str] = ()) -> FreezePreview:
    """Return what a release of these tasks and domains would contain if it were frozen now. An empty list selects all tasks or
    domains."""
    every = items.count_items(database)
    chosen = [c for c in every if (not tasks or c.task in tasks) and (not domains or c.domain in domains)]
    held = find_held_back(database, tasks, domains)
    among = {c[:4] for c in chosen}
    named = {
        UNFILLED_FRAME: [i for i in frames.list_unfilled(database) if _kind_of(i) in among],
        OUTSIDE_PHASES: held.items,
        INCOMPLETE_CONVERSATION: held.turns,
    }
    out = {why: Counter(map(_kind_of, members)) for why, members in named.items()}
    accepted = [c._replace(items=c.items - sum(of[c[:4]] for of in out.values())) for c in chosen if c.status == "accepted"]
    accepted = [c for c in accepted if c.items]
    left_out: Counter[str] = Counter()
    for count in chosen:
        if count.status != "accepted":
            left_out[count.status] += count.items
            continue
        for why, of in out.items():
            left_out.update({why: of[count[:4]]} if of[count[:4]] else {})
    of_variants = Counter(releases.count_accepted_variants(database, tasks, domains))
    of_variants.subtract(held.rewrites)
    of_variants.update({ANSWER_TOLD: sum(held.rewrites.values())})
    left = {item.id for members in named.values() for item in members}
    nuggets = [is_offline for id_, is_offline in nugget_sets.find_offline(database, tasks, domains).items() if id_ not in left]
    corpus = releases.measure_accepted_corpus(database, tasks, domains)
    return FreezePreview(
        cells=accepted,
        items=sum(c.items for c in accepted),
        left_out=dict(sorted(left_out.items())),
        held_back=[build_held_back(i, why) for why, members in named.items() for i in members],
        documents=corpus.documents,
        unlicensed=corpus.unlicensed,
        documents_left_out=corpus.left_out,
        sources=count_left_out_sources(database, accepted),
        variants={status: n for status, n in of_variants.items() if n},
        rewrites_read_by_one=held.read_by_one,
        nugget_sets=nuggets.count(False),
        nugget_sets_left_out=nuggets.count(True),
        tasks=sorted({c.task for c in every}),
        domains=sorted({c.domain for c in every}),
    )


def count_left_out_sources(database: Database, accepted: Sequence[ItemCount]) -> int:
    """Count the source documents of the accepted items that RAG systems may not retrieve; `accepted` has the numbers of these
    items. Only items of tasks that hide documents are loaded."""
    kinds = {(count.task, count.domain) for count in accepted if leaves_any_out(count.task)}
    accepted_items = [
        i for task, domain in kinds for i in items.list_items(database, task=task, domain=domain, status="accepted")
    ]
    return len(sources_of(accepted_items))


def _kind_of(item: Item) -> tuple[str, Level, str, str]:
    """Return (task, level, domain, language) of the item, by which `items.count_items` groups its numbers."""
    return item.task, item.level, item.domain, item.language
