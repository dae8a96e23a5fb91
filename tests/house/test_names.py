"""Functions are verbs with an object, or nouns: never a bare participle, adverb, preposition, pronoun or adjective."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("agents", "benchwright", "builders", "core", "eval", "pages", "prompts", "serving", "store", "terminal", "workbench")
NOT_YET: tuple[str, ...] = ()
"""Rooms whose functions still have names of the old kind."""
SHIPPED = "store/formats/shipped"
"""Scripts that stand alone in an export: their readers know no other file of ours."""

PARTICIPLES = """
    begun bought bound broken brought built came caught chosen come dealt done drawn felt forgotten found frozen given
    gone got grown heard held hidden kept known laid led left lent lost made meant met misspelt paid proven said seen
    sent shown spent spoken stood struck stuck taken taught thought thrown told took torn unbegun understood undone
    unmet unread went withheld woken won worn wound written
"""
VERBS_ED = "bed embed exceed feed need proceed seed shed speed succeed"
NOUNS_ING = "bring heading king meaning opening ring sampling setting sing spelling spring string thing wing wording"
SMALL_WORDS = """
    a about above across after again ahead alike all alone along also always among an and anew any anything apart around
    as aside at back because before behind below beneath beside between both but by down each either else even ever
    every everyone everything few first from he here how if in inside instead into it its just last later least less
    like likely many me minus more most much my neither never next no nobody none nor not nothing now of off often on
    once one only or other others our out outside over own plus quite same she since so some someone something soon
    still such surely than that the their them then there these they this those through thus till to together too toward
    under until up us very we what when where which who whom whose why with within without yet you your
"""
VERBS_WITHOUT_OBJECT = """
    are asks begins belongs breaks can continues could covers decides did differ do does ends fits follows go had
    happened has have hear hides holds is lack lacks leads leaks leans looks may meets might moves must passes practises
    rests says serves shall should stand stands stops suits takes touches waits want was were will would wraps
"""
ADJECTIVES = """
    bare best blind casual common current deep deepest derivable detectable distinct due earlier earliest equal exact
    faulty feasible flat free fresh gold harder harmful helpful highest homeless latest likeliest live longest lower
    lowest missing nameless near nearest normal older plain plainest readable ready resumable right same separate short
    shortest similar small solid sortable stable stock storable strict thinnest typical undoable unhelpful unreadable
    untrue unusual usable useful usual visible whole worst wrong
"""
VAGUE_CONSTANTS = """
    AGAIN ALIKE ALWAYS BACK BATCH DEEP DEEPEST DEPTH ENOUGH EVERY FAR FEW FEWEST GRACE GROUP KEPT KNOWN LARGE LARGEST LAST
    LATEST LEAST LIKE LIKELY LONG LONGEST MEMORY MOST NAMED NEAR NEVER NOTHING ONLY PATIENCE PIECE RETRIES ROOM ROUNDS SAME
    SECONDS SHOWN SHORT SHORTEST SHRINK SURE TOGETHER TOLD TRIES WANTED WHOLE WINDOW
"""
"""They tell neither unit nor role, as MAX_CACHED_RESULTS or FIRST_WAIT_SECONDS does."""
WORDS = frozenset(f"{PARTICIPLES} {SMALL_WORDS} {VERBS_WITHOUT_OBJECT} {ADJECTIVES}".split())


def is_bare(name: str) -> bool:
    """Whether the name of a function is one such word."""
    word = name.strip("_")
    if "_" in word or name.startswith("__"):
        return False
    is_past = word.endswith("ed") and word not in VERBS_ED.split()
    is_present = word.endswith("ing") and word not in NOUNS_ING.split()
    return word in WORDS or is_past or is_present


def is_attribute(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether it is read as an attribute: a noun, participle or adjective (`closed`, `spent`) will do, and so will `why`."""
    decorators = {ast.unparse(one).rpartition(".")[2] for one in function.decorator_list}
    is_said = function.name.strip("_") in f"{SMALL_WORDS} {VERBS_WITHOUT_OBJECT}".split()
    return bool(decorators & {"property", "cached_property"}) and (not is_said or function.name == "why")


def bare_names(room: str) -> Iterator[str]:
    for file in sorted((ROOT / room).rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if path.startswith(SHIPPED):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_bare(node.name) and not is_attribute(node):
                yield f"{path}:{node.lineno} {node.name}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_function_is_named_by_what_it_does(room: str) -> None:
    assert list(bare_names(room)) == [], "say what it does, and to what: list_jobs, not listed"


@pytest.mark.parametrize("room", ROOMS)
def test_a_constant_carries_its_unit_or_role(room: str) -> None:
    found = []
    for file in sorted((ROOT / room).rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
            names = [one.id for one in targets if isinstance(one, ast.Name)]
            found += [f"{file.relative_to(ROOT)} {name}" for name in names if name.strip("_") in VAGUE_CONSTANTS.split()]
    assert [one for one in found if not one.startswith(SHIPPED)] == []


@pytest.mark.parametrize("room", NOT_YET)
def test_a_room_is_exempt_only_while_it_has_such_names(room: str) -> None:
    assert list(bare_names(room)), f"{room} is done: move it to ROOMS"


@pytest.mark.parametrize("name", ["told", "_drawn", "asking", "of", "go", "nearest"])
def test_a_bare_word_is_found(name: str) -> None:
    assert is_bare(name)


@pytest.mark.parametrize("name", ["seed", "heading", "show", "words", "list_jobs", "is_closed", "__init__"])
def test_verbs_and_nouns_are_left_alone(name: str) -> None:
    assert not is_bare(name)
