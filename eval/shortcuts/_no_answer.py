"""The answer that shortcuts give to questions to which they do not apply."""

from eval.shortcut import ShortcutAnswer

NO_PASSAGE = ShortcutAnswer(None, "no passage shares a word with the question")
