"""Hypothesis strategies for invalid values, each with the one rule that it breaks.

Every value is drawn valid and then broken in one place.  `SNAPSHOT_RULES` and `WINDOW_RULES` list
the rules that can be drawn.

Invariant *one rule*: `check_snapshot` or `check_window` returns findings of the given rule only;
`parse_snapshot` or `parse_window` rejects the body with that rule.

Some of `devicestatus.validation.rule_ids.RULES` cannot be drawn: those that start with `icons.`,
which belong to the icon manifest; and for snapshots `json.depth`, because some interpreters can
build everything that 16,384 bytes can nest.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from hypothesis import strategies as st

from devicestatus import limits
from devicestatus.testing.member_faults import MEMBER_FAULTS, Fault, Plain, replacing
from devicestatus.testing.strategies import (
    Received,
    plain_snapshots,
    plain_windows,
    snapshot_bodies,
    window_bodies,
)
from devicestatus.testing.window_faults import (
    BAD_TIMES,
    EMPTY_WINDOWS,
    NOW,
    WINDOW_FAULTS,
    as_changes_fault,
    over_limit,
    version_fault,
)
from purewire.instants import format_instant
from purewire.json import codec

__all__ = ["SNAPSHOT_RULES", "WINDOW_RULES", "InvalidValue", "invalid_snapshots", "invalid_windows"]

_Values = st.SearchStrategy[object]

_NOT_JSON: Final = (
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
"""Bytes that are not JSON text in UTF-8."""
_NESTED: Final = b"[" * 100_000 + b"]" * 100_000
"""Nested deeper than any interpreter can build, within the size limit of a batch."""
_OVERFLOWING_NUMBERS: Final = (
    b"1e999",
    b"-1e309",
    b"1" + b"0" * 500 + b".5",
    b"9" * 309,
    b"-" + b"9" * 900,
)
"""Numbers outside the range of a double."""
_NOT_OBJECTS: Final[_Values] = st.sampled_from((None, True, 0, 1.5, b'""', b'"{}"', [], [{}]))
"""Texts are bodies, because the checks raise TypeError for a `str`."""


class InvalidValue(NamedTuple):
    """An invalid value and the rule that it breaks.

    Attributes:
        value: a body (bytes), or a plain JSON value, which may contain a lone surrogate or a number
            that is not finite.
        received_at: the receive time to validate it with, ms since the epoch.
        rule: id of the broken rule.

    """

    value: object
    received_at: int
    rule: str


def invalid_snapshots(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid snapshots that break one of the given rules, or of `SNAPSHOT_RULES`."""
    return st.one_of([_invalid(_SNAPSHOTS[rule], rule) for rule in rules or SNAPSHOT_RULES])


def invalid_windows(*rules: str) -> st.SearchStrategy[InvalidValue]:
    """Draw invalid windows that break one of the given rules, or of `WINDOW_RULES`."""
    return st.one_of([_invalid(_WINDOWS[rule], rule) for rule in rules or WINDOW_RULES])


def _invalid(values: list[_Values], rule: str) -> st.SearchStrategy[InvalidValue]:
    return st.one_of(values).map(lambda value: InvalidValue(value, NOW, rule))


@st.composite
def _with_fault(draw: st.DrawFn, fault: Fault, valid: st.SearchStrategy[Plain]) -> object:
    """Draw a valid value and break it."""
    plain = draw(valid)
    fault(draw, plain)
    return plain


def _as_baseline_fault(fault: Fault) -> Fault:
    """Apply a fault of members to the baseline of a window."""
    return lambda draw, plain: fault(draw, plain["baseline"])


def _missing_member(draw: st.DrawFn, plain: Plain) -> None:
    del plain[draw(st.sampled_from(sorted(plain.keys() - {"running_apps"})))]


def _skew(draw: st.DrawFn, plain: Plain) -> None:
    off = draw(st.sampled_from((1, -1))) * draw(over_limit(limits.CLOCK_SKEW_MS))
    plain["collected_at"] = format_instant(NOW + off)


@st.composite
def _truncated(draw: st.DrawFn, bodies: st.SearchStrategy[Received]) -> object:
    """Draw valid bodies that are truncated, or whose last brace is replaced."""
    body = draw(bodies).body.rstrip()
    cut = body[: draw(st.integers(0, len(body) - 1))]
    return draw(st.sampled_from((cut, *(body[:-1] + end for end in (b"]", b",", b"\x00")))))


@st.composite
def _padded(draw: st.DrawFn, valid: st.SearchStrategy[Plain], limit: int) -> object:
    return codec.encode(draw(valid)).ljust(limit + draw(st.integers(1, 3)))


@st.composite
def _overflowing(draw: st.DrawFn, valid: st.SearchStrategy[Plain]) -> object:
    plain = draw(valid)
    plain.get("baseline", plain)["system"]["load_5m"] = placeholder = "@number@"
    number = draw(st.sampled_from(_OVERFLOWING_NUMBERS))
    return codec.encode(plain).replace(f'"{placeholder}"'.encode(), number)


def _cases(
    faults: Mapping[str, Iterable[Fault]], valid: st.SearchStrategy[Plain]
) -> Iterator[tuple[str, _Values]]:
    for rule, each in faults.items():
        for fault in each:
            yield rule, _with_fault(fault, valid)


def _table(*cases: tuple[str, _Values]) -> dict[str, list[_Values]]:
    table: dict[str, list[_Values]] = {}
    for rule, values in cases:
        table.setdefault(rule, []).append(values)
    return table


_UNKNOWN: Final = ("updated_at", "expires_at", "ttl_seconds", "", "Music")
_VALID: Final = plain_snapshots(received_at=NOW)
_SNAPSHOT_FAULTS: Final[dict[str, tuple[Fault, ...]]] = {
    "required": (_missing_member,),
    "unknown": (replacing(dict.fromkeys(_UNKNOWN, (None, 60, {}))),),
    "constant": (version_fault(2),),
    "time.format": (replacing({"collected_at": BAD_TIMES}),),
    "snapshot.skew": (_skew,),
}
_PARTS: Final = (_as_baseline_fault, as_changes_fault)
_PART_FAULTS: Final = {
    rule: [as_part(fault) for as_part in _PARTS for fault in faults]
    for rule, faults in MEMBER_FAULTS.items()
}
_SNAPSHOTS: Final = _table(
    ("body.size", _padded(_VALID, limits.UPDATE_BODY_BYTES)),
    ("json.text", st.sampled_from(_NOT_JSON)),
    ("json.text", _truncated(snapshot_bodies(received_at=NOW))),
    ("type", _NOT_OBJECTS),
    ("number.finite", _overflowing(_VALID)),
    *_cases(MEMBER_FAULTS, _VALID),
    *_cases(_SNAPSHOT_FAULTS, _VALID),
)
_WINDOWS: Final = _table(
    ("body.size", _padded(plain_windows(received_at=NOW), limits.BATCH_BODY_BYTES)),
    ("json.text", st.sampled_from(_NOT_JSON)),
    ("json.text", _truncated(window_bodies(received_at=NOW, max_events=1))),
    ("json.depth", st.just(_NESTED)),
    ("type", _NOT_OBJECTS),
    ("number.finite", _overflowing(EMPTY_WINDOWS)),
    *_cases(_PART_FAULTS, EMPTY_WINDOWS),
    *_cases(WINDOW_FAULTS, EMPTY_WINDOWS),
)

SNAPSHOT_RULES: Final = tuple(_SNAPSHOTS)
"""Ids of the rules that `invalid_snapshots` can break."""
WINDOW_RULES: Final = tuple(_WINDOWS)
"""Ids of the rules that `invalid_windows` can break."""
