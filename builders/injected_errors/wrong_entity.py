"""Replace a name in the answer with another name from the item's documents."""

from random import Random

from builders.injected_error import AcceptedCopy, InjectedCopy, InjectedError, InjectionContext, entities, with_answer
from core.nouns import Item


def inject(item: Item, context: InjectionContext, random: Random) -> InjectedCopy | None:
    answer, said = item.answers[0], f"{item.question}\n" + "\n".join(item.answers)
    mine = [name for name in entities(answer, context.text, item.language) if name not in item.question]
    others = [
        name for name in entities(context.text, context.text, item.language) if name not in said and not _shares(name, said)
    ]
    random.shuffle(mine)
    for gone in mine:
        like = [name for name in others if _kind(name) == _kind(gone)]
        if like:
            put = random.choice(like)
            why = f"The answer named {gone} before; {put} is another name from the text, put in its place."
            return InjectedCopy(with_answer(item, answer.replace(gone, put)), gone, put, why)
    return None


def is_mended(copy: InjectedCopy, before: Item, answered: AcceptedCopy) -> bool:
    return copy.put not in answered.answer and any(
        part in answered.answer for answer in (copy.gone, *before.answers) for part in (answer, answer.split()[-1])
    )


def _kind(name: str) -> tuple[int, bool, bool]:
    """Return features of a name: the number of words, and whether the name contains · or 《. A name is only replaced by a name
    with the same features."""
    return len(name.split()), "·" in name, "《" in name


def _shares(name: str, said: str) -> bool:
    """Check whether the text `said` contains a word of the name. A name that shares a word with the text may be another form of
    a name that the text contains."""
    return any(part in said for part in name.replace("·", " ").split())


INJECTED_ERROR = InjectedError(
    label="wrong name",
    where="answer",
    expected="Put the right name back from the evidence, or discard the item.",
    inject=inject,
    is_mended=is_mended,
)
