"""The result of one check by the doctor."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """`message` describes the thing checked, or the problem with it."""

    name: str
    ok: bool
    message: str


@dataclass(frozen=True, slots=True)
class PromptCheck(DoctorCheck):
    """The check of one prompt, which was sent to the agent once with sample texts."""

    parsed: bool = False
    seconds: float | None = None
    price: float | None = None
