"""Japanese."""

from core.text.language import Language

LANGUAGE = Language(
    name="Japanese",
    script="Jpan",
    cut="characters",
    cutter="sudachipy",
    bleu="char",
)
