"""Render the dataset card (README.md) of an exported folder from its bundle: what the release contains, and how its items were
made, reviewed and measured."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import get_args

from core.nouns import Outcome
from core.quality.difficulty import BANDS
from core.quality.difficulty import MIN_SYSTEMS as PANEL
from core.quality.level_audit import LEVELS, audit_levels
from store.format import Bundle
from store.formats._certificate import render_shortcuts
from store.formats._erratum import render_erratum
from store.formats._half_life import render_checks
from store.formats._hub_names import as_yaml
from store.formats._lm_eval import name_task
from store.formats._making import is_offline, render_label_questions, render_making, render_variants
from store.formats._markdown import count_noun, count_values, escape_markdown, render_table
from store.formats._people import render_calibration, render_people
from store.formats._record_files import FoundFiles
from store.formats._tiny import render_tiny
from store.formats._withheld import NAMES, map_splits, withheld_documents
from store.releases.manifest import make_canary

HUB_LICENCES = ("apache-2.0", "mit", "cc0-1.0", "cc-by-4.0", "cc-by-sa-4.0", "cc-by-nc-4.0", "cc-by-3.0", "cc-by-sa-3.0")
"""Licences of documents with their names on the Hugging Face hub."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_PART = re.compile(r"-\d{5}-of-\d{5}$")
"""Pattern of the end of a Parquet file's name when several files contain one kind of record."""


def render_card(bundle: Bundle, withheld: frozenset[str], folder: Path, found: Sequence[FoundFiles] = ()) -> str:
    """Return the text of the dataset card, README.md. `folder` must already contain the records, because the card names the
    record files and describes the columns of the files in `found`."""
    parts = [
        _render_front_matter(bundle, folder),
        f"# {escape_markdown(bundle.name)}",
        _render_contents(bundle),
        render_erratum(bundle, withheld),
        render_tiny(bundle),
        _render_counts(bundle),
        _render_lengths(bundle),
        _render_overlap(bundle),
        render_making(bundle),
        render_label_questions(bundle),
        render_variants(bundle),
        _render_gates(bundle),
        render_people(bundle.people),
        render_calibration(bundle.people),
        _render_levels(bundle),
        _render_difficulty(bundle),
        render_shortcuts(bundle),
        render_checks(bundle),
        _render_licences(bundle),
        _render_tables(bundle),
        _render_corpus(bundle),
        _render_withheld(bundle, withheld),
        _render_usage(bundle, folder),
        _render_columns(found),
        _render_limits(bundle),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _render_front_matter(bundle: Bundle, folder: Path) -> str:
    licences = {str(d.licence or "").lower() for d in bundle.documents}
    licence = next(iter(licences)) if len(licences) == 1 and licences <= set(HUB_LICENCES) else "other"
    size = next((label for limit, label in _SIZES if len(bundle.items) < limit), "n>1M")
    languages = sorted({item.language for item in bundle.items})
    lines: list[str] = [
        *("---", f"pretty_name: {as_yaml(bundle.name)}", "language:", *(f"  - {language}" for language in languages)),
        *(f"license: {licence}", "task_categories:", "  - question-answering", "size_categories:", f"  - {size}"),
        *("tags:", "  - rag", "  - benchmark", f"  - {make_canary(bundle.hash)}"),
    ]
    patterns = {stem: f"data/{stem}/*.parquet" for stem in ("items", "documents", "variants")}
    if (folder / "qrels").is_dir():
        patterns = {"default": "qrels/*.jsonl", "corpus": "corpus.jsonl", "queries": "queries.jsonl"}  # MTEB's names
    configs = {name: sorted(folder.glob(pattern)) for name, pattern in patterns.items()}
    if any(configs.values()):
        lines.append("configs:")
    for name, files in configs.items():
        if files:
            lines += [f"  - config_name: {name}", *["    default: true"] * (name == "items"), "    data_files:"]
        for split, paths in groupby(files, lambda file: _PART.sub("", file.stem)):
            first = next(paths)
            path = first.relative_to(folder).with_name(_PART.sub("-*", first.stem) + first.suffix).as_posix()
            lines += [f"      - split: {as_yaml(split)}", f"        path: {as_yaml(path)}"]
    return "\n".join([*lines, "---"])


def _render_contents(bundle: Bundle) -> str:
    tasks = ", ".join(f"{escape_markdown(task)} ({n})" for task, n in count_values(item.task for item in bundle.items))
    return (
        f"{count_noun(len(bundle.items), 'question')} with answers and evidence over "
        f"{count_noun(len(bundle.documents), 'document')}, with {count_noun(len(bundle.variants), 'variant')} of their "
        f"questions. Tasks: {tasks}.\n\n"
        f"Release hash: `{bundle.hash}`\n\nCanary: `{make_canary(bundle.hash)}` (a text that can be looked for in training "
        "data; please do not train on this benchmark)."
    )


def _render_counts(bundle: Bundle) -> str:
    splits = map_splits(bundle)
    counts = count_values((i.level, i.domain, i.language, splits.get(i.id, "test")) for i in bundle.items)
    rows = [(_format_level(level), domain, language, split, n) for (level, domain, language, split), n in counts]
    rows.append(("all", "", "", "", len(bundle.items)))
    text = "## Items\n\n" + render_table(["Level", "Domain", "Language", "Split", "Items"], rows)
    splitting = bundle.manifest.get("splits", {})
    if not splitting.get("shares"):
        return text
    shares = ", ".join(f"{escape_markdown(name)} {share:.0%}" for name, share in splitting["shares"].items())
    families = splitting.get("families", ())
    text += f"\n\nThe requested split shares are {shares}, with the seed {splitting['seed']}. "
    if not families:
        return f"{text}No two items are near duplicates, or were made from the same item, source or sentences."
    return (
        f"{text}Items that are near duplicates, or were made from the same item, source or sentences, are families, and each "
        f"family is in one split: {count_noun(len(families), 'family', 'families')} of {sum(map(len, families))} items, the "
        f"largest of {max(map(len, families))}."
    )


def _render_lengths(bundle: Bundle) -> str:
    rows = bundle.composition.get("rows")
    if not rows:
        return ""
    names = ("context_tokens", "question_tokens", "answer_tokens")
    cells = [
        (r["domain"], _format_level(r["level"]), r["items"], *(_format_number(r[name]["mean"]) for name in names)) for r in rows
    ]
    return (
        "## Mean lengths\n\nTokens are estimated from characters, separately for English and Chinese, without a tokenizer. The "
        "context is all documents that belong to a question.\n\n"
        + render_table(["Domain", "Level", "Items", "Context", "Question", "Answer"], cells)
    )


def _render_overlap(bundle: Bundle) -> str:
    """Return a table with the number of items in five classes of word overlap between question and evidence, and the number of
    items without an overlap value."""
    classes = bundle.composition.get("overlap")
    if not classes:
        return ""
    rows = [("none" if c["low"] is None else f"{c['low']:.1f} to {c['high']:.1f}", c["items"]) for c in classes]
    return (
        "## Overlap\n\nShare of a question's content words that are in its evidence. Questions of high overlap favour search "
        "by words.\n\n" + render_table(["Overlap", "Items"], rows)
    )


def _render_gates(bundle: Bundle) -> str:
    """Return a table of the verdicts of gates (automatic checks) on the frozen revisions."""
    frozen = {(item.id, item.revision) for item in bundle.items}
    counts = Counter((v.gate, v.outcome) for v in bundle.verdicts if (v.item, v.revision) in frozen)
    if not counts:
        return ""
    outcomes = get_args(Outcome)
    rows = [(gate, *(counts[gate, outcome] for outcome in outcomes)) for gate in sorted({gate for gate, _ in counts})]
    return (
        "## Gates\n\nVerdicts of automatic checks on the frozen revisions; verdicts on earlier revisions are not counted.\n\n"
        + render_table(["Gate", "Pass", "Flag", "Refuse", "Not run"], rows)
    )


def _render_levels(bundle: Bundle) -> str:
    """Return a table that compares the items' measured difficulty levels with their declared levels."""
    audit = audit_levels(bundle.items, bundle.verdicts)
    if not audit.measured:
        return ""
    columns = [*LEVELS, None]
    rows = [
        (_format_level(declared), *(audit.cells.get((declared, level), 0) for level in columns))
        for declared in LEVELS
        if any((declared, level) in audit.cells for level in columns)
    ]
    text = (
        "## Levels, measured\n\nThe level of an item's evidence and question, measured by rules without an agent; a declared "
        f"level is a row, a measured one a column. Of {count_noun(audit.measured, 'item')} with a measured level "
        f"{audit.agreements} measured as declared.\n\n" + render_table(["Declared", *map(str, LEVELS), "undefined"], rows)
    )
    if audit.lowered:
        text += f"\n\n{count_noun(audit.lowered, 'item')} count one level lower, because a piece of evidence is not "
        text += "needed."
    if audit.why:
        text += "\n\nUndefined: " + "; ".join(f"{escape_markdown(why)} ({n})" for why, n in audit.why.items()) + "."
    return text


def _render_difficulty(bundle: Bundle) -> str:
    """Return a table of the numbers of items by the share of systems that had solved them at the time when the release was
    frozen."""
    report = bundle.difficulty
    if not report:
        return ""
    counts = {(row["level"], row["band"]): row["items"] for row in report["rows"]}
    levels = sorted({level for level, _ in counts}, key=str)
    rows = [(_format_level(level), *(counts.get((level, name), 0) for name in (*BANDS, None))) for level in levels]
    return (
        f"## Difficulty\n\nShare of the systems {escape_markdown(', '.join(report['panel']))}, each with every agent it ran "
        f"with, that solved an item ({escape_markdown(report['metric'])} of {report['least']:g} or more), by the traces "
        f"at the time of freezing: easy from 80 % on, medium from 30 % on, hard below; {report['fewest']} to {report['most']} "
        f"systems an item. Undefined: fewer than {PANEL} systems answered it.\n\n"
        + render_table(["Level", *BANDS, "undefined"], rows)
    )


def _render_licences(bundle: Bundle) -> str:
    rows = count_values(document.licence or "unknown" for document in bundle.documents)
    text = "## Documents and their licences\n\n" + render_table(["Licence", "Documents"], rows)
    reason = bundle.manifest.get("unlicensed")
    if reason:
        n = sum(not document.licence for document in bundle.documents)
        text += f"\n\n{n} documents have no known licence. The reason given for including them: {escape_markdown(reason)}"
    return text


def _render_tables(bundle: Bundle) -> str:
    """Return a Markdown table of the entity tables that a system queries in a run on this release."""
    if not bundle.tables:
        return ""
    rows = [(t.spec.name, t.spec.entity or "link", len(t), len(t.spec.columns), t.hash) for t in bundle.tables]
    return (
        "## Tables\n\nAnswers were computed from these rows, and a system must query exactly these rows. `tables.jsonl` has "
        "the spec of one table per line, and names the file of its rows.\n\n"
        + render_table(["Table", "A row is", "Rows", "Columns", "Hash"], rows)
    )


def _render_corpus(bundle: Bundle) -> str:
    """Return a text about the source documents that systems cannot search, and about how much of their text the retrieval
    corpus still contains."""
    if bundle.manifest.get("gold_included"):
        return (
            "## Retrieval corpus\n\nThe sources that answers were taken from are IN the retrieval corpus, so that retrieval "
            "can be measured; a system that finds a source can copy its answer."
        )
    total, copies = (len(bundle.manifest.get(key, ())) for key in ("left_out", "near_copies"))
    if not total:
        return ""
    n = total - copies
    near = f", and {copies} that nearly {'says' if copies == 1 else 'say'} the same," if copies else ""
    text = (
        f"## Retrieval corpus\n\n{count_noun(n, 'document')} that answers were taken from{near} "
        f"{'is' if total == 1 else 'are'} here for audit only. Systems may search the other "
        f"{count_noun(len(bundle.documents) - total, 'document')}, listed in "
        "`retrieval_corpus.txt`; the manifest names the rest under `left_out`. Retrieval metrics on such questions are not run."
    )
    leakage = bundle.leakage
    if not leakage:
        return text
    mean = "none" if leakage["mean"] is None else f"{leakage['mean']:.1%}"
    rows = [(f"with at least {float(share):.0%} of its windows in the corpus", n) for share, n in leakage["at_least"].items()]
    rows += [
        ("with an exact copy in the corpus", leakage["with_exact"]),
        (f"with a document that holds {leakage['near']:.0%} of it or more", leakage["with_near"]),
    ]
    return (
        f"{text}\n\n### Their text that is still in the corpus\n\nShare of each source's {leakage['window']}-character "
        f"windows that are verbatim in the retrieval corpus; mean {mean} over {count_noun(leakage['measured'], 'source')}.\n\n"
        + render_table(["Sources", "Number"], rows)
    )


def _render_withheld(bundle: Bundle, withheld: frozenset[str]) -> str:
    if not withheld:
        return ""
    splits = map_splits(bundle)
    hidden = len(withheld_documents(bundle, withheld))
    be, them = ("is", "it") if hidden == 1 else ("are", "them")
    names = ", ".join(
        f"{escape_markdown(name)} ({sum(splits.get(i.id) == name for i in bundle.items)} items)" for name in sorted(withheld)
    )
    if bundle.commitments:
        return _render_sealed(bundle, names)
    return (
        f"## Withheld\n\nAnswers, evidence and steps of these splits are not in this folder: {names}. Each answer is replaced "
        "by a salted hash (`answer_hashes`); the makers keep the salts, and can prove with them what an answer was."
        + (
            f" {count_noun(hidden, 'document')} with such answers, which no system searches, {be} not here either: "
            f"`{NAMES}` lists {them}."
            if hidden
            else ""
        )
    )


def _render_sealed(bundle: Bundle, names: str) -> str:
    text = (
        f"## Sealed\n\nThe gold answers of these splits are sealed: {names}. For each of their questions `manifest.json` "
        "has a commitment, a hash with a secret salt, and the release's hash covers all commitments. Reviews, verdicts and "
        "drafting steps of these questions, counts that depend on their answers, and their sources that systems do not search "
        "are not here; the ids of these questions are random."
    )
    opened = "`opened.jsonl` has the answers and the salts, and `verify.py` compares them with the commitments."
    later = "When the makers open the seal, put their `opened.jsonl` here: `verify.py` compares it with the commitments."
    return f"{text} {opened if bundle.openings else later}"


def _render_usage(bundle: Bundle, folder: Path) -> str:
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    records = [name for name in files if name not in ("manifest.json", "README.md")]
    rest = f" and {len(records) - 12} more" if len(records) > 12 else ""
    load = '- Load: `datasets.load_dataset("FOLDER", "items")`, and "documents" or "variants" the same way.\n'
    if (folder / "lm_eval_question.yaml").is_file():
        task = escape_markdown(name_task(bundle.name, "question"))
        load += (
            "- Ask a model with lm-eval, in this folder: `lm_eval run --model hf --model_args pretrained=MODEL "
            f"--include_path . --tasks {task}`; the task with `evidence` in its name gives the texts of the evidence too.\n"
        )
    texts = "- Columns without a fixed shape (labels, inputs, steps, provenance, meta, checks) contain JSON texts.\n"
    beir = (
        '- Retrieve: `beir.datasets.data_loader.GenericDataLoader("FOLDER").load(split="test")` of BEIR reads the folder; MTEB '
        "reads it as a retrieval task.\n"
    )
    has_columns = any(name.endswith(".parquet") for name in records)
    return (
        "## How to use it\n\n"
        f"- Records: {', '.join(f'`{name}`' for name in records[:12])}{rest}.\n"
        f"{load if (folder / 'data' / 'items').is_dir() else ''}{beir if (folder / 'qrels').is_dir() else ''}"
        f"{texts if has_columns else ''}"
        "- Describe: `croissant.json` (Croissant) and `ro-crate-metadata.json` (RO-Crate) name every file for programs.\n"
        "- Look: open `index.html` in a browser; it needs no server.\n"
        "- Check: `python verify.py` compares every byte and every record with the manifest.\n"
        '- Score: write one object per line, `{"id": ..., "prediction": ..., "answers": [...]}`, and run `python score.py '
        "PREDICTIONS.jsonl`; without `answers` they are taken from the item of that id in `items.jsonl` or `golds.jsonl`. A "
        "prediction of null is a failure: counted, never scored.\n\n"
        "Both programs need Python 3.9 or newer and nothing else; `rouge_l_crud`, and `token_f1`, `rouge_l` and `length` of "
        "Chinese, need the package jieba."
    )


def _render_columns(found: Sequence[FoundFiles]) -> str:
    """Return a table of the columns of each kind of record in the folder."""
    parts = []
    for files in found:
        kind = files.kind
        several = f"{len(files.files)} files `{files.pattern}`"
        named = f"`{files.files[0]}`" if len(files.files) == 1 else several
        rows = [(name, column.type, column.about) for name, column in kind.columns.items()]
        parts.append(f"{named}. {escape_markdown(kind.about)}\n\n{render_table(('Column', 'Type', 'What it holds'), rows)}")
    return "## Columns\n\n" + "\n\n".join(parts) if parts else ""


def _render_limits(bundle: Bundle) -> str:
    lines = [
        "- Evidence is the passage that an answer was taken from; other passages may state the same fact.",
        "- A correct answer in other words than the gold answers gets a low exact match and token F1.",
    ]
    if any(is_offline(item) for item in bundle.items):
        lines.append(
            "- Questions of the offline agent repeat the words of their evidence: retrieval by words looks better on them."
        )
    if any(variant.status == "drafted" for variant in bundle.variants):
        lines.append("- Some variants were not reviewed by a person.")
    shown = {item.id for item in bundle.items} - bundle.commitments.keys()
    unread = len(shown) - len({review.item for review in bundle.reviews} & shown)
    if unread:
        lines.append(f"- {unread} items were imported as accepted: no review of them is on record.")
    return "## Limits\n\n" + "\n".join(lines)


def _format_level(level: object) -> str:
    return "none" if level is None else str(level)


def _format_number(value: float | None) -> str:
    return "none" if value is None else f"{value:,.1f}"
