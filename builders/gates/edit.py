"""Check that a hallucinated text differs from the true text only at the position that the item records, and that the evidence
shows that this difference is an error.

If the edit introduced a number, a time or a name that the evidence lacks, the gate `figures` must flag the edited sentence and
pass the true sentence. If the edit changed a negation or a relation, or introduced a name that the evidence contains, a judge
must find that the evidence supports the true sentence and not the edited sentence; without a judge the verdict is "not run". If
an agent repaired a text with annotated errors, the repair may change only the annotated errors and add nothing."""

import re
from collections.abc import Mapping
from typing import Any

from builders.gate import Finding, Gate, GateContext
from builders.variation.edits import (
    CLASSES,
    SUPPORT,
    EditedSentence,
    TextChange,
    changes,
    fingerprint,
    is_denied,
    sides,
    undo_edit,
)
from core.errors import BenchError
from core.nouns import Item
from core.text.figures import figures, list_missing_figures
from core.text.language import ByLanguage
from core.text.names import missing_names

MAX_SPAN_CHARACTERS = ByLanguage({"en": 60, "zh": 30})
"""Maximum number of characters of the edited part of a hallucinated text, which is the only part that differs from the true
text."""
MAX_GROWTH = 1.2
"""Maximum length of a repaired text as a multiple of the hallucinated text's length; a longer text contains additions."""
_CLAUSE = re.compile(r"[，。；！？;!?]|[.,](?!\d)\s")


def check(item: Item, context: GateContext) -> Finding:
    hallucinated, true = item.inputs.get("hallucinated", ""), "".join(item.answers[:1])
    if not hallucinated.strip() or not true.strip():
        return Finding("flag", "There is no hallucinated text, or no repaired one.")
    differences = changes(true, hallucinated)
    if not differences:
        return Finding("flag", "The hallucinated text equals the true text: nothing was edited.")
    edit, annotations = item.labels.get("edit"), item.labels.get("annotations")
    if isinstance(edit, Mapping):
        return _check_edited(item, context, edit, differences)
    if isinstance(annotations, list):
        return _check_repaired(item, annotations, differences)
    return Finding("flag", "Neither an edit nor annotations are recorded, so it is unknown what is wrong in the text.")


def _check_edited(item: Item, context: GateContext, edit: Mapping[str, Any], differences: list[TextChange]) -> Finding:
    true, hallucinated = item.answers[0], item.inputs["hallucinated"]
    details: dict[str, Any] = {"changes": [change._asdict() for change in differences]}
    if undo_edit(edit, hallucinated) != true:
        return Finding("flag", "The recorded edit is not the difference between the two texts.", details)
    if edit["class"] not in CLASSES:
        return Finding("flag", f"The edit's error class {edit['class']!r} is none of {', '.join(CLASSES)}.", details)
    is_one_name = edit["class"] == "entity" and not _CLAUSE.search(f"{edit['was']}{edit['is']}")
    if len(differences) > 1 and not is_one_name:
        return Finding("flag", f"{len(differences)} places were edited, not one.", details)
    if max(len(edit["was"]), len(edit["is"])) > MAX_SPAN_CHARACTERS[item.language]:
        return Finding("flag", "The edited part is too long to be a single error.", details)
    try:
        evidence = "\n".join(context.text_of(span) for span in item.evidence)
    except BenchError as error:
        return Finding("flag", f"The evidence could not be looked up: {error}", details)
    both = sides(true, hallucinated, edit["start"], item.language)
    wrong = _by_class(str(edit["class"]), edit)
    if wrong:
        return Finding("flag", wrong, details)
    gone = [_list_missing(text, evidence, item) for text in both]
    details |= {"missing_true": gone[0], "missing_edited": gone[1]}
    if gone[0]:
        return Finding(
            "flag",
            f"The true text (the answer without the error) says {', '.join(gone[0])}, which its evidence does not contain.",
            details,
        )
    if (
        edit["class"] == "entity"
        and _contains_name(str(edit["was"]), evidence)
        and not _contains_name(str(edit["is"]), f"{evidence}\n{item.question}")
    ):
        return Finding("pass", "", details)
    if edit["class"] in ("number", "time", "entity") and gone[1]:
        return Finding("pass", "", details)
    if edit["class"] == "number" or (edit["class"] == "time" and figures(str(edit["is"])).numbers):
        return Finding("flag", f"The evidence contains {edit['is']!r} too: the figures do not show that it is wrong.", details)
    return _check_support(item, evidence, both, details)


def _by_class(name: str, edit: Mapping[str, Any]) -> str:
    """Return a sentence that says why the edit is not of the error class `name` (number, time, entity, ...), or "" if the edit
    is of this class."""
    was, put = str(edit["was"]), str(edit["is"])
    said, says = figures(was), figures(put)
    same_figures = (said.numbers, said.dates) == (says.numbers, says.dates)
    if name == "number" and not (said.numbers and says.numbers):
        return "The declared error class is number, but the edit does not replace a number by a number."
    if name in ("number", "time") and said.numbers and same_figures:
        return f"{put!r} says the same figure as {was!r} in another form."
    if name == "entity" and re.findall(r"\d+", was) != re.findall(r"\d+", put):
        return "A figure was changed in addition to the name: two things are wrong."
    if name == "entity" and _is_alias(was, put):
        return f"{put!r}, which replaces {was!r}, may be another name of the same thing."
    if name == "negation" and is_denied(was) == is_denied(put):
        return "The declared error class is negation, but neither side of the edit negates the other."
    return ""


def _list_missing(sentence: str, evidence: str, item: Item) -> list[str]:
    """Return the numbers, dates and names in the sentence that the evidence does not contain, found by the rules of the gate
    `figures`."""
    return list_missing_figures(sentence, evidence) + missing_names(sentence, f"{evidence}\n{item.question}", item.language)


def _check_support(item: Item, evidence: str, both: EditedSentence, details: dict[str, Any]) -> Finding:
    steps = [step for step in item.steps if step.get("kind") == SUPPORT and step.get("of") == fingerprint(evidence, both)]
    if not steps:
        return Finding(
            "not run",
            "Not run: no judge checked whether the evidence supports the true and the hallucinated text.",
            details | {"judge": None},
        )
    last = steps[-1]
    verdicts = {"true": last.get("true"), "edited": last.get("edited")}
    details |= {"judge": last.get("agent"), "supported": verdicts}
    if None in verdicts.values():
        return Finding("not run", f"Not run: the judge's reply could not be used ({last.get('why', '')}).", details)
    if verdicts == {"true": 1, "edited": 0}:
        return Finding("pass", "", details)
    said = "both the true and the edited sentence" if verdicts["true"] else "neither the true nor the edited sentence"
    said = "the edited sentence, not the true one," if verdicts == {"true": 0, "edited": 1} else said
    return Finding("flag", f"The judge finds {said} supported by the evidence.", details)


def _check_repaired(item: Item, annotations: list[Any], differences: list[TextChange]) -> Finding:
    """Check that the repair of a text changed every part that is annotated as wrong, and nothing else."""
    repaired, hallucinated = item.answers[0], item.inputs["hallucinated"]
    keywords = [str(annotation["keyword"]) for annotation in annotations if not annotation["is_right"]]
    places = [match.span() for word in keywords for match in re.finditer(re.escape(word), hallucinated)]
    details: dict[str, Any] = {"changes": [change._asdict() for change in differences], "annotated": keywords}
    if not keywords:
        return Finding("flag", "Nothing is annotated as wrong, and the text was changed.", details)
    untouched = [word for word in keywords if word in hallucinated and not _is_touched(word, hallucinated, differences)]
    if untouched:
        return Finding("flag", f"{untouched[0]!r} is annotated as wrong and was not changed.", details)
    clauses = [_clause(hallucinated, start, end) for start, end in places]
    beside = [change for change in differences if not any(_touches_stretch(change, *clause) for clause in clauses)]
    if beside:
        words = beside[0].put or beside[0].was
        return Finding("flag", f"{words!r} was changed, and nothing there is annotated as wrong.", details)
    if len(repaired) > MAX_GROWTH * len(hallucinated) + 10:
        return Finding("flag", "The repaired text is longer than the hallucinated one: something was added.", details)
    return Finding("pass", "", details)


def _is_touched(word: str, text: str, differences: list[TextChange]) -> bool:
    spans = [match.span() for match in re.finditer(re.escape(word), text)]
    return any(_touches_stretch(change, *span) for change in differences for span in spans)


def _touches_stretch(change: TextChange, start: int, end: int) -> bool:
    """Check whether the change overlaps the text from `start` to `end`; words that are inserted directly before or after this
    text also count."""
    if change.start == change.end:
        return start <= change.start <= end
    return change.start < end and start < change.end


def _clause(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the (start, end) of the clause around the text from `start` to `end`, because a repair may delete a whole
    clause."""
    before = [match.end() for match in _CLAUSE.finditer(text, 0, start)]
    after = _CLAUSE.search(text, end)
    return (before[-1] if before else 0, after.end() if after else len(text))


def _contains_name(name: str, text: str) -> bool:
    return " ".join(name.split()).casefold() in " ".join(text.split()).casefold()


def _is_alias(short: str, other: str) -> bool:
    """Check whether two names may refer to the same thing: one contains the other, or consists of the other's initials."""
    a, b = (re.sub(r"[\s.·•-]", "", name).casefold() for name in (short, other))
    if a in b or b in a:
        return True
    initials = {"".join(word[0] for word in name.split() if word[0].isupper()).casefold() for name in (short, other)}
    return bool({a, b} & {name for name in initials if len(name) > 1})


GATE = Gate(version="2", check=check)
