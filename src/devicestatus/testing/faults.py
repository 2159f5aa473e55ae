"""Hypothesis strategies for values that break one rule: what a door must refuse, and as what.

Every value is drawn sound and then broken in one place.  `SNAPSHOT_RULES` and `WINDOW_RULES` list
the rules that can be drawn.

Invariant *one fault, one rule*: the rule that a value comes with is the only one that
`check_snapshot` or `check_window` finds in it; given as a body, `parse_snapshot` or `parse_window`
refuses it with that rule.

Of `devicestatus.validation.rule_ids.RULES`, some never show at these doors: those that begin
with `icons.`, which
are the icon manifest's own; and for snapshots `json.depth`, because some interpreters build
everything that 16,384 bytes can nest.
"""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.testing.member_faults import MEMBER_FAULTS, Fault, Plain
from devicestatus.testing.strategies import (
    Received,
    plain_snapshots,
    plain_windows,
    snapshot_bodies,
    window_bodies,
)
from devicestatus.testing.window_faults import (
    BAD_TIMES,
    NOW,
    ROOMY_WINDOWS,
    WINDOW_FAULTS,
    in_changes,
    off_limit,
    versions,
)
from purewire.instants import format_instant
from purewire.json import codec

__all__ = ["SNAPSHOT_RULES", "WINDOW_RULES", "Faulty", "invalid_snapshots", "invalid_windows"]

_Values = st.SearchStrategy[object]
_Where = Callable[[Plain], Plain]

_BROKEN: Final = (
    b"",
    b" ",
    b"\xef\xbb\xbf",
    b"{",
    b"nul",
    b"NaN",
    b"[Infinity]",
    b"[-Infinity]",
    b"[01]",
    b"[1.]",
    b"[+1]",
    b"{'a':1}",
    b"{a:1}",
    b'{"a":1,}',
    b"[1,]",
    b"[1]//",
    b'"\t"',
    b'"\x00"',
    b'"\\x41"',
    b'"\\ud800"',
    b'"\\udc00\\ud800"',
    b'"\xff"',
    b'"\xed\xa0\xbd\xed\xb1\xa9"',
    b'"\xc0\xaf"',
    "{}".encode("utf-16"),
    "{}".encode("utf-16-le"),
    "{}".encode("utf-32"),
    b"\xef\xbb\xbf\xef\xbb\xbf{}",
    b"[" * 5000,
    b"[" * 4000 + b"}" + b"]" * 3999,
)
"""No JSON text in UTF-8."""
_NESTED: Final = b"[" * 100_000 + b"]" * 100_000
"""Deeper than any interpreter builds lists, and still a legal size for a batch."""
_TOO_LARGE: Final = (b"1e999", b"-1e309", b"1" + b"0" * 500 + b".5", b"9" * 309, b"-" + b"9" * 900)
"""Numbers that no double is near."""
_NO_OBJECTS: Final[_Values] = st.sampled_from((None, True, 0, 1.5, "", "{}", [], [{}]))


class Faulty(NamedTuple):
    """A value that breaks one rule.

    Attributes:
        value: a body (bytes), or a plain JSON value, where a lone surrogate or a number that is not
            finite may be what is wrong.
        received_at: the receive time to judge it by, ms since the epoch.
        rule: id of the rule that it breaks.

    """

    value: object
    received_at: int
    rule: str


def invalid_snapshots(*rules: str) -> st.SearchStrategy[Faulty]:
    """Draw invalid snapshots; of the rules given, or of any of `SNAPSHOT_RULES`."""
    return st.one_of([_faulty(_SNAPSHOTS[rule], rule) for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[Faulty]:
    """Draw invalid windows; of the rules given, or of any of `WINDOW_RULES`."""
    return st.one_of([_faulty(_WINDOWS[rule], rule) for rule in rules or WINDOW_RULES])


def _faulty(values: list[_Values], rule: str) -> st.SearchStrategy[Faulty]:
    return st.one_of(values).map(lambda value: Faulty(value, NOW, rule))


@st.composite
def _broken(
    draw: st.DrawFn, fault: Fault, sound: st.SearchStrategy[Plain], where: _Where
) -> object:
    """Draw a sound value and break it where the fault belongs."""
    plain = draw(sound)
    fault(draw, where(plain))
    return plain


def _itself(plain: Plain) -> Plain:
    return plain


def _baseline(plain: Plain) -> Plain:
    baseline: Plain = plain["baseline"]
    return baseline


def _lost(draw: st.DrawFn, plain: Plain) -> None:
    del plain[draw(st.sampled_from(sorted(plain.keys() - {"running_apps"})))]


def _added(draw: st.DrawFn, plain: Plain) -> None:
    names = ("updated_at", "expires_at", "ttl_seconds", "", "Music")
    plain[draw(st.sampled_from(names))] = draw(st.sampled_from((None, 60, {})))


def _bad_time(draw: st.DrawFn, plain: Plain) -> None:
    plain["collected_at"] = draw(st.sampled_from(BAD_TIMES))


def _skew(draw: st.DrawFn, plain: Plain) -> None:
    off = draw(st.sampled_from((1, -1))) * draw(off_limit(limits.CLOCK_SKEW_MS))
    plain["collected_at"] = format_instant(NOW + off)


@st.composite
def _damaged(draw: st.DrawFn, bodies: st.SearchStrategy[Received]) -> object:
    """Draw sound bodies that are cut short, or whose last brace is something else."""
    body = draw(bodies).body.rstrip()
    cut = body[: draw(st.integers(0, len(body) - 1))]
    return draw(st.sampled_from((cut, *(body[:-1] + end for end in (b"]", b",", b"\x00")))))


@st.composite
def _padded(draw: st.DrawFn, sound: st.SearchStrategy[Plain], limit: int) -> object:
    return codec.encode(draw(sound)).ljust(limit + draw(st.integers(1, 3)))


@st.composite
def _overflowing(draw: st.DrawFn, sound: st.SearchStrategy[Plain], where: _Where) -> object:
    plain = draw(sound)
    where(plain)["system"]["load_5m"] = mark = "@number@"
    number = draw(st.sampled_from(_TOO_LARGE))
    return codec.encode(plain).replace(f'"{mark}"'.encode(), number)


def _breaking(
    faults: dict[str, tuple[Fault, ...]], sound: st.SearchStrategy[Plain], where: _Where
) -> Iterator[tuple[str, _Values]]:
    for rule, each in faults.items():
        for fault in each:
            yield rule, _broken(fault, sound, where)


def _table(*cases: tuple[str, _Values]) -> dict[str, list[_Values]]:
    table: dict[str, list[_Values]] = {}
    for rule, values in cases:
        table.setdefault(rule, []).append(values)
    return table


_SOUND: Final = plain_snapshots(received_at=NOW)
_SNAPSHOT_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "required": (_lost,),
    "unknown": (_added,),
    "constant": (versions(2),),
    "time.format": (_bad_time,),
    "snapshot.skew": (_skew,),
}
_CHANGES_FAULTS: Final = {
    rule: tuple(map(in_changes, faults)) for rule, faults in MEMBER_FAULTS.items()
}
_SNAPSHOTS: Final = _table(
    ("body.size", _padded(_SOUND, limits.UPDATE_BODY_BYTES)),
    ("json.text", st.sampled_from(_BROKEN)),
    ("json.text", _damaged(snapshot_bodies(received_at=NOW))),
    ("type", _NO_OBJECTS),
    ("number.finite", _overflowing(_SOUND, _itself)),
    *_breaking(MEMBER_FAULTS, _SOUND, _itself),
    *_breaking(_SNAPSHOT_FAULTS, _SOUND, _itself),
)
_WINDOWS: Final = _table(
    ("body.size", _padded(plain_windows(received_at=NOW), limits.BATCH_BODY_BYTES)),
    ("json.text", st.sampled_from(_BROKEN)),
    ("json.text", _damaged(window_bodies(received_at=NOW, most_events=1))),
    ("json.depth", st.just(_NESTED)),
    ("type", _NO_OBJECTS),
    ("number.finite", _overflowing(ROOMY_WINDOWS, _baseline)),
    *_breaking(MEMBER_FAULTS, ROOMY_WINDOWS, _baseline),
    *_breaking(_CHANGES_FAULTS, ROOMY_WINDOWS, _itself),
    *_breaking(WINDOW_FAULTS, ROOMY_WINDOWS, _itself),
)

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` covers."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` covers."""
