"""Make questions from a template over tables. Each question names exactly one entity and has a computed answer. The entities
are chosen at random with a seed, so that equally many well-known and little-known entities are chosen."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from builders.templates.entity_naming import Owners
from builders.templates.question_maker import QuestionMaker, RefusedQuestion, find_step
from builders.templates.template_duplicates import TemplateQuestionIndex
from builders.templates.templates import Template, check_template
from core.errors import BenchError
from core.nouns import Item, Provenance
from core.tables.world import Tables

SEED = 42
MAX_BUCKET_QUESTIONS = 250
"""Maximum number of questions that one template gives for each popularity bucket (head, torso or tail) of the entities."""


@dataclass(frozen=True, slots=True)
class TemplateQuestions:
    """The questions that were made from one template, and the numbers of questions that could not be made, by reason."""

    items: tuple[Item, ...]
    candidates: Mapping[str, int]
    """A dict from popularity bucket (head, torso or tail) to its number of possible questions, up to the maximum `cap`; the
    bucket is "" if the table has no popularity column."""
    refused: Mapping[str, int]
    """A dict from reason to the number of subjects without a question for this reason."""
    examples: tuple[RefusedQuestion, ...]
    """The first questions that were refused, as examples."""


def make(
    tables: Tables,
    template: Template,
    n: int | None = None,
    seed: int = SEED,
    cap: int = MAX_BUCKET_QUESTIONS,
    now: str | None = None,
    examples: int = 20,
    asked: TemplateQuestionIndex | None = None,
    provenance: Provenance | None = None,
    owners: Owners | None = None,
) -> TemplateQuestions:
    """Make at most `n` questions from the template (None = as many as `cap` allows). If the table has a popularity column,
    equal numbers of questions are about head, torso and tail entities. Questions in `asked` are left out, and new questions are
    added to `asked`. `provenance` is the origin of the template's text; `owners` is a cache that several templates over the
    same tables share. Raises BenchError if the template does not fit the tables."""
    if cap < 1 or (n is not None and n < 1):
        raise BenchError(f"Template {template.id} was asked for {min(cap, n or cap)} questions: ask for 1 or more.")
    check_template(template, tables)
    asker = QuestionMaker(tables, template, seed, now, provenance, owners)
    groups, known, own = asker.groups(), asked or TemplateQuestionIndex(), TemplateQuestionIndex()
    share = cap if n is None else min(cap, -(-n // len(groups)))
    refused: Counter[str] = Counter()
    shown: list[RefusedQuestion] = []
    by_template: dict[str, list[Item]] = {}
    for bucket, subjects in groups.items():
        by_template[bucket] = []
        for place in subjects:
            if len(by_template[bucket]) >= share:
                break
            made = asker.question(place, bucket)
            if isinstance(made, Item) and (why := known.why_not(made) or own.why_not(made)):
                made = RefusedQuestion(find_step(made, "template")["subjects"][0], made.question, why)
            if isinstance(made, Item):
                by_template[bucket].append(made)
                own.add(made)
            else:
                refused[made.why] += 1
                shown += [made] if len(shown) < examples else []
    each = min(map(len, by_template.values()))
    items = [item for turn in zip(*(group[:each] for group in by_template.values()), strict=True) for item in turn][:n]
    for item in items:
        known.add(item)
    return TemplateQuestions(tuple(items), {b: len(group) for b, group in by_template.items()}, refused, tuple(shown))
