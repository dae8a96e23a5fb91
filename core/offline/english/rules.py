"""The table of rules for English predicates, by what the subject is."""

from core.offline.english.rule import Rule
from core.offline.english.rules_persons import PERSONS
from core.offline.english.rules_places import PLACES
from core.offline.english.rules_works import WORKS

RULES: tuple[Rule, ...] = (*WORKS, *PERSONS, *PLACES)
