"""The query-variation study's presets on the command line."""

from pathlib import Path

from tests.conftest import Bench
from tests.workbench.worded import two
from workbench import Workbench


def test_report_prints_a_preset_of_wordings_in_every_format(bw: Bench, tmp_path: Path) -> None:
    with Workbench.open(tmp_path / "w.duckdb") as bench:
        ids = two(bench)
    for form in ("table", "csv", "latex", "html"):
        printed = bw("report", *ids, "--preset", "query_variations_table3", "--format", form, json_too=False)
        assert printed.code == 0 and "RE, retriever" in printed.out
        again = bw("report", *ids, "--preset", "query_variations_table3", "--format", form, json_too=False)
        assert printed.out == again.out
    refused = bw("report", *ids, "--preset", "query_variations_table13")
    assert refused.code == 1 and "--repeat 3" in refused.sentence
