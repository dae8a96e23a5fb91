"""How long the command line takes to answer, as ratios of what importing DuckDB and numpy takes on the same machine."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.benchmarks.table import head, row

ROOT = Path(__file__).parents[3]
ROUNDS = 7
BASE = ("-c", "import duckdb, numpy")
PREDICTION = '{"id": "a", "prediction": "Marta Quill", "answers": ["Marta Quill"]}\n'
CHINESE = "from core.text.words import words; words('检索增强生成', 'zh')"


def seconds(words: Sequence[str]) -> float:
    """The median of several runs, after one that warms the files."""
    took = []
    for _ in range(ROUNDS + 1):
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True)
        took.append(time.perf_counter() - began)
    return median(took[1:])


def main() -> None:
    head()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.jsonl"
        file.write_text(PREDICTION, encoding="utf-8")
        asked = {
            "--help": (("cli.py", "--help"), 0.5),
            "items on an empty workspace": (("cli.py", "items", "--workspace", ":memory:"), 0.3),
            "score with exact_match": (("cli.py", "score", str(file), "--metrics", "exact_match"), 0.15),
            "the first words of a Chinese text": (("-c", CHINESE), 0.3),
        }
        base = seconds(BASE)
        for what, (words, target) in asked.items():
            row(what, "import duckdb, numpy", base, seconds(words), target)


if __name__ == "__main__":
    main()
