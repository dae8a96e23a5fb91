"""Define what the manifest of a tiny release says about it. A tiny release holds 40 to 100 items of a larger release, chosen to
stand for all of them."""

from collections.abc import Mapping
from typing import Any

KEY = "tiny"
"""Key of a manifest: {"of": {"name", "hash", "items"}, "size", "metric", "seed", "method", "why", "by", "strata": [{"values",
"items", "chosen"}], "unscored": items, "systems": [{"run", "name"}], "weights": {item: number of items that it stands for},
"agreement": how often decisions were wrong on systems that were held out}."""
MIN_SIZE, MAX_SIZE, DEFAULT_SIZE = 40, 100, 60
DEFAULT_SEED = 13


def describe_tiny(record: Mapping[str, Any]) -> str:
    """Return a sentence on a tiny release, made from its record in the manifest; "" for an empty record."""
    if not record:
        return ""
    of = record["of"]
    return f"a tiny release (experimental): {len(record['weights'])} of the {of['items']:,} items of {of['name']}."
