"""Command-line verbs and their options for work that annotators can also do on the app's pages: review items at the desk,
review questions in two phases, write web questions, and judge variants."""

import argparse

from terminal.shared_options import (
    AGENT,
    LANGUAGES,
    SEED,
    GroupMaker,
    OptionAdder,
    VerbMaker,
    add_agent_options,
    add_person,
    parse_page,
)

QUEUES = ["items", "disputed", "variants"]
DOCUMENTS = "Also print the text of the item's documents"
QUEUE = "kind of work: items to review, disputed items to adjudicate, or variants; default: items"


def add_desk_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs with which annotators work through a queue."""
    _, add = verb(
        "work",
        "work.show_own_work",
        "List the work that waits for a person, and comments and guidelines that the person has not seen.",
    )
    add(
        "--seen",
        action="append",
        default=[],
        metavar="ID",
        help="Mark this comment, or this version of a guideline, as seen; all: everything in the list; repeatable",
    )
    add_person(add)

    desk = group("desk", "Open items for review: reserve them for a person, and show what the review page shows.")
    _, add = verb("next", "desk.open_next", "Reserve the next item that waits for a person, and show it.", desk)
    add(
        "--after",
        metavar="ID",
        help="Show the item that follows the item with this id; default: the item reserved for the person, else the first item",
    )
    add("--task", metavar="T", help="Only items (or variants of items) of this task")
    add("--domain", metavar="D", help="Only items (or variants of items) of this domain")
    add("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    add("--language", choices=LANGUAGES, help="Only items in this language")
    add("--agent", metavar="A", help="Only items drafted by this agent")
    add(
        "--flag",
        metavar="GATE",
        help="Only items that this gate flagged; any: flagged by at least one gate; none: flagged by no gate. With "
        "--queue variants: flagged or clean",
    )
    add("--kind", metavar="K", help="Only variants of this kind")
    add_desk_options(add)
    _, add = verb("previous", "desk.open_previous", "Show an item on which a person has already decided.", desk)
    add(
        "--before",
        metavar="ID",
        help="Show the item that the person decided on before the item with this id; default: the last decision",
    )
    add_desk_options(add)
    _, add = verb("open", "desk.open_item", "Reserve an item for a person, and show it.", desk)
    add("id", help="Id of the item or variant")
    add_desk_options(add)
    _, add = verb(
        "reveal",
        "desk.reveal",
        "Store a person's own answer to an item whose drafted answer is hidden, and show the drafted answer.",
        desk,
    )
    add("item", help="Id of the item")
    add("--text", required=True, help="The person's own answer; it cannot be changed later")
    add("--documents", action="store_true", help=DOCUMENTS)
    add_person(add)

    _, add = verb(
        "skip", "desk.skip", "Skip an item and store the reason; `desk next --after ITEM` then shows the next item.", desk
    )
    add("item", help="Id of the item")
    add("--reason", required=True, metavar="TEXT", help="Reason for the skip")
    add_person(add)
    p, add = verb("take-over", "desk.take_over", "Take over an item that is reserved for another person, and show it.", desk)
    add("item", help="Id of the item")
    add("--documents", action="store_true", help=DOCUMENTS)
    add_person(add)
    p.set_defaults(queue="items")
    _, add = verb(
        "release", "desk.release", "Release items that are reserved for a person, so that others can review them.", desk
    )
    add("item", nargs="?", help="Id of the item; default: all items that are reserved for the person")
    add(
        "--from",
        dest="holder",
        metavar="NAME",
        help="Person for whom the items are reserved; default: the person given with --as",
    )
    add_person(add)
    _, add = verb("rules", "desk.change_rules", "Show or change the rules of the review desk.", desk)
    add(
        "--hold-minutes",
        type=int,
        metavar="N",
        help="Minutes without activity after which a person's reservation of an item ends",
    )
    add(
        "--blind",
        type=float,
        metavar="SHARE",
        help="Share of items (0 to 1) whose drafted answer stays hidden until the reviewer has written an answer",
    )
    add(
        "--alone",
        type=float,
        metavar="SHARE",
        help="Share of items (0 to 1) that reviewers answer without ever seeing the draft",
    )
    add("--control", type=int, metavar="N", help="One item in N is a control item with a known error; 0 = none")
    add(
        "--seed",
        type=int,
        metavar="N",
        help="Seed for the choice of items with hidden answers and of control items; default: the current seed",
    )
    add(
        "--qualification",
        type=int,
        metavar="N",
        help="Number of control items in the qualification test that precedes real items; 0 = no test",
    )
    add(
        "--passing", type=int, metavar="N", help="Number of right decisions needed to pass the qualification test; default: all"
    )
    add("--as", dest="person", default="", metavar="NAME", help="Name of the person who changes the rules")
    _, add = verb("exempt", "desk.exempt", "Exempt a person from the qualification test.", desk)
    add("name", metavar="NAME", help="Name of the person to exempt from the test")
    add_person(add)

    rewrites = group("rewrites", "Show questions that wait for a rewrite; the verb `rewrite` stores a rewrite.")
    _, add = verb("next", "desk.open_next_rewrite", "Show the next question that waits for a rewrite by a person.", rewrites)
    add("--after", metavar="ID", help="Show the question that follows the question with this id")
    add("--task", metavar="T", help="Only questions of this task")
    add("--domain", metavar="D", help="Only questions of this domain")
    add("--level", help="Only questions of this level: 1, 2, 3, 4, KS, KU or KA")
    add("--language", choices=LANGUAGES, help="Only questions in this language")
    add_person(add)

    consent = group("consent", "Show and write the text that people agree to before they rewrite questions.")
    _, add = verb("show", "work.show_consent", "Show the consent text.", consent)
    add(
        "--as",
        dest="person",
        default="",
        metavar="NAME",
        help="With --json: also print whether this person has agreed to the consent text",
    )
    _, add = verb(
        "save",
        "work.save_consent",
        "Store a text file as the consent text; everybody is then asked for consent again.",
        consent,
    )
    add("file", help="Text file; with an empty file, nobody is asked for consent")
    _, add = verb("agree", "work.agree_to_consent", "Record that a person agrees to the consent text.", consent)
    add("version", type=int, help="Version of the text that the person has read")
    add_person(add)

    phases = group("phases", "Review web questions in two phases: first their labels, then their answers.")
    _, add = verb("next", "phases.open_next", "Show the next question that waits for a person, with its web pages.", phases)
    add("--after", metavar="ID", help="Show the question that follows the question with this id")
    add("--conflicts", action="store_true", help="Show a question on which two opinions differ, with the opinions")
    add_person(add)
    _, add = verb(
        "say",
        "phases.say",
        "Store a person's opinion on a question; values for which no option is given stay unchanged.",
        phases,
    )
    add("item", help="Id of the question")
    add("phase", choices=["labels", "answers"], help="Phase of a two-phase review in which the opinion is given")
    add("--question", metavar="TEXT", help='New question; only in the phase "labels"')
    add("--domain", metavar="D", help='New domain; only in the phase "labels"')
    add("--question-type", metavar="T", help='New question type (a label of CRAG); only in the phase "labels"')
    add("--static-or-dynamic", metavar="T", help='How fast the answer changes (a label of CRAG); only in the phase "labels"')
    add("--popularity", metavar="T", help='New popularity (a label of CRAG); only in the phase "labels"')
    add(
        "--answer",
        dest="answers",
        action="append",
        metavar="TEXT",
        help='New answer; give the gold answer first; only in the phase "answers"; repeatable',
    )
    add("--answer-url", metavar="URL", help='Address of the web page with the answer; only in the phase "answers"')
    add("--discard", action="store_true", help="Discard the question; needs --reason")
    add("--reason", default="", metavar="TEXT", help="Reason for the opinion")
    add_person(add)
    verb("report", "phases.report", "Count open and finished questions, and measure the agreement between people.", phases)
    _, add = verb("doubts", "phases.list_doubts", "List the gold answers that may be wrong.", phases)
    add("--run", metavar="RUN", help="Also list questions that this run answered wrongly, according to its scores")


def add_desk_options(add: OptionAdder) -> None:
    """Add to a verb the options of all verbs that open an item at the desk: --queue, --documents and --as."""
    add("--queue", choices=QUEUES, default="items", help=QUEUE.capitalize())
    add("--documents", action="store_true", help=DOCUMENTS)
    add_person(add)


def add_writing_verbs(verb: VerbMaker, group: GroupMaker) -> None:
    """Add to the command line's parser the verbs with which people write questions about web pages, and questions about gold
    answers."""
    web = group("web-questions", "Write questions about web pages; the questions then wait for a review in two phases.")
    _, add = verb("list", "web_questions.list_drafts", "List a person's questions in progress.", web)
    add_person(add)
    _, add = verb("begin", "web_questions.begin", "Begin web questions from a file, or one empty web question.", web)
    add("file", nargs="?", help="JSON lines with question, answer, labels and pages; leave out the file for an empty question")
    add_person(add)
    _, add = verb("hand-in", "web_questions.hand_in", "Turn a person's questions in progress into items.", web)
    add("id", nargs="+", help="Ids that `web-questions begin` or `web-questions list` printed")
    add_person(add)
    _, add = verb("drop", "web_questions.drop", "Delete one of a person's questions in progress.", web)
    add("id", help="Id of the question")
    add_person(add)

    sets = group("question-sets", "List and change the questions that the metric rag_quest_eval asks about each gold answer.")
    _, add = verb("list", "gold_sets.list_questions", "List question sets, 50 on each page.", sets)
    add(
        "--text", default="", help="Only sets with TEXT in one of their questions, in the gold answer or in the item's question"
    )
    add(
        "--only",
        choices=["all", "written", "left-out"],
        default="all",
        help="written: sets that a person changed; left-out: sets whose gold answer answers no question; default: all",
    )
    add("--page", type=parse_page, default=1, metavar="N", help="Number of the page; default: 1")
    _, add = verb("show", "gold_sets.show_questions", "Show a question set; with --json, also its versions.", sets)
    add_set(add)
    add("--lines", action="store_true", help="Print the questions as JSON lines, in the form that `question-sets save` reads")
    _, add = verb("save", "gold_sets.save_questions", "Store a file as the next version of a question set.", sets)
    add_set(add)
    add(
        "file",
        help="JSON lines, each with a question and its answer; the answer is empty if the gold answer does not contain it",
    )
    add(
        "--seen",
        type=int,
        metavar="N",
        help="Version on which the file is based; refused if a newer version exists; default: the newest version",
    )
    add_person(add)

    nuggets = group("nuggets", "List, draft and change the facts that a good answer must (vital) or may (okay) contain.")
    _, add = verb("list", "gold_sets.list_nuggets", "List accepted items with their nuggets, 50 on each page.", nuggets)
    add("--text", default="", help="Only items whose question, gold answer or nuggets contain TEXT")
    add(
        "--only",
        choices=["all", "none", "drafted", "written"],
        default="all",
        help="none: items without nuggets; drafted: items whose nuggets no person has saved; written: items whose nuggets a "
        "person has saved; default: all",
    )
    add_nugget_filters(add)
    add("--page", type=parse_page, default=1, metavar="N", help="Number of the page; default: 1")
    _, add = verb("show", "gold_sets.show_nuggets", "Show an item's nuggets, their versions and its evidence.", nuggets)
    add("item", help="Id of the item")
    add("--lines", action="store_true", help="Print the nuggets as JSON lines, in the form that `nuggets save` reads")
    p, add = verb("draft", "gold_sets.draft_nuggets", "Let an agent draft nuggets of accepted items that have none.", nuggets)
    add("item", nargs="*", help="Ids of items; default: all items that the filters choose")
    add("--agent", required=True, metavar="A", help=f"Agent that drafts nuggets: {AGENT}")
    add_nugget_filters(add)
    add("--limit", type=int, metavar="N", help="Draft the nuggets of at most N items")
    add_agent_options(p)
    _, add = verb("save", "gold_sets.save_nuggets", "Store a file as the next version of an item's nuggets.", nuggets)
    add("item", help="Id of the item")
    add("file", help="JSON lines with text, importance (vital or okay) and evidence: a list of [document, start, end]")
    add(
        "--seen",
        type=int,
        metavar="N",
        help="Version that was edited, 0 = none; if a newer version exists, the file is refused; default: the newest version",
    )
    add_person(add)

    turns = group("turns", "List, show and decide on whole conversations, whose turns are items.")
    _, add = verb("list", "desk.list_conversations", "List the conversations, 50 on each page.", turns)
    add("--state", choices=["waiting", "accepted", "discarded", "mixed"], help="Only conversations in this state")
    add("--page", type=parse_page, default=1, metavar="N", help="Number of the page; default: 1")
    _, add = verb("show", "desk.show_conversation", "Show the turns of a conversation, with their evidence.", turns)
    add("conversation", help="Id of the conversation")
    _, add = verb("decide", "desk.decide_conversation", "Accept or discard all turns of a conversation.", turns)
    add("conversation", help="Id of the conversation")
    add("decision", choices=["accept", "discard"])
    add("--reason", default="", help="Reason for a discard")
    add_person(add)


def add_nugget_filters(add: OptionAdder) -> None:
    """Add to a verb the options that choose items whose nuggets are listed or drafted."""
    add("--task", metavar="T", help="Only items of this task")
    add("--level", help="Only items of this level: 1 to 4, KS, KU or KA")
    add("--domain", metavar="D", help="Only items of this domain")


def add_set(add: OptionAdder) -> None:
    """Add to a verb the arguments that identify a question set."""
    add("item", help="Id of the item")
    add("gold", help="Key of the gold answer, as printed by `question-sets list`")


def add_quality_verbs(verb: VerbMaker, inner: argparse.ArgumentParser) -> None:
    """Add the verb variant-quality and its subcommands to the command line's parser. `inner` has the options that every verb
    has, but without defaults, so that the subcommand keeps the values given to variant-quality."""
    p, add = verb(
        "variant-quality", "variant_quality.list_samples", "Draw a sample of variants for people to judge, or list samples."
    )
    add("--draw", type=int, metavar="N", help="Draw a new sample of N variants")
    add("--kinds", default="", metavar="K,K", help="Only variants of these kinds")
    add("--reviewer", action="append", default=[], metavar="NAME", help="Person who judges; repeatable; default: everybody")
    add("--seed", type=int, default=0, metavar="N", help=SEED)
    add("--as", dest="person", default="", metavar="NAME", help="Name of the person who draws the sample")
    verbs = p.add_subparsers(metavar="VERB")
    _, add = verb(
        "next",
        "variant_quality.open_next",
        "Show the next variant that waits for a person's judgement, without the judgements of others.",
        verbs,
        inner,
    )
    add("sample", nargs="?", help="Id of the sample; default: the first sample that waits for the person")
    add("--after", metavar="ID", help="Show the variant that follows the variant with this id")
    add_person(add)
    _, add = verb("judge", "variant_quality.judge", "Store a person's judgement of a variant.", verbs, inner)
    add("sample", help="Id of the sample")
    add("variant", help="Id of the variant")
    add("--applied", choices=["yes", "no"], required=True, help="Whether the perturbation was applied")
    add("--meaning-kept", choices=["yes", "no"], required=True, help="Whether the variant kept the meaning of the question")
    add("--comment", default="", metavar="TEXT", help="Comment on the judgement")
    add_person(add)
    _, add = verb("undo", "variant_quality.undo", "Withdraw a person's last judgement in a sample.", verbs, inner)
    add("sample", help="Id of the sample")
    add_person(add)
    _, add = verb(
        "report", "variant_quality.report", "Report the judgements of a sample and the agreement of the people.", verbs, inner
    )
    add("sample", help="Id of the sample")
    add(
        "--as",
        dest="person",
        default="",
        metavar="NAME",
        help="Person who reads the report; refused while this person has variants of the sample to judge",
    )
