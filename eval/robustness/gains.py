"""What retrieval did to an answer, beside the same agent's answer to the same words without it (study, section 3.8). The four
add up to 1. NaN where one of the two is not known."""

from typing import Any


def rate_helpful(correct: Any, without: Any) -> Any:
    """Wrong without, right with."""
    return (1.0 - without) * correct


def rate_harmful(correct: Any, without: Any) -> Any:
    """Right without, wrong with."""
    return without * (1.0 - correct)


def rate_stable(correct: Any, without: Any) -> Any:
    """Right both times."""
    return correct * without


def rate_unhelpful(correct: Any, without: Any) -> Any:
    """Wrong both times."""
    return (1.0 - correct) * (1.0 - without)
