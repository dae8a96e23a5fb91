"""Command-line verbs and their options that run systems on releases, and score and report the results."""

import argparse

from terminal.shared_options import (
    AGENT,
    LANGUAGES,
    SEED,
    GroupMaker,
    PlugInHelp,
    VerbMaker,
    add_agent_options,
    add_settings,
    add_shard_options,
    seed,
)

VOTES = "Ask each judge N times and take the majority verdict"
FORMS = ["table", "csv", "latex", "html", "markdown", "json"]
BATCH_FOLDER = "Folder that a command with --batch wrote"


def add_run_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for runs, scores and batches."""
    p, add = verb("run", "evaluate.run", "Run a RAG system on a release and score it.")
    add(
        "release",
        help="Name of the release; 'working': the currently accepted items; with --shard: the folder of an exported release",
    )
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--system", metavar="S", help=PlugInHelp("System to run", "system"))
    either.add_argument("--preset", metavar="P", help=PlugInHelp("A named preset: a system with its settings", "run preset"))
    add("--agent", metavar="A", help=f"Agent that answers: {AGENT}")
    add("--retriever", metavar="R", help=PlugInHelp("Retriever, for a system that uses one", "retriever"))
    add(
        "--metrics",
        metavar="M,M",
        help=PlugInHelp("Metrics, separated by commas (default: the metrics of each item's task); known metrics", "metric"),
    )
    add("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    add("--votes", type=int, default=1, metavar="N", help=VOTES)
    add("--variants", action="store_true", help="Also ask the variants of each question")
    add("--repeat", type=int, default=1, metavar="N", help="Repeat the run N times; each repetition is stored as its own run")
    add("--sample", type=int, metavar="N", help="Ask only N questions, drawn at random with the seed")
    add("--seed", type=seed, default=0, metavar="N", help=SEED)
    add(
        "--retry-failed",
        action="store_true",
        help="If an earlier run had the same options, also ask the questions again that failed in it",
    )
    add(
        "--both-worlds",
        action="store_true",
        help="For a counterfactual release: run the same on the release that it was made from, before",
    )
    add(
        "--history",
        choices=["own", "gold", "rewrite", "standalone", "none"],
        help="For conversations: what a follow-up comes with: the turns before with the system's own answers (default) or the "
        "gold answers, or nothing; or the question itself rewritten by the agent or in its standalone form",
    )
    add(
        "--user",
        choices=["goal", "llm"],
        help="For conversations: a simulated user asks, repeats in other words, and may leave: by rules (goal), or played by "
        "an agent (llm)",
    )
    add("--user-agent", metavar="A", help=f"Agent that plays the user, with --user llm: {AGENT}; default: the run's agent")
    add("--patience", type=int, metavar="N", help="The simulated user leaves after N messages that brought nothing new")
    add_shard_options(p)
    add_agent_options(p)

    p, add = verb("embed", "shards.embed", "Embed one shard (part) of a release's passages, for runs with vector search.")
    add("release", metavar="FOLDER", help="Folder of an exported release")
    add(
        "--shard",
        required=True,
        metavar="K/N",
        help="Embed only shard K of the N shards (parts) of the passages, counted from 0; 0/1: all passages",
    )
    add("--out", required=True, metavar="FOLDER", help="Folder for the vectors and the workspace of the shard")
    add_settings(p, 'A setting of the retriever "dense": embedding_model=NAME or chunk_tokens=N; repeatable')

    _, add = verb(
        "gather",
        "shards.gather",
        "Store the results of shards (parts of a run or other work) in the workspace; each row is stored only once.",
    )
    add("path", nargs="+", metavar="FOLDER", help="Output folders of the shards, as given with --out")
    add("--release", metavar="FOLDER", help="Folder of the exported release, if the workspace lacks this release")

    p, add = verb(
        "launch", "shards.launch", "Start the shards of a command, or write a job file with which a cluster starts them."
    )
    add("--shards", required=True, type=int, metavar="N", help="Number of shards")
    add("--out", required=True, metavar="FOLDER", help="Folder for the shards; complete shards in it are not started again")
    add_settings(p, "A setting of the launcher; the error for an unknown KEY lists all keys; repeatable")
    add("launcher", help=PlugInHelp("Launcher, given after all options", "launcher"))
    add(
        "command",
        nargs=argparse.REMAINDER,
        metavar="COMMAND",
        help="The command to divide into shards, such as run FOLDER --system S",
    )

    p, add = verb("score", "evaluate.score", "Score a predictions file; no workspace is needed.")
    add("predictions", metavar="PREDICTIONS.jsonl", help="One JSON object per line: id, prediction (null: failed), answers")
    add("--metrics", required=True, metavar="M,M", help=PlugInHelp("Metrics, separated by commas", "metric"))
    add("--language", choices=LANGUAGES, help="Language of the answers; default: detected in the texts")
    add("--judge", action="append", metavar="A", help=f"Agent that judges: {AGENT}; repeatable")
    add("--votes", type=int, default=1, metavar="N", help=VOTES)
    add_shard_options(p)
    add_agent_options(p)

    batch = group(
        "batch", "Send the request files that --batch wrote, show the state of their batches, and collect the replies."
    )
    _, add = verb("submit", "batch.submit", "Send the request files in a folder to their endpoint's Batch API.", batch)
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    _, add = verb("status", "batch.status", "Show the request files in a folder, and the state of their batches.", batch)
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    _, add = verb(
        "collect",
        "batch.collect",
        "Store the replies in the ledger of model replies, and continue the commands that wait for them.",
        batch,
    )
    add("folder", metavar="OUT", help=BATCH_FOLDER)
    add(
        "--replies",
        action="append",
        default=[],
        metavar="FILE",
        help="File of replies; repeatable; default: the replies at the endpoint, and OUT/replies.jsonl for OUT/requests.jsonl",
    )

    p, add = verb("report", "evaluate.report", "Compare runs, or report how many drafts were accepted or discarded.")
    add(
        "run",
        nargs="*",
        help="Ids of runs, or at least their first six characters; give none with --preset hawkbench_table1 or "
        "r_eval_table1, which describe the workspace",
    )
    add(
        "--by",
        metavar="KEY,KEY",
        help="Group results by these keys; default: level,domain (for the preset hawkbench_table1: level)",
    )
    add("--format", choices=FORMS, default="table", help="Output format; default: table")
    add("--preset", metavar="P", help=PlugInHelp("Report in the form of a table or figure of a paper", "preset"))
    add(
        "--without-shortcuts",
        action="store_true",
        help="Add the scores on the questions that no shortcut answers, according to the newest certificate of the release",
    )
    add(
        "--probe",
        action="append",
        default=[],
        metavar="P",
        help="With --without-shortcuts: leave out only the questions that this shortcut answers, such as closed_book; "
        "repeatable",
    )
    add_settings(p, "A setting of the preset, for example threshold=0.5 or reference=RUN; repeatable")

    _, add = verb(
        "absence",
        "evaluate.absence",
        "Compare a run's answers to questions with their answers to the absence twins: the same questions, asked while "
        "the evidence is hidden.",
    )
    add("run", nargs="+", help="Ids of runs, or at least their first six characters")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")

    _, add = verb(
        "conversations",
        "evaluate.conversations",
        "Show how runs answer the turns of conversations, and how often they reach the goal of a whole conversation.",
    )
    add("run", nargs="+", help="Ids of runs, or at least their first six characters")
    add(
        "--metric", default="in_accuracy", metavar="M", help="Metric that decides whether a turn is right; default: in_accuracy"
    )
    add("--threshold", type=float, default=1.0, metavar="X", help="Least value of the metric of a right turn; default: 1")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")

    _, add = verb(
        "counterfactual",
        "evaluate.counterfactual",
        "Show what runs on a counterfactual release read, and what they remember from the release it was made from.",
    )
    add("run", nargs="+", help="Ids of runs on the counterfactual release, or at least their first six characters")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")

    _, add = verb("tiny", "evaluate.tiny", "Show how often decisions on a tiny release differ from those on the whole one.")
    add("release", help="Name of the tiny release")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")

    _, add = verb(
        "crosslingual",
        "evaluate.crosslingual",
        "Compare a run's answers in two languages, over the same language pairs (items that ask the same).",
    )
    add("run", nargs="+", help="Ids of runs, or at least their first six characters")
    add("--format", choices=FORMS, default="table", help="Output format; default: table")

    _, add = verb("runs", "records.runs", "List the runs, newest first.")
    add("--release", metavar="R", help="Only runs on this release")

    _, add = verb("traces", "records.traces", "List the answers of a run, without the steps of their traces.")
    add("run", help="Id of the run, or at least its first six characters")

    _, add = verb("scores", "records.scores", "List the scores of a run, one for each answer and metric.")
    add("run", help="Id of the run, or at least its first six characters")

    _, add = verb("export-run", "evaluate.export_run", "Write the results of a run in the format of another tool.")
    add("run", help="Id of the run, or at least its first six characters")
    forms = ["trec", "inspect", "promptfoo", "openinference", "parquet"]
    add("--format", choices=forms, required=True, help="Format of the file")
    add(
        "--rows-per-file",
        type=int,
        metavar="N",
        help="For the format parquet: divide answers and scores into files of at most N rows",
    )
    add("out", help="Path to write to: a new folder for the formats trec and parquet, else a new file")
