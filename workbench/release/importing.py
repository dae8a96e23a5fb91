"""Store the content of an imported benchmark in the workspace."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path

from builders.task import tasks
from core.as_json import Json
from core.catalog import pick
from core.errors import BenchError
from core.label_questions import question_from_record, read_label_answers
from core.nouns import Item, Release, Variant
from core.readers.reading import RefusedFile
from store.corpus import documents, web_pages
from store.engine.database import Database
from store.format import Bundle, formats
from store.formats._bounded import read_bundles
from store.formats._lines import describe_refusal
from store.formats._outside import give_own_id
from store.items import items, language_pairs
from store.queue.effective_reviews import PHASES, select_effective
from store.queue.queue import PHASED_TASKS
from store.releases import releases
from store.releases.manifest import release_hash
from store.reviews import comments, label_questions, review_import
from store.variants import variants
from workbench.annotate.desk.background_gates import BackgroundGates
from workbench.annotate.desk.reading import DocumentCache
from workbench.release import counterfactual
from workbench.release.frozen import frozen_absence, frozen_nuggets, frozen_tables
from workbench.release.held_back import find_unconfirmed, is_doubted, tells_answer
from workbench.release.naming import check_name
from workbench.roles import check_permission

IMPORT_STOPPED = "The import was stopped: of a file that is read in pieces, those before the stop are stored."
"""Message of a job that was stopped while it read a benchmark."""
MAX_REPORTED_REFUSALS = 1000
"""Maximum number of refusals that a job's result lists; further refusals are only counted."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """Numbers of documents, items and other records that an import added to the workspace, and the records that it refused."""

    documents: int
    tables: int
    items: int
    reviews: int
    comments: int
    already: int
    """Number of records that were not added because the workspace already had their id."""
    waiting: int
    """Number of added web questions and rewrites that are accepted in the file, but wait for a second person here."""
    refused: Sequence[RefusedFile]
    release: str | None
    """Name of the release that was restored, or None if the import contained no release or could not be read completely."""


def make_job_result(report: ImportReport, form: str) -> dict[str, Json]:
    """Return the result of a job that imported files in the format `form`."""
    counts = f"{report.items:,} items and {report.documents:,} documents"
    counts = f"{counts.replace(' and', ',')} and {report.tables:,} tables" if report.tables else counts
    counts = f"{report.reviews:,} reviews" if form == "reviews" else counts
    message = f"{counts} were imported, {report.already:,} were there already, {len(report.refused):,} were refused."
    if report.waiting:
        message += f" Of the accepted web questions and rewrites, {report.waiting:,} wait for a second person here."
    return asdict(report) | {
        "refused": len(report.refused),
        "refusals": [asdict(refused) for refused in report.refused[:MAX_REPORTED_REFUSALS]],
        "stopped": None,
        "message": message,
    }


def import_path(database: Database, path: Path, form: str) -> ImportReport:
    """Store the benchmark, or the reviews, that the file or folder contains in this format. Raises BenchError if the format
    cannot be imported, or if the path does not exist or is a pipe or a device."""
    kind = pick(formats(), form, "format")
    if kind.read is None:
        readable = ", ".join(name for name, one in formats().items() if one.read)
        raise BenchError(f"Format {form} can only be exported; the formats for import are: {readable}.")
    if kind.decides:
        check_permission(database, "decide on items", form)
    if not path.exists():
        raise BenchError(f"{path} does not exist: give the path of a file or folder in format {form}.")
    if odd := next((at for at in [path, *(path.iterdir() if path.is_dir() else [])] if _is_pipe_or_device(at)), None):
        raise BenchError(f"{odd} is a pipe or a device, which may never end: give a plain file or a folder of plain files.")
    reports = [import_bundle(database, bundle, path) for bundle in read_bundles(form, path)]
    return ImportReport(
        documents=sum(report.documents for report in reports),
        tables=sum(report.tables for report in reports),
        items=sum(report.items for report in reports),
        reviews=sum(report.reviews for report in reports),
        comments=sum(report.comments for report in reports),
        already=sum(report.already for report in reports),
        waiting=sum(report.waiting for report in reports),
        refused=[row for report in reports for row in report.refused],
        release=reports[-1].release,
    )


def import_bundle(database: Database, bundle: Bundle, path: Path) -> ImportReport:
    """Store the content of an imported benchmark. The label questions of the benchmark are stored as retired, so that nobody
    must answer them."""
    bundle = _give_own_ids(database, bundle)
    lost = _refuse_places(database, bundle, path)
    lost |= {
        item.id: _refuse_unfilled(item, path) for item in bundle.items if item.status == "accepted" and item.labels.get("frame")
    }
    unknown = [item for item in bundle.items if item.task not in tasks()]
    lost |= {
        item.id: RefusedFile(
            **describe_refusal(
                path.name,
                bundle.lines.get(item.id),
                f"has the task {item.task[:60]!r}, which is none of {', '.join(sorted(tasks()))}",
            )
        )
        for item in unknown
    }
    if (bundle.items or bundle.manifest.get("items")) and all(item.id in lost for item in bundle.items):
        # Of an import whose items are all refused, nothing stays that only they use.
        bundle = replace(bundle, documents=(), tables=(), web_pages={}, absence_twins=())
    own = counterfactual.list_own(bundle.manifest)
    documents.add_apart(database, [document for document in bundle.documents if document.id in own.documents])
    kept = [document for document in bundle.documents if document.id not in own.documents]
    added, known_documents = documents.add(database, kept)
    tables = frozen_tables.import_tables(database, bundle.tables, path.name)
    web_pages.add(database, bundle.web_pages)
    stored, rewrites = _send_back_to_phases(bundle), _send_back_to_review(bundle)
    sent_back = {item.id for item, stated in zip(stored, bundle.items, strict=True) if item is not stated}
    sent_back |= {variant.id for variant, stated in zip(rewrites, bundle.variants, strict=True) if variant is not stated}
    fit = [item for item in stored if item.id not in lost]
    items.add_apart(database, [item for item in fit if item.id in own.items], counterfactual.MAKER)
    new, known = items.add(database, [item for item in fit if item.id not in own.items])
    added_variants = variants.add(database, rewrites).added
    questions = [
        question_from_record(record) for record in bundle.label_questions or bundle.manifest.get("label_questions", ())
    ]
    label_questions.import_questions(database, [replace(question, is_retired=True) for question in questions])
    came = review_import.import_reviews(database, bundle.reviews, bundle.history)
    look = BackgroundGates(database, DocumentCache(database))
    for item in items.load_items(database, came.reworded):
        look.run_now(item)
    said = comments.import_comments(database, bundle.comments)
    frozen_nuggets.import_records(database, bundle.nugget_sets)
    frozen_absence.store_records(database, bundle.absence_twins)
    if not lost:
        language_pairs.add(database, language_pairs.list_frozen(bundle.manifest))
    restored = None if lost else _restore(database, bundle)
    unfit = sorted((bundle.lines.get(id_, 0), why) for id_, why in came.refused)
    unsaid = sorted((bundle.comment_lines.get(id_, 0), why) for id_, why in said.refused)
    file = "reviews.jsonl" if path.is_dir() else path.name
    unread = [describe_refusal(file, line, why) for line, why in unfit]
    unread += [describe_refusal("comments.jsonl", line, why) for line, why in unsaid]
    return ImportReport(
        documents=len(added),
        tables=tables,
        items=len(new) + sum(item.id in own.items for item in fit),
        reviews=len(came.added),
        comments=len(said.added),
        already=len(known) + len(came.already) + len(said.already) + (0 if bundle.items else len(known_documents)),
        waiting=len(sent_back & {*new, *added_variants}),
        refused=[
            *(RefusedFile(**row) for row in bundle.refused),
            *lost.values(),
            *(RefusedFile(**row) for row in unread),
        ],
        release=restored,
    )


def _send_back_to_phases(bundle: Bundle) -> list[Item]:
    """Return the items to store. If a person wrote a web question and it was accepted without a review in two phases, it gets
    the status "drafted", so that it waits for such a review."""
    decided = {review.item for review in bundle.reviews if PHASES in review.details}
    return [
        replace(item, status="drafted")
        if item.status == "accepted"
        and item.task in PHASED_TASKS
        and item.provenance.origin == "written"
        and item.id not in decided
        else item
        for item in bundle.items
    ]


def _send_back_to_review(bundle: Bundle) -> list[Variant]:
    """Return the variants to store. A rewritten question gets the status "drafted", so that it waits for review, if it failed a
    check and only its writer accepted it. The checks find rewrites that may reveal the gold answer or are too similar to the
    original. In an imported release, such rewrites stay accepted."""
    items_ = {item.id: item for item in bundle.items}
    doubted = [
        variant
        for variant in bundle.variants
        if is_doubted(variant) or (variant.item in items_ and tells_answer(variant, items_[variant.item]))
    ]
    waiting = find_unconfirmed(doubted, select_effective(sorted(bundle.reviews, key=lambda review: (review.at, review.id))))
    return [
        replace(variant, status="drafted") if variant.status == "accepted" and variant.id in waiting else variant
        for variant in bundle.variants
    ]


def _give_own_ids(database: Database, bundle: Bundle) -> Bundle:
    """Give a new id to each imported question whose id belongs to another question of the workspace; ids are unique only within
    a file. A question whose text equals that of any revision of the item is the same question."""
    outside = [item.id for item in bundle.items if item.provenance.origin == "imported" and item.revision == 1]
    if bundle.manifest or bundle.variants or not outside:
        return bundle
    here: dict[str, set[tuple[str, tuple[str, ...]]]] = {}
    for revision in items.load_history(database, outside):
        here.setdefault(revision.item, set()).add((revision.question, revision.answers))
    return replace(
        bundle,
        items=[
            give_own_id(item) if item.id in here and (item.question, item.answers) not in here[item.id] else item
            for item in bundle.items
        ],
    )


def _restore(database: Database, bundle: Bundle) -> str | None:
    """Store the release of an exported folder and return its name. Return None if the folder has no release or was read only in
    part."""
    if not bundle.manifest or bundle.refused:
        return None
    check_name(bundle.name)
    if release_hash(bundle.manifest) != bundle.hash:
        raise BenchError(
            f"manifest.json was changed since release {bundle.name!r} was exported, so its hash differs: run verify.py in the "
            "folder to see what differs, then export the release again."
        )
    answers = {item.id: item_answers for item in bundle.items if (item_answers := read_label_answers(item.labels))}
    releases.save(database, Release(bundle.name, bundle.hash, bundle.manifest), bundle.variants, answers=answers)
    return bundle.name


def _refuse_places(database: Database, bundle: Bundle, path: Path) -> dict[str, RefusedFile]:
    """Return a dict from each item that refers to a document that was not found, or to a place where its document has another
    text, to the record that refuses the item."""
    named = {id_ for item in bundle.items for id_ in (*item.given, *(span.document for span in item.evidence))}
    sizes = documents.load_sizes(database, named) | {document.id: len(document.text) for document in bundle.documents}
    quoted = {span.document for item in bundle.items if item.id in bundle.quotes for span in item.evidence}
    texts = {document.id: document.text for document in (*documents.load_documents(database, ids=quoted), *bundle.documents)}
    lost = {}
    for item in bundle.items:
        if message := _describe_wrong_place(item, bundle.quotes.get(item.id, ()), sizes, texts, path):
            line = bundle.lines.get(item.id)
            lost[item.id] = RefusedFile(**describe_refusal(path.name, line, f"({item.id}) {message}"))
    return lost


def _describe_wrong_place(
    item: Item, quotes: Sequence[str | None], sizes: Mapping[str, int], texts: Mapping[str, str], path: Path
) -> str:
    """Return why an item's documents or places are refused, or "" if they are in order. `quotes` are the texts that the file
    states for the item's evidence, `sizes` is a dict from document to its number of characters, `texts` one to its text."""
    for span, quote in zip_longest(item.evidence, quotes):
        place = f"characters {span.start:,} to {span.end:,} of {span.document}"
        if span.document not in sizes:
            return f"points into a document that is neither in {path.name} nor in the workspace: import that one first"
        if span.end > sizes[span.document]:
            return f"cites {place}, which has {sizes[span.document]:,}: correct the evidence"
        if quote is not None and quote != texts[span.document][span.start : span.end]:
            return f"states another text for its evidence than {place}: correct the text or the numbers"
    if unknown := [id_ for id_ in item.given if id_ not in sizes]:
        place = f"the document {unknown[0][:40]!r}, which is neither in {path.name} nor in the workspace"
        return f"was given {place}: import that one first, or take it out of `given`"
    return ""


def _refuse_unfilled(item: Item, path: Path) -> RefusedFile:
    """Return the record that refuses an accepted item whose answer still has blanks (a frame) that a person must fill in."""
    message = f"{item.id} is a frame to fill (its label frame says so): write its answer, and take that label away."
    return RefusedFile(path.name, None, message)


def _is_pipe_or_device(path: Path) -> bool:
    """Return whether the path is neither an ordinary file nor a folder, but for example a pipe or a device."""
    return path.exists() and not path.is_file() and not path.is_dir()
