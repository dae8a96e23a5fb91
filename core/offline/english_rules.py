"""The table of rules for English predicates, by what the subject is."""

from core.offline.english_rule import Rule
from core.offline.english_rules_persons import PERSONS
from core.offline.english_rules_places import PLACES
from core.offline.english_rules_works import WORKS

RULES: tuple[Rule, ...] = (*WORKS, *PERSONS, *PLACES)
