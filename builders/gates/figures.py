"""Flag an answer with a number, unit, date, percentage or Latin-script name that is not in the evidence. Unlike a fuzzy text
similarity, the gate detects a single wrong digit."""

from builders.gate import Finding, Gate, GateContext
from core.errors import BenchError
from core.nouns import Item
from core.text.figures import list_missing_figures
from core.text.names import missing_names


def check(item: Item, context: GateContext) -> Finding:
    try:
        evidence = "\n".join(context.text_of(span) for span in item.evidence)
    except BenchError as error:
        return Finding("flag", f"The figures could not be looked up in the evidence: {error}")
    claimed = "\n".join(item.answers[:1])
    gone = list_missing_figures(claimed, evidence) + missing_names(claimed, f"{evidence}\n{item.question}", item.language)
    if not gone:
        return Finding("pass")
    return Finding("flag", f"The answer says {', '.join(gone)}, which its evidence does not contain.", {"missing": gone})


GATE = Gate(version="1", check=check)
