"""Snapshots to measure with, and pydantic models with the same rules."""

import random
import re
from datetime import date
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictInt, StrictStr

from sitedata import Problem, Repository, Snapshot, encode
from status_contracts.instants import format_instant, parse_millisecond

__all__ = ["VERDICTS", "PydanticSnapshot", "many_problems", "snapshot_body"]

_TIME = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))",
    re.ASCII,
)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})", re.ASCII)
_PLATFORMS = ("AtCoder", "Codeforces", "CSES", "Kattis", "LeetCode", "Luogu", "SPOJ", "HDU")


def many_problems(count: int, *, instants: int | None = None) -> list[Problem]:
    """Return unordered problems, one in fifty without a time.

    Args:
        count: number of problems.
        instants: number of different times; by default about one for each problem.

    """
    draw = random.Random(20260131)  # noqa: S311 - the same problems each time, nothing secret
    first, last = 1_420_070_400, 1_769_860_800
    times = [draw.randrange(first, last) for _ in range(instants or count)]
    found = []
    for _ in range(count):
        platform, number = draw.choice(_PLATFORMS), draw.randrange(10**7)
        path = f"{platform}/{number // 1000:04}/{number:07}-{'solution-of-a-task' * 2}.cpp"
        offset = draw.choice(("Z", "+08:00", "-03:30"))
        time = f"{format_instant(draw.choice(times) * 1000)[:19]}{offset}"
        found.append(
            Problem(
                path,
                platform,
                "C++",
                f"Task {number} with a title of some words",
                f"https://{platform.lower()}.example/problems/{number}",
                f"https://code.example/someone/practice/blob/main/{path}",
                f"https://raw.code.example/someone/practice/main/{path}",
                None if draw.random() < 1 / 50 else time,
            )
        )
    return found


def snapshot_body(count: int = 1100) -> bytes:
    """Return the bytes of a snapshot; 1,100 problems have about 500 kB."""
    days = {f"{2020 + n // 336}-{n % 12 + 1:02}-{n % 28 + 1:02}": n % 7 + 1 for n in range(1680)}
    return encode(
        Snapshot(
            Repository("someone", "practice", "main"),
            1_769_860_800_000,
            "main",
            sum(days.values()),
            days,
            tuple(many_problems(count)),
            dict.fromkeys(_PLATFORMS),
        )
    )


def _generated(text: str) -> str:
    parse_millisecond(text)
    return text


def _submitted(text: str) -> str:
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError("no time with an offset")
    year, month, day, hour, minute, second, *away = found.groups(default="0")
    date(int(year) or 400, int(month), int(day))
    hours, minutes = map(int, away)
    if max(int(hour), hours) > 23 or max(int(minute), minutes) > 59:  # noqa: PLR2004
        raise ValueError("no time of day")
    if second > "59":
        east = hours * 60 + minutes
        minute_of_day = int(hour) * 60 + int(minute) + (east if "-" in text[19:] else -east)
        if second != "60" or minute_of_day % 1440 != 1439:  # noqa: PLR2004
            raise ValueError("no such second")
    return text


def _real(days: dict[str, int]) -> dict[str, int]:
    for day in days:
        found = _DAY.fullmatch(day)
        if found is None:
            raise ValueError("no day")
        year, month, number = map(int, found.groups())
        date(year or 400, month, number)
    return days


class _Open(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True)


class PydanticRepository(_Open):
    """The repository."""

    owner: StrictStr
    name: StrictStr
    branch: StrictStr


class PydanticProblem(_Open):
    """A problem."""

    path: StrictStr
    platform: StrictStr
    language: StrictStr
    title: StrictStr
    problem_url: StrictStr = Field(alias="problemUrl")
    github_url: StrictStr = Field(alias="githubUrl")
    raw_url: StrictStr = Field(alias="rawUrl")
    submitted_at: Annotated[StrictStr, AfterValidator(_submitted)] | None = Field(
        alias="submittedAt"
    )


_Count = Annotated[StrictInt, Field(ge=0)]


class PydanticSnapshot(_Open):
    """The rules of the file format as pydantic models."""

    repository: PydanticRepository
    generated_at: Annotated[StrictStr, AfterValidator(_generated)] = Field(alias="generatedAt")
    source_ref: StrictStr = Field(alias="sourceRef")
    commit_count: _Count = Field(alias="commitCount")
    contributions: Annotated[dict[StrictStr, _Count], AfterValidator(_real)]
    problems: tuple[PydanticProblem, ...]
    ratings: dict[StrictStr, Any]


def _changed(place: str, name: str, value: object) -> dict[str, Any]:
    """Return the plain value of a small snapshot with one member replaced."""
    problem = dict.fromkeys(
        ("path", "platform", "language", "title", "problemUrl", "githubUrl", "rawUrl"), "x"
    )
    plain: dict[str, Any] = {
        "repository": {"owner": "o", "name": "n", "branch": "b"},
        "generatedAt": "2026-01-31T12:00:00.000Z",
        "sourceRef": "main",
        "commitCount": 1,
        "contributions": {"2026-01-31": 1},
        "problems": [problem | {"submittedAt": None}],
        "ratings": {"judge": None},
    }
    holder: Any = {"": plain, "problem": plain["problems"][0]}.get(place, plain.get(place))
    holder[name] = value
    return plain


_VALID: Final = [
    _changed("problem", "submittedAt", "2016-12-31T23:59:60Z"),
    _changed("problem", "submittedAt", "2016-12-31T15:59:60-08:00"),
    _changed("problem", "submittedAt", "0000-02-29T00:00:00Z"),
    _changed("contributions", "0000-02-29", 2**64),
    _changed("", "more", {"any": [1]}),
    _changed("problem", "more", 1.5),
    _changed("repository", "more", None),
    _changed("ratings", "judge", {"rating": 1500}),
    _changed("contributions", "2024-02-29", 0),
    _changed("problem", "submittedAt", "2026-01-31T12:00:00+08:00"),
    _changed("problem", "submittedAt", "2026-01-31t12:00:00.123456z"),
]
_INVALID: Final = [
    _changed("problem", "submittedAt", "2016-12-31T23:58:60Z"),
    _changed("problem", "submittedAt", "2016-12-31T23:59:60+01:00"),
    _changed("problem", "submittedAt", "2026-02-29T12:00:00Z"),
    _changed("problem", "submittedAt", "2026-01-31T24:00:00Z"),
    _changed("problem", "submittedAt", "2026-01-31T12:00:00"),
    _changed("problem", "submittedAt", 1),
    _changed("problem", "title", None),
    _changed("problem", "path", 1),
    _changed("repository", "owner", None),
    _changed("", "repository", []),
    _changed("", "generatedAt", "2026-01-31T12:00:00Z"),
    _changed("", "commitCount", -1),
    _changed("", "commitCount", "1"),
    _changed("", "commitCount", [True]),
    _changed("", "contributions", None),
    _changed("contributions", "2026-02-30", 1),
    _changed("contributions", "2026-01-31", -1),
    _changed("", "problems", {}),
    _changed("", "ratings", []),
]

VERDICTS: Final[list[tuple[dict[str, Any], bool]]] = [
    *((value, True) for value in _VALID),
    *((value, False) for value in _INVALID),
]
"""Plain values, and whether they are valid; both readers must agree."""
