"""Command-line verbs and their options that freeze, check, export and import releases."""

import argparse

from core.quality.contests import KINDS
from core.quality.counterfactual import DEFAULT_SEED as DEFAULT_DRAW
from core.quality.half_life import DEFAULT_TOLERANCE
from core.quality.tiny import DEFAULT_SEED as DEFAULT_TINY_SEED
from core.quality.tiny import DEFAULT_SIZE, MAX_SIZE, MIN_SIZE
from core.retrieval.absence import DEFAULT_MOST, DEFAULT_SEED
from terminal.run_options import FORMS
from terminal.shared_options import (
    AGENT,
    PERSON,
    GroupMaker,
    PlugInHelp,
    VerbMaker,
    add_agent_options,
    add_person,
    parse_page,
    seed,
)


class HubOption(argparse.Action):
    """argparse action of an argument that may be an address on the Hugging Face hub; such an address makes the arguments for
    folder and format optional."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: object, option: object = None
    ) -> None:
        setattr(namespace, self.dest, value)
        for action in parser._actions:
            action.required = action.required and not (str(value).startswith("hub:") and action.dest in ("out", "format"))


def add_release_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for releases."""
    _, add = verb("freeze", "release.freeze", "Freeze all accepted items into a named release.")
    add("name", help="Name of the release; 'working' is reserved for the currently accepted items")
    add("--task", action="append", metavar="T", help="Only items of this task; repeatable")
    add("--domain", action="append", metavar="D", help="Only items of this domain; repeatable")
    add(
        "--split",
        metavar="NAME=SHARE,...",
        help="Shares of the splits, such as dev=0.2,test=0.8; items of one document stay in one split",
    )
    add("--seed", type=seed, default=0, metavar="N", help="Seed of the split; the same seed repeats the same split")
    add("--allow-unlicensed", metavar="REASON", help="Include documents without a licence; the release card states the reason")
    add("--unreviewed-variants", action="store_true", help="Include variants that nobody has reviewed")
    add(
        "--include-gold",
        action="store_true",
        help="Keep the source documents of summaries and continuations in the retrieval corpus",
    )
    add(
        "--without-near-copies",
        action="store_true",
        help="Also remove exact and near copies of the source documents from the retrieval corpus",
    )
    add(
        "--absence-share",
        type=float,
        default=0.0,
        metavar="SHARE",
        help="Make absence twins for this share (0 to 1) of the items: runs also ask their questions while the passages that "
        "prove the answers are hidden; default: 0",
    )
    add("--absence-seed", type=seed, default=DEFAULT_SEED, metavar="N", help="Seed that draws the items with absence twins")
    add(
        "--absence-most",
        type=int,
        default=DEFAULT_MOST,
        metavar="N",
        help=f"Maximum number of passages that an absence twin hides; default: {DEFAULT_MOST}",
    )
    add(
        "--sealed",
        action="store_true",
        help="Seal the gold answers: the release and its exports have commitments in their place until `board open`",
    )
    add(
        "--open-split",
        dest="open_splits",
        action="append",
        default=[],
        metavar="SPLIT",
        help="With --sealed: leave the gold answers of this split open; repeatable",
    )
    add(
        "--errata-of",
        metavar="RELEASE",
        help="Freeze RELEASE again with only the corrections from its accepted contests, and score its runs again",
    )
    add("--budget", type=float, metavar="USD", help="With --errata-of: stop before judges cost more than this amount")
    add(
        "--counterfactual-of",
        metavar="RELEASE",
        help="Freeze the questions of RELEASE with other gold answers and a corpus that states these; of the other options, "
        "only --counterfactual-share and --counterfactual-seed apply",
    )
    add(
        "--counterfactual-share",
        type=float,
        metavar="SHARE",
        help="Replace the answers of this share (0 to 1) of the release's items where possible; default: 1",
    )
    add(
        "--counterfactual-seed",
        type=seed,
        metavar="N",
        help=f"Seed that draws the items and the new answers; default: {DEFAULT_DRAW}",
    )
    add(
        "--tiny-of",
        metavar="RELEASE",
        help="Freeze a few items of RELEASE that stand for all of them, chosen by its finished runs (experimental); of the "
        "other options, only --tiny-size, --tiny-metric and --tiny-seed apply",
    )
    add(
        "--tiny-size",
        type=int,
        metavar="N",
        help=f"Number of items of the tiny release, {MIN_SIZE} to {MAX_SIZE}; default: {DEFAULT_SIZE}",
    )
    add("--tiny-metric", metavar="M", help="Metric by whose scores the items are chosen; default: the one that most runs have")
    add(
        "--tiny-seed",
        type=seed,
        metavar="N",
        help=f"Seed that draws the random samples to compare with; default: {DEFAULT_TINY_SEED}",
    )

    _, add = verb("verify", "release.verify", "Check the content of a release or an exported folder against its hash.")
    add("release", metavar="NAME_OR_FOLDER", help="Name of a release, or an exported folder")

    _, add = verb(
        "leakage",
        "release.leakage",
        "Measure how much text of the left-out source documents a release's corpus still contains.",
    )
    add("release", help="Name of the release")

    _, add = verb("diff", "release.diff", "Show what changed between two releases.")
    add("a", help="The earlier release")
    add("b", help="The later release")

    _, add = verb("export", "release.export", "Write a release to a new folder, or publish it on the Hugging Face hub.")
    add("release", help="Name of the release")
    add(
        "--format", required=True, metavar="F", help=PlugInHelp("Format to write; default with --to: huggingface", "format out")
    )
    add("out", help="New or empty folder to write to; leave it out with --to")
    add(
        "--to",
        action=HubOption,
        metavar="hub:OWNER/NAME",
        help="Publish as a data set on the Hugging Face hub, with the release's name as tag; the token is $HF_TOKEN",
    )
    add("--public", action="store_true", help="With --to: everybody may see the data set; default: private")
    add(
        "--withhold",
        action="append",
        default=[],
        metavar="SPLIT",
        help="Write the questions of this split without answers and evidence; repeatable",
    )
    add(
        "--rows-per-file",
        type=int,
        metavar="N",
        help="For the formats parquet and huggingface: divide the records into files of at most N rows",
    )
    add("--without-html", action="store_true", help="For the format crag: write the text of web pages instead of their HTML")

    _, add = verb(
        "import",
        "release.import_",
        "Import a benchmark: items and documents, and the release if the folder is an exported release.",
    )
    add("path", action=HubOption, help="File or folder to import, or hub:OWNER/NAME[@TAG] on the Hugging Face hub")
    add(
        "--format",
        required=True,
        metavar="F",
        help=PlugInHelp("Format to read; not needed for a data set on the hub", "format in"),
    )

    pairs = group("pairs", "Pair items that ask the same in two languages.")
    _, add = verb(
        "import",
        "pairing.language_pairs.import_files",
        "Import two files in two languages, and pair items with the same id.",
        pairs,
    )
    add("first", help="File or folder in one language")
    add("second", help="File or folder in another language")
    add("--format", required=True, metavar="F", help=PlugInHelp("Format of both files", "format in"))
    _, add = verb("add", "pairing.language_pairs.add", "Pair two items that ask the same in two languages.", pairs)
    add("item", help="Id of an item")
    add("twin", help="Id of the item that asks the same in another language")
    add_person(add)
    p, add = verb(
        "translate",
        "pairing.language_pairs.translate",
        "Let an agent translate accepted items with their documents; the drafts wait for review.",
        pairs,
    )
    add("item", nargs="*", help="Ids of items; default: all accepted items in other languages without a twin")
    add("--to", required=True, metavar="LANGUAGE", help="Code of the language to translate into, such as zh")
    add("--agent", required=True, metavar="A", help=f"Agent that translates: {AGENT}")
    add("--limit", type=int, metavar="N", help="Translate at most N items")
    add_agent_options(p)
    _, add = verb("remove", "pairing.language_pairs.remove", "Take a pair apart; both items stay.", pairs)
    add("item", help="Id of an item")
    add("twin", help="Id of its twin")
    add("--as", dest="person", metavar="NAME", help="Name of the person, which the log stores")
    verb("list", "pairing.language_pairs.list_pairs", "List the pairs, and which of them a release would leave out.", pairs)

    verbs = "contesting.contests"
    contests = group("contests", "Contest items of releases, and decide on contests.")
    _, add = verb(
        "import", f"{verbs}.import_files", "Add the contests from files saved on a release's page index.html.", contests
    )
    add("file", nargs="+", help="Files with contests")
    _, add = verb("add", f"{verbs}.add", "Contest an item of a release.", contests)
    add("release", help="Name of the release")
    add("item", help="Id of the item")
    add("--kind", choices=list(KINDS), default="wrong_answer", help="What is wrong; default: wrong_answer")
    add("--answer", default="", metavar="TEXT", help="Answer that you propose")
    add("--reason", default="", metavar="TEXT", help="Why the item is wrong")
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    _, add = verb("list", f"{verbs}.list_contests", "List contests in the order in which they came in.", contests)
    add("--release", metavar="R", help="Only contests of this release")
    add("--state", choices=["open", "accepted", "dismissed"], help="Only contests in this state")
    _, add = verb("show", f"{verbs}.show_contest", "Show a contest with its item, as released and as it is now.", contests)
    add("contest", help="Id of the contest, or at least its first six characters")
    _, add = verb(
        "decide",
        f"{verbs}.decide",
        "Accept a contest and correct or withdraw its item, or dismiss the contest.",
        contests,
    )
    add("contest", help="Id of the contest, or at least its first six characters")
    add("decision", choices=["accept", "dismiss"], help="The decision")
    add_person(add)
    add("--question", metavar="TEXT", help="New question of the item")
    add(
        "--answer",
        dest="answers",
        action="append",
        metavar="TEXT",
        help="An acceptable answer, the displayed one first; all answers of the item are replaced; repeatable",
    )
    add(
        "--evidence",
        action="append",
        metavar="TEXT",
        help="A passage that proves the answer, copied from the item's documents; all evidence is replaced; repeatable",
    )
    add("--withdraw", action="store_true", help="Withdraw the item instead of correcting it")
    add("--reason", default="", metavar="TEXT", help="Reason; needed to dismiss a contest")

    errata = group("errata", "Score runs again on errata of releases, and show what changed.")
    _, add = verb("show", f"{verbs}.show_errata", "Show the scores and ranks that an erratum changed.", errata)
    add("release", help="Name of the erratum")
    add("--metric", action="append", default=[], metavar="M", help="Only this metric; repeatable; default: headline metrics")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")
    _, add = verb("rescore", f"{verbs}.rescore", "Score the runs of the corrected release again on its erratum.", errata)
    add("release", help="Name of the erratum")
    add("--budget", type=float, metavar="USD", help="Stop the job before judges cost more than this amount")

    verbs = "contesting.boards"
    board = group("board", "Take submissions to a sealed release, score them, and open the seal.")
    _, add = verb("show", f"{verbs}.show_board", "Show the submissions to a board with their scores.", board)
    add("release", help="Name of the sealed release")
    _, add = verb("submit", f"{verbs}.submit", "Submit the predictions of a system to a board, and score them.", board)
    add("release", help="Name of the sealed release")
    add("predictions", help="File of predictions: one JSON object with id and prediction per line")
    add("--system", required=True, metavar="NAME", help="Name of the system that the board shows")
    add_person(add)
    _, add = verb("rules", f"{verbs}.set_rules", "Show or change the rules of a board.", board)
    add("release", help="Name of the sealed release")
    add("--per-week", type=int, metavar="N", help="Maximum number of submissions of one person in any seven days")
    add("--metrics", metavar="M,M", help="Metrics of the board, before the first submission; the first one ranks")
    _, add = verb("record", f"{verbs}.write_record", "Write the record of a board to a file.", board)
    add("release", help="Name of the sealed release")
    add("out", help="New file, or an exported folder, which gets the file record.jsonl")
    _, add = verb("open", f"{verbs}.open_seal", "Open the seal of a release for everybody, which cannot be undone.", board)
    add("release", help="Name of the sealed release")
    add("out", nargs="?", help="New file, or an exported folder, which gets the files opened.jsonl and record.jsonl")
    _, add = verb("verify", f"{verbs}.verify", "Check the commitments and the record of a board.", board)
    add("release", help="Name of the sealed release")
    add("--receipt", action="append", default=[], metavar="HASH", help="Hash of an entry that must be there; repeatable")

    _add_half_life_verbs(verb, group)
    certificate = group("certificate", "Find the questions of a release that can be answered without understanding.")
    p, add = verb("make", "release.make_certificate", "Try shortcuts on a release, and store what they answer.", certificate)
    add("release", help="Name of the release")
    add("--agent", action="append", default=[], metavar="A", help=f"Agent that answers without any text: {AGENT}; repeatable")
    add(
        "--probe",
        action="append",
        default=[],
        metavar="P",
        help=PlugInHelp("Only this shortcut; repeatable; default: all, closed_book only with --agent", "shortcut"),
    )
    add(
        "--threshold",
        type=float,
        default=0.5,
        metavar="X",
        help="Share of a long gold answer's content words, or token F1 with it, from which an answer is right; default: 0.5",
    )
    add("--seed", type=seed, default=13, metavar="N", help="Seed of the other questions that measure chance; default: 13")
    add_agent_options(p)
    _, add = verb("show", "release.show_certificate", "Show how many questions shortcuts answer, and which.", certificate)
    add("release", help="Name of the release")
    add("--id", metavar="C", help="Id of the certificate; default: the newest one of the release")
    add("--by", metavar="KEY,KEY", help="Group the questions by level, task, language or domain")
    add(
        "--page",
        type=parse_page,
        default=1,
        metavar="N",
        help="Page of the answered questions to show, with 20 questions on each; default: 1",
    )
    _, add = verb("list", "release.list_certificates", "List the certificates of a release, newest first.", certificate)
    add("release", help="Name of the release")


def _add_half_life_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add the verbs that check how long the answers of a release stay right."""
    verbs = "aging.half_life"
    half_life = group(
        "half-life", "Ask the questions of a release again of newer tables and pages, and say when to refresh it."
    )
    p, add = verb(
        "check", f"{verbs}.check", "Ask the questions again on one day, and store what became of each answer.", half_life
    )
    add("release", help="Name of the release")
    add("--tables", action="append", default=[], metavar="PATH", help="Newer table, or folder with newer tables; repeatable")
    add(
        "--pages", action="append", default=[], metavar="PATH", help="Newer copy of a web page, or folder of copies; repeatable"
    )
    add("--at", metavar="DATE", help="Day of the newer data, as YYYY-MM-DD; default: today")
    add("--agent", metavar="A", help=f"Agent that answers from the released and the newer pages: {AGENT}; default: rules alone")
    add_agent_options(p)
    _, add = verb("show", f"{verbs}.show_curve", "Show the curve, the half-life, and the date by which to refresh.", half_life)
    add("release", help="Name of the release")
    add(
        "--tolerance",
        type=float,
        default=DEFAULT_TOLERANCE,
        metavar="X",
        help=f"Share of changed answers up to which a release need not be refreshed; default: {DEFAULT_TOLERANCE:g}",
    )
    add("--format", choices=FORMS, default="table", help="Output format; default: table")
    _, add = verb("list", f"{verbs}.list_checks", "List the half-life checks of a release by day.", half_life)
    add("release", help="Name of the release")
    _, add = verb(
        "answers",
        f"{verbs}.show_answers",
        "Show what a check found about each answer; for a changed one, the old and the new answer.",
        half_life,
    )
    add("release", help="Name of the release")
    add("check", help="Id of the check")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")
    _, add = verb("contest", f"{verbs}.contest", "Contest each answer that a check found changed.", half_life)
    add("release", help="Name of the release")
    add("check", help="Id of the check")
    add_person(add)
