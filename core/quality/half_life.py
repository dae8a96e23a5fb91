"""The outcomes of a half-life check, in which the questions of a release are asked again of newer tables and web pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

DecayOutcome = Literal["unchanged", "changed", "gone", "not_found", "not_asked"]
OUTCOMES: Mapping[DecayOutcome, str] = {
    "unchanged": "unchanged",
    "changed": "changed",
    "gone": "gone",
    "not_found": "not found",
    "not_asked": "not asked",
}
"""A dict from each outcome to its name on the screen. unchanged = a gold answer is still right; changed = another answer is
right; gone = the question has no answer now; not_found = the newer page does not state a gold answer in its words, and rules
cannot know whether it states another one; not_asked = the question could not be asked, for a reason."""
DECIDED: tuple[DecayOutcome, ...] = ("unchanged", "changed", "gone")
"""The outcomes that say whether the released answer is still right; shares are computed over these."""
QuestionSource = Literal["template", "web", "other"]
DEFAULT_TOLERANCE = 0.1
"""Share of changed answers (0..1) up to which a release need not be refreshed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckedAnswer:
    """What a half-life check found about the answer to one question."""

    item: str
    outcome: DecayOutcome
    why: str = ""
    """Reason for the outcome in a few words; "" = the outcome needs none."""
    before: str = ""
    """The released answer."""
    after: str = ""
    """The newer answer; "" = there is none, or it is not known."""
    days: int = 0
    """Days between the date of the released answer and the check."""
