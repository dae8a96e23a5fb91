"""Releases: what is accepted is frozen under a name, checked, compared, exported, and read back."""

import hmac
import re
import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from builders.composition import composition
from builders.families import families
from builders.leakage import leakage, report
from builders.splits import split
from builders.task import Task, nothing_left_out
from core.catalog import catalog, pick
from core.errors import BenchError
from core.ids import content_hash, new_id
from core.nouns import Document, Item, Release, Span, Variant
from core.records import item_record, variant_record
from store import comments, documents, items, releases, review_import, variants, web_pages
from store.database import Database
from store.format import Bundle, Format
from store.formats._lines import refusal
from store.formats.shipped.verify import verify as check_folder
from store.manifest import manifest, release_hash
from store.releases import WORKING, Members
from workbench.annotate.reading import Reading
from workbench.annotate.second_look import SecondLook
from workbench.construct.gate_report import of_release
from workbench.evaluate.difficulty import difficulty_of
from workbench.release import frozen_tables
from workbench.roles import act

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.)){0,63}")


class Unlicensed(BenchError):
    """Documents without a licence stand in the way of a release."""

    def __init__(self, message: str, found: Sequence[str]) -> None:
        super().__init__(message)
        self.result = {"unlicensed": list(found)}


class ReleaseStage:
    """Verbs on releases."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @act("freeze releases", "name")
    def freeze(
        self, name: str, *, tasks: Sequence[str] | None = None, domains: Sequence[str] | None = None, split: str | None = None,
        seed: int = 0, allow_unlicensed: str | None = None, unreviewed_variants: bool = False, include_gold: bool = False,
        without_near_copies: bool = False,
    ) -> dict[str, Any]:  # fmt: skip
        """Freeze what is accepted. The same name with the same content is the same release. Sources that answers were taken
        from are left out of retrieval, unless with `include_gold`; `without_near_copies` leaves out their exact and near copies
        too, but for documents that an item was given."""
        check_name(name)
        if include_gold and without_near_copies:
            raise BenchError("The sources are to be in the retrieval corpus and their near copies are not: choose one of both.")
        candidates = self._candidates(tasks, domains)
        content = self._accepted(candidates, unreviewed_variants, include_gold, without_near_copies)
        frozen_tables.check_here(self._db, content.items, name)
        if not content.items:
            raise BenchError(f"Nothing accepted to freeze into {name!r}: accept items first with `cli.py decide ITEM accept`.")
        unlicensed = [d.id for d in content.documents if not d.licence]
        if unlicensed and not allow_unlicensed:
            raise Unlicensed(
                f"{len(unlicensed)} of the {len(content.documents)} documents of release {name!r} have no licence: add with "
                f"--licence, or freeze with --allow-unlicensed REASON.", unlicensed)  # fmt: skip
        made = self._manifest(content, read_shares(split), seed, allow_unlicensed if unlicensed else None)
        hash_ = release_hash(made)
        releases.save(self._db, Release(name, hash_, made), content.variants, people=of_release(self._db, content.items),
                      difficulty=difficulty_of(self._db, content.items))  # fmt: skip
        left_out = Counter(i.status for i in candidates if i.status != "accepted")
        return {
            "release": name, "hash": hash_, "items": len(content.items), "variants": len(content.variants),
            "documents": len(content.documents), "left_out": dict(sorted(left_out.items())), "unlicensed": unlicensed,
            "variants_left_out": variants_left_out(self._db, content),
            "not_retrieved": len(content.left_out), "near_copies": len(made.get("near_copies", ())),
            "gold_included": bool(made.get("gold_included")), "tables": len(content.tables),
        }  # fmt: skip

    @act("see releases", "name")
    def get(self, name: str) -> tuple[Release, Members]:
        """A release with what it holds; `working` is frozen on the spot, as it is now."""
        if name != WORKING:
            release = releases.get(self._db, name)
            return release, releases.members(self._db, release)
        content = self._accepted(self._candidates(None, None), False)
        if not content.items:
            raise BenchError("Nothing is accepted yet: the working release is empty.")
        made = self._manifest(content, {}, 0, None)
        return releases.save(self._db, Release(WORKING, release_hash(made), made), content.variants), content

    @act("see releases", "name")
    def members(self, name: str, hash_: str) -> Members:
        """What the release of that name and hash holds, or held when it was the working one."""
        return releases.members(self._db, releases.get(self._db, name, hash_))

    @act("see releases", "name")
    def verify(self, name: str) -> dict[str, Any]:
        """Look whether the store still holds exactly what the manifest names."""
        release, content = self.get(name)
        problems = [problem("manifest.json", f"its hash is {h}, the release's is {release.hash}.")
                    for h in [release_hash(release.manifest)] if h != release.hash]  # fmt: skip
        text = cutter(content.documents)
        named = {row["id"]: row["hash"] for row in release.manifest["items"]}
        there = {item.id: item for item in content.items}
        for id_, hash_ in named.items():
            if id_ not in there:
                problems.append(problem("items", "is missing from the workspace.", id_))
            elif content_hash(item_record(there[id_], text)) != hash_:
                problems.append(problem("items", "was changed: its content hash differs.", id_))
        problems += _changed_variants(release, content)
        parts = {row["id"]: row["split"] for row in release.manifest["items"]}
        problems += [problem("manifest.json", f"and its family are in the splits {' and '.join(sorted(torn))}.", family[0])
                     for family in release.manifest["splits"].get("families", ())
                     if len(torn := {parts[id_] for id_ in family}) > 1]  # fmt: skip
        problems += [problem("tables", why, table)
                     for table, why in frozen_tables.problems(self._db, content.tables, content.items)]  # fmt: skip
        found = {document.id for document in content.documents if content_hash(document.text) == document.id}
        problems += [problem("documents", "is missing from the workspace, or was changed.", row["id"])
                     for row in release.manifest["documents"] if row["id"] not in found]  # fmt: skip
        problems += [problem("documents", "is left out of retrieval, and no document of the release.", id_)
                     for id_ in sorted(content.left_out - {row["id"] for row in release.manifest["documents"]})]  # fmt: skip
        if not release.manifest.get("gold_included"):
            problems += [problem("documents", "is a source that an answer was taken from, and in the retrieval corpus.", id_)
                         for id_ in sorted(sources_of(content.items) - content.left_out)]  # fmt: skip
        return {"ok": not problems, "hash": release.hash, "problems": problems}

    @act("see releases", lambda given: f"{given['a']} and {given['b']}")
    def diff(self, a: str, b: str) -> dict[str, Any]:
        """What changed from release a to release b, item by item."""
        (first, old), (second, new) = self.get(a), self.get(b)
        before, after = ({i.id: i for i in content.items} for content in (old, new))
        splits = [{row["id"]: row["split"] for row in release.manifest["items"]} for release in (first, second)]
        edited, relabelled = [], []
        for id_ in sorted(before.keys() & after.keys()):
            x, y = before[id_], after[id_]
            if (x.question, x.answers, x.evidence) != (y.question, y.answers, y.evidence):
                edited.append(
                    {
                        "id": id_,
                        "revisions": [x.revision, y.revision],
                        "question": [x.question, y.question],
                        "answers": [list(x.answers), list(y.answers)],
                        "evidence_changed": x.evidence != y.evidence,
                    }
                )
            elif (x.labels, x.level, x.domain, splits[0][id_]) != (y.labels, y.level, y.domain, splits[1][id_]):
                relabelled.append({"id": id_, "split": [splits[0][id_], splits[1][id_]], "level": [x.level, y.level],
                                   "domain": [x.domain, y.domain]})  # fmt: skip
        docs = [{d.id for d in content.documents} for content in (old, new)]
        return {
            "a": {"release": a, "hash": first.hash}, "b": {"release": b, "hash": second.hash},
            "added": sorted(after.keys() - before.keys()), "removed": sorted(before.keys() - after.keys()),
            "edited": edited, "relabelled": relabelled, "variants": diff_of_variants(old.variants, new.variants),
            "documents": {"added": sorted(docs[1] - docs[0]), "removed": sorted(docs[0] - docs[1])},
            "tables": {"added": sorted({t.name for t in set(new.tables) - set(old.tables)}),
                       "removed": sorted({t.name for t in set(old.tables) - set(new.tables)})},
        }  # fmt: skip

    @act("export releases", "name", notes=["form"])
    def export(
        self, name: str, form: str, out: Path, *, withhold: Sequence[str] = (), with_html: bool = True
    ) -> dict[str, Any]:  # fmt: skip
        """Write a release into a new or empty folder; it stands under its name only when it is whole. `with_html` = where a
        layout has a place for the HTML of web pages, it is filled with what is kept of it, else with their text."""
        kind = pick(formats(), form, "format")
        if kind.write is None:
            raise BenchError(f"Format {form} can only be imported; to export there are: "
                             f"{', '.join(k for k, f in formats().items() if f.write)}.")  # fmt: skip
        release, content = self.get(name)
        splits = {row["split"] for row in release.manifest["items"]}
        if unknown := sorted(set(withhold) - splits):
            raise BenchError(f"Release {name!r} has no split {unknown[0]!r} to withhold; it has: {', '.join(sorted(splits))}.")
        if out.exists() and (not out.is_dir() or any(out.iterdir())):
            raise BenchError(f"{out} is not an empty folder: export into a new one.")
        if out.resolve() == Path.cwd():
            raise BenchError(f"{out} is the folder you stand in: name a new one for the export.")
        part = out.with_name(f".{out.name}.{new_id()}")
        try:
            part.mkdir(parents=True)
            bundle = self._bundle(release, content)
            bundle = replace(bundle, web_page=partial(web_pages.read, self._db)) if with_html else bundle
            kind.write(bundle, part, frozenset(withhold))
            if out.exists():
                out.rmdir()
            part.replace(out)
        except OSError as error:
            raise BenchError(f"{out} cannot be written ({error.strerror}): choose another folder.") from error
        finally:
            shutil.rmtree(part, ignore_errors=True)
        files = sum(path.is_file() for path in out.rglob("*"))
        return {"release": name, "hash": release.hash, "format": form, "files": files}

    @act("import benchmarks", "path", notes=["form"])
    def import_(self, path: Path, form: str) -> dict[str, Any]:
        """Read a benchmark, or reviews, into the workspace; what is already there by its id stays as it is. Reviews count from
        now on: the last to come in on an item's current revision decides its status."""
        kind = pick(formats(), form, "format")
        if kind.read is None:
            raise BenchError(f"Format {form} can only be exported; to import there are: "
                             f"{', '.join(k for k, f in formats().items() if f.read)}.")  # fmt: skip
        if not path.exists():
            raise BenchError(f"{path} is not there: give the path of a file or folder in format {form}.")
        came = [self._bring_in(bundle, path) for bundle in (kind.pieces(path) if kind.pieces else [kind.read(path)])]
        counts = ("documents", "tables", "items", "reviews", "comments", "already")
        return {
            **{key: sum(one[key] for one in came) for key in counts},
            "refused": [row for one in came for row in one["refused"]], "release": came[-1]["release"],
        }  # fmt: skip

    def _bring_in(self, bundle: Bundle, path: Path) -> dict[str, Any]:
        """What was read goes into the store."""
        added, _ = documents.add(self._db, bundle.documents)
        tables = frozen_tables.bring_in(self._db, bundle.tables, path.name)
        web_pages.add(self._db, bundle.web_pages)
        there = documents.known(self._db, {span.document for item in bundle.items for span in item.evidence})
        lost = [item for item in bundle.items if any(span.document not in there for span in item.evidence)]
        new, known = items.add(self._db, [item for item in bundle.items if item not in lost])
        variants.add(self._db, bundle.variants)
        came = review_import.bring_in(self._db, bundle.reviews, bundle.history)
        look = SecondLook(self._db, Reading(self._db))
        for item in items.many(self._db, came.reworded):
            look.now(item)
        said = comments.bring_in(self._db, bundle.comments)
        restored = None if lost else self._restore(bundle)
        unfit = sorted((bundle.lines.get(id_, 0), why) for id_, why in came.refused)
        unsaid = sorted((bundle.comment_lines.get(id_, 0), why) for id_, why in said.refused)
        return {
            "documents": len(added), "tables": tables, "items": len(new), "reviews": len(came.added),
            "comments": len(said.added),
            "already": len(known) + len(came.already) + len(said.already),
            "refused": [*map(dict, bundle.refused), *(homeless(item, path) for item in lost),
                        *(refusal("reviews.jsonl" if path.is_dir() else path.name, line, why) for line, why in unfit),
                        *(refusal("comments.jsonl", line, why) for line, why in unsaid)],
            "release": restored,
        }  # fmt: skip

    def _restore(self, bundle: Bundle) -> str | None:
        """Save the release of an exported folder, unless its content did not come in whole."""
        if not bundle.manifest or bundle.refused:
            return None
        check_name(bundle.name)
        if release_hash(bundle.manifest) != bundle.hash:
            raise BenchError(f"manifest.json does not have the hash of release {bundle.name!r}: run verify.py in the folder.")
        releases.save(self._db, Release(bundle.name, bundle.hash, bundle.manifest), bundle.variants)
        return bundle.name

    def _candidates(self, tasks: Sequence[str] | None, domains: Sequence[str] | None) -> list[Item]:
        return [i for i in items.listed(self._db) if (not tasks or i.task in tasks) and (not domains or i.domain in domains)]

    def _accepted(
        self, candidates: Sequence[Item], unreviewed: bool, include_gold: bool = False, without_near_copies: bool = False
    ) -> Members:  # fmt: skip
        """Everything that a release of those items would hold; a variant of words that were edited is of another question.
        The corpus of an item is its own documents and all others of its domain and language: retrieval has something to tell
        apart. A source that an answer was taken from is left out of retrieval, also where another item found it."""
        found = [item for item in candidates if item.status == "accepted"]
        wanted = {"accepted", "drafted"} if unreviewed else {"accepted"}
        chosen = {item.id: item.revision for item in found}
        kept = [v for v in variants.listed(self._db) if chosen.get(v.item) == v.revision and v.status in wanted]
        kinds = {(item.domain, item.language) for item in found}
        sources = sources_of(found)
        own = {id_ for item in found for id_ in (*item.given, *(span.document for span in item.evidence))} | sources
        corpus = [d for d in documents.many(self._db) if d.id in own or (d.domain, d.language) in kinds]
        there = sources & {document.id for document in corpus}
        if without_near_copies:
            there |= _copies_of({d.id: d.text for d in corpus if d.id in there}, [d for d in corpus if d.id not in own])
        left_out = frozenset() if include_gold else frozenset(there)
        return Members(found, kept, corpus, left_out, frozen_tables.frozen_tables(self._db, found))

    def _manifest(self, content: Members, shares: dict[str, float], seed: int, unlicensed: str | None) -> dict[str, Any]:
        text = cutter(content.documents)
        kin = [family for family in families(content.items) if len(family) > 1] if shares else []
        parts = split(content.items, shares, seed, kin) if shares else {}
        pairs = [(item, item_record(item, text)) for item in content.items]
        gold_included = not content.left_out and bool(sources_of(content.items))
        return manifest(pairs, content.variants, content.documents, parts, shares, seed, unlicensed, content.left_out,
                        gold_included, kin, content.left_out - sources_of(content.items), content.tables)  # fmt: skip

    def _bundle(self, release: Release, content: Members) -> Bundle:
        record = releases.record(self._db, release)
        secret = releases.secret(self._db, release.name, release.hash)
        return Bundle(
            documents=content.documents, items=content.items, variants=content.variants,
            verdicts=record.verdicts, reviews=record.reviews, comments=record.comments, history=record.history,
            tables=frozen_tables.loaded(self._db, content.tables), manifest=release.manifest, name=release.name,
            hash=release.hash,
            salts={item.id: salt(secret, item.id) for item in content.items},
            composition=composition(content.items, {d.id: d for d in content.documents}), leakage=leakage_of(content),
            people=of_release(self._db, content.items) if release.name == WORKING else record.people,
            difficulty=difficulty_of(self._db, content.items) if release.name == WORKING else record.difficulty,
        )  # fmt: skip


def variants_left_out(database: Database, content: Members) -> dict[str, int]:
    """How many variants of a release's items are not in it, by why: drafted or discarded, or "moved_on" where the item has
    other words by now."""
    revision = {item.id: item.revision for item in content.items}
    there = {variant.id for variant in content.variants}
    out = [v for v in variants.of_items(database, revision) if v.id not in there]
    moved = sum(v.revision != revision[v.item] and v.status != "discarded" for v in out)
    counted = Counter(v.status for v in out if v.revision == revision[v.item] or v.status == "discarded")
    return dict(sorted(counted.items())) | ({"moved_on": moved} if moved else {})


def diff_of_variants(old: Sequence[Variant], new: Sequence[Variant]) -> dict[str, list[str]]:
    """Ids of the variants that came, went, or stand in the second with another status; their words never change."""
    before, after = ({v.id: v for v in found} for found in (old, new))
    return {
        "added": sorted(after.keys() - before.keys()), "removed": sorted(before.keys() - after.keys()),
        "reviewed": sorted(id_ for id_ in before.keys() & after.keys() if before[id_].status != after[id_].status),
    }  # fmt: skip


def _changed_variants(release: Release, content: Members) -> list[dict[str, Any]]:
    """Problems of variants that are not what the manifest names."""
    there = {v.id: content_hash(variant_record(v)) for v in content.variants}
    return [
        problem("variants", "was changed: its content hash differs.", row["id"])
        for row in release.manifest["variants"] if there.get(row["id"]) != row["hash"]
    ]  # fmt: skip


def sources_of(found: Sequence[Item]) -> set[str]:
    """Ids of the documents that retrieval must not see for the sake of these items."""
    known = tasks_by_name()
    return {id_ for item in found if item.task in known for id_ in known[item.task].leaves_out(item)}


def leaves_any_out(task: str) -> bool:
    """Whether items of that task have a source that retrieval must not see."""
    known = tasks_by_name()
    return task in known and known[task].leaves_out is not nothing_left_out


def _copies_of(sources: Mapping[str, str], corpus: Sequence[Document]) -> set[str]:
    """Ids of the documents that are exact or near copies of one of the sources (id -> text)."""
    leaks = leakage(sources, ((document.id, document.text) for document in corpus))
    return {name for leak in leaks for name in (*leak.exact, *(one.document for one in leak.near))}


def leakage_of(content: Members) -> dict[str, Any]:
    """What of the left-out sources still stands in the retrieval corpus (builders/leakage.py); empty where none is left out."""
    if not content.left_out:
        return {}
    wanted = sources_of(content.items)
    sources = {d.id: d.text for d in content.documents if d.id in content.left_out and d.id in wanted}
    corpus = content.retrieval
    return report(leakage(sources, ((document.id, document.text) for document in corpus)), len(corpus))


def tasks_by_name() -> Any:
    """Every task by name."""
    return catalog("builders.tasks", "TASK", Task)


def verify_folder(folder: Path) -> dict[str, Any]:
    """Check an exported folder, without a workspace."""
    hash_, problems = check_folder(folder)
    return {"ok": not problems, "hash": hash_, "problems": problems}


def check_name(name: str) -> None:
    """Raises BenchError for a release name that could be a path, an option, or the reserved word."""
    if name == WORKING:
        raise BenchError(f"{WORKING!r} is reserved for what is accepted now: choose another release name.")
    if not NAME.fullmatch(name):
        raise BenchError(f"{name!r} is no release name: use letters, digits, - _ and single dots, 64 at most.")


def read_shares(text: str | None) -> dict[str, float]:
    """{"dev": 0.2, "test": 0.8} of "dev=0.2,test=0.8"."""
    if not text:
        return {}
    try:
        shares = {name.strip(): float(share) for name, share in (part.split("=") for part in text.split(","))}
    except ValueError as error:
        raise BenchError(f"--split {text!r} cannot be read: write it as dev=0.2,test=0.8.") from error
    named = all(NAME.fullmatch(name) and 0 < share <= 1 for name, share in shares.items())
    if not named or abs(sum(shares.values()) - 1) > 1e-6:
        raise BenchError(f"--split {text!r}: give each split a plain name and a share above 0; the shares must add up to 1.")
    return shares


def homeless(item: Item, path: Path) -> dict[str, Any]:
    """Why an item did not come in whose evidence stands nowhere."""
    message = f"{item.id} points into a document that is neither in {path.name} nor in the workspace: import that one first."
    return {"where": path.name, "line": None, "message": message}


def salt(secret: str, item: str) -> str:
    """What an item's withheld answers are hashed with: an HMAC of its id with the release's secret, which stays here."""
    return hmac.new(secret.encode(), item.encode(), "sha256").hexdigest()[:32]


def cutter(found: Sequence[Document]) -> Callable[[Span], str]:
    """span -> its text."""
    texts = {document.id: document.text for document in found}
    return lambda span: texts[span.document][span.start : span.end] if span.document in texts else ""


def problem(file: str, message: str, id_: str | None = None) -> dict[str, Any]:
    return {"file": file, "line": None, "id": id_, "message": message}


def formats() -> Any:
    """Every format by name."""
    found = catalog("store.formats", "FORMAT", Format)
    return {kind.name or name: kind for name, kind in found.items()}
