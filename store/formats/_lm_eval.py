"""Write tasks for lm-eval, EleutherAI's evaluation harness, beside the Parquet files of a release. In one task the model sees
only the question; in the other it also sees the texts of the evidence before the question. The folder's score.py scores the
model's replies."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from store.format import Bundle
from store.formats._hub_names import as_yaml

_EVIDENCE = "{% for piece in evidence %}{{ piece['text'] }}\n\n{% endfor %}"
_QUESTION = "Question: {{ question }}\nAnswer:"
_PROMPTS = {"question": _QUESTION, "evidence": _EVIDENCE + _QUESTION}
METRICS = ("exact_match", "token_f1")


class LmEvalTask(NamedTuple):
    """A task file for lm-eval."""

    file: str
    name: str
    text: str


def name_task(release: str, kind: str) -> str:
    """Return the name of a release's lm-eval task; `kind` says whether the prompts of the task contain the evidence."""
    slug = re.sub(r"\W+", "_", release.casefold(), flags=re.ASCII).strip("_") or "release"
    return f"benchwright_{slug}_{kind}"


def render_tasks(bundle: Bundle, files: Mapping[str, str]) -> Iterator[LmEvalTask]:
    """Yield lm-eval's task files for the release. `files` is a dict from each split with answers to the pattern of its data
    files. If the dict is empty, nothing is yielded."""
    if not files:
        return
    split = "test" if "test" in files else list(files)[-1]
    for kind, prompt in _PROMPTS.items():
        name = name_task(bundle.name, kind)
        lines = [
            f"# In this folder: lm_eval run --model hf --model_args pretrained=MODEL --include_path . --tasks {name}",
            f"task: {name}",
            "dataset_path: parquet",
            "dataset_kwargs:",
            "  data_files:",
            f"    {as_yaml(split)}: {as_yaml(f'data/items/{files[split]}')}",
            f"test_split: {as_yaml(split)}",
            "output_type: generate_until",
            f"doc_to_text: {as_yaml(prompt)}",
            'doc_to_target: "{{ answers[0] }}"',
            "process_results: !function score.score_for_lm_eval",
            "generation_kwargs:",
            "  do_sample: false",
            "  max_gen_toks: 256",
            '  until: ["\\n\\n", "Question:"]',
            "metric_list:",
        ]
        for metric in METRICS:
            lines += [f"  - metric: {metric}", "    aggregation: mean", "    higher_is_better: true"]
        lines += ["metadata:", "  version: 1.0", f"  release: {as_yaml(bundle.hash)}"]
        yield LmEvalTask(f"lm_eval_{kind}.yaml", name, "\n".join(lines) + "\n")
