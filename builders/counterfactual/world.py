"""Make the documents and items of a counterfactual release: draw other answers of the same type, and write them in place of the
gold answers in all documents, titles and gold answers (type-constrained replacement, after SeedRG, arXiv 2605.08838).

One replacement holds for the whole corpus, including near copies, and all replacements are written at once. An answer that
cannot be replaced everywhere stays as it is, and the reason is recorded. At the end, a second search checks the result with
`find_leaked_answer`, which ignores case, accents and the order of words and compares figures by value. It must find no old
answer in a text that has the words of this answer, and must find the new answer in the evidence."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from builders.absence.answer_search import find_answers, list_terms
from builders.counterfactual.drawing import ReplacementDraw, ReplacementPlan
from builders.counterfactual.edits import TextEdit, move_offset, write_edits
from builders.counterfactual.facts import (
    Fact,
    Mention,
    find_mentions,
    is_value,
    list_wanted,
    read_fact,
    rewrite,
)
from core.ids import content_hash, derived_id
from core.label_questions import LABEL_ANSWERS
from core.nouns import Document, Item, Span
from core.quality.conversations import get_standalone
from core.quality.counterfactual import Obstacle, Origin, origin_step
from core.wording.answer_leaks import find_leaked_answer

Place = tuple[str, str]
"""The kind of a text and the id of its document or item: ("document", id), ("title", id), ("question", item) or ("answer",
item)."""


class CounterfactualWorld(NamedTuple):
    """The release's documents and items after the replacements."""

    documents: Mapping[str, Document]
    """A dict from the id of each changed document to its changed copy."""
    items: Mapping[str, Item]
    """A dict from the id of each item whose answers, evidence or documents changed to the changed copy of the item."""
    changed: Sequence[str]
    """Ids of the items whose gold answers were replaced, including items that were not chosen but state the same fact."""
    obstacles: Mapping[str, Obstacle]
    """A dict from each chosen item whose answer was not replaced to the reason."""
    left_out: Sequence[str]
    """Ids of the items that are left out: their evidence states a replaced date or number that is not their answer, so their
    answer may have changed too ("Which was first?")."""


def make_world(
    items: Sequence[Item],
    chosen: Sequence[Item],
    documents: Sequence[Document],
    seed: int,
    last_year: int,
    more_questions: Sequence[tuple[str, str]] = (),
) -> CounterfactualWorld:
    """Return the documents and items in which the answers of the `chosen` items are replaced where possible. The seed draws the
    new answers; no year is moved beyond `last_year`. `more_questions` has an (item id, wording) for each other wording of an
    item's question."""
    obstacles: dict[str, Obstacle] = {}
    plans = _list_plans(chosen, obstacles)
    texts = _Texts(items, documents, more_questions)
    texts.find(plans)
    plans = [plan for plan in plans if not _stop(plan, texts.find_obstacle(plan), obstacles)]
    plans = texts.drop_overlapping(plans, obstacles)
    draw = ReplacementDraw(items, documents, plans, texts.states, seed, last_year)
    plans = [plan for plan in plans if not _stop(plan, draw.replace(plan), obstacles)]
    waiting = plans
    while waiting:
        edits = texts.list_edits(plans)
        failures = texts.list_failures(waiting, edits)
        bad = {id(plan) for plan in waiting if _stop(plan, failures.get(id(plan)), obstacles)}
        touched = {row for plan in plans if id(plan) in bad for row in plan.rows}
        plans = [plan for plan in plans if id(plan) not in bad]
        waiting = [plan for plan in plans if touched & plan.rows.keys()]
    return texts.build(plans, obstacles)


def _stop(plan: ReplacementPlan, why: Obstacle | None, obstacles: dict[str, Obstacle]) -> bool:
    """Record why a fact is not replaced, for each item that has it as gold answer, and return whether there is a reason."""
    if why is not None:
        obstacles.update(dict.fromkeys((item.id for item in plan.items), why))
    return why is not None


def _list_plans(chosen: Sequence[Item], obstacles: dict[str, Obstacle]) -> list[ReplacementPlan]:
    """Return a plan for each distinct fact of the chosen items. If two names with different displayed forms share another form,
    only the earlier name gets a plan, because one string cannot have two replacements."""
    plans: dict[tuple[object, ...], ReplacementPlan] = {}
    owners: dict[str, tuple[object, ...]] = {}
    for item in chosen:
        fact = read_fact(item)
        if not isinstance(fact, Fact):
            obstacles[item.id] = fact
            continue
        if any(owners.setdefault(form, fact.key) != fact.key for form in fact.forms):
            obstacles[item.id] = "overlaps another replacement"
            continue
        plan = plans.setdefault(fact.key, ReplacementPlan(fact))
        plan.items.append(item)
        plan.fact = plan.fact._replace(forms=tuple(dict.fromkeys([*plan.fact.forms, *fact.forms])))
    return list(plans.values())


class _Texts:
    """All texts of a release that may contain an answer. The methods find facts in the texts and replace them."""

    def __init__(self, items: Sequence[Item], documents: Sequence[Document], more_questions: Sequence[tuple[str, str]]) -> None:
        self.items = {item.id: item for item in items}
        self.documents = {document.id: document for document in documents}
        self._places: list[Place] = []
        self._texts: list[str] = []
        self._languages: list[str] = []
        for document in documents:
            self._add(("document", document.id), document.text, document.language)
            self._add(("title", document.id), document.title, document.language)
        for item in items:
            for text in dict.fromkeys((item.question, get_standalone(item), *item.inputs.values())):
                self._add(("question", item.id), text, item.language)
            for answer in item.answers:
                self._add(("answer", item.id), answer, item.language)
        for name, text in more_questions:
            self._add(("question", name), text, self.items[name].language)
        self._rows_of: dict[Place, list[int]] = defaultdict(list)
        for row, place in enumerate(self._places):
            self._rows_of[place].append(row)

    def _add(self, place: Place, text: str, language: str) -> None:
        self._places.append(place)
        self._texts.append(text)
        self._languages.append(language)

    def find(self, plans: Sequence[ReplacementPlan]) -> None:
        """Find the mentions of all facts. Each text is searched once for the words of all facts, and again for each fact whose
        words it contains."""
        wanted = list(dict.fromkeys(terms for plan in plans for terms in list_wanted(plan.fact)))
        found = dict(zip(wanted, find_answers(wanted, map(list_terms, self._texts)), strict=True))
        for plan in plans:
            plan.looked_at = sorted({row for terms in list_wanted(plan.fact) for row in found[terms]})
            for row in plan.looked_at:
                if mentions := find_mentions(plan.fact, self._texts[row], self._languages[row]):
                    plan.rows[row] = mentions

    def find_obstacle(self, plan: ReplacementPlan) -> Obstacle | None:
        """Return why the fact cannot be replaced everywhere, or None if it can."""
        asked = {name for row in plan.rows for kind, name in [self._places[row]] if kind == "question"}
        if asked:
            return "in the question" if asked & {item.id for item in plan.items} else "in another question"
        if any(mention.is_longer for mentions in plan.rows.values() for mention in mentions):
            return "part of a longer name"
        named = {
            kind: {name for row in plan.rows for own, name in [self._places[row]] if own == kind}
            for kind in ("document", "title")
        }
        if named["title"] - named["document"]:
            return "in a title alone"
        changed = Counter(name for row in plan.rows for kind, name in [self._places[row]] if kind == "answer")
        if any(n < len(self.items[name].answers) for name, n in changed.items()):
            return "shared in part"
        if not all(self._is_in_evidence(plan, item) for item in plan.items):
            return "not in its evidence"
        return None

    def _is_in_evidence(self, plan: ReplacementPlan, item: Item) -> bool:
        """Return whether the item's evidence states the whole fact. If the item has no evidence, return whether any document
        states it."""
        if not item.evidence:
            return any(self._places[row][0] == "document" for row in plan.rows)
        return any(
            mention.is_whole and span.start <= mention.start and mention.end <= span.end
            for span in item.evidence
            for row in self._rows_of["document", span.document]
            for mention in plan.rows.get(row, ())
        )

    def drop_overlapping(self, plans: Sequence[ReplacementPlan], obstacles: dict[str, Obstacle]) -> list[ReplacementPlan]:
        """Return the plans whose mentions do not overlap the mentions of an earlier plan."""
        taken: dict[int, set[int]] = defaultdict(set)
        kept = []
        for plan in plans:
            own = {row: {at for one in mentions for at in range(one.start, one.end)} for row, mentions in plan.rows.items()}
            if _stop(plan, "overlaps another replacement" if any(own[row] & taken[row] for row in own) else None, obstacles):
                continue
            kept.append(plan)
            for row, signs in own.items():
                taken[row] |= signs
        return kept

    def states(self, fact: Fact, plan: ReplacementPlan) -> bool:
        """Return whether `fact` is stated in a text that states the plan's fact, or in a question of the plan's items."""
        named = {item.id for item in plan.items}
        rows = [*plan.rows, *(row for name in named for row in self._rows_of["question", name])]
        if fact.forms:
            return any(fact.forms[0] in self._texts[row] for row in rows)
        return any(find_mentions(fact, self._texts[row], self._languages[row]) for row in rows)

    def list_edits(self, plans: Sequence[ReplacementPlan]) -> dict[int, list[TextEdit]]:
        """Return a dict from the number of each text to the edits that the plans make in it, in order and without overlap."""
        edits: dict[int, list[TextEdit]] = defaultdict(list)
        for plan in plans:
            assert plan.new is not None
            for row, mentions in plan.rows.items():
                for one in mentions:
                    piece = self._texts[row][one.start : one.end]
                    edits[row].append(TextEdit(one.start, one.end, rewrite(plan.fact, plan.new, piece)))
        return {row: sorted(own) for row, own in edits.items()}

    def list_failures(self, plans: Sequence[ReplacementPlan], edits: Mapping[int, Sequence[TextEdit]]) -> dict[int, Obstacle]:
        """Check the replacements after all edits, and return a dict from the id() of each plan that fails to the reason. Each
        text is read once for all plans, because reading the figures of a text takes most of the time."""
        failures: dict[int, Obstacle] = {}
        of_row: dict[int, list[ReplacementPlan]] = defaultdict(list)
        for plan in plans:
            for row in plan.looked_at:
                of_row[row].append(plan)
        old = {id(plan): tuple(dict.fromkeys(answer for item in plan.items for answer in item.answers)) for plan in plans}
        wanted = {id(plan): list_wanted(plan.fact) for plan in plans}
        for row, own in of_row.items():
            text = write_edits(self._texts[row], edits.get(row, ()))
            terms = list_terms(text)
            for plan in own:
                # a name is gone if its words are gone; a figure may be left in other words
                may_be_left = is_value(plan.fact) or any(map(terms.issuperset, wanted[id(plan)]))
                if id(plan) not in failures and may_be_left and find_leaked_answer("", text, old[id(plan)]):
                    failures[id(plan)] = "left in a document"
        for plan in plans:
            if id(plan) not in failures and not all(self._has_new_answer(item, edits) for item in plan.items):
                failures[id(plan)] = "new answer not in its evidence"
        return failures

    def _has_new_answer(self, item: Item, edits: Mapping[int, Sequence[TextEdit]]) -> bool:
        """Return whether the item's evidence states the new answer; True if the item has no evidence."""
        new, cut = self._new_answers(item, edits), [self._cut_new(span, edits) for span in item.evidence]
        return not cut or any(find_leaked_answer("", text, new) for text in cut)

    def _new_answers(self, item: Item, edits: Mapping[int, Sequence[TextEdit]]) -> tuple[str, ...]:
        rows = self._rows_of["answer", item.id]
        return tuple(dict.fromkeys(write_edits(self._texts[row], edits.get(row, ())) for row in rows))

    def _cut_new(self, span: Span, edits: Mapping[int, Sequence[TextEdit]]) -> str:
        row = self._rows_of["document", span.document][0]
        own = edits.get(row, ())
        return write_edits(self._texts[row], own)[move_offset(span.start, own) : move_offset(span.end, own, is_end=True)]

    def build(self, plans: Sequence[ReplacementPlan], obstacles: Mapping[str, Obstacle]) -> CounterfactualWorld:
        """Return the documents and items with all replacements written."""
        edits = self.list_edits(plans)
        made = {name: document for name in self.documents if (document := self._build_document(name, edits)) is not None}
        unsure = self._list_unsure(plans)
        types = {item.id: plan.fact.type for plan in plans for item in plan.items}
        answers = {
            self._texts[row]: write_edits(self._texts[row], own)
            for row, own in edits.items()
            if self._places[row][0] == "answer"
        }
        items = {}
        for item in self.items.values():
            new = self._new_answers(item, edits)
            if item.id in unsure or not (new != item.answers or any(name in made for name in _list_documents(item))):
                continue
            origin = Origin(item.id, item.answers if new != item.answers else (), types.get(item.id))
            items[item.id] = self._build_item(item, new, origin, edits, made, answers)
        changed = [name for name, item in items.items() if item.answers != self.items[name].answers]
        along = set(changed)  # an item with an obstacle can change along with another item
        kept = {name: why for name, why in obstacles.items() if name not in along}
        return CounterfactualWorld(made, items, changed, kept, sorted(unsure))

    def _build_document(self, name: str, edits: Mapping[int, Sequence[TextEdit]]) -> Document | None:
        old = self.documents[name]
        if not (own := edits.get(self._rows_of["document", name][0])):
            return None
        text, title = write_edits(old.text, own), write_edits(old.title, edits.get(self._rows_of["title", name][0], ()))
        return replace(old, id=content_hash(text), text=text, title=title, meta={**old.meta, "counterfactual_of": name})

    def _build_item(
        self,
        item: Item,
        new: tuple[str, ...],
        origin: Origin,
        edits: Mapping[int, Sequence[TextEdit]],
        made: Mapping[str, Document],
        answers: Mapping[str, str],
    ) -> Item:
        evidence = []
        for span in item.evidence:
            own = edits.get(self._rows_of["document", span.document][0], ())
            name = made[span.document].id if span.document in made else span.document
            evidence.append(Span(name, move_offset(span.start, own), move_offset(span.end, own, is_end=True)))
        known = {**answers, **{name: document.id for name, document in made.items()}}
        labels = {name: _exchange(value, known) for name, value in item.labels.items() if name != LABEL_ANSWERS}
        given = tuple(made[name].id if name in made else name for name in item.given)
        id_ = derived_id("counterfactual", item.revision, origin, new, evidence, given, sorted(labels.items()))
        return replace(
            item,
            id=id_,
            revision=1,
            answers=new,
            evidence=tuple(evidence),
            labels=labels,
            given=given,
            steps=(origin_step(origin),),
        )

    def _list_unsure(self, plans: Sequence[ReplacementPlan]) -> set[str]:
        """Return the ids of the items whose evidence states a replaced date or number, but whose own gold answer is not a
        replaced date or number."""
        replaced: dict[str, list[Mention]] = defaultdict(list)
        with_value = set()
        for plan in plans:
            for row, mentions in plan.rows.items() if is_value(plan.fact) else ():
                kind, name = self._places[row]
                if kind == "document":
                    replaced[name] += mentions
                elif kind == "answer":
                    with_value.add(name)
        return {
            item.id
            for item in self.items.values()
            if item.id not in with_value
            and any(one.start < span.end and span.start < one.end for span in item.evidence for one in replaced[span.document])
        }


def _list_documents(item: Item) -> set[str]:
    """Return the ids of the documents of the item's evidence, the documents given with the item, and the item's text labels,
    which may be ids of documents too."""
    labelled = {value for value in item.labels.values() if isinstance(value, str)}
    return {span.document for span in item.evidence} | set(item.given) | labelled


def _exchange(value: Any, known: Mapping[str, str]) -> Any:
    """Return a label's value, in which the texts that are keys of `known` are replaced by the values of these keys."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, Mapping):
        return {name: _exchange(one, known) for name, one in value.items()}
    return [_exchange(one, known) for one in value] if isinstance(value, list | tuple) else value
