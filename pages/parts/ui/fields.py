"""Form fields that many pages share: a choice with labels, a seed, a budget and a count. The session keeps the values of the
fields."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from streamlit.delta_generator import DeltaGenerator

from core.text.language import UNKNOWN, language_name, rows

T = TypeVar("T")
MAX_SEED = 2**31 - 1


def name_languages(codes: Sequence[str] | None = None) -> dict[str, str]:
    """Return a dict from language code to name for the given codes, or for all languages, sorted by name with `und` last."""
    named = {code: language_name(code) for code in ((*rows(), UNKNOWN) if codes is None else codes)}
    return dict(sorted(named.items(), key=lambda pair: (pair[0] == UNKNOWN, pair[1])))


def select_field(place: Any, label: str, options: Mapping[T, str], key: str, **more: Any) -> T:
    """Show a select box in the container `place`, whose `options` are a dict from value to label; `more` is passed to
    st.selectbox."""
    chosen: T = place.selectbox(label, list(options), key=key, format_func=options.__getitem__, **more)
    return chosen


def seed_field(place: DeltaGenerator, key: str, value: int, **options: Any) -> int:
    """Show a field for a random seed in the container `place`; `options` are passed to the number input."""
    return int(place.number_input("Seed", 0, MAX_SEED, value, 1, key=key, persist_state="session", **options))


def budget_field(
    place: DeltaGenerator,
    key: str,
    label: str = "Budget, USD",
    help: str = "The job stops before a call that might exceed it, and can continue with a higher budget.",
    **options: Any,
) -> float | None:
    """Show a field for a budget in US dollars in the container `place`, and return its value, or None if the field is empty.
    `options` are passed to the number input."""
    budget: float | None = place.number_input(
        label, 0.0, None, None, 0.5, format="%.2f", key=key, placeholder="none", persist_state="session", help=help, **options
    )
    return budget


def count_field(place: DeltaGenerator, label: str, key: str, most: int, value: int, step: int = 1, **options: Any) -> int:
    """Show a field for a whole number from 1 to `most` in the container `place`; `options` are passed to the number input."""
    return int(place.number_input(label, 1, most, value, step, key=key, persist_state="session", **options))
