"""The kinds of contests: what can be wrong with an item of a release."""

from collections.abc import Mapping
from typing import Literal

ContestKind = Literal["wrong_answer", "missing_answer", "bad_evidence", "unclear_question", "other"]
KINDS: Mapping[ContestKind, str] = {
    "wrong_answer": "The answer is wrong",
    "missing_answer": "Another right answer is missing",
    "bad_evidence": "The evidence does not prove the answer",
    "unclear_question": "The question is unclear",
    "other": "Something else",
}
"""A dict from each kind of contest to its label on the screen; store/formats/shipped/page.js repeats the labels."""
