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
    """A prompt that was sent once on the samples."""

    parsed: bool = False
    seconds: float | None = None
    price: float | None = None
