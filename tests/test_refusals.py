"""What a rejection costs and holds, at every entry point for bytes.

Rejecting costs at most ten times as much as accepting a body of that size: ratios of processor time
within one process (`costs`).  For windows and snapshots the accepted body is a batch of that size;
for site data it is a file of which half are members that this version does not know.

The peak of memory is measured by tracemalloc, so it is the same on every machine.  Any JSON parser
keeps the plain values of a text, and small ones are larger than their text, so the peak is compared
with the standard library's parser: an entry point adds at most four times the text, for findings
are capped.  Text that is nested too deep is not built.
"""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import pytest

import sitedata
from devicestatus import limits
from devicestatus.agent.checkpoint import Checkpoint, parse_checkpoint
from devicestatus.errors import ContractError
from devicestatus.music_urls import ITUNES
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from devicestatus.player import parse_timeline
from devicestatus.record import decode_record
from devicestatus.responses import WindowStatus
from healthapi.errors import DataError
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from healthapi.snapshot import read_snapshot
from sitedata.errors import SiteDataError
from status_contracts.structuring.converter import unstructure
from support.checks.costs import assert_cheap
from support.devicestatus.examples import NOON, RECEIVED_AT, body, event
from support.devicestatus.examples import window as window_of
from support.faults.heavy_bodies import (
    FINGERPRINT,
    HEAVY_NUMBERS,
    heavy_texts,
    in_load,
    in_members,
    valid_account,
    valid_checkpoint,
    valid_record,
    valid_site,
    valid_snapshot,
    valid_timeline,
    valid_window,
)
from support.sitedata.site_versions import body_of

pytestmark = pytest.mark.check

SIZE: Final = limits.BATCH_BODY_BYTES
ABOVE: Final = 4
"""Times its text that an entry point may hold beside the text's plain values."""
CONSTANT: Final = 100_000
"""Bytes that a refusal may hold whatever its text: a hundred findings are some 30,000."""
DEEP: Final = 8
"""Times its text that an entry point may hold to tell broken text from text that is too deep."""

Accepts = Callable[[bytes], bool]


class EntryPoint(NamedTuple):
    """An entry point for bytes: whether it accepts some, and valid ones of a size."""

    accepts: Accepts
    valid: Callable[[int], bytes]
    size: int


def unless(fault: type[Exception], read: Callable[[bytes], object]) -> Accepts:
    """Accept what is read without a fault; every other exception is one of the test."""

    def accepts(data: bytes) -> bool:
        try:
            read(data)
        except fault:
            return False
        return True

    return accepts


def checkpoint(data: bytes) -> bool:
    found = parse_checkpoint(data, fingerprint=FINGERPRINT, now_ms=RECEIVED_AT, catalog=ITUNES)
    return isinstance(found, Checkpoint)


window = unless(ContractError, lambda data: parse_window(data, received_at=RECEIVED_AT))
snapshot = unless(ContractError, lambda data: parse_snapshot(data, received_at=NOON))
account = unless(DataError, read_snapshot)
site = unless(SiteDataError, sitedata.parse)


def checked_window(data: bytes) -> bool:
    return check_window(data, received_at=RECEIVED_AT) == ()


def checked_snapshot(data: bytes) -> bool:
    return check_snapshot(data, received_at=NOON) == ()


ENTRY_POINTS: Final = {
    "window": EntryPoint(window, valid_window, SIZE),
    "checked window": EntryPoint(checked_window, valid_window, SIZE),
    "snapshot": EntryPoint(snapshot, valid_snapshot, limits.UPDATE_BODY_BYTES),
    "checked snapshot": EntryPoint(checked_snapshot, valid_snapshot, limits.UPDATE_BODY_BYTES),
    "record": EntryPoint(lambda data: decode_record(data, ITUNES) is not None, valid_record, SIZE),
    "timeline": EntryPoint(
        lambda data: isinstance(parse_timeline(data, ITUNES), WindowStatus), valid_timeline, SIZE
    ),
    "checkpoint": EntryPoint(checkpoint, valid_checkpoint, SIZE),
    "site data": EntryPoint(site, valid_site, 250_000),
    "checked site data": EntryPoint(
        lambda data: not sitedata.check(data).errors, valid_site, 250_000
    ),
}
"""The entry points that reject; an account snapshot is rejected for its outermost type."""
SOME: Final = ("brackets closed", "one name", "numbers of one hash")


def sound_of(name: str) -> bytes:
    """Return a valid body of an entry point that leaves room for more."""
    return body_of(1) if "site" in name else ENTRY_POINTS[name].valid(16_384)


def check_cheap(name: str, refused: bytes) -> None:
    """Compare a refusal with what the entry point, or that of batches, accepts."""
    accepts, valid, size = ENTRY_POINTS[name]
    assert len(refused) <= size
    if valid is valid_snapshot:
        accepted = valid_window(size)
        assert_cheap(
            lambda data: window(data) if data is accepted else accepts(data), refused, accepted
        )
    else:
        assert_cheap(accepts, refused, valid(size))


def texts() -> Iterator[tuple[str, str]]:
    for name in ENTRY_POINTS:
        yield from ((name, text) for text in (heavy_texts(SIZE) if name == "window" else SOME))


class TestCosts:
    @pytest.mark.parametrize(("name", "text"), tuple(texts()))
    def test_heavy_texts_are_rejected_cheaply(self, name: str, text: str) -> None:
        accepts, valid, size = ENTRY_POINTS[name]
        assert accepts(valid(size))
        assert not accepts(heavy_texts(size)[text])
        check_cheap(name, heavy_texts(size)[text])

    @pytest.mark.parametrize("text", SOME)
    def test_they_are_as_an_account_snapshot(self, text: str) -> None:
        """Broken text is rejected, and so is JSON of another shape."""
        refused = b"[" + heavy_texts(SIZE)[text] + b"]"
        assert not account(refused)
        assert_cheap(account, refused, valid_account(len(refused)))

    @pytest.mark.parametrize("number", HEAVY_NUMBERS)
    def test_numbers_cost_no_more_than_others(self, number: str) -> None:
        """In a list, and in a member that may be a number; the last one counts, and is valid."""
        listed = f"[{f'{number},' * (SIZE // (len(number) + 1) - 2)}1]".encode()
        member = in_load(number, SIZE)
        assert not window(listed)
        assert window(member)
        assert len(member) <= SIZE
        for data in (listed, member):
            assert_cheap(window, data, valid_window(SIZE))

    @pytest.mark.parametrize("name", ["window", "snapshot", "site data"])
    def test_members_full_of_what_they_must_not_hold_are_rejected_cheaply(self, name: str) -> None:
        """Numbers of one hash, 260,000 bad items, 80,000 times one name, in each list and map."""
        for refused in in_members(sound_of(name), ENTRY_POINTS[name].size - 12_288).values():
            check_cheap(name, refused)


TABLES: Final[dict[str, Callable[[int], bytes]]] = {
    "an open quote": lambda size: b'"' + b"x" * size,
    "quotes": lambda size: b'"' * size,
    "quotes within": lambda size: b'x"' * (size // 2),
    "commas": lambda size: b"," * size,
    "line ends": lambda size: b"\n" * size,
    "blanks": lambda size: b" " * size,
    "no UTF-8": lambda size: b"2026-01-01,1\n" * (size // 13) + b"\xff",
    "days that are none": lambda size: b"2026-02-30,1\n" * (size // 13),
    "numbers that are none": lambda size: b"2026-01-01,x\n" * (size // 13),
    "one day": lambda size: b"2026-01-01,1\n" * (size // 13),
    "different texts": lambda size: b"".join(b"x%d,y%d\n" % (n, n) for n in range(size // 16)),
    "digits": lambda size: b"2026-01-01," + b"9" * size,
    "exponents": lambda size: b"2026-01-01,1e%d\n" % 10**9 * (size // 24),
}
DAYS: Final = b"".join(
    b'"%04d-%02d-%02d",%d\n' % (year, month, day, year)
    for year in range(1700, 2026)
    for month in range(1, 13)
    for day in range(1, 29)
)
taken = unless(DataError, lambda data: read_rows(data, "activity", NATIVE.tables["activity"]))


class TestTables:
    @pytest.mark.parametrize("name", TABLES)
    def test_cost_no_more_than_sound_ones(self, name: str) -> None:
        refused = b"date,steps\n" + TABLES[name](100_000)
        accepted = b"date,steps\n" + DAYS[: len(refused) // 18 * 18]
        assert_cheap(taken, refused, accepted)


def peak(read: Callable[[bytes], object], text: bytes) -> int:
    """Return the most bytes that are held at once while a text is read, beside the text itself."""
    read(b"[1]")  # what is made once
    tracemalloc.start()
    try:
        read(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def check_bounded(accepts: Accepts, text: bytes) -> None:
    assert not accepts(text)
    most = peak(json.loads, text) + ABOVE * len(text) + CONSTANT
    assert peak(accepts, text) < most


def many_faults() -> Iterator[Any]:
    """Yield windows with bad values or unknown names in many places."""
    sound = unstructure(window_of(events=(event(1, NOON),)))
    wrong = {"seq": -1, "at": "yesterday", "changes": {"active_app": 7}, "more": []}
    yield pytest.param(body(sound | {"events": [wrong] * 2048}), id="2,048 bad events")
    more = {f"more {number}": number for number in range(25_000)}
    yield pytest.param(body(sound | more), id="25,000 unknown members")
    yield pytest.param(heavy_texts(SIZE // 4)["names"], id="unknown members alone")


FILLINGS: Final = ("small items", "empty objects", "faulty objects")
CHECKED: Final = [
    name for name in ENTRY_POINTS if name.split()[-1] in {"window", "snapshot", "data"}
]


class TestMemory:
    @pytest.mark.parametrize("name", CHECKED)
    def test_faults_add_little_to_the_values(self, name: str) -> None:
        size = min(SIZE // 4, ENTRY_POINTS[name].size) - 12_288
        for place, text in in_members(sound_of(name), size).items():
            if place.startswith(FILLINGS):
                check_bounded(ENTRY_POINTS[name].accepts, text)

    @pytest.mark.parametrize("text", tuple(many_faults()))
    def test_many_faults_in_a_window_do_not_either(self, text: bytes) -> None:
        check_bounded(window, text)
        check_bounded(checked_window, text)

    @pytest.mark.parametrize("name", ["exponents", *SOME[1:], "long integers"])
    def test_nor_do_those_of_an_account_snapshot(self, name: str) -> None:
        check_bounded(account, b"[" + heavy_texts(SIZE)[name] + b"]")

    @pytest.mark.parametrize("name", ["names open", "members below", "brackets closed"])
    def test_telling_deep_text_from_broken_text_is_bounded(self, name: str) -> None:
        size = SIZE // 4
        for accepts in (window, site, account):
            assert peak(accepts, heavy_texts(size)[name]) < DEEP * size + CONSTANT
