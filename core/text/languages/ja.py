"""Properties of Japanese as a language of documents and questions."""

from core.text.language import Language

LANGUAGE = Language(
    name="Japanese",
    script="Jpan",
    cut="characters",
    cutter="sudachipy",
    bleu="char",
)
