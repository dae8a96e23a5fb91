"""Make the documents and items of a counterfactual release: draw other answers of the same type, and write them in place of the
gold answers in all documents, titles and gold answers (type-constrained replacement, after SeedRG, arXiv 2605.08838).

One replacement holds for the whole corpus, including near copies, and all replacements are written at once. An answer that
cannot be replaced everywhere stays as it is, and the reason is recorded. At the end, a second search checks the result with
`find_leaked_answer`, which ignores case, accents and the order of words and compares figures by value. It must find no old
answer in a text that has the words of this answer, and must find the new answer in the evidence."""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from builders.absence.answer_search import find_answers, list_terms
from builders.counterfactual.facts import (
    Fact,
    Mention,
    draw_figure,
    find_mentions,
    is_value,
    list_wanted,
    read_fact,
    rewrite,
)
from builders.counterfactual.names import Kind, count_words, find_head, list_names, read_kind
from core.ids import content_hash, derived_id
from core.label_questions import LABEL_ANSWERS
from core.nouns import Document, Item, Span
from core.quality.counterfactual import Obstacle, Origin, origin_step
from core.wording.answer_leaks import find_leaked_answer

MAX_DRAWS = 40
"""Maximum number of times that a new date or number is drawn; if none fits, the old one stays."""
MAX_RANKED = 200
"""Maximum number of gold answers, drawn with the seed, that are ranked as new names by the similarity of their questions; also
the maximum number of names from documents that are tried."""
MAX_NAMED_DOCUMENTS = 300
"""Maximum number of documents, drawn with the seed, from which new names are taken if no gold answer of the release fits."""
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


@dataclass(slots=True)
class _Plan:
    """A fact to replace, the items that have it as gold answer, and the places in texts that state it."""

    fact: Fact
    items: list[Item] = field(default_factory=list)
    rows: dict[int, list[Mention]] = field(default_factory=dict)
    """The mentions in each text that states the fact, by the text's number."""
    looked_at: list[int] = field(default_factory=list)
    """Numbers of the texts that contain the words of the fact."""
    new: Fact | None = None


class _Edit(NamedTuple):
    """A place in a text, and the new text that is written there."""

    start: int
    end: int
    new: str


def make_world(
    items: Sequence[Item],
    chosen: Sequence[Item],
    documents: Sequence[Document],
    seed: int,
    more_questions: Sequence[tuple[str, str]] = (),
    say: Callable[[str], None] = lambda message: None,
) -> CounterfactualWorld:
    """Return the documents and items in which the answers of the `chosen` items are replaced where possible. The seed draws the
    new answers. `more_questions` has an (item id, wording) for each other wording of an item's question."""
    obstacles: dict[str, Obstacle] = {}
    plans = _list_plans(chosen, obstacles)
    say("Looking for gold answers ...")
    texts = _Texts(items, documents, more_questions)
    texts.find(plans)
    plans = [plan for plan in plans if not _stop(plan, texts.find_obstacle(plan), obstacles)]
    plans = texts.drop_overlapping(plans, obstacles)
    say("Drawing other answers ...")
    draw = _Draw(items, documents, plans, texts, seed)
    plans = [plan for plan in plans if not _stop(plan, draw.replace(plan), obstacles)]
    say("Checking ...")
    waiting = plans
    while waiting:
        edits = texts.list_edits(plans)
        failures = texts.list_failures(waiting, edits)
        bad = {id(plan) for plan in waiting if _stop(plan, failures.get(id(plan)), obstacles)}
        touched = {row for plan in plans if id(plan) in bad for row in plan.rows}
        plans = [plan for plan in plans if id(plan) not in bad]
        waiting = [plan for plan in plans if touched & plan.rows.keys()]
    return texts.build(plans, obstacles)


def _stop(plan: _Plan, why: Obstacle | None, obstacles: dict[str, Obstacle]) -> bool:
    """Record why a fact is not replaced, for each item that has it as gold answer, and return whether there is a reason."""
    if why is not None:
        obstacles.update(dict.fromkeys((item.id for item in plan.items), why))
    return why is not None


def _list_plans(chosen: Sequence[Item], obstacles: dict[str, Obstacle]) -> list[_Plan]:
    """Return a plan for each distinct fact of the chosen items. If two names with different displayed forms share another form,
    only the earlier name gets a plan, because one string cannot have two replacements."""
    plans: dict[tuple[object, ...], _Plan] = {}
    owners: dict[str, tuple[object, ...]] = {}
    for item in chosen:
        fact = read_fact(item)
        if not isinstance(fact, Fact):
            obstacles[item.id] = fact
            continue
        if any(owners.setdefault(form, fact.key) != fact.key for form in fact.forms):
            obstacles[item.id] = "overlaps another replacement"
            continue
        plan = plans.setdefault(fact.key, _Plan(fact))
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
            for text in (item.question, *item.inputs.values()):
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

    def find(self, plans: Sequence[_Plan]) -> None:
        """Find the mentions of all facts. Each text is searched once for the words of all facts, and again for each fact whose
        words it contains."""
        wanted = list(dict.fromkeys(terms for plan in plans for terms in list_wanted(plan.fact)))
        found = dict(zip(wanted, find_answers(wanted, map(list_terms, self._texts)), strict=True))
        for plan in plans:
            plan.looked_at = sorted({row for terms in list_wanted(plan.fact) for row in found[terms]})
            for row in plan.looked_at:
                if mentions := find_mentions(plan.fact, self._texts[row], self._languages[row]):
                    plan.rows[row] = mentions

    def find_obstacle(self, plan: _Plan) -> Obstacle | None:
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

    def _is_in_evidence(self, plan: _Plan, item: Item) -> bool:
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

    def drop_overlapping(self, plans: Sequence[_Plan], obstacles: dict[str, Obstacle]) -> list[_Plan]:
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

    def states(self, fact: Fact, plan: _Plan) -> bool:
        """Return whether `fact` is stated in a text that states the plan's fact, or in a question of the plan's items."""
        named = {item.id for item in plan.items}
        rows = [*plan.rows, *(row for name in named for row in self._rows_of["question", name])]
        if fact.forms:
            return any(fact.forms[0] in self._texts[row] for row in rows)
        return any(find_mentions(fact, self._texts[row], self._languages[row]) for row in rows)

    def list_edits(self, plans: Sequence[_Plan]) -> dict[int, list[_Edit]]:
        """Return a dict from the number of each text to the edits that the plans make in it, in order and without overlap."""
        edits: dict[int, list[_Edit]] = defaultdict(list)
        for plan in plans:
            assert plan.new is not None
            for row, mentions in plan.rows.items():
                for one in mentions:
                    piece = self._texts[row][one.start : one.end]
                    edits[row].append(_Edit(one.start, one.end, rewrite(plan.fact, plan.new, piece)))
        return {row: sorted(own) for row, own in edits.items()}

    def list_failures(self, plans: Sequence[_Plan], edits: Mapping[int, Sequence[_Edit]]) -> dict[int, Obstacle]:
        """Check the replacements after all edits, and return a dict from the id() of each plan that fails to the reason. Each
        text is read once for all plans, because reading the figures of a text takes most of the time."""
        failures: dict[int, Obstacle] = {}
        of_row: dict[int, list[_Plan]] = defaultdict(list)
        for plan in plans:
            for row in plan.looked_at:
                of_row[row].append(plan)
        old = {id(plan): tuple(dict.fromkeys(answer for item in plan.items for answer in item.answers)) for plan in plans}
        wanted = {id(plan): list_wanted(plan.fact) for plan in plans}
        for row, own in of_row.items():
            text = _write(self._texts[row], edits.get(row, ()))
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

    def _has_new_answer(self, item: Item, edits: Mapping[int, Sequence[_Edit]]) -> bool:
        """Return whether the item's evidence states the new answer; True if the item has no evidence."""
        new, cut = self._new_answers(item, edits), [self._cut_new(span, edits) for span in item.evidence]
        return not cut or any(find_leaked_answer("", text, new) for text in cut)

    def _new_answers(self, item: Item, edits: Mapping[int, Sequence[_Edit]]) -> tuple[str, ...]:
        rows = self._rows_of["answer", item.id]
        return tuple(dict.fromkeys(_write(self._texts[row], edits.get(row, ())) for row in rows))

    def _cut_new(self, span: Span, edits: Mapping[int, Sequence[_Edit]]) -> str:
        row = self._rows_of["document", span.document][0]
        own = edits.get(row, ())
        return _write(self._texts[row], own)[_move(span.start, own) : _move(span.end, own, is_end=True)]

    def build(self, plans: Sequence[_Plan], obstacles: Mapping[str, Obstacle]) -> CounterfactualWorld:
        """Return the documents and items with all replacements written."""
        edits = self.list_edits(plans)
        made = {name: document for name in self.documents if (document := self._build_document(name, edits)) is not None}
        unsure = self._list_unsure(plans)
        types = {item.id: plan.fact.type for plan in plans for item in plan.items}
        answers = {
            self._texts[row]: _write(self._texts[row], own) for row, own in edits.items() if self._places[row][0] == "answer"
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

    def _build_document(self, name: str, edits: Mapping[int, Sequence[_Edit]]) -> Document | None:
        old = self.documents[name]
        if not (own := edits.get(self._rows_of["document", name][0])):
            return None
        text, title = _write(old.text, own), _write(old.title, edits.get(self._rows_of["title", name][0], ()))
        return replace(old, id=content_hash(text), text=text, title=title, meta={**old.meta, "counterfactual_of": name})

    def _build_item(
        self,
        item: Item,
        new: tuple[str, ...],
        origin: Origin,
        edits: Mapping[int, Sequence[_Edit]],
        made: Mapping[str, Document],
        answers: Mapping[str, str],
    ) -> Item:
        evidence = []
        for span in item.evidence:
            own = edits.get(self._rows_of["document", span.document][0], ())
            name = made[span.document].id if span.document in made else span.document
            evidence.append(Span(name, _move(span.start, own), _move(span.end, own, is_end=True)))
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

    def _list_unsure(self, plans: Sequence[_Plan]) -> set[str]:
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


class _Draw:
    """Draws new facts to replace old ones. No two new facts are the same, and no text that states an old fact already states
    its new one."""

    def __init__(
        self, items: Sequence[Item], documents: Sequence[Document], plans: Sequence[_Plan], texts: _Texts, seed: int
    ) -> None:
        self._documents, self._texts, self._seed = documents, texts, seed
        self._old: set[tuple[object, ...]] = {plan.fact.key for plan in plans}
        self._old |= {(form,) for plan in plans for form in plan.fact.forms}
        self._used: set[tuple[object, ...]] = set()
        self._golds: dict[tuple[str, Kind, int], dict[str, Item]] = defaultdict(dict)
        for item in items:
            for name in item.answers[:1]:
                if kind := read_kind(name, item.question, item.language):
                    self._golds[item.language, kind, count_words(name)].setdefault(name, item)
        self._mentioned: dict[tuple[str, Kind, int], list[str]] | None = None

    def replace(self, plan: _Plan) -> Obstacle | None:
        """Draw the plan's new fact and store it in the plan; return None, or the reason if no new fact was found."""
        random_ = random.Random(f"{self._seed}:{plan.fact.key}")
        labels = str([dict(item.labels) for item in plan.items])
        for new in self._list_options(plan, random_):
            is_told = bool(new.forms) and new.forms[0] in labels
            is_taken = new.key in self._used or (is_value(new) and new.key in self._old)
            if not is_taken and not is_told and not self._texts.states(new, plan):
                plan.new = new
                self._used.add(new.key)
                return None
        return "no replacement"

    def _list_options(self, plan: _Plan, random_: random.Random) -> Iterator[Fact]:
        """Yield candidates for the new fact: dates or numbers near the old one, or names of the same kind and number of words.
        Names come in this order: gold answers to questions with the same first content word, other gold answers, names in
        documents. Among the gold answers of each group, those that stay come before those that are replaced themselves. A name
        of the kind "other" is replaced only by a gold answer to a question with the same first content word."""
        fact, item = plan.fact, plan.items[0]
        if fact.kind is None:
            yield from (draw_figure(fact, random_) for _ in range(MAX_DRAWS))
            return
        key = item.language, fact.kind, count_words(fact.forms[0])
        golds = sorted(self._golds[key])
        asked, head = list_terms(item.question), find_head(item.question)

        def rank(name: str) -> tuple[bool, bool, bool, int]:
            other = self._golds[key][name]
            is_alike = find_head(other.question) == head
            return not is_alike, (name,) in self._old, other.domain != item.domain, -len(asked & list_terms(other.question))

        names = sorted(random_.sample(golds, min(len(golds), MAX_RANKED)), key=rank)
        old = set(fact.forms[0].split())
        for name in names:
            if not old & set(name.split()) and not (fact.kind == "other" and rank(name)[0]):
                yield fact._replace(forms=(name,))
        more = self._list_mentioned(key) if fact.kind != "other" else []
        for name in random_.sample(more, min(len(more), MAX_RANKED)):
            if not old & set(name.split()):
                yield fact._replace(forms=(name,))

    def _list_mentioned(self, key: tuple[str, Kind, int]) -> list[str]:
        """Return the names with this language, kind and number of words in documents that are drawn with the seed."""
        if self._mentioned is None:
            found: dict[tuple[str, Kind, int], dict[str, None]] = defaultdict(dict)
            some = sorted(self._documents, key=lambda document: document.id)
            for document in random.Random(self._seed).sample(some, min(len(some), MAX_NAMED_DOCUMENTS)):
                for name, kind in list_names(document.text, document.language):
                    found[document.language, kind, count_words(name)][name] = None
            self._mentioned = {one: list(names) for one, names in found.items()}
        return self._mentioned.get(key, [])


def _list_documents(item: Item) -> set[str]:
    """Return the ids of the documents of the item's evidence, the documents given with the item, and the item's text labels,
    which may be ids of documents too."""
    labelled = {value for value in item.labels.values() if isinstance(value, str)}
    return {span.document for span in item.evidence} | set(item.given) | labelled


def _write(text: str, edits: Sequence[_Edit]) -> str:
    """Return the text after its edits, which are in order."""
    parts, at = [], 0
    for edit in edits:
        parts += [text[at : edit.start], edit.new]
        at = edit.end
    return "".join([*parts, text[at:]]) if edits else text


def _move(at: int, edits: Sequence[_Edit], is_end: bool = False) -> int:
    """Return where an offset is after the edits. An offset inside of an edit moves to the start of the edit's new text, or to
    its end if `is_end` is True."""
    moved = at
    for edit in edits:
        if edit.end <= at:
            moved += len(edit.new) - (edit.end - edit.start)
        elif edit.start < at:
            return moved - (at - edit.start) + (len(edit.new) if is_end else 0)
    return moved


def _exchange(value: Any, known: Mapping[str, str]) -> Any:
    """Return a label's value, in which the texts that are keys of `known` are replaced by the values of these keys."""
    if isinstance(value, str):
        return known.get(value, value)
    if isinstance(value, Mapping):
        return {name: _exchange(one, known) for name, one in value.items()}
    return [_exchange(one, known) for one in value] if isinstance(value, list | tuple) else value
