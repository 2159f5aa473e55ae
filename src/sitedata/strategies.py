"""Hypothesis strategies for times, problems, snapshots, and valid and invalid files.

Text is any Unicode text, times have any offset and up to six decimals, and files have undocumented
members at every level.

Invariant *as parsed*: parsing the body of a drawn model returns an equal model.
Invariant *one fault, one rule*: `sitedata.check` finds the rule of a faulty body as its only error.
"""

import json
from datetime import date
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from sitedata.models import Problem, Snapshot
from status_contracts.strategies import Values, broken_values, json_texts, json_values
from status_contracts.structuring.cases import Cases
from status_contracts.structuring.converter import unstructure

__all__ = [
    "CASES", "FAULTY_RULES", "Faulty", "bodies", "days", "faulty_bodies", "problems",
    "snapshots", "times",
]  # fmt: skip

_USUAL_NAMES: Final = st.sampled_from(("AtCoder", "Codeforces", "CSES", "Kattis", "洛谷", "py", ""))
_WORDS: Final = st.text(max_size=12)
CASES: Final = Cases(
    {
        "time.format": (
            "2026-01-31T12:00:00+01:00",
            "",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-01-31 12:00:00Z",
            "2026-02-29T12:00:00Z",
            "2026-01-31T24:00:00Z",
            "2016-12-31T23:59:60Z",
            "0000-01-31T12:00:00Z",
            "2026-01-31T12:00:00.1234567Z",
            "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00+0100",
            "2026-01-31T12:00:00+24:00",
            "1769860800",
            "\uff12026-01-31T12:00:00Z",
        ),
        "date.real": (
            "2026-01-31",
            "",
            "2026-02-29",
            "0000-02-29",
            "2026-1-31",
            "20260131",
            "2026-00-10",
            "2026-01-31T00:00Z",
        ),
    }
)
"""The cases of the models of a file."""


class Faulty(NamedTuple):
    """A file that breaks one rule, and the id of the rule."""

    body: bytes
    rule: str


def days() -> st.SearchStrategy[str]:
    """Days of the calendar, as YYYY-MM-DD; most are from 2015 to 2030."""
    usual = st.dates(date(2015, 1, 1), date(2030, 12, 31))
    return (usual | st.dates()).map(date.isoformat)


def times() -> st.SearchStrategy[str]:
    """Real times with an offset, as RFC 3339 defines them; most are from 2015 to 2030."""
    hours, minutes = st.integers(0, 23), st.integers(0, 59)
    away = st.builds("{}{:02}:{:02}".format, st.sampled_from("+-"), hours, minutes)
    decimals = st.text("0123456789", min_size=1, max_size=6).map(".{}".format)
    first, last = date(1, 1, 2), date(9999, 12, 30)  # no offset moves them out of the years
    return st.builds(
        "{}{}{:02}:{:02}:{:02}{}{}".format,
        st.dates(date(2015, 1, 1), date(2030, 12, 31)) | st.dates(first, last),
        st.sampled_from("Tt"),
        hours,
        minutes,
        st.integers(0, 59),
        st.sampled_from(("", ".0", ".5")) | decimals,
        st.sampled_from(("Z", "z", "+05:30")) | away,
    )


def problems() -> st.SearchStrategy[Problem]:
    """Problems with any text, with and without a time, some with undocumented members."""
    return _VALUES.of(Problem)


def snapshots(max_problems: int = 6) -> st.SearchStrategy[Snapshot]:
    """Snapshots; most break a publishing rule."""
    listed = st.lists(problems(), max_size=max_problems).map(tuple)
    return Values({**_KNOWN, "Snapshot.problems": listed}, _TEXTS).of(Snapshot)


def bodies(max_problems: int = 6) -> st.SearchStrategy[bytes]:
    """Valid files, in more than one JSON serialization, with unknown members at every level."""
    return snapshots(max_problems).flatmap(lambda snapshot: json_texts(unstructure(snapshot)))


def faulty_bodies(*rules: str) -> st.SearchStrategy[Faulty]:
    """Invalid files that break one of the given rules, or one of `FAULTY_RULES`."""
    drawn = rules or FAULTY_RULES
    return st.one_of([st.builds(Faulty, _FAULTS[rule], st.just(rule)) for rule in drawn])


@st.composite
def _plain_snapshots(draw: st.DrawFn) -> dict[str, Any]:
    """Draw valid files with a problem, as plain values."""
    plain: dict[str, Any] = unstructure(draw(snapshots(2)))
    plain["problems"].append(unstructure(draw(problems())))
    return plain


def _encoded(plain: Any) -> bytes:  # noqa: ANN401
    return json.dumps(plain).encode()


_URLS: Final = st.integers(1, 9999).map("https://judge.example/problem/{}".format)
_TEXTS: Final = {"time.format": times(), "date.real": days()}
_KNOWN: Final[dict[str, st.SearchStrategy[Any]]] = {
    "Problem.path": st.builds("{}/{}".format, _USUAL_NAMES, _WORDS) | _WORDS,
    "Problem.platform": _USUAL_NAMES | _WORDS,
    "Problem.language": _USUAL_NAMES | _WORDS,
    "Problem.problemUrl": _URLS | _WORDS,
    "Problem.githubUrl": _URLS,
    "Problem.rawUrl": _URLS,
    "Snapshot.ratings": st.dictionaries(_USUAL_NAMES, st.none() | json_values(), max_size=3),
}
_VALUES: Final = Values(_KNOWN, _TEXTS)
_BROKEN: Final = broken_values(CASES, Snapshot, _plain_snapshots(), as_text=True)
_FAULTS: Final[dict[str, st.SearchStrategy[bytes]]] = {
    rule: broken.map(_encoded) for rule, broken in _BROKEN.items()
}
_FAULTS["json.text"] = _plain_snapshots().map(lambda plain: _encoded(plain)[:-1])
_FAULTS["type"] |= st.sampled_from((b"null", b"[]", b"1", b'"{}"', b"[{}]"))
FAULTY_RULES: Final = tuple(_FAULTS)
"""Ids of the rules that `faulty_bodies` covers."""


st.register_type_strategy(Problem, lambda _: problems())
st.register_type_strategy(Snapshot, lambda _: snapshots())
