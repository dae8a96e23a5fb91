"""Convert names and texts of a release for the files of a Hugging Face data set."""

import json


def hub_name(split: str) -> str:
    """Return a name for the split that the Hugging Face hub accepts: only letters, digits, "_" and ".", and not "all", which
    has another meaning in `datasets`."""
    name = split.replace("-", "_")
    return "all_items" if name == "all" else name


def as_yaml(text: str) -> str:
    """Return the text as a YAML string on one line. The string is JSON, which YAML parses in the same way, except for surrogate
    pairs."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
