"""Draw other facts of the same type in place of the gold answers: dates and numbers near the old ones, and names from other
gold answers or from documents."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from builders.absence.answer_search import list_terms
from builders.counterfactual.facts import Fact, Mention, draw_figure, is_value
from builders.counterfactual.names import Kind, count_words, find_head, list_names, read_kind
from core.nouns import Document, Item
from core.quality.counterfactual import Obstacle

MAX_DRAWS = 40
"""Maximum number of times that a new date or number is drawn; if none fits, the old one stays."""
MAX_RANKED = 200
"""Maximum number of gold answers, drawn with the seed, that are ranked as new names by the similarity of their questions; also
the maximum number of names from documents that are tried."""
MAX_NAMED_DOCUMENTS = 300
"""Maximum number of documents, drawn with the seed, from which new names are taken if no gold answer of the release fits."""


@dataclass(slots=True)
class ReplacementPlan:
    """A fact to replace, the items that have it as gold answer, and the places in texts that state it."""

    fact: Fact
    items: list[Item] = field(default_factory=list)
    rows: dict[int, list[Mention]] = field(default_factory=dict)
    """The mentions in each text that states the fact, by the text's number."""
    looked_at: list[int] = field(default_factory=list)
    """Numbers of the texts that contain the words of the fact."""
    new: Fact | None = None


class ReplacementDraw:
    """Draws new facts to replace old ones. No two new facts are the same, and no text that states an old fact already states
    its new one."""

    def __init__(
        self,
        items: Sequence[Item],
        documents: Sequence[Document],
        plans: Sequence[ReplacementPlan],
        states: Callable[[Fact, ReplacementPlan], bool],
        seed: int,
        last_year: int,
    ) -> None:
        self._documents, self._states, self._seed, self._last_year = documents, states, seed, last_year
        self._old: set[tuple[object, ...]] = {plan.fact.key for plan in plans}
        self._old |= {(form,) for plan in plans for form in plan.fact.forms}
        self._used: set[tuple[object, ...]] = set()
        self._golds: dict[tuple[str, Kind, int], dict[str, Item]] = defaultdict(dict)
        for item in items:
            for name in item.answers[:1]:
                if kind := read_kind(name, item.question, item.language):
                    self._golds[item.language, kind, count_words(name)].setdefault(name, item)
        self._mentioned: dict[tuple[str, Kind, int], list[str]] | None = None

    def replace(self, plan: ReplacementPlan) -> Obstacle | None:
        """Draw the plan's new fact and store it in the plan; return None, or the reason if no new fact was found."""
        random_ = random.Random(f"{self._seed}:{plan.fact.key}")
        labels = str([dict(item.labels) for item in plan.items])
        for new in self._list_options(plan, random_):
            is_told = bool(new.forms) and new.forms[0] in labels
            is_taken = new.key in self._used or (is_value(new) and new.key in self._old)
            if not is_taken and not is_told and not self._states(new, plan):
                plan.new = new
                self._used.add(new.key)
                return None
        return "no replacement"

    def _list_options(self, plan: ReplacementPlan, random_: random.Random) -> Iterator[Fact]:
        """Yield candidates for the new fact: dates or numbers near the old one, or names of the same kind and number of words.
        Names come in this order: gold answers to questions with the same first content word, other gold answers, names in
        documents. Among the gold answers of each group, those that stay come before those that are replaced themselves. A name
        of the kind "other" is replaced only by a gold answer to a question with the same first content word."""
        fact, item = plan.fact, plan.items[0]
        if fact.kind is None:
            yield from (draw_figure(fact, random_, self._last_year) for _ in range(MAX_DRAWS))
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
