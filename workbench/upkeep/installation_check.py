"""Check the installation for the command doctor: packages, workspace, models and plug-ins."""

import importlib
import platform
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from agents.kind import kinds
from core.catalog import list_plug_in_troubles
from core.errors import BenchError
from store.engine.database import Database
from workbench.setup.doctor_check import DoctorCheck

PACKAGES = (
    "duckdb",
    "streamlit",
    "openai",
    "pandas",
    "numpy",
    "jieba",
    "bm25s",
    "sacrebleu",
    "trafilatura",
    "pypdfium2",
    "docx",
)


def check_installation(database: Database) -> list[DoctorCheck]:
    """Check the packages, the workspace, the models and the plug-ins of this installation."""
    return [
        check("python", platform.python_version),
        *(check(name, partial(find_version, name)) for name in PACKAGES),
        check("workspace", partial(check_workspace, database)),
        check("folder", partial(check_folder, database)),
        check("tokenizer", check_tokenizer),
        check("embedding model", check_embedding_model),
        check("plug-ins", check_plug_ins),
    ]


def check(name: str, look: Callable[[], str]) -> DoctorCheck:
    """Run one check of the installation. The result has the message that the function `look` returns, or the message of the
    error that it raises."""
    try:
        return DoctorCheck(name, True, look())
    except (BenchError, ImportError, OSError) as error:
        return DoctorCheck(name, False, str(error))


def find_version(package: str) -> str:
    """Import the package and return its version."""
    module = importlib.import_module(package)
    return str(getattr(module, "__version__", "there"))


def check_workspace(database: Database) -> str:
    """Read the whole workspace, and compare the state of every item with its history. Raises BenchError if a state differs from
    the history."""
    from store.reviews.state import list_differences

    rows = database.read_through()
    wrong = list_differences(database)
    if wrong:
        raise BenchError(
            f"{len(wrong)} items have a state that differs from their history, the first is {wrong[0][0]}: restore a backup."
        )
    return f"{database.path}, {rows} rows can be read, every state row equals its history"


def check_folder(database: Database) -> str:
    """Check that a file can be written into the workspace's folder."""
    folder = database.path.parent if database.path else Path.cwd()
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        file.write(b"ok")
    return f"{folder} can be written"


def check_tokenizer() -> str:
    """Check the tokenizer by splitting a Chinese text into words."""
    from core.text.text import words

    return f"splits 检索增强生成 into {' '.join(words('检索增强生成', 'zh'))}"


def check_embedding_model() -> str:
    """Check the default embedding model by computing one vector."""
    from core.retrieval.embeddings import embedder

    model = embedder("minilm")
    vector = model.encode(["a test"])
    return f"{model.name}, {vector.shape[1]} dimensions, {model.max_tokens} tokens, languages: {', '.join(model.languages)}"


def check_plug_ins() -> str:
    """Load every plug-in and count them. Raises BenchError with the names of the plug-ins that cannot be loaded."""
    from workbench.plug_ins import PLUG_INS

    count = sum(len(list(read())) for read in PLUG_INS.values()) + len(kinds())
    if troubles := list_plug_in_troubles():
        raise BenchError(" ".join(troubles))
    return f"{count} plug-ins can be used"
