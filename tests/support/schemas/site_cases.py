"""Times and days in a site-data file, with and without an instant that they name."""

from collections.abc import Iterator

from sitedata.reading.times import parse_instant, read_day
from support.schemas.validators import Case, case
from support.sitedata.site_examples import plain, plain_problem

YEARS = (0, 1, 4, 99, 100, 400, 1900, 2000, 2024, 2026, 9999)


def _is(parse: object, text: str) -> bool:
    try:
        parse(text)  # type: ignore[operator] # either of the two functions
    except ValueError:
        return False
    return True


def site_cases() -> Iterator[tuple[Case, bool]]:
    """Generate cases, and whether they are valid."""
    for text in (*_days(), *(f"{day}\n" for day in ("2026-01-31",))):
        yield case("site-data", plain(contributions={text: 1}), text), _is(read_day, text)
    for text in _times():
        value = plain_problem(submittedAt=text)
        yield case("site-data", value, text), _is(parse_instant, text)


def _days() -> Iterator[str]:
    for year in YEARS:
        for month in range(14):
            for day in (0, 1, 28, 29, 30, 31, 32):
                yield f"{year:04}-{month:02}-{day:02}"


def _times() -> Iterator[str]:
    for day in ("2026-01-31", "2024-02-29", "2026-02-29", "0000-02-29", "2026-13-01"):
        for clock in ("T00:00:00", "t23:59:59", "T24:00:00", "T12:60:00", " 12:00:00", "T12:00"):
            for end in (
                "Z",
                "z",
                ".5Z",
                ".123456+00:00",
                ".1234567Z",
                "+23:59",
                "-24:00",
                "+01:60",
                "",
            ):
                yield f"{day}{clock}{end}"
    yield from (
        "2016-12-31T23:59:60Z",
        "2026-01-31T12:00:00Z\n",
        "2026-01-31T12:00:00.Z",
        "\uff12026-01-31T12:00:00Z",
    )
