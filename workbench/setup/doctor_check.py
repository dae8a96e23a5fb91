"""Defines the result of one check of the installation (the doctor)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """The result of one check; `message` describes what was found, or the problem."""

    name: str
    ok: bool
    message: str

    @property
    def is_refused(self) -> bool:
        """Return whether the endpoint refuses the parameter that was checked; calls are then made without this parameter."""
        return False


@dataclass(frozen=True, slots=True)
class PromptCheck(DoctorCheck):
    """The result of sending one prompt, filled with sample texts, to the agent."""

    parsed: bool = False
    seconds: float | None = None
    price: float | None = None
