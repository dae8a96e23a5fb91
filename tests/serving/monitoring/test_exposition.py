"""The text that Prometheus reads, worked by hand."""

import math

from serving.monitoring.exposition import Histogram, MetricFamily, Sample, format_families, format_value
from tests.serving.monitoring.prometheus_text import parse


def test_a_histogram_counts_up_to_each_bound() -> None:
    histogram = Histogram((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 7.0):
        histogram.observe(value)
    text = format_families([MetricFamily("wait_seconds", "histogram", "A wait.", histogram.list_samples({"route": "/a"}))])
    assert text == (
        "# HELP wait_seconds A wait.\n"
        "# TYPE wait_seconds histogram\n"
        'wait_seconds_bucket{route="/a",le="0.1"} 2\n'
        'wait_seconds_bucket{route="/a",le="1"} 3\n'
        'wait_seconds_bucket{route="/a",le="+Inf"} 4\n'
        'wait_seconds_sum{route="/a"} 7.65\n'
        'wait_seconds_count{route="/a"} 4\n'
    )
    parse(text)


def test_labels_and_help_are_escaped() -> None:
    family = MetricFamily("x", "gauge", "a\\b\nc", [Sample(1, {"name": 'a"b\\c\nd'})])
    text = format_families([family])
    assert text == '# HELP x a\\\\b\\nc\n# TYPE x gauge\nx{name="a\\"b\\\\c\\nd"} 1\n'
    parse(text)


def test_a_family_without_samples_is_left_out() -> None:
    assert format_families([MetricFamily("x", "gauge", "Unknown.", [])]) == ""


def test_numbers_are_exact() -> None:
    assert [format_value(value) for value in (3, 0.25, 1e15, math.inf, -math.inf)] == [
        "3",
        "0.25",
        "1000000000000000",
        "+Inf",
        "-Inf",
    ]
