"""Hypothesis strategies for times, problems, snapshots, and valid and invalid files.

    from hypothesis import given
    from sitedata.testing.strategies import bodies

    @given(bodies())
    def test_my_reader_accepts_every_file(body):
        ...

Text is any Unicode text, times have any offset and any number of decimals, and files have
undocumented members at every level.

Invariant *as parsed*: parsing the body of a drawn model returns an equal model.
Invariant *one fault, one rule*: `sitedata.check` finds the rule of a faulty body as its only error.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from purewire.instants import FIRST_INSTANT, LAST_INSTANT
from purewire.json.plain_values import MAX_DEPTH
from purewire.structuring.to_builtins import to_builtins
from sitedata.reading.models import Problem, Repository, Snapshot
from sitedata.reading.times import FIRST_DAY, LAST_DAY, read_day, write_day

__all__ = [
    "FAULTY_RULES",
    "Faulty",
    "bodies",
    "days",
    "faulty_bodies",
    "json_values",
    "problems",
    "publishable_snapshots",
    "snapshots",
    "times",
]

_Plain = dict[str, Any]
_Fault = Callable[[st.DrawFn, _Plain], None]

_PROBLEMS: Final = 6
_USUAL_DAYS: Final = st.integers(read_day("2015-01-01"), read_day("2030-12-31"))
_DAY_MINUTES: Final = 1440
_MEMBERS: Final = {
    "": ("repository", "generatedAt", "sourceRef", "commitCount", "contributions"),
    "problems": ("path", "platform", "language", "title", "problemUrl", "githubUrl", "rawUrl"),
    "repository": ("owner", "name", "branch"),
}
"""Required members that are not arrays, by object."""
_NAMED: Final = frozenset(
    {name for names in _MEMBERS.values() for name in names} | {"problems", "ratings", "submittedAt"}
)
_WORDS: Final = st.text(max_size=12)
_USUAL_NAMES: Final = st.sampled_from(("AtCoder", "Codeforces", "CSES", "Kattis", "洛谷", "py", ""))


class Faulty(NamedTuple):
    """A file that breaks one rule, and the id of the rule."""

    body: bytes
    rule: str


def days() -> st.SearchStrategy[str]:
    """Days of the calendar, as YYYY-MM-DD; most are from 2015 to 2030."""
    return (_USUAL_DAYS | st.integers(FIRST_DAY, LAST_DAY)).map(write_day)


def times() -> st.SearchStrategy[str]:
    """Times with an offset, as RFC 3339 defines them."""
    decimals = st.sampled_from(("", ".0", ".5")) | st.text("0123456789", min_size=1).map(
        ".{}".format
    )
    usual = st.builds(
        lambda day, minute, second, decimal, offset, letter: (
            f"{day}{letter}{minute // 60:02}:{minute % 60:02}:{second:02}{decimal}{offset}"
        ),
        days(),
        st.integers(0, _DAY_MINUTES - 1),
        st.integers(0, 59),
        decimals,
        _offsets(),
        st.sampled_from("Tt"),
    )
    return usual | days().map(lambda day: f"{day}T23:59:60Z")


def _offsets() -> st.SearchStrategy[str]:
    away = st.sampled_from((0, 60, 120, 330, 480)) | st.integers(0, _DAY_MINUTES - 1)
    signed = st.builds(
        lambda sign, minutes: f"{sign}{minutes // 60:02}:{minutes % 60:02}",
        st.sampled_from("+-"),
        away,
    )
    return st.sampled_from(("Z", "z")) | signed


def json_values(most_leaves: int = 4) -> st.SearchStrategy[Any]:
    """Any JSON values."""
    scalars = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=5),
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
        max_leaves=most_leaves,
    )


def problems() -> st.SearchStrategy[Problem]:
    """Problems with any text, with and without a time, some with undocumented members."""
    return st.builds(
        Problem,
        st.builds("{}/{}".format, _USUAL_NAMES, _WORDS) | _WORDS,
        _USUAL_NAMES | _WORDS,
        _USUAL_NAMES | _WORDS,
        _WORDS,
        _urls() | _WORDS,
        _urls(),
        _urls(),
        st.none() | times(),
        extra=_extras(),
    )


def snapshots(max_problems: int = _PROBLEMS) -> st.SearchStrategy[Snapshot]:
    """Snapshots; most break a publishing rule."""
    return st.builds(
        Snapshot,
        st.builds(Repository, _WORDS, _WORDS, _WORDS, extra=_extras()),
        st.integers(FIRST_INSTANT, LAST_INSTANT),
        _WORDS,
        _counts(),
        st.dictionaries(days(), _counts(), max_size=4),
        st.lists(problems(), max_size=max_problems).map(tuple),
        st.dictionaries(_USUAL_NAMES, st.none() | json_values(), max_size=3),
        extra=_extras(),
    )


@st.composite
def publishable_snapshots(draw: st.DrawFn, max_problems: int = _PROBLEMS) -> Snapshot:
    """Snapshots that keep every publishing rule."""
    paths = draw(st.lists(_paths(), max_size=max_problems, unique=True))
    contributions = draw(st.dictionaries(days(), st.integers(1, 40), max_size=9))
    return Snapshot(
        Repository("someone", "practice", "main"),
        draw(st.integers(FIRST_INSTANT, LAST_INSTANT)),
        "main",
        sum(contributions.values()),
        dict(sorted(contributions.items())),
        tuple(draw(_publishable(path)) for path in paths),
        draw(st.dictionaries(_USUAL_NAMES, st.none(), max_size=3)),
    )


def bodies(max_problems: int = _PROBLEMS) -> st.SearchStrategy[bytes]:
    """Valid files, in more than one JSON serialization, with unknown members at every level."""
    return st.builds(
        _serialize,
        snapshots(max_problems).map(to_builtins),
        indent=st.sampled_from((None, 2)),
        ascii_only=st.booleans(),
        mark=st.sampled_from((b"", b"\xef\xbb\xbf")),
        end=st.sampled_from((b"", b"\n")),
    )


def faulty_bodies(*rules: str) -> st.SearchStrategy[Faulty]:
    """Invalid files that break one of the given rules, or one of `FAULTY_RULES`."""
    drawn = [
        st.builds(Faulty, found, st.just(rule))
        for rule in rules or FAULTY_RULES
        for found in _FAULTS[rule]
    ]
    return st.one_of(drawn)


def _counts() -> st.SearchStrategy[int]:
    return st.integers(0, 99) | st.sampled_from((0, 2**53, 2**64, 10**300))


def _extras() -> st.SearchStrategy[_Plain]:
    names = _WORDS.filter(lambda name: name not in _NAMED)
    return st.just({}) | st.dictionaries(names, json_values(), max_size=2)


def _urls() -> st.SearchStrategy[str]:
    return st.integers(1, 9999).map("https://judge.example/problem/{}".format)


def _paths() -> st.SearchStrategy[str]:
    segments = st.text(min_size=1, max_size=9).filter(
        lambda text: "/" not in text and text not in {".", ".."}
    )
    return st.builds("{}/{}".format, st.sampled_from(("AtCoder", "CSES")), segments)


def _publishable(path: str) -> st.SearchStrategy[Problem]:
    platform = path.partition("/")[0]
    return st.builds(
        Problem,
        st.just(path),
        st.just(platform),
        st.sampled_from(("C++", "Python")),
        _WORDS,
        _urls(),
        _urls(),
        _urls(),
        st.none() | times(),
    )


def _serialize(
    plain: _Plain, *, indent: int | None, ascii_only: bool, mark: bytes, end: bytes
) -> bytes:
    return mark + json.dumps(plain, indent=indent, ensure_ascii=ascii_only).encode() + end


def _dumps(plain: object) -> bytes:
    return json.dumps(plain).encode()


@st.composite
def _invalid(draw: st.DrawFn, fault: _Fault) -> bytes:
    """Draw a valid file with a problem and a day, and break it in one place."""
    plain = to_builtins(draw(snapshots(2)))
    plain["problems"] = [*plain["problems"], to_builtins(draw(problems()))]
    plain["contributions"]["2026-01-31"] = 1
    fault(draw, plain)
    return _dumps(plain)


def _required_member(draw: st.DrawFn, plain: _Plain) -> tuple[_Plain, str]:
    """Draw a required member, and the object that has it."""
    place = draw(st.sampled_from(sorted(_MEMBERS)))
    name = draw(st.sampled_from(_MEMBERS[place]))
    holders = {"": [plain], "repository": [plain["repository"]], "problems": plain["problems"]}
    return draw(st.sampled_from(holders[place])), name


def _missing_member(draw: st.DrawFn, plain: _Plain) -> None:
    holder, name = _required_member(draw, plain)
    del holder[name]


def _wrong_type(draw: st.DrawFn, plain: _Plain) -> None:
    holder, name = _required_member(draw, plain)
    others: tuple[object, ...] = (None, True, [], [{}])
    holder[name] = draw(st.sampled_from(others))


def _invalid_count(*counts: object) -> _Fault:
    def fault(draw: st.DrawFn, plain: _Plain) -> None:
        count = draw(st.sampled_from(counts))
        if draw(st.booleans()):
            plain["commitCount"] = count
        else:
            plain["contributions"]["2026-01-31"] = count

    return fault


def _invalid_time(draw: st.DrawFn, plain: _Plain) -> None:
    plain["problems"][-1]["submittedAt"] = draw(st.sampled_from(_INVALID_TIMES))


def _invalid_build_time(draw: st.DrawFn, plain: _Plain) -> None:
    plain["generatedAt"] = draw(st.sampled_from((*_INVALID_TIMES, "2026-01-31T12:00:00Z")))


def _invalid_day(draw: st.DrawFn, plain: _Plain) -> None:
    plain["contributions"][draw(st.sampled_from(_INVALID_DAYS))] = 1


def _too_deep(draw: st.DrawFn, plain: _Plain) -> None:
    value: object = None
    for _ in range(MAX_DEPTH + 1):
        value = [value]
    place = draw(st.sampled_from(("", "repository", "ratings")))
    holder = plain[place] if place else plain
    holder["deep"] = value


_INVALID_TIMES: Final = (
    "",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-01-31 12:00:00Z",
    "2026-02-29T12:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T12:00:60Z",
    "2026-01-31T12:00:00.Z",
    "2026-01-31T12:00:00+0100",
    "2026-01-31T12:00:00+24:00",
    "1769860800",
    "\uff12026-01-31T12:00:00Z",
)
_INVALID_DAYS: Final = (
    "",
    "2026-02-29",
    "2026-1-31",
    "20260131",
    "2026-00-10",
    "2026-01-31T00:00Z",
)
_INVALID_JSON: Final = (
    b"",
    b"{",
    b"NaN",
    b"{'a':1}",
    b'{"a":1,}',
    b'"\\ud800"',
    b'"\xff"',
    "{}".encode("utf-16"),
    b"[" * 5000,
)
_OTHER_VALUES: Final = (b"null", b"[]", b"1", b'"{}"', b"[{}]")
_NESTED: Final = b"[" * 100_000 + b"]" * 100_000

_FAULTS: Final[dict[str, tuple[st.SearchStrategy[bytes], ...]]] = {
    "json.text": (
        st.sampled_from(_INVALID_JSON),
        snapshots(2).map(lambda snapshot: _dumps(to_builtins(snapshot))[:-1]),
    ),
    "json.depth": (st.just(_NESTED), _invalid(_too_deep)),
    "required": (_invalid(_missing_member),),
    "type": (st.sampled_from(_OTHER_VALUES), _invalid(_wrong_type)),
    "number.finite": (_invalid(_invalid_count(10**309, 10**399)),),
    "number.integral": (_invalid(_invalid_count(0.5, 1.5)),),
    "number.range": (_invalid(_invalid_count(-1, -1.0, -(10**30))),),
    "time.format": (_invalid(_invalid_time), _invalid(_invalid_build_time)),
    "date.real": (_invalid(_invalid_day),),
}
FAULTY_RULES: Final = tuple(_FAULTS)
"""Ids of the rules that `faulty_bodies` covers."""
