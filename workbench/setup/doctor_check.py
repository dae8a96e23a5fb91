"""The result of one check by the doctor."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DoctorCheck:
    """`message` says what it is, or what is wrong with it."""

    name: str
    ok: bool
    message: str


@dataclass(frozen=True, slots=True)
class PromptCheck(DoctorCheck):
    """A prompt that was sent once on the samples."""

    parsed: bool = False
    seconds: float | None = None
    price: float | None = None
