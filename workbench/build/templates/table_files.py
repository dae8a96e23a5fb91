"""Find table files, and read and apply corrections of the specifications of tables."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from core.as_json import Json
from core.errors import BenchError
from core.json_lines import strict_json
from core.shapes import CorrectionShape, check_shape
from core.tables.files import ENDINGS
from core.tables.nouns import TableSpec, spec_record

SPECS = "tables.json"
"""Name of the file in a folder of tables that corrects the proposed specifications of the tables: {table name: {field: value}}.
The field `types` is {column: type}."""


def list_files(paths: Iterable[Path]) -> tuple[list[Path], dict[str, dict[str, Json]]]:
    """Return the table files in the given files and folders, and the corrections of specifications in each folder's
    tables.json."""
    files: list[Path] = []
    corrections: dict[str, dict[str, Json]] = {}
    for path in paths:
        if not path.exists():
            raise BenchError(f"{path} does not exist: give the path of a file or folder that does.")
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [file for file in inside if file.suffix.lower() in ENDINGS or not path.is_dir()]
        specs = path / SPECS
        if path.is_dir() and specs.exists():
            changes: Any = read_json(specs, str(specs), "look at its rights", "save it as UTF-8", "mend it, or take it away")
            if not isinstance(changes, dict) or not all(isinstance(value, dict) for value in changes.values()):
                raise BenchError(f"{specs} is not an object of specs: write {{table name: {{field: value}}}}.")
            for name, change in changes.items():
                check_changes(f"Table {name} in {specs}", change)
            corrections |= changes
    return files, corrections


def read_json(file: Path, name: str, if_unreadable: str, if_not_utf8: str = "", if_not_json: str = "") -> Json:
    """Return the parsed JSON content of the file. Raises BenchError if this fails. The message calls the file `name` and ends
    with the advice for this kind of error; if there is none, with `if_unreadable`."""
    try:
        content: Json = strict_json(file.read_text(encoding="utf-8"))
        return content
    except OSError as error:
        raise BenchError(f"{name} cannot be read ({error.strerror or error}): {if_unreadable}.") from error
    except UnicodeDecodeError as error:
        raise BenchError(f"{name} is not UTF-8 at its byte {error.start + 1:,}: {if_not_utf8 or if_unreadable}.") from error
    except ValueError as error:
        raise BenchError(f"{name} {error}: {if_not_json or if_unreadable}.") from error


def check_changes(where: str, changes: Mapping[str, Any]) -> None:
    """Raise BenchError if a correction of a specification has a value of the wrong type. The message begins with `where`."""
    try:
        check_shape(changes, CorrectionShape)
        check_shape({key: value for key, value in changes.items() if key.startswith("types.")}, dict[str, str])
    except ValueError as error:
        raise BenchError(f"{where} {error}: correct the file.") from error


def correct_spec(spec: TableSpec, changes: Mapping[str, Any]) -> dict[str, Json]:
    """Return the record of a table's specification after applying `changes`. The key `types` changes the types of several
    columns, `types.COLUMN` the type of one column."""
    record = spec_record(spec)
    types = dict(changes.get("types") or {})
    types |= {key.partition(".")[2]: value for key, value in changes.items() if key.startswith("types.")}
    plain = {key: value for key, value in changes.items() if key != "types" and not key.startswith("types.")}
    return {**record, **plain, "columns": {**(plain.get("columns") or record["columns"]), **types}}
