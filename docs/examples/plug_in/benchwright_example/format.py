"""questions: the questions of a release as lines of text. Gold answers are never written, so nothing has to be withheld."""

from pathlib import Path

from benchwright import Bundle, Format


def write(bundle: Bundle, folder: Path, withheld: frozenset[str]) -> None:
    lines = sorted(" ".join(item.question.split()) for item in bundle.items)
    (folder / "questions.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


FORMAT = Format(label="Questions, one a line", write=write)
