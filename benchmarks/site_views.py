"""Site data compared with its goals: `make bench` prints all figures.

- parsing a snapshot of 1,100 problems, against pydantic with the same rules, with equal verdicts;
- ordering 100,000 problems, against Python's own `sorted` on prepared keys;
- calendar, heat map.
"""

from collections.abc import Callable
from functools import partial

from measuring import compare, show
from pydantic import ValidationError
from site_data import VERDICTS, PydanticSnapshot, many_problems, snapshot_body

from sitedata import Problem, SiteDataError, check, encode, parse
from sitedata.views.calendar import calendar_of
from sitedata.views.heatmap import heatmap
from sitedata.views.selecting import counts, ordered, select
from status_contracts import json_text as codec

MANY = 100_000


def verdicts() -> None:
    """Check that both readers accept and refuse the same values."""
    for value, expected in VERDICTS:
        body = codec.encode(value)
        found = accepts(parse, body), accepts(PydanticSnapshot.model_validate_json, body)
        if found != (expected, expected):
            raise ValueError(f"they disagree: {found}")
    valid = sum(expected for _, expected in VERDICTS)
    print(f"\nboth readers take the same {valid} and refuse the same {len(VERDICTS) - valid}")


def accepts(read: Callable[[bytes], object], body: bytes) -> bool:
    """Check whether a reader accepts a body."""
    try:
        read(body)
    except (SiteDataError, ValidationError):
        return False
    return True


def reading() -> None:
    """Measure parsing, encoding and checking."""
    body = snapshot_body()
    snapshot = parse(body)
    unknown = body.replace(b'"submittedAt"', b'"more":1,"submittedAt"')
    show(
        f"a snapshot of {len(snapshot.problems)} problems, {len(body)} bytes",
        compare(
            {
                "pydantic: model_validate_json": lambda: PydanticSnapshot.model_validate_json(body),
                "sitedata: parse": lambda: parse(body),
                "pydantic: a member more in each problem": lambda: (
                    PydanticSnapshot.model_validate_json(unknown)
                ),
                "sitedata: a member more in each problem": lambda: parse(unknown),
                "sitedata: check, publishing rules too": lambda: check(body),
                "sitedata: encode": lambda: encode(snapshot),
            },
            rounds=31,
        ),
    )


def ordering() -> None:
    """Measure ordering with different, partly equal and equal times."""
    for name, instants in (("different", MANY), ("in fours", MANY // 4), ("one", 1)):
        problems = many_problems(MANY, instants=instants)
        keys = [(p.instant is None, -(p.instant or 0), p.path) for p in problems]
        before = partial(sorted, range(MANY), key=keys.__getitem__)
        if ordered(problems) != tuple(map(problems.__getitem__, before())):
            raise ValueError("they disagree")
        contenders: dict[str, Callable[[], object]] = {
            "sorted on keys made before": before,
            "sitedata: ordered": partial(ordered, problems),
            "sorted, keys made on the way": partial(by_keys, problems),
        }
        show(f"{MANY:,} problems, times: {name}", compare(contenders))


def by_keys(problems: list[Problem]) -> list[Problem]:
    """Order problems by the straightforward key."""
    return sorted(problems, key=lambda p: (p.instant is None, -(p.instant or 0), p.path))


def views() -> None:
    """Measure the other views."""
    problems = many_problems(MANY)
    calendar = calendar_of(problems)
    show(
        f"{MANY:,} problems",
        compare(
            {
                "select a platform and a span": lambda: select(
                    problems, platforms="CSES", since=1_600_000_000_000
                ),
                "select by text": lambda: select(problems, text="task 12"),
                "counts": lambda: counts(problems),
                "calendar and its longest streak": lambda: calendar_of(problems).longest,
                "heat map of 53 weeks": lambda: heatmap(calendar),
            },
            rounds=5,
        ),
    )


if __name__ == "__main__":
    verdicts()
    reading()
    ordering()
    views()
