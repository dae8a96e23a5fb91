"""The level audit: what a level is measured by, and how a lead sees where it differs from the declared one."""

import pytest

from builders.gate import GateContext
from builders.gates.level import GATE
from core.nouns import Verdict
from core.quality.level_audit import UNDEFINED_REASONS, AuditCell, audit_levels, cross_tabulate
from tests.builders.drafts import World, draft

MILL = "The mill of Orvel burnt in May 1902."
TEXT = "\n\n".join(
    [
        "# Mill",
        f"{MILL} Its owner, Ada Holm, had left the town a week before. Nobody was hurt.",
        "# Bridge",
        "The bridge at Orvel was designed by Marta Quill. It is 212 metres long and was opened by the mayor in 1911.",
        "# Harbour",
        "Ada Holm paid for the harbour after the fire. Ferries have crossed the water ever since.",
        "# Quarry",
        "Stone for the harbour was cut in the quarry of Skerrow. The quarry closed in 1950.",
    ]
)
CHINESE = "石泉大桥由玛尔塔设计。大桥长二百一十二米。市长在一九一一年为它剪彩。采石场在一九五〇年关闭。渡船一直往来于湖上。"
WORLD, ZH = World(TEXT), World(CHINESE, language="zh")


def look(question, answer, cited, *, world=WORLD, level=1, source=None, language="en"):
    steps = ({"kind": "source_item", "item": "i0", "question": source},) if source else ()
    item = draft(question, answer, [world.span(words) for words in cited], level=level, steps=steps, language=language)
    return GATE.check(item, GateContext(text_of=world.text_of))


@pytest.mark.parametrize(
    ("question", "answer", "cited", "level", "source", "measured"),
    [
        ("When did the mill of Orvel burn?", "May 1902", [MILL], 1, None, 1),
        ("When did it happen that Ada Holm left the town, which Marta Quill had joined?", "May 1902", [MILL], 2, None, 2),
        ("How long is the bridge at Orvel?", "212 metres", ["It is 212 metres long"], 1, None, 1),
        (
            "In which month did what Ada Holm owned come to its end?",
            "May 1902",
            [MILL],
            2,
            "When did the mill of Orvel burn?",
            2,
        ),
        ("When was it that the mill of Orvel burnt?", "May 1902", [MILL], 2, "When did the mill of Orvel burn?", 1),
        (
            "What became of Orvel's mill and its owner?",
            "It burnt, and she paid for the harbour without being asked.",
            [MILL, "Its owner, Ada Holm, had left", "Ada Holm paid for the harbour after the fire."],
            3,
            None,
            3,
        ),
        (
            "What does Orvel owe to misfortune?",
            "Its bridge, harbour and quarry all followed ruin.",
            [MILL, "The bridge at Orvel was designed", "Ada Holm paid for the harbour", "The quarry closed in 1950."],
            4,
            None,
            4,
        ),
    ],
)
def test_a_level_follows_from_the_measures(question, answer, cited, level, source, measured):
    found = look(question, answer, cited, level=level, source=source)
    assert found.details["measured"] == measured, found
    assert found.outcome == ("pass" if measured == level else "flag")
    wrong = look(question, answer, cited, level=measured % 4 + 1, source=source)
    assert wrong.outcome == "flag" and f"measures as level {measured}" in wrong.why


def test_the_measures_of_an_item_made_from_another_hold_its_rank_shift():
    found = look(
        "In which month did what Ada Holm owned come to its end?",
        "May 1902",
        [MILL],
        level=2,
        source="When did the mill of Orvel burn?",
    )
    told = found.details
    assert (told["rank_of_source"], told["rank_shift"]) == (1, told["rank"] - 1) and told["rank_shift"] > 0
    assert (told["evidence"], told["sentences"], told["sections"], told["documents"], told["distance"]) == (1, 1, 1, 1, None)


def test_the_spread_is_told_within_one_document():
    told = look(
        "What became of it?", "Ruin, then wealth in the end.", [MILL, "Nobody was hurt.", "The quarry closed in 1950."], level=3
    ).details
    assert told["distance"] == TEXT.index("The quarry closed") - TEXT.index(MILL) - len(MILL)
    assert (told["sections"], told["in_one_sentence"]) == (2, False)


def test_chinese_items_are_measured_too():
    assert look("石泉大桥由谁设计？", "玛尔塔", ["石泉大桥由玛尔塔设计。"], world=ZH, language="zh").outcome == "pass"
    asked = "市长剪彩、采石场关闭、渡船往来湖上的地方有多长？"
    found = look(asked, "二百一十二米", ["大桥长二百一十二米。"], world=ZH, language="zh")
    assert found.details["rank"] > 3 and found.outcome == "flag"


@pytest.mark.parametrize(
    ("item", "why", "kind"),
    [
        (draft("Who?", "Ada", [], level=1), "because it has no evidence", "no_evidence"),
        (
            draft("Why?", "For reasons that nobody told.", [WORLD.span(MILL)], level=3),
            "only 1 of the 3 sentences that a rationale needs",
            "few_sentences",
        ),
        (draft("Who?", "Ada", [WORLD.span(MILL)], level=None), "none of the levels", None),
        (draft("Who?", "Ada", [World("Elsewhere.").span("Elsewhere.")], level=1), "cannot be read", "unreadable"),
    ],
)
def test_what_cannot_be_measured_is_undefined_and_says_why(item, why, kind):
    found = GATE.check(item, GateContext(text_of=WORLD.text_of))
    assert found.outcome == "not run" and why in found.why and found.details.get("undefined") == kind
    cell = AuditCell(1, None, "Whatever the gate says in words.", False, undefined=kind)
    assert kind is None or cross_tabulate([cell]).why == {UNDEFINED_REASONS[kind]: 1}


def test_the_table_crosses_measured_with_declared_and_counts_what_is_undefined():
    undefined = "Its level is undefined, because it has no evidence."
    found = cross_tabulate(
        [
            AuditCell(1, 1, "", False, 5),
            AuditCell(2, 2, "", False, 3),
            AuditCell(2, 2, "", True, 2),
            AuditCell(4, 3, "", True),
            AuditCell(3, None, undefined, False, 3),
            AuditCell(3, None, "", False, 1, "no_evidence"),
            AuditCell(3, None, "", False),
        ]
    )
    assert found.cells == {(1, 1): 5, (2, 2): 3, (2, 1): 2, (4, 3): 1, (3, None): 5}
    assert (found.items, found.measured, found.agreements, found.lowered) == (16, 11, 8, 2)
    assert found.why == {"it has no evidence": 4, "never measured: run the gate level on the item": 1}


def test_the_table_of_a_release_reads_the_verdicts_on_its_revisions():
    items = [draft("Q?", "A", id="a", level=2), draft("Q?", "A", id="b", level=1), draft("Q?", "A", id="c", level=None)]
    told = {"measured": 1}
    verdicts = [
        Verdict("a", 1, "level", "1", "flag", "", told),
        Verdict("b", 2, "level", "1", "pass", "", told),
        Verdict("a", 1, "necessity", "1", "flag"),
    ]
    assert audit_levels(items, verdicts).cells == {(2, 1): 1, (1, None): 1}
