"""Timestamp text: only real instants, in exactly two forms, as whole milliseconds."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from status_contracts.instants import (
    FIRST_INSTANT,
    LAST_INSTANT,
    clamp_instant,
    format_instant,
    from_datetime,
    parse_millisecond,
    parse_utc,
    to_datetime,
)

Parse = Callable[[str], int]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
valid = st.integers(FIRST_INSTANT, LAST_INSTANT)
COMMON = [
    ("1970-01-01T00:00:00.000Z", 0),
    ("1969-12-31T23:59:59.999Z", -1),
    ("2000-02-29T12:00:00.000Z", 951_825_600_000),
    ("2026-01-01T12:00:00.000Z", 1_767_268_800_000),
    ("0001-01-01T00:00:00.000Z", -62_135_596_800_000),
    ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
]


PITFALLS = "09-:.,/TZtz+ \n\x00_\ufeff\u0660\u09e6\uff10\u00b3\ud800"
"""Characters that parsers of digits, `int` among them, take for digits or ignore."""


REJECTED = [
    (parse_millisecond, "2026-02-29T12:00:00.000Z", "no such day"),
    (parse_utc, "2026-01-01T12:00Z", "not a UTC timestamp"),
]


def error_of(parse: Parse, text: str) -> ValueError | None:
    """Return the error that parsing a text raises; None if the text is parsed."""
    try:
        parse(text)
    except ValueError as error:
        return error
    return None


@pytest.mark.parametrize("parse", [parse_millisecond, parse_utc])
class TestEitherForm:
    @pytest.mark.parametrize(("text", "instant"), COMMON)
    def test_a_real_instant_is_parsed(self, parse: Parse, text: str, instant: int) -> None:
        assert parse(text) == instant

    @pytest.mark.parametrize(
        "text", ["1900-02-29T00:00:00.000Z", "2026-W01-4T12:00:00.000Z", "2016-12-31T23:59:60.000Z"]
    )
    def test_other_text_is_rejected(self, parse: Parse, text: str) -> None:
        """The derived cases and the patterns of schemas have more."""
        assert error_of(parse, text) is not None

    @given(valid)
    @example(FIRST_INSTANT)
    @example(LAST_INSTANT)
    @example(-1)
    def test_the_millisecond_form_round_trips(self, parse: Parse, instant: int) -> None:
        assert parse(format_instant(instant)) == instant

    @pytest.mark.parametrize("text", ["2026-01-01T12:00:00.000Z", "0999-12-31T23:59:59.999Z"])
    def test_no_character_may_be_another_be_missing_or_be_added(
        self, parse: Parse, text: str
    ) -> None:
        for at in range(len(text) + 1):
            for sign in ("", *PITFALLS):
                for rest in (text[at:], text[at + 1 :]):
                    self.check(parse, f"{text[:at]}{sign}{rest}")

    def check(self, parse: Parse, text: str) -> None:
        """Check that a text is rejected, or is that of its instant."""
        if error_of(parse, text) is None:
            whole, _, fraction = text.removesuffix("Z").partition(".")
            assert format_instant(parse(text)) == f"{whole}.{fraction:0<3}Z"


@pytest.mark.parametrize(("parse", "text", "message"), REJECTED)
def test_an_error_names_the_fault(parse: Parse, text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        parse(text)


class TestMillisecondForm:
    @given(valid, valid)
    @example(-1, 0)
    @example(FIRST_INSTANT, LAST_INSTANT)
    def test_one_instant_one_text(self, one: int, other: int) -> None:
        """Texts are equal exactly when the instants are, and sort as the instants do."""
        text, another = format_instant(one), format_instant(other)
        assert (text == another) == (one == other)
        assert (text < another) == (one < other)


class TestUtcForm:
    @pytest.mark.parametrize(
        ("fraction", "milliseconds"),
        [("", 0), (".0", 0), (".5", 500), (".05", 50), (".50", 500), (".005", 5), (".999", 999)],
    )
    def test_a_fraction_has_none_to_three_digits(self, fraction: str, milliseconds: int) -> None:
        assert parse_utc(f"2026-01-01T12:00:00{fraction}Z") == 1_767_268_800_000 + milliseconds

    @given(valid)
    def test_trailing_zeros_of_the_fraction_may_be_omitted(self, instant: int) -> None:
        text = format_instant(instant).removesuffix("Z")
        whole, fraction = text[:19], text[19:]
        shorter = fraction.rstrip("0").rstrip(".")
        assert parse_utc(f"{whole}{shorter}Z") == instant


class TestFormat:
    @pytest.mark.parametrize(
        ("convert", "value"),
        [
            *((format_instant, at) for at in (FIRST_INSTANT - 1, -(10**18), -(10**400))),
            *((format_instant, at) for at in (LAST_INSTANT + 1, 10**18, 10**400)),
            (from_datetime, datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))),
            (from_datetime, datetime(9999, 12, 31, 23, 30, tzinfo=timezone(-timedelta(hours=1)))),
        ],
    )
    def test_what_is_outside_the_years_0001_to_9999_is_rejected(
        self, convert: Callable[[Any], object], value: object
    ) -> None:
        with pytest.raises(ValueError, match=r"^outside the years 0001 to 9999$"):
            convert(value)

    @pytest.mark.parametrize("beyond", [0, 1, 10**20])
    def test_the_nearest_instant_with_a_text(self, beyond: int) -> None:
        assert clamp_instant(LAST_INSTANT + beyond) == LAST_INSTANT
        assert clamp_instant(FIRST_INSTANT - beyond) == FIRST_INSTANT


class TestDatetimes:
    @given(valid)
    @example(FIRST_INSTANT)
    @example(LAST_INSTANT)
    @example(-1)
    def test_milliseconds_come_back(self, instant: int) -> None:
        value = to_datetime(instant)
        assert from_datetime(value) == instant
        assert value.tzinfo is UTC
        assert format_instant(instant) == value.isoformat("T", "milliseconds")[:23] + "Z"

    @given(st.datetimes(timezones=st.timezones() | st.just(UTC)), st.integers(0, 1))
    @example(datetime(1969, 12, 31, 23, 59, 59, 999_999, UTC), 0)
    def test_datetimes_come_back_without_their_last_microseconds(
        self, value: datetime, fold: int
    ) -> None:
        value = value.replace(fold=fold)
        offset = value.utcoffset()
        assert offset is not None
        try:
            instant = from_datetime(value)
        except ValueError:  # in UTC it is before the year 0001 or after the year 9999
            assert value.year in {1, 9999}
            return
        exact = value.replace(tzinfo=UTC, fold=0) - EPOCH - offset
        assert timedelta(0) <= exact - timedelta(milliseconds=instant) < timedelta(milliseconds=1)
        assert to_datetime(instant) == EPOCH + timedelta(milliseconds=instant)

    def test_a_naive_datetime_has_no_instant(self) -> None:
        message = r"^the datetime is naive: give it a time zone, such as datetime\.UTC$"
        with pytest.raises(ValueError, match=message):
            from_datetime(datetime(2026, 1, 1))  # noqa: DTZ001 - rejected

    def test_values_of_other_types_say_what_must_be(self) -> None:
        wrong: tuple[Any, ...] = ("2026-01-01", 7, datetime(2026, 1, 1, tzinfo=UTC))
        *values, moment = wrong
        for value in values:
            message = f"^value: must be of type datetime, not {type(value).__name__}: pass datetime"
            with pytest.raises(TypeError, match=message):
                from_datetime(value)
        with pytest.raises(TypeError, match=r"^instant: .*, not datetime: pass from_datetime\("):
            to_datetime(moment)
