"""Rejecting a body costs at most ten times as much as accepting one of that size.

Ratios of processor time within one process (`costs`).  A rejection raises the documented error of
the entry point and no other.  For windows and snapshots the accepted body is a batch of that size;
for site data it is a file of which half are members that this version does not know.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import sitedata
from devicestatus import limits
from devicestatus.agent.checkpoint import Checkpoint, parse_checkpoint
from devicestatus.engine.record import decode
from devicestatus.errors import ContractError
from devicestatus.player.player import parse_timeline
from devicestatus.responses import WindowStatus
from devicestatus.validation.music_urls import ITUNES
from devicestatus.validation.parse import check_window, parse_snapshot, parse_window
from healthapi.account.snapshot import read_snapshot
from healthapi.errors import DataError
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from sitedata.errors import SiteDataError
from support.checks.costs import assert_cheap
from support.devicestatus.examples import NOON, RECEIVED_AT
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

SIZE = limits.BATCH_BODY_BYTES


class EntryPoint(NamedTuple):
    """An entry point for bytes: the function that reads them, and valid bytes."""

    accepts: Callable[[bytes], bool]
    valid: Callable[[int], bytes]
    size: int


def window(data: bytes) -> bool:
    try:
        parse_window(data, received_at=RECEIVED_AT)
    except ContractError:
        return False
    return True


def checked_window(data: bytes) -> bool:
    return check_window(data, received_at=RECEIVED_AT) == ()


def snapshot(data: bytes) -> bool:
    try:
        parse_snapshot(data, received_at=NOON)
    except ContractError:
        return False
    return True


def record(data: bytes) -> bool:
    return decode(data, ITUNES) is not None


def timeline(data: bytes) -> bool:
    return isinstance(parse_timeline(data, ITUNES), WindowStatus)


def checkpoint(data: bytes) -> bool:
    found = parse_checkpoint(data, fingerprint=FINGERPRINT, now_ms=RECEIVED_AT, catalog=ITUNES)
    return isinstance(found, Checkpoint)


def account(data: bytes) -> bool:
    try:
        read_snapshot(data)
    except DataError:
        return False
    return True


def site(data: bytes) -> bool:
    try:
        sitedata.parse(data)
    except SiteDataError:
        return False
    return True


ENTRY_POINTS = {
    "window": EntryPoint(window, valid_window, SIZE),
    "checked window": EntryPoint(checked_window, valid_window, SIZE),
    "snapshot": EntryPoint(snapshot, valid_snapshot, limits.UPDATE_BODY_BYTES),
    "record": EntryPoint(record, valid_record, SIZE),
    "timeline": EntryPoint(timeline, valid_timeline, SIZE),
    "checkpoint": EntryPoint(checkpoint, valid_checkpoint, SIZE),
    "site data": EntryPoint(site, valid_site, 250_000),
}
"""The entry points that reject; an account snapshot is rejected for its outermost type."""
ALL = heavy_texts(SIZE)
SOME = ("brackets closed", "one name", "numbers of one hash")


def cases() -> Iterator[Any]:
    for name, entry_point in ENTRY_POINTS.items():
        texts = ALL if name == "window" else dict.fromkeys(SOME)
        yield from (pytest.param(entry_point, text, id=f"{name}-{text}") for text in texts)


class TestHeavyTexts:
    @pytest.mark.parametrize(("entry_point", "text"), tuple(cases()))
    def test_are_rejected_cheaply(self, entry_point: EntryPoint, text: str) -> None:
        refused, accepted = heavy_texts(entry_point.size)[text], entry_point.valid(entry_point.size)
        assert len(refused) <= entry_point.size == len(accepted)
        assert not entry_point.accepts(refused)
        assert entry_point.accepts(accepted)
        check_cheap(entry_point, refused)

    @pytest.mark.parametrize("text", SOME)
    def test_are_rejected_cheaply_as_an_account_snapshot(self, text: str) -> None:
        """Broken text is rejected, and so is JSON of another shape."""
        refused = heavy_texts(SIZE)[text]
        if refused.startswith(b"{"):
            refused = b"[" + refused + b"]"
        assert not account(refused)
        assert_cheap(account, refused, valid_account(len(refused)))


class TestHeavyNumbers:
    """Whatever number stands in a body as often as there is room, refused or accepted."""

    @pytest.mark.parametrize("number", HEAVY_NUMBERS)
    def test_cost_no_more_in_a_list(self, number: str) -> None:
        refused = f"[{f'{number},' * (SIZE // (len(number) + 1) - 2)}1]".encode()
        assert not window(refused)
        assert_cheap(window, refused, valid_window(SIZE))

    @pytest.mark.parametrize("number", HEAVY_NUMBERS)
    def test_cost_no_more_in_a_member_that_may_be_a_number(self, number: str) -> None:
        """The last one counts, and is valid."""
        body = in_load(number, SIZE)
        assert len(body) <= SIZE
        assert window(body)
        assert_cheap(window, body, valid_window(SIZE))


class TestHeavyMembers:
    """Numbers of one hash, 260,000 bad items, 80,000 times one name, in each list and map."""

    @pytest.mark.parametrize("name", ["window", "snapshot", "site data"])
    def test_are_rejected_cheaply(self, name: str) -> None:
        entry_point = ENTRY_POINTS[name]
        valid = entry_point.valid(16_384) if entry_point.valid is not valid_site else body_of(1)
        for refused in in_members(valid, entry_point.size - 12_288).values():
            assert len(refused) <= entry_point.size
            check_cheap(entry_point, refused)


def check_cheap(entry_point: EntryPoint, refused: bytes) -> None:
    """Compare a refusal with what the entry point, or that of batches, accepts."""
    if entry_point.valid is valid_site:
        assert_cheap(entry_point.accepts, refused, valid_site(entry_point.size))
    else:
        accepted = valid_window(entry_point.size)
        assert_cheap(
            lambda data: window(data) if data is accepted else entry_point.accepts(data),
            refused,
            accepted,
        )


TABLES: dict[str, Callable[[int], bytes]] = {
    "an open quote": lambda size: b'"' + b"x" * size,
    "quotes": lambda size: b'"' * size,
    "quoted quotes": lambda size: b'""' * (size // 2),
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


class TestHeavyTables:
    @pytest.mark.parametrize("name", TABLES)
    def test_cost_no_more_than_sound_ones(self, name: str) -> None:
        refused = b"date,steps\n" + TABLES[name](100_000)
        days = b"".join(b'"%04d-%02d-%02d",%d\n' % (y, m, d, y) for y, m, d in _days())
        accepted = b"date,steps\n" + days[: len(refused) // 18 * 18]
        assert taken(accepted)
        assert_cheap(taken, refused, accepted)


def taken(data: bytes) -> bool:
    table = NATIVE.activity
    assert table is not None
    try:
        return not read_rows(data, table)[1].rejected_rows
    except DataError:
        return False


def _days() -> Iterator[tuple[int, int, int]]:
    return (
        (year, month, day)
        for year in range(1700, 2026)
        for month in range(1, 13)
        for day in range(1, 29)
    )
