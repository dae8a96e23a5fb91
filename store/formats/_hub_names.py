"""Convert names and texts of a release into forms that the files of a Hugging Face data set can contain."""

import json


def hub_name(split: str) -> str:
    """Return a name for the split that the Hugging Face hub accepts: it has only letters, digits, "_" and ".", and is not
    "all", which has another meaning in `datasets`."""
    name = split.replace("-", "_")
    return "all_items" if name == "all" else name


def as_yaml(text: str) -> str:
    """Return the text as a YAML string on one line. The string is also JSON, which YAML reads in the same way, except for
    surrogate pairs."""
    return json.dumps(text, ensure_ascii=not text.isprintable())
