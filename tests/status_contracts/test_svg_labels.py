"""Numbers, durations and times as text, and texts on a line."""

import pytest

from status_contracts.primitives import plural
from status_contracts.svg.labels import (
    Label,
    format_duration,
    format_number,
    format_time,
    place_labels,
    shorten,
    write_labels,
)
from status_contracts.svg.text import text_width
from support.checks.xml_reading import read_xml

NOON = 1_767_268_800_000
"""2026-01-01, 12:00 UTC."""


class TestNumbers:
    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            *((0, "0"), (7.5, "7.5"), (12, "12"), (12.0, "12"), (1.25, "1.3"), (0.15, "0.2")),
            *((10.04, "10"), (99.96, "100"), (100, "100"), (100_000, "100,000"), (5e-324, "0")),
            *((-0.04, "0"), (-7.25, "-7.3")),
            (1e22, "10,000,000,000,000,000,000,000"),
            (2**53, "9,007,199,254,740,992"),
        ],
    )
    def test_they_have_one_decimal_at_most(self, value: float, expected: str) -> None:
        assert format_number(value) == expected

    def test_counts_have_a_plural(self) -> None:
        found = [plural(number, "gap") for number in (0, 1, 2000)]
        assert found == ["0 gaps", "1 gap", "2,000 gaps"]

    def test_texts_of_descriptions_are_short(self) -> None:
        assert shorten("x" * 60) == "x" * 60
        assert shorten("x" * 61) == "x" * 59 + "…"


class TestTimes:
    @pytest.mark.parametrize(
        ("length_ms", "expected"),
        [
            (0, "0 ms"),
            (999, "999 ms"),
            (1000, "1 s"),
            (2500, "3 s"),
            (10_499, "10 s"),
            (60_000, "1 min"),
            (490_000, "8 min 10 s"),
            (3_600_000, "1 h 00 min"),
            (3_961_000, "1 h 06 min"),
            (3_599_500, "1 h 00 min"),
            (26_107_860_000, "302 days"),
        ],
    )
    def test_durations_have_at_most_two_units(self, length_ms: int, expected: str) -> None:
        assert format_duration(length_ms) == expected

    def test_times_are_as_precise_as_their_step(self) -> None:
        assert [format_time(NOON + 5, step) for step in (60_000, 5_000)] == ["12:00", "12:00:00"]


class TestLabels:
    def test_the_span_follows_the_anchor(self) -> None:
        width = text_width("abc", 10)
        for label, left in (
            (Label("abc", 100), 100),
            (Label("abc", 100, "middle"), 100 - width / 2),
            (Label("abc", 100, "end"), 100 - width),
        ):
            assert label.span(10) == pytest.approx((left, left + width))

    def test_labels_that_touch_one_before_them_are_left_out(self) -> None:
        labels = [Label("abc", 50), Label("abc", 60), Label("abc", 80), Label("abc", 25)]
        assert [label.x for label in place_labels(labels, 10, 2)] == [50, 80, 25]
        assert [label.x for label in place_labels(labels, 10, 20)] == [50]

    def test_they_are_written_with_their_anchor(self) -> None:
        labels = [Label("<", 1.5), Label("b", 2, "middle"), Label("c", 3, "end")]
        _, *texts = read_xml(f"<g>{write_labels(labels, 7)}</g>".encode())
        assert [text.attributes for text in texts] == [
            {"x": "1.5", "y": "7"},
            {"x": "2", "y": "7", "text-anchor": "middle"},
            {"x": "3", "y": "7", "text-anchor": "end"},
        ]
        assert texts[0].text == "<"
