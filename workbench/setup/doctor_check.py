"""Define the result of one check of the installation by the command doctor."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """The result of one check; `message` says what was found, or what the problem is."""

    name: str
    ok: bool
    message: str

    @property
    def is_refused(self) -> bool:
        """Return whether the endpoint refuses the parameter that was checked; calls then leave it out."""
        return False


@dataclass(frozen=True, slots=True)
class PromptCheck(DoctorCheck):
    """The result of sending one prompt, filled in with sample texts, to the agent."""

    parsed: bool = False
    seconds: float | None = None
    price: float | None = None
