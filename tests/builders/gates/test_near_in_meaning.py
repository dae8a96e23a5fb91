"""The gate near_in_meaning: flags what is nearer than random pairs and the spec's cosine, and says when it cannot
tell."""

import pytest

from builders.gate import GateContext, SimilarQuestion
from builders.gates.near_in_meaning import GATE
from tests.builders.drafts import draft


class Stub:
    """A model that finds one neighbour."""

    model = "stub"

    def __init__(self, cosine, limit):
        self._cosine, self._limit = cosine, limit

    def limit(self, language):
        return self._limit

    def find_nearest(self, item):
        return None if self._cosine is None else SimilarQuestion("i2", "Who then?", self._cosine)


@pytest.mark.parametrize(
    ("cosine", "limit", "outcome"),
    [
        (0.99, 0.5, "flag"),
        (0.935, 0.5, "flag"),
        (0.9349, 0.5, "pass"),
        (0.95, 0.96, "pass"),
        (0.97, 0.96, "flag"),
        (-0.2, 0.1, "pass"),
        (None, 0.5, "not run"),
        (0.99, "stub does not know zh.", "not run"),
    ],
)
def test_both_limits_must_be_reached(cosine, limit, outcome):
    found = GATE.check(draft("Who?"), GateContext(lambda span: "", similar_questions=Stub(cosine, limit)))
    assert found.outcome == outcome
    assert found.why.startswith("Not run: ") == (outcome == "not run")


def test_without_vectors_it_is_not_run():
    assert GATE.check(draft("Who?"), GateContext(lambda span: "")).outcome == "not run"
