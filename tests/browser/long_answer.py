"""A level 4 item for tests of long work: an answer of twelve sentences over a text of 6,000 words, of which one has a wrong
figure and one is not in the text."""

from core.ids import content_hash
from core.nouns import Document, Item, Provenance, Span
from core.text.text import split_sentences

FACTS = (
    ("The harbour office of Orvel opened in spring.", "The harbour of Orvel began with an office that opened in spring."),
    ("Marta Quill proposed the swing bridge in a letter to the council.", "The swing bridge was the idea of Marta Quill."),
    ("The council refused the proposal twice before it agreed.", "The council agreed only after two refusals."),
    ("Stone for the piers came down the Senn on barges.", "The stone of the piers travelled by river."),
    ("The first pier was finished in 1911 after a hard winter.", "The first pier stood in 1912, after a winter of hardship."),
    ("Divers found the wreck of a ferry beneath the second pier.", "A sunken ferry lay under the second pier."),
    ("The toll was set at four pence for a loaded cart.", "Loaded carts paid a toll of four pence."),
    ("Fishermen petitioned against the hours of the bridge.", "Those who fished objected to when it opened."),
    ("A fire destroyed the engine house and all of its drawings.", "Fire took the engine house."),
    ("The rebuilt engine ran on oil instead of coal.", "Its keeper was honoured by a queen."),
    ("The toll was abolished when the tramway company failed.", "With the end of the tramway the toll went as well."),
    ("A statue of Marta Quill was unveiled beside the bridge.", "Today a statue beside the bridge recalls its author."),
)
"""What the text says, and the claim that rests on it."""
WRONG, UNFOUNDED = 4, 9
"""The claims that are not as the text has it."""
EVERY = 25
"""Sentences from one fact to the next."""
_FILLER = "Entry {} of the harbour book notes wind, tide and weather at dusk, and which tall vessels lay at their moorings."


def document() -> Document:
    """6,170 words in paragraphs of five sentences."""
    sentences = [_FILLER.format(n) for n in range(EVERY * len(FACTS))]
    for n, (fact, _) in enumerate(FACTS):
        sentences[EVERY * n + 11] = fact
    text = "\n\n".join(" ".join(sentences[start : start + 5]) for start in range(0, len(sentences), 5))
    return Document(content_hash(text), text, "The harbour book", domain="humanities")


def item(text: Document) -> Item:
    """Each claim cites its own fact."""
    places = [Span(text.id, text.text.index(fact), text.text.index(fact) + len(fact)) for fact, _ in FACTS]
    claims = [
        {"claim": claim, "evidence": [[place.document, place.start, place.end]]}
        for (_, claim), place in zip(FACTS, places, strict=True)
    ]
    return Item(
        "long",
        "implicit_rationale",
        "How did the bridge change the town?",
        (" ".join(claim for _, claim in FACTS),),
        tuple(places),
        4,
        "humanities",
        status="drafted",
        given=(text.id,),
        steps=({"kind": "claims", "claims": claims},),
        provenance=Provenance("recorded", "draft/implicit_rationale.en@b2:0", 7, (), "drafted"),
    )


def sentence(text: Document, number: int) -> Span:
    """The span of a sentence by the number in its margin."""
    start, end = split_sentences(text.text, text.language)[number - 1]
    return Span(text.id, start, end)
