"""Give the parts of a release names that the Hugging Face hub accepts in its files."""

import json


def hub_name(split: str) -> str:
    """Return a name for the split that the Hugging Face hub accepts: only letters, digits, _ and points, and not "all", which
    has another meaning in `datasets`."""
    name = split.replace("-", "_")
    return "all_items" if name == "all" else name


def as_yaml(text: str) -> str:
    """Return the text as a YAML string on one line. It is JSON, which YAML reads the same way except for surrogate pairs."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
