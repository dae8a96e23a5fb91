"""Pydantic models for the bodies of POST requests. A body that does not match its model is refused with a one-line message."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, StrictBool, StrictInt, StrictStr, ValidationError

from core.errors import BenchError
from core.label_questions import LABEL_ANSWERS
from core.nouns import Span

B = TypeVar("B", bound="Body")


def _no_bool(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a number is expected")
    return value


def _or_empty(value: object) -> object:
    return "" if value is None else value


OptionalText = Annotated[StrictStr, BeforeValidator(_or_empty)]
"""Type of a text for which null is read as ""."""
Whole = Annotated[int, BeforeValidator(_no_bool), Field(ge=0, lt=2**31)]
Seconds = Annotated[float, Strict(), Field(ge=0, lt=1e9)]


class Body(BaseModel):
    """Base class for the bodies of POST requests. Unknown fields are ignored."""

    model_config = ConfigDict(frozen=True)
    person: OptionalText = ""


class ItemBody(Body):
    person: StrictStr
    item: StrictStr


class PlaceBody(BaseModel):
    """A span of a document in the body of a request."""

    document: StrictStr
    start: Whole
    end: Whole


class TypedBody(ItemBody):
    """Text that a person has typed but not submitted, with the id of the browser tab."""

    revision: Whole
    question: StrictStr
    answer: OptionalText = ""
    tab: OptionalText = ""
    key: OptionalText = ""
    since: StrictStr | None = None
    """When the text that the tab shows was stored; None = the tab has no stored text."""
    seconds: Seconds | None = None


class DeskBody(ItemBody):
    """What a person entered at the review desk: question, answer, evidence and answers to label questions."""

    revision: Whole
    question: StrictStr
    answer: StrictStr
    evidence: Annotated[list[PlaceBody], BeforeValidator(lambda found: found or [])] = []
    label_answers: Mapping[str, Any] | None = None
    """Dict from the name of a label question to its answer; the workbench validates the answers."""
    tab: OptionalText = ""
    seconds: Seconds | None = None

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(Span(place.document, place.start, place.end) for place in self.evidence)


class ScratchBody(DeskBody):
    key: OptionalText = ""
    since: StrictStr | None = None


class KindBody(BaseModel):
    """Filter for the next item to review; null = any value."""

    task: StrictStr | None = None
    level: StrictInt | StrictStr | None = None
    domain: StrictStr | None = None
    language: StrictStr | None = None
    agent: StrictStr | None = None
    flag: StrictStr | None = None


class VariantQueueBody(BaseModel):
    """Filter for the next variant to review, or the sample to judge; null = any value."""

    kind: StrictStr | None = None
    task: StrictStr | None = None
    domain: StrictStr | None = None
    flag: StrictStr | None = None
    sample: OptionalText = ""


class OnwardBody(BaseModel):
    """Part of a request that asks for the next entry of a queue; the desk opens this entry once the server has stored the
    decision in the same request."""

    key: StrictStr
    tab: StrictStr
    number: Whole

    def place(self, stored: ItemBody) -> tuple[str, str, str, int, str, Literal["next"]]:
        """Return, in order, the fields of the TabStep (step to another entry of a queue) from the stored entry to the next
        one."""
        return stored.person, self.tab, self.key, self.number, stored.item, "next"


class ItemOnwardBody(OnwardBody):
    kind: KindBody = KindBody()


class VariantOnwardBody(OnwardBody):
    kind: VariantQueueBody = VariantQueueBody()


class DecisionBody(DeskBody):
    """Body of a request that decides on an item at the review desk."""

    key: StrictStr
    decision: Literal["accept", "discard"]
    reason: OptionalText = ""
    comment: OptionalText = ""
    claims: Annotated[list[Mapping[str, Any]], BeforeValidator(lambda found: found or [])] = []
    labels: Mapping[str, StrictStr] | None = None
    status: Annotated[str | None, BeforeValidator(lambda status: status if isinstance(status, str) else None)] = None
    guideline: Whole | None = None
    onward: ItemOnwardBody | None = None


class AdjudicationBody(DecisionBody):
    seen: StrictStr
    """Hash of the opinions that were on the person's screen."""


class UndoBody(Body):
    person: StrictStr
    key: StrictStr
    item: OptionalText = ""
    sample: OptionalText = ""


class SkipBody(ItemBody):
    key: StrictStr
    revision: Whole
    reason: StrictStr
    onward: ItemOnwardBody | None = None


class TabStepBody(ItemBody):
    """Request to go from one entry of a queue to another, such as the next entry."""

    key: StrictStr
    tab: StrictStr
    number: Whole
    to: Literal["next", "back", "open"]
    target: OptionalText = ""

    @property
    def place(self) -> tuple[str, str, str, int, str, Literal["next", "back", "open"], str]:
        """Return, in order, the fields of a TabStep (step to another entry of a queue)."""
        return self.person, self.tab, self.key, self.number, self.item, self.to, self.target


class StepBody(TabStepBody):
    kind: KindBody = KindBody()


class AheadBody(ItemBody):
    """Request for the document of the next item, so that the browser can load the document in advance."""

    kind: KindBody = KindBody()


class VariantStepBody(TabStepBody):
    kind: VariantQueueBody = VariantQueueBody()


class CommentBody(ItemBody):
    text: StrictStr
    key: StrictStr
    tab: OptionalText = ""


class TakenBackBody(Body):
    person: StrictStr
    comment: StrictStr


class OwnAnswerBody(ItemBody):
    answer: StrictStr
    seconds: Seconds | None = None


class OwnScratchBody(OwnAnswerBody):
    revision: Whole


class WordingBody(Body):
    item: StrictStr
    text: StrictStr


class RewriteBody(ItemBody):
    revision: Whole
    text: StrictStr
    reason: OptionalText = ""
    seconds: Seconds | None = None
    tab: OptionalText = ""
    onward: ItemOnwardBody | None = None


class VariantBody(ItemBody):
    """Body of a request that decides on a variant."""

    key: StrictStr
    decision: StrictStr
    status: StrictStr
    text: StrictStr
    applied: StrictBool | None = None
    kept: StrictBool | None = None
    reason: OptionalText = ""
    comment: OptionalText = ""
    seconds: Seconds | None = None
    tab: OptionalText = ""
    onward: VariantOnwardBody | None = None


class QualityBody(ItemBody):
    key: StrictStr
    sample: StrictStr
    applied: StrictBool | None = None
    kept: StrictBool | None = None
    comment: OptionalText = ""
    seconds: Seconds | None = None
    onward: VariantOnwardBody | None = None


def read_body(model: type[B], raw: bytes) -> B:
    """Parse the body of a request with the route's model. Raises BenchError if the body does not match the model."""
    try:
        return model.model_validate(json.loads(raw))  # pydantic's own parser refuses lone surrogates, which people can type
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BenchError("The page sent data that is not valid JSON: load the page again.") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if not first["loc"]:
            raise BenchError("The page sent data that is not a JSON object: load the page again.") from error
        name = str(first["loc"][0])
        raise refuse_field("answers to label questions" if name == LABEL_ANSWERS else name) from error


def refuse_field(name: str) -> BenchError:
    return BenchError(f"The page sent no valid {name}: load the page again.")
