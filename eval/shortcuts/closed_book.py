"""closed_book: agents answer the question without any text, by the system closed_book. Right answers show what an agent's
training contains."""

from eval.shortcut import Shortcut

SHORTCUT = Shortcut(
    label="Closed book",
    about="An agent that sees only the question answers it.",
    form="reply",
    system="closed_book",
)
