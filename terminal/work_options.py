"""Command-line verbs and their options for what people also do on the app's pages, such as sweeps, gates, trials, gradings and
the rules for reviewers."""

from terminal.shared_options import (
    AGENT,
    LANGUAGES,
    PERSON,
    SEED,
    STATUSES,
    GroupMaker,
    OptionAdder,
    VerbMaker,
    add_person,
    add_settings,
)

TASK_OF_ITEMS = "Only items of this task"


def add_item_filters(add: OptionAdder) -> None:
    """Add to a verb the options that select items, such as --task and --domain."""
    add("--item", action="append", default=[], metavar="ID", help="Choose this item and ignore all other filters; repeatable")
    add("--task", metavar="T", help=TASK_OF_ITEMS)
    add("--domain", metavar="D", help="Only items of this domain")
    add("--status", choices=STATUSES, help="Only items of this status")
    add("--text", default="", help="Only items whose question or answer contains TEXT, ignoring case")
    add("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    add("--language", choices=LANGUAGES, help="Only items in this language")
    add("--drafted-by", dest="drafted_by", metavar="A", help="Only items drafted by this agent")
    add(
        "--flag",
        metavar="GATE",
        help="Only items that this gate flagged; any: flagged by at least one gate; none: flagged by no gate",
    )


def add_build_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs that build and check items."""
    documents = group("documents", "List documents, change their metadata, and remove documents from the corpus.")
    _, add = verb("list", "documents.list_documents", "List documents.", documents)
    add("--text", default="", help="Only documents whose title contains TEXT")
    add("--domain", metavar="D", help="Only documents of this domain")
    add("--language", choices=LANGUAGES, help="Only documents in this language")
    add("--limit", type=int, default=50, metavar="N", help="List at most N documents; default: 50")
    _, add = verb("change", "documents.change", "Set the licence, domain or language of documents.", documents)
    add("id", nargs="*", help="Ids of documents")
    add("--unlicensed", action="store_true", help="Change all documents that have no licence, instead of giving ids")
    add("--licence", metavar="L", help="New licence; an empty text removes the licence")
    add("--domain", metavar="D", help="New domain of the documents; their items keep their domain")
    add("--language", choices=LANGUAGES, help="New language of the documents; their items keep their language")
    add_person(add)
    _, add = verb("remove", "documents.remove", "Remove from the corpus documents on which no item is based.", documents)
    add("id", nargs="+", help="Ids of documents")
    add_person(add)
    _, add = verb("restore", "documents.restore", "Bring removed documents back into the corpus.", documents)
    add("id", nargs="+", help="Ids of documents")
    add_person(add)
    _, add = verb("replace", "documents.replace", "Move the items of a document to a newer version of the document.", documents)
    add("id", help="Id of the document that is replaced")
    add("by", help="Id of the document that replaces it")
    add_person(add)
    verb("count", "documents.count", "Estimate the number of tokens of each document that has no estimate yet.", documents)

    templates = group("templates", "List templates of questions over tables, and change, refresh or propose them.")
    verb("list", "templates.list_templates", "List templates, seasons (draws of questions) and proposals.", templates)
    _, add = verb("save", "templates.save", "Store the templates from a JSON file.", templates)
    add("file", help="JSON file of templates")
    _, add = verb("use", "templates.use", "Use an earlier version of a template.", templates)
    add("id", help="Id of the template")
    add("version", help="Version to use")
    _, add = verb("remove", "templates.remove", "Remove a template; its questions stay.", templates)
    add("id", help="Id of the template")
    _, add = verb(
        "refresh",
        "templates.refresh",
        "Recompute the answers of a season (one draw of template questions) from the current tables.",
        templates,
    )
    add("season", help="Id of the season")
    _, add = verb("propose", "templates.propose", "Have an agent propose templates for the current tables.", templates)
    add("--agent", required=True, metavar="A", help=f"Agent that proposes templates: {AGENT}")
    add("--count", required=True, type=int, metavar="N", help="Number of templates")
    add("--language", choices=LANGUAGES, default="en", help="Language of the questions; default: en")
    add("--seed", type=int, default=0, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop the job before it spends more than this amount")
    _, add = verb("approve", "templates.approve", "Store a proposal as a template.", templates)
    add("id", help="Id of the proposal")
    add("--file", metavar="FILE", help="JSON file of the edited template; default: the proposal without changes")
    add_person(add)
    _, add = verb("turn-down", "templates.turn_down", "Reject a proposal.", templates)
    add("id", help="Id of the proposal")

    _, add = verb("coverage", "checks.coverage", "Count items by document, and measure the text that no item uses.")
    add("--domain", metavar="D", help="Only documents of this domain")
    add(
        "--order",
        choices=["thin", "full", "unused", "title"],
        default="thin",
        help="Order: thin = fewest items for the length first, full = most items, unused = most unused text; default: thin",
    )
    add("--limit", type=int, default=50, metavar="N", help="List at most N documents; default: 50")

    gates = group("gates", "Run gates (automatic checks) on items, and report their findings.")
    verb("list", "checks.list_gates", "List all gates, and show which of them run on every draft.", gates)
    _, add = verb("run", "checks.run_gates", "Run gates on the items that the filters choose; default: all items.", gates)
    add("--gates", required=True, metavar="G,G", help="Names of gates, separated by commas")
    add("--agent", action="append", default=[], metavar="A", help=f"Agent that LLM gates ask: {AGENT}; repeatable")
    add("--samples", type=int, metavar="N", help="Number of times that an LLM gate asks each agent the same question")
    add("--seed", type=int, default=7, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop the job before it spends more than this amount")
    add_item_filters(add)
    _, add = verb(
        "report", "checks.report_gates", "Count the findings of gates, and compare flags with people's decisions.", gates
    )
    add("--by", metavar="KEY,KEY", help="Group findings by these keys: task, language, agents, prompts, drafted_with")
    p, add = verb("choose", "checks.choose_gates", "Choose the LLM gates that run on every new draft.", gates)
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--gates", metavar="G,G", help="Names of LLM gates, separated by commas; an empty text: no gates")
    either.add_argument("--default", action="store_true", help="Use the default gates of each task")
    add("--agent", action="append", default=[], metavar="A", help=f"Agent for the gates that use an LLM: {AGENT}; repeatable")
    add("--samples", type=int, metavar="N", help="Number of times that a gate asks each agent the same question")

    trials = group("trials", "Compare two agents or prompt versions on the same document excerpts (windows).")
    _, add = verb(
        "start",
        "checks.start_trial",
        "Have both sides draft from each document excerpt (window); people then decide without knowing the side of a draft.",
        trials,
    )
    add("--task", required=True, metavar="T", help="Task to draft")
    add("--domain", required=True, metavar="D", help="Domain of the documents to draft from; all = every domain")
    add("--windows", required=True, type=int, metavar="N", help="Number of document excerpts (windows)")
    add("--agent-a", required=True, metavar="A", help=f"Agent of side A: {AGENT}")
    add("--agent-b", required=True, metavar="A", help="Agent of side B")
    add("--version-a", metavar="HASH", help="Version of the prompt on side A; default: the version in use")
    add("--version-b", metavar="HASH", help="Version of the prompt on side B; default: the version in use")
    add("--language", choices=LANGUAGES, help="Only documents in this language")
    add("--seed", type=int, default=0, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop the job before it spends more than this amount")
    add_person(add)
    verb("list", "checks.list_trials", "List trials, newest first.", trials)
    _, add = verb(
        "close",
        "checks.close_trial",
        "Close a trial: its drafts become items, and its result shows which side made each draft.",
        trials,
    )
    add("trial", help="Id of the trial")
    add_person(add)
    _, add = verb("show", "checks.show_trial", "Show the result of a closed trial.", trials)
    add("trial", help="Id of the trial")


def add_annotate_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for the work of reviewers and leads."""
    _, add = verb("undo", "work.undo", "Undo a person's last decision, or the person's decision on an item or variant.")
    add("item", nargs="?", help="Id of the item or variant; default: the item of the person's last decision")
    add_person(add)
    _, add = verb("comment", "work.comment", "Comment on an item, list its comments, or withdraw a comment.")
    add("item", help="Id of the item")
    add("--text", metavar="TEXT", help="Text of a new comment; leave it out to list the item's comments")
    add("--withdraw", metavar="ID", help="Id of the person's own comment to withdraw")
    add_person(add)
    _, add = verb("adjudicate", "work.adjudicate", "Decide between people's opinions on an item, or list disputed items.")
    add("item", nargs="?", help="Id of the item; leave it out to list the items with differing opinions")
    add(
        "decision",
        nargs="?",
        choices=["accept", "discard"],
        help="The decision; leave it out to list the opinions on the item",
    )
    add("--question", metavar="TEXT", help="New question")
    add("--answer", metavar="TEXT", help="New answer")
    add("--allow-long", action="store_true", help="Allow a new answer of 50,000 characters or more")
    add("--reason", default="", metavar="TEXT", help="Reason for the discard")
    add_person(add)
    _, add = verb("bulk", "work.change_bulk", "Change many items at once; without --yes, only show what would change.")
    add(
        "action",
        choices=["discard", "accept", "take_back", "give", "take_from", "gates", "undo"],
        help="accept, discard; take_back: undo decisions; give, take_from: assign items to a person or unassign them; gates: "
        "run the gates that ask no agent; undo: undo a bulk action",
    )
    add("--reason", default="", metavar="TEXT", help="Reason of a discard")
    add("--to", default="", metavar="NAME", help="Person to whom the items are assigned")
    add("--of", default="", metavar="JOB", help="Id of the bulk action to undo")
    add("--yes", action="store_true", help="Make the changes")
    add_item_filters(add)
    add_person(add)
    _, add = verb("queue", "work.queue", "Show the rules of the review queue, or set them from a YAML file.")
    add("file", nargs="?", help="YAML file with the queue's rules, as `queue --json` prints them")
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    _, add = verb("targets", "work.targets", "Show the target numbers of accepted items, or set a target.")
    add("number", nargs="?", help='Target number; "none" removes the target; leave it out to list all targets')
    add("--task", metavar="T", help="Task for which the target is set")
    add("--level", help="Level for which the target is set; default: the task's level")
    add("--domain", metavar="D", help="Domain for which the target is set")
    add(
        "--spread",
        choices=["cell", "domains", "tasks"],
        default="cell",
        help="cell: set the target for the given task and domain; domains: for every domain; tasks: for every task",
    )
    _, add = verb(
        "difficulty", "work.difficulty", "Report the difficulty of items by level, or set when an item counts as solved."
    )
    add("--metric", metavar="M", help="Metric that decides whether a system solved an item")
    add("--least", type=float, metavar="X", help="Lowest value of the metric at which an item counts as solved")
    add(
        "--system",
        action="append",
        metavar="S",
        help="System whose answers are used to measure difficulty; repeatable; replaces the stored systems",
    )
    _, add = verb("rules", "work.rules", "Show the rules on adjudication, rewrites and scores, or change rules.")
    add("--own-opinions", choices=["on", "off"], help="Whether people may adjudicate items on which they gave an opinion")
    add("--rewriters", type=int, metavar="N", help="Number of people who rewrite each question")
    add(
        "--second-reader",
        choices=["on", "off"],
        help="Whether a second person must accept every rewrite; off: only doubtful rewrites",
    )
    add(
        "--robustness-model",
        metavar="MODEL",
        help="Embedding model that compares the answers to several wordings of a question",
    )
    add(
        "--grammar-checker",
        metavar="SERVER",
        help='Address of a LanguageTool server; "here" = a server on this machine, "none" = no grammar checker',
    )
    add(
        "--weight",
        action="append",
        default=[],
        metavar="TYPE=X",
        help="Weight of a CRAG question type in the score; repeatable",
    )
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    guidelines = group("guidelines", "Show and write the guidelines that reviewers see.")
    _, add = verb("show", "work.show_guideline", "Show a guideline; with --json, also its versions.", guidelines)
    add("--task", default="", metavar="T", help="Task whose guideline is shown; default: the guideline for all tasks")
    _, add = verb("save", "work.save_guideline", "Store a Markdown file as the guideline.", guidelines)
    add("file", help="Markdown file; an empty file removes the guideline")
    add("--task", default="", metavar="T", help="Task of the guideline; default: all tasks")
    add("--note", default="", metavar="TEXT", help="What changed")
    add_person(add)


def add_evaluate_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for sweeps and gradings."""
    sweeps = group("sweeps", "Run a sweep: many systems, each of which differs from a base system in some factors.")
    _, add = verb(
        "start",
        "sweeps.start",
        "Run the sweep that a YAML file describes; cells (systems) that ran before are not repeated.",
        sweeps,
    )
    add("file", help="YAML file of a sweep")
    add("--estimate", action="store_true", help="Only list the runs of the sweep and estimate their price")
    verb("list", "sweeps.list_sweeps", "List sweeps, newest first.", sweeps)
    _, add = verb("show", "sweeps.show_sweep", "Show the scores of each cell (combination of factors) of a sweep.", sweeps)
    add("job", help="Id of the sweep's job")

    gradings = group("gradings", "Have people grade answers, in the app or in a table, without seeing which system gave them.")
    _, add = verb("start", "gradings.start", "Draw a batch of answers for people to grade.", gradings)
    add("run", nargs="+", help="Ids of runs, or at least their first six characters")
    add(
        "--scheme",
        choices=["four_grades", "right_wrong", "nugget_support"],
        default="four_grades",
        help="Scale of the grades: nugget_support for verdicts on nuggets, right_wrong for others; default: four_grades",
    )
    add("--of", default="", metavar="METRIC", help="Grade single verdicts of this metric's judge instead of answers")
    add(
        "--by",
        choices=["level", "domain", "task", "kind", "language", "nothing"],
        default="level",
        help="Key of the strata; default: level",
    )
    add("--each", type=int, default=10, metavar="N", help="Number of answers to grade from each run and stratum; default: 10")
    add("--graders", type=int, default=2, metavar="N", help="Number of people who grade each answer; default: 2")
    add("--seed", type=int, default=7, metavar="N", help=SEED)
    add_person(add)
    _, add = verb(
        "next",
        "gradings.plan_next",
        "Estimate from people's marks the score of a run, or the difference of two runs, and list the answers to mark "
        "next; --start begins a batch of them.",
        gradings,
    )
    add("run", help="Id of the run, or at least its first six characters")
    add(
        "--against",
        default="",
        metavar="RUN",
        help="Second run, whose difference from the first is estimated; default: only the mean of the first run",
    )
    add("--metric", default="", metavar="M", help="Metric whose scores make the strata; default: strata by level")
    add("--scheme", choices=["four_grades", "right_wrong"], default="right_wrong", help="Scale; default: right_wrong")
    add("--size", type=int, default=20, metavar="N", help="Number of questions in the next batch; default: 20")
    add("--graders", type=int, default=1, metavar="N", help="Number of people who grade each answer; default: 1")
    add(
        "--width",
        type=float,
        default=0.05,
        metavar="W",
        help="Stop when half the width of the interval is at most W; default: 0.05",
    )
    add("--seed", type=int, default=13, metavar="N", help=SEED)
    add("--start", action="store_true", help="Start a batch of the next answers; needs --as")
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    verb("list", "gradings.list_gradings", "List batches of answers, newest first.", gradings)
    _, add = verb("export", "gradings.export_sheet", "Write a batch as a CSV table without names of systems.", gradings)
    add("batch", help="Id of the batch")
    add("out", help="Path of a new file")
    _, add = verb("import", "gradings.import_marks", "Store the grades from a filled-in table (CSV or JSON lines).", gradings)
    add("batch", help="Id of the batch")
    add("file", help="The filled-in table")
    add_person(add)
    _, add = verb(
        "close", "gradings.close", "Close a batch of answers; its result then shows the systems and their grades.", gradings
    )
    add("batch", help="Id of the batch")
    add_person(add)
    _, add = verb("show", "gradings.show_grading", "Show the result of a closed batch.", gradings)
    add("batch", help="Id of the batch")
    add("--lines", action="store_true", help="Print each answer with its grades as JSON lines")


def add_setup_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs for agents and prompts."""
    agents = group("agents", "List, save and remove named agents.")
    verb("list", "setup.list_agents", "List built-in and saved agents.", agents)
    p, add = verb("save", "setup.save_agent", "Save an agent under a name, or change a saved agent.", agents)
    add("name", help="Name of the agent")
    add("--kind", default="openai", metavar="K", help="Kind of the agent; default: openai")
    add("--model", required=True, metavar="M", help="Name of a model, folder of a local model, or file of recorded replies")
    add("--url", default="", metavar="URL", help="Address of the endpoint; default: $OPENAI_BASE_URL")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="Environment variable that holds the API key")
    add_settings(p, "A setting of the agent, such as price_in=0.5; repeatable")
    _, add = verb("remove", "setup.remove_agent", "Remove a saved agent; the stored replies of its calls stay.", agents)
    add("name", help="Name of the agent")
    _, add = verb("models", "setup.list_models", "List the models of an endpoint.", agents)
    add("url", help="Address of the endpoint")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="Environment variable that holds the API key")

    prompts = group("prompts", "List prompts, and save or choose their versions.")
    verb("list", "setup.list_prompts", "List prompts.", prompts)
    _, add = verb("show", "setup.show_prompt", "Show the current text of a prompt; with --json, also its versions.", prompts)
    add("name", help="Name of the prompt")
    _, add = verb("save", "setup.save_prompt", "Store a file as the next version of a prompt, and use it.", prompts)
    add("name", help="Name of the prompt")
    add("file", help="Markdown file of the prompt, in the form that `prompts show` prints")
    add("--note", default="", metavar="TEXT", help="What changed")
    add_person(add)
    _, add = verb("use", "setup.use_prompt", "Use a version of a prompt.", prompts)
    add("name", help="Name of the prompt")
    add("version", help='Number or hash of the version; "delivered" = the version that comes with Benchwright')
    add_person(add)
