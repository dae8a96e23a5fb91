"""Verbs, with their options, for what people do on the app's pages: sweeps, gates, trials, gradings, the rules of the work."""

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
    """Add the options that choose items, such as --task and --domain, to a verb."""
    add("--item", action="append", default=[], metavar="ID", help="Only this item, whatever the other filters say; repeatable")
    add("--task", metavar="T", help=TASK_OF_ITEMS)
    add("--domain", metavar="D", help="Only items of this domain")
    add("--status", choices=STATUSES, help="Only items of this status")
    add("--text", default="", help="Only items whose question or answer contains TEXT, ignoring case")
    add("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    add("--language", choices=LANGUAGES, help="Only items in this language")
    add("--drafted-by", dest="drafted_by", metavar="A", help="Only items drafted by this agent")
    add("--flag", metavar="GATE", help="Only items that this gate flagged; any or none: by at least one gate, by no gate")


def add_build_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add the verbs that build and check items to the command line's parser."""
    documents = group("documents", "List documents, correct their facts, and take documents out of the corpus.")
    _, add = verb("list", "documents.list_documents", "List documents.", documents)
    add("--text", default="", help="Only documents whose title contains TEXT")
    add("--domain", metavar="D", help="Only documents of this domain")
    add("--language", choices=LANGUAGES, help="Only documents in this language")
    add("--limit", type=int, default=50, metavar="N", help="List at most N documents; default: 50")
    _, add = verb("change", "documents.change", "Set the licence, domain or language of documents.", documents)
    add("id", nargs="*", help="Ids of documents")
    add("--unlicensed", action="store_true", help="Choose all documents without a licence, instead of giving ids")
    add("--licence", metavar="L", help="New licence; empty text removes it")
    add("--domain", metavar="D", help="New domain of the document; its items keep theirs")
    add("--language", choices=LANGUAGES, help="New language of the document; its items keep theirs")
    add_person(add)
    _, add = verb("remove", "documents.remove", "Take documents out of the corpus; no item may be based on them.", documents)
    add("id", nargs="+", help="Ids of documents")
    add_person(add)
    _, add = verb("restore", "documents.restore", "Bring removed documents back into the corpus.", documents)
    add("id", nargs="+", help="Ids of documents")
    add_person(add)
    _, add = verb("replace", "documents.replace", "Move the items of a document to its newer text.", documents)
    add("id", help="Id of the document that is replaced")
    add("by", help="Id of the document that replaces it")
    add_person(add)
    verb("count", "documents.count", "Estimate the tokens of documents that have no estimate yet.", documents)

    templates = group("templates", "List templates of questions over tables, and change, refresh or propose them.")
    verb("list", "templates.list_templates", "List templates, seasons and proposals.", templates)
    _, add = verb("save", "templates.save", "Store the templates of a JSON file.", templates)
    add("file", help="JSON file of templates")
    _, add = verb("use", "templates.use", "Use an earlier version of a template.", templates)
    add("id", help="Id of the template")
    add("version", help="Version to use")
    _, add = verb("remove", "templates.remove", "Remove a template; its questions stay.", templates)
    add("id", help="Id of the template")
    _, add = verb(
        "refresh",
        "templates.refresh",
        "Compute the answers of a season (one draw of template questions) again from the tables in use.",
        templates,
    )
    add("season", help="Id of the season")
    _, add = verb("propose", "templates.propose", "Have an agent propose templates for the tables in use.", templates)
    add("--agent", required=True, metavar="A", help=f"Agent that proposes templates: {AGENT}")
    add("--count", required=True, type=int, metavar="N", help="Number of templates")
    add("--language", choices=LANGUAGES, default="en", help="Language of the questions; default: en")
    add("--seed", type=int, default=0, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop before the job spends more than this")
    _, add = verb("approve", "templates.approve", "Store a proposal as a template.", templates)
    add("id", help="Id of the proposal")
    add("--file", metavar="FILE", help="JSON file of the template as it was edited; default: the proposal as it is")
    add_person(add)
    _, add = verb("turn-down", "templates.turn_down", "Reject a proposal.", templates)
    add("id", help="Id of the proposal")

    _, add = verb("coverage", "checks.coverage", "Count items by document, and measure the text that no item uses.")
    add("--domain", metavar="D", help="Only documents of this domain")
    add(
        "--order",
        choices=["thin", "full", "unused", "title"],
        default="thin",
        help="Order of the documents: fewest or most items for their length, most unused text, or title; default: thin",
    )
    add("--limit", type=int, default=50, metavar="N", help="List at most N documents; default: 50")

    gates = group("gates", "Run gates on items, and report what they find.")
    verb("list", "checks.list_gates", "List all gates, and those that run on every draft.", gates)
    _, add = verb("run", "checks.run_gates", "Run gates on items; without filters on all items.", gates)
    add("--gates", required=True, metavar="G,G", help="Names of gates, separated by commas")
    add("--agent", action="append", default=[], metavar="A", help=f"Agent that LLM gates ask: {AGENT}; repeatable")
    add("--samples", type=int, metavar="N", help="Number of times that an LLM gate asks each agent the same question")
    add("--seed", type=int, default=7, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop before the job spends more than this")
    add_item_filters(add)
    _, add = verb("report", "checks.report_gates", "Count findings, and compare flags with people's decisions.", gates)
    add("--by", metavar="KEY,KEY", help="Group findings by task, language, agents, prompts or drafted_with")
    p, add = verb("choose", "checks.choose_gates", "Choose the LLM gates that run on every new draft.", gates)
    either = p.add_mutually_exclusive_group(required=True)
    either.add_argument("--gates", metavar="G,G", help="Names of LLM gates, separated by commas; empty text: none")
    either.add_argument("--default", action="store_true", help="Use the default gates of each task")
    add("--agent", action="append", default=[], metavar="A", help=f"Agent that the LLM gates ask: {AGENT}; repeatable")
    add("--samples", type=int, metavar="N", help="Number of times that a gate asks each agent the same question")

    trials = group("trials", "Compare two agents, or two versions of a prompt, on the same windows.")
    _, add = verb(
        "start",
        "checks.start_trial",
        "Draft each piece of text (window) by both sides; people then decide without seeing which is which.",
        trials,
    )
    add("--task", required=True, metavar="T", help="Task to draft")
    add("--domain", required=True, metavar="D", help="Domain of the documents to draft from; all = every domain")
    add("--windows", required=True, type=int, metavar="N", help="Number of windows")
    add("--agent-a", required=True, metavar="A", help=f"Agent of side A: {AGENT}")
    add("--agent-b", required=True, metavar="A", help="Agent of side B")
    add("--version-a", metavar="HASH", help="Version of the prompt on side A; default: the version in use")
    add("--version-b", metavar="HASH", help="Version of the prompt on side B; default: the version in use")
    add("--language", choices=LANGUAGES, help="Only documents in this language")
    add("--seed", type=int, default=0, metavar="N", help=SEED)
    add("--budget", type=float, metavar="USD", help="Stop before the job spends more than this")
    add_person(add)
    verb("list", "checks.list_trials", "List trials, newest first.", trials)
    _, add = verb(
        "close", "checks.close_trial", "Close a trial: its drafts become items, and it is shown which side made them.", trials
    )
    add("trial", help="Id of the trial")
    add_person(add)
    _, add = verb("show", "checks.show_trial", "Show the result of a closed trial.", trials)
    add("trial", help="Id of the trial")


def add_annotate_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add the verbs for the work of reviewers and leads to the command line's parser."""
    _, add = verb("undo", "work.undo", "Undo a person's last decision, or the one on an item or variant.")
    add("item", nargs="?", help="Id of the item or variant; default: the item of the person's last decision")
    add_person(add)
    _, add = verb("comment", "work.comment", "Comment on an item, list its comments, or withdraw one.")
    add("item", help="Id of the item")
    add("--text", metavar="TEXT", help="Text of a new comment; leave it out to list the item's comments")
    add("--withdraw", metavar="ID", help="Withdraw this comment of the person")
    add_person(add)
    _, add = verb("adjudicate", "work.adjudicate", "Decide between people's opinions on an item, or list disputed items.")
    add("item", nargs="?", help="Id of the item; leave it out to list the items with differing opinions")
    add("decision", nargs="?", choices=["accept", "discard"], help="The decision; leave it out to list the opinions")
    add("--question", metavar="TEXT", help="New question")
    add("--answer", metavar="TEXT", help="New answer")
    add("--allow-long", action="store_true", help="Store a new answer of 50,000 characters or more")
    add("--reason", default="", metavar="TEXT", help="Reason for the discard")
    add_person(add)
    _, add = verb("bulk", "work.change_bulk", "Change many items at once; without --yes only say what would change.")
    add(
        "action",
        choices=["discard", "accept", "take_back", "give", "take_from", "gates", "undo"],
        help="What happens: decide, take decisions back, give items to a person or take them away, run the free gates, or "
        "undo an earlier bulk action",
    )
    add("--reason", default="", metavar="TEXT", help="Reason of a discard")
    add("--to", default="", metavar="NAME", help="Person who gets the items")
    add("--of", default="", metavar="JOB", help="Bulk action to undo")
    add("--yes", action="store_true", help="Do it")
    add_item_filters(add)
    add_person(add)
    _, add = verb("queue", "work.queue", "Show the rules of the queue, or set them from a YAML file.")
    add("file", nargs="?", help="YAML file with the queue's rules, as `queue --json` prints them")
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    _, add = verb("targets", "work.targets", "Show the target numbers of accepted items, or set one.")
    add("number", nargs="?", help="Target number, or none to remove it; leave it out to list all targets")
    add("--task", metavar="T", help="Task for which the target is set")
    add("--level", help="Level for which the target is set; default: that of the task")
    add("--domain", metavar="D", help="Domain for which the target is set")
    add(
        "--spread",
        choices=["cell", "domains", "tasks"],
        default="cell",
        help="Set the target for the given task and domain, for every domain or for every task",
    )
    _, add = verb("difficulty", "work.difficulty", "Report the difficulty of items by level, or change when one is solved.")
    add("--metric", metavar="M", help="Metric that decides whether a system solved an item")
    add("--least", type=float, metavar="X", help="Lowest value of the metric at which an item counts as solved")
    add(
        "--system",
        action="append",
        metavar="S",
        help="System whose answers measure difficulty; repeatable, replaces earlier ones",
    )
    _, add = verb("rules", "work.rules", "Show the rules on adjudication, rewrites and scores, or change one.")
    add("--own-opinions", choices=["on", "off"], help="Whether people may adjudicate items on which they gave an opinion")
    add("--rewriters", type=int, metavar="N", help="Number of people who rewrite each question")
    add(
        "--second-reader",
        choices=["on", "off"],
        help="Whether every rewrite, not only a doubted one, waits for a second person",
    )
    add("--robustness-model", metavar="MODEL", help="Embedding model that compares the answers to several wordings")
    add("--grammar-checker", metavar="SERVER", help="Address of a LanguageTool server, here = on this machine, or none")
    add(
        "--weight",
        action="append",
        default=[],
        metavar="TYPE=X",
        help="Weight of a question type of CRAG in the score; repeatable",
    )
    add("--as", dest="person", default="", metavar="NAME", help=PERSON)
    guidelines = group("guidelines", "Show and write the guidelines that reviewers see.")
    _, add = verb("show", "work.show_guideline", "Show a guideline with its versions.", guidelines)
    add("--task", default="", metavar="T", help="Task whose guideline is shown; default: the guideline for all tasks")
    _, add = verb("save", "work.save_guideline", "Store a Markdown file as the guideline.", guidelines)
    add("file", help="Markdown file; an empty file removes the guideline")
    add("--task", default="", metavar="T", help="Task of the guideline; default: all tasks")
    add("--note", default="", metavar="TEXT", help="What changed")
    add_person(add)


def add_evaluate_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add the verbs for sweeps and gradings to the command line's parser."""
    sweeps = group("sweeps", "Run many systems that differ from a base in some factors.")
    _, add = verb("start", "sweeps.start", "Run the sweep of a YAML file; cells that ran before are not asked again.", sweeps)
    add("file", help="YAML file of a sweep")
    add("--estimate", action="store_true", help="Only list the runs of the sweep and estimate their price")
    verb("list", "sweeps.list_sweeps", "List sweeps, newest first.", sweeps)
    _, add = verb("show", "sweeps.show_sweep", "Show the figures of each cell of a sweep.", sweeps)
    add("job", help="Id of the sweep's job")

    gradings = group("gradings", "Have people grade answers without seeing which system gave them, at the desk or in a table.")
    _, add = verb("start", "gradings.start", "Draw a batch of answers for people to grade.", gradings)
    add("run", nargs="+", help="Ids of runs, or at least their first six characters")
    add(
        "--scheme",
        choices=["four_grades", "right_wrong"],
        default="four_grades",
        help="Scale of the grades; default: four_grades",
    )
    add("--of", default="", metavar="METRIC", help="Grade single verdicts of this judged metric in place of answers")
    add("--by", choices=["level", "domain", "task", "kind", "language", "nothing"], default="level", help="Strata")
    add("--each", type=int, default=10, metavar="N", help="Number of answers to grade from each run and stratum; default: 10")
    add("--graders", type=int, default=2, metavar="N", help="Number of people who grade each answer; default: 2")
    add("--seed", type=int, default=7, metavar="N", help=SEED)
    add_person(add)
    verb("list", "gradings.list_gradings", "List batches, newest first.", gradings)
    _, add = verb("export", "gradings.export_sheet", "Write a batch as a CSV table without names of systems.", gradings)
    add("batch", help="Id of the batch")
    add("out", help="Path of a new file")
    _, add = verb("import", "gradings.import_marks", "Store the marks of a filled table, CSV or JSON lines.", gradings)
    add("batch", help="Id of the batch")
    add("file", help="The filled table")
    add_person(add)
    _, add = verb("close", "gradings.close", "Close a batch of grades, which then shows its systems and figures.", gradings)
    add("batch", help="Id of the batch")
    add_person(add)
    _, add = verb("show", "gradings.show_grading", "Show the result of a closed batch.", gradings)
    add("batch", help="Id of the batch")
    add("--lines", action="store_true", help="Print each answer with its marks as JSON lines")


def add_setup_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add the verbs for agents and prompts to the command line's parser."""
    agents = group("agents", "List, save and remove agents that have a name.")
    verb("list", "setup.list_agents", "List built-in and saved agents.", agents)
    p, add = verb("save", "setup.save_agent", "Save an agent under a name, or change it.", agents)
    add("name", help="Name of the agent")
    add("--kind", default="openai", metavar="K", help="Kind of the agent; default: openai")
    add("--model", required=True, metavar="M", help="Name of a model, folder of a local model, or file of recorded replies")
    add("--url", default="", metavar="URL", help="Address of the endpoint; default: $OPENAI_BASE_URL")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="Environment variable with the key")
    add_settings(p, "A setting such as price_in=0.5; repeatable")
    _, add = verb("remove", "setup.remove_agent", "Remove a saved agent; its calls stay.", agents)
    add("name", help="Name of the agent")
    _, add = verb("models", "setup.list_models", "List the models of an endpoint.", agents)
    add("url", help="Address of the endpoint")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="Environment variable with the key")

    prompts = group("prompts", "List prompts, and save or choose their versions.")
    verb("list", "setup.list_prompts", "List prompts.", prompts)
    _, add = verb("show", "setup.show_prompt", "Show the text of a prompt that is in use, and its versions.", prompts)
    add("name", help="Name of the prompt")
    _, add = verb("save", "setup.save_prompt", "Store a file as the next version of a prompt, and use it.", prompts)
    add("name", help="Name of the prompt")
    add("file", help="Markdown file of the prompt, in the form that `prompts show` prints")
    add("--note", default="", metavar="TEXT", help="What changed")
    add_person(add)
    _, add = verb("use", "setup.use_prompt", "Use a version of a prompt.", prompts)
    add("name", help="Name of the prompt")
    add("version", help="Number or hash of the prompt's version, or delivered for the one that comes with Benchwright")
    add_person(add)
