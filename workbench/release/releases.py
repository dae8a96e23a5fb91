"""Freeze accepted items under a name as a release, and check, compare, export and import releases."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from builders.splitting.families import families
from builders.splitting.splits import split
from core.as_json import Json
from core.errors import BenchError
from core.installation import COMMAND
from core.label_questions import LabelQuestion
from core.nouns import Item, Release
from core.quality.conversations import read_turn
from core.quality.counterfactual import DEFAULT_SEED as DEFAULT_DRAW
from core.quality.language_pairs import Misfit
from core.records import item_record
from core.retrieval.absence import DEFAULT_MOST, DEFAULT_SEED, Obstacle
from core.text.language import may_match
from store.engine.database import Database
from store.releases import absence_twins, board_entries, releases, seals
from store.releases.manifest import build_manifest, release_hash
from store.releases.releases import WORKING_RELEASE, ReleaseMembers
from store.reviews import label_questions
from workbench import actor
from workbench.build.corpus.sources import cutter, sources_of
from workbench.release import counterfactual
from workbench.release.checking import ReleaseCheck, find_problems
from workbench.release.comparing import ReleaseDiff, compare_releases
from workbench.release.counterfactual import CounterfactualRelease
from workbench.release.exporting import WrittenExport, find_writer, write_export
from workbench.release.frozen import frozen_absence, frozen_nuggets, frozen_pairs, frozen_tables
from workbench.release.frozen.frozen_pairs import FrozenPairs
from workbench.release.held_back import INCOMPLETE_CONVERSATION, count_read_by_one
from workbench.release.importing import ImportReport, import_path
from workbench.release.members import (
    LeftOutDocument,
    collect_answers,
    count_left_out_variants,
    explain_held_back,
    list_candidates,
    list_left_out_documents,
    save_frozen,
    select_members,
)
from workbench.release.naming import check_name, read_shares
from workbench.release.sealing import check_open, make_seal
from workbench.roles import requires


class Unlicensed(BenchError):
    """Raised if a release cannot be frozen because it would contain documents without a licence."""

    def __init__(self, message: str, titles: Sequence[str]) -> None:
        super().__init__(message)
        self.result = {"unlicensed": list(titles)}


@dataclass(frozen=True, slots=True)
class HeldBackItem:
    """An accepted item that a release leaves out for now, and the reason."""

    id: str
    question: str
    why: str
    conversation: str = ""
    """Id of the item's conversation, if the reason is that another turn is not accepted."""


def build_held_back(item: Item, why: str) -> HeldBackItem:
    """Return the entry of an accepted item that a release leaves out for this reason."""
    turn = read_turn(item.labels) if why == INCOMPLETE_CONVERSATION else None
    return HeldBackItem(item.id, item.question, why, turn.conversation if turn else "")


@dataclass(frozen=True, slots=True)
class FrozenRelease:
    """Numbers of what a frozen release contains and leaves out."""

    release: str
    hash: str
    items: int
    variants: int
    documents: int
    left_out: Mapping[str, int]
    """Dict from the status of items that are left out, or from the reason why an accepted item is, to the number of these
    items."""
    unlicensed: Sequence[str]
    variants_left_out: Mapping[str, int]
    rewrites_read_by_one: int
    """Number of people's rewrites in the release that only their writer has accepted."""
    not_retrieved: int
    near_copies: int
    gold_included: bool
    unsearchable: Sequence[str]
    """Languages of items, sorted, in which systems have no document to search: a run that searches is refused there."""
    tables: int
    nugget_sets: int
    """Number of items in the release with nuggets (facts that a good answer contains)."""
    nugget_sets_left_out: int
    """Number of items in the release without their nuggets, because only the offline agent (no LLM) drafted these."""
    absence_twins: int
    """Number of items with an absence twin (the question, asked while the passages that prove its answer are hidden)."""
    absence_obstacles: Mapping[str, Obstacle]
    """Dict from each item that was chosen for an absence twin and got none to the reason."""
    sealed_items: int
    """Number of items whose gold answers are sealed."""
    language_pairs: int
    """Number of pairs of items in the release that ask the same in two languages."""
    language_pairs_by_value: int
    """Number of these pairs whose gold answers state a number or date, which was compared."""
    language_pairs_left_out: Mapping[Misfit, int]
    """Dict from the reason why pairs are left out, whose items may be in the release, to their number."""
    documents_left_out: Sequence[LeftOutDocument]
    held_back: Sequence[HeldBackItem]


class ReleaseStage:
    """Methods that freeze, check, compare, export and import releases."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @requires("freeze releases", "name")
    def freeze(
        self,
        name: str,
        *,
        tasks: Sequence[str] | None = None,
        domains: Sequence[str] | None = None,
        split: str | None = None,
        seed: int = 0,
        allow_unlicensed: str | None = None,
        unreviewed_variants: bool = False,
        include_gold: bool = False,
        without_near_copies: bool = False,
        absence_share: float = 0.0,
        absence_seed: int = DEFAULT_SEED,
        absence_most: int = DEFAULT_MOST,
        sealed: bool = False,
        open_splits: Sequence[str] = (),
    ) -> FrozenRelease:
        """Freeze the accepted items as a release. If the same content was already frozen under this name, the existing release
        is returned. Documents that contain answers are hidden from systems unless `include_gold` is True. If
        `without_near_copies` is true, exact and near copies of these documents are hidden too, except documents from which an
        item was drafted.

        `absence_share` (above 0, at most 1) is the share of items, drawn with the seed `absence_seed`, that get absence twins.
        Runs then also ask these questions while the passages that prove the answer, at most `absence_most`, are hidden.

        If `sealed` is true, the gold answers of all splits but `open_splits` are sealed: the release's hash and its exports
        contain commitments to them, and the release has a board. Variants are left out of a sealed release."""
        check_name(name)
        if open_splits and not sealed:
            raise BenchError("Splits stay open only in a sealed release: seal the release too, or name no open split.")
        if sealed:
            releases.check_free(self._db, name)
        if include_gold and without_near_copies:
            raise BenchError("Including gold documents and excluding near copies of them contradict each other: choose one.")
        candidates = list_candidates(self._db, tasks, domains)
        content = select_members(self._db, candidates, unreviewed_variants, include_gold, without_near_copies)
        content = content._replace(variants=[]) if sealed else content
        frozen_tables.check_here(self._db, content.items, name)
        if not content.items:
            raise BenchError(
                f"Nothing accepted to freeze into {name!r}: accept items first with `{COMMAND} decide ITEM accept`."
            )
        unlicensed = [d.id for d in content.documents if not d.licence]
        if unlicensed and not allow_unlicensed:
            raise Unlicensed(
                f"{len(unlicensed):,} of the {len(content.documents):,} documents of release {name!r} have no licence: set it "
                f"by `{COMMAND} documents change --unlicensed --licence L --as NAME`, or give --allow-unlicensed REASON.",
                unlicensed,
            )
        nuggets = frozen_nuggets.find_frozen_sets(self._db, content.items)
        twins = frozen_absence.make_frozen_twins(content, absence_share, absence_seed, absence_most)
        pairs = frozen_pairs.find_frozen_pairs(self._db, content.items)
        reason = allow_unlicensed if unlicensed else None
        made = self._manifest(content, read_shares(split), seed, reason, nuggets.records, twins.manifest, pairs)
        chosen = {item.id for item in content.items}
        if twins.twins:
            absence_twins.add(self._db, twins.twins)
        seal = make_seal(self._db, made, content._replace(twins=tuple(twins.twins)), open_splits) if sealed else None
        hash_ = seal.release_hash if seal else release_hash(made)
        if seal:
            seals.add(self._db, seal)
            facts: dict[str, Json] = {"splits": list(seal.splits), "items": len(seal.public_ids)}
            board_entries.add(self._db, hash_, "sealed", actor.get_name() or "", facts)
        save_frozen(self._db, Release(name, hash_, made), content.items, content.variants)
        held = explain_held_back(self._db, candidates)
        left_out = Counter(held.get(i.id, "") if i.status == "accepted" else i.status for i in candidates if i.id not in chosen)
        return FrozenRelease(
            release=name,
            hash=hash_,
            items=len(content.items),
            variants=len(content.variants),
            documents=len(content.documents),
            left_out=dict(sorted(left_out.items())),
            unlicensed=unlicensed,
            variants_left_out=count_left_out_variants(self._db, content),
            sealed_items=len(seal.public_ids) if seal else 0,
            rewrites_read_by_one=count_read_by_one(self._db, content.variants),
            not_retrieved=len(content.left_out),
            near_copies=len(made.get("near_copies", ())),
            gold_included=bool(made.get("gold_included")),
            unsearchable=_list_unsearchable(content),
            tables=len(content.tables),
            nugget_sets=len(nuggets.records),
            nugget_sets_left_out=nuggets.offline,
            absence_twins=len(twins.twins),
            absence_obstacles=twins.obstacles,
            language_pairs=len(pairs.pairs),
            language_pairs_by_value=pairs.by_value,
            language_pairs_left_out=pairs.left_out,
            documents_left_out=list_left_out_documents(self._db, content),
            held_back=[build_held_back(i, held[i.id]) for i in candidates if i.id in held],
        )

    @requires("freeze releases", "name", notes=["of"])
    def freeze_counterfactual(self, name: str, of: str, share: float = 1.0, seed: int = DEFAULT_DRAW) -> CounterfactualRelease:
        """Freeze a release that has the questions of the release `of`, with other gold answers in a corpus that states them. Of
        a share of its items (above 0, at most 1), drawn with the seed, the answers are replaced, where that can be done
        wherever they stand. Nothing of it enters the workspace's corpus or items. Raises BenchError if no answer can be
        replaced."""
        check_name(name)
        release = releases.get(self._db, of)
        check_open(self._db, release, "a counterfactual release")
        made = counterfactual.make(release, releases.load_members(self._db, release), share, seed)
        counterfactual.save(self._db, name, made)
        return made.describe(name)

    @requires("see releases", "name")
    def get(self, name: str) -> tuple[Release, ReleaseMembers]:
        """Return a release and its content. The release "working" is built anew at each call from the items that are accepted
        at that moment. The release "working" contains no nuggets, so its runs are scored with the newest ones."""
        if name != WORKING_RELEASE:
            release = releases.get(self._db, name)
            return release, releases.load_members(self._db, release)
        content = select_members(self._db, list_candidates(self._db, None, None), False)
        if not content.items:
            raise BenchError("Nothing is accepted yet: the working release is empty.")
        pairs = frozen_pairs.find_frozen_pairs(self._db, content.items)
        made = self._manifest(content, {}, 0, None, pairs=pairs)
        working = Release(WORKING_RELEASE, release_hash(made), made)
        return releases.save(self._db, working, content.variants, answers=collect_answers(content.items)), content

    @requires("see releases", "name")
    def members(self, name: str, hash_: str) -> ReleaseMembers:
        """Return the content of the release with this name and hash. An earlier state of the release "working" also has a
        hash."""
        return releases.load_members(self._db, releases.get(self._db, name, hash_))

    @requires("see releases", "name")
    def verify(self, name: str) -> ReleaseCheck:
        """Check whether the workspace still has exactly the content in the release's manifest."""
        release, content = self.get(name)
        problems = find_problems(self._db, release, content)
        return ReleaseCheck(not problems, release.hash, problems)

    @requires("see releases", lambda arguments: f"{arguments['a']} and {arguments['b']}")
    def diff(self, a: str, b: str) -> ReleaseDiff:
        """Return what changed from release `a` to release `b`, item by item."""
        return compare_releases(self.get(a), self.get(b))

    @requires("export releases", "name", notes=["form"])
    def export(
        self,
        name: str,
        form: str,
        out: Path,
        *,
        withhold: Sequence[str] = (),
        with_html: bool = True,
        rows_per_file: int | None = None,
    ) -> WrittenExport:
        """Export a release into a new or empty folder; the folder appears only when the export is complete. If `with_html` is
        true and the format supports it, web pages are exported as HTML (the stored HTML, or else their text). `rows_per_file`
        divides the records into files with at most this number of rows."""
        write = find_writer(form, rows_per_file)
        release, content = self.get(name)
        files = write_export(self._db, release, content, write, out, withhold, with_html, rows_per_file)
        return WrittenExport(name, release.hash, form, files)

    @requires("import benchmarks", "path", notes=["form"])
    def import_(self, path: Path, form: str) -> ImportReport:
        """Import a benchmark, or reviews, into the workspace; records with ids that already exist do not change. Imported
        reviews take effect at once: the last review of an item's current revision determines the item's status."""
        return import_path(self._db, path, form)

    def _manifest(
        self,
        content: ReleaseMembers,
        shares: dict[str, float],
        seed: int,
        unlicensed: str | None,
        nuggets: Sequence[Mapping[str, str]] = (),
        twins: Mapping[str, Any] = MappingProxyType({}),
        pairs: FrozenPairs = FrozenPairs((), {}, 0),
    ) -> dict[str, Any]:
        text = cutter(content.documents)
        links = [(pair.item, pair.twin) for pair in pairs.pairs]
        kin = [family for family in families(content.items, links) if len(family) > 1] if shares else []
        parts = split(content.items, shares, seed, kin) if shares else {}
        records = ((item, item_record(item, text)) for item in content.items)
        gold_included = not content.left_out and bool(sources_of(content.items))
        return build_manifest(
            records,
            content.variants,
            content.documents,
            parts,
            shares,
            seed,
            unlicensed,
            content.left_out,
            gold_included,
            kin,
            content.left_out - sources_of(content.items),
            content.tables,
            self._list_answered_questions(content.items),
            nuggets,
            twins,
            language_pairs=pairs.manifest,
        )

    def _list_answered_questions(self, members: Sequence[Item]) -> list[LabelQuestion]:
        """Return the label questions (which reviewers answer about items) that have an answer for at least one of the items."""
        names = {name for answers in collect_answers(members).values() for name in answers}
        return [question for question in label_questions.list_questions(self._db) if question.name in names] if names else []


def _list_unsearchable(content: ReleaseMembers) -> list[str]:
    searched = {document.language for document in content.retrieval}
    asked = sorted({item.language for item in content.items})
    return [language for language in asked if not any(may_match(other, language) for other in searched)]
