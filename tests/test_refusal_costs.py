"""Refusing costs at most ten times what accepting a body of that size costs, at every door.

Ratios of processor time within one process (`costs`).  A refusal is the documented error of the
door and no other.  What a door of windows and snapshots refuses is compared with an accepted batch
of that size, site data with a file of
which half is what this version does not know.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import sitedata
from devicestatus import limits
from devicestatus.agent.checkpoint import Checkpoint, read_checkpoint
from devicestatus.engine.record import decode
from devicestatus.errors import ContractError
from devicestatus.player.timeline_response import WindowAnswer, parse_timeline
from devicestatus.validation.music_urls import ITUNES
from devicestatus.validation.parse import check_window, parse_snapshot, parse_window
from healthapi.account.snapshot import read_snapshot
from healthapi.errors import DataError
from healthapi.rows.columns import NATIVE
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
    sound_account,
    sound_checkpoint,
    sound_record,
    sound_site,
    sound_snapshot,
    sound_timeline,
    sound_window,
)
from support.sitedata.site_versions import body_of

SIZE = limits.BATCH_BODY_BYTES


class Door(NamedTuple):
    """Where bytes come in: what reads them, telling whether they are taken, and sound ones."""

    takes: Callable[[bytes], bool]
    sound: Callable[[int], bytes]
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
    return isinstance(parse_timeline(data, ITUNES), WindowAnswer)


def checkpoint(data: bytes) -> bool:
    found = read_checkpoint(data, fingerprint=FINGERPRINT, now_ms=RECEIVED_AT, catalog=ITUNES)
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


DOORS = {
    "window": Door(window, sound_window, SIZE),
    "checked window": Door(checked_window, sound_window, SIZE),
    "snapshot": Door(snapshot, sound_snapshot, limits.UPDATE_BODY_BYTES),
    "record": Door(record, sound_record, SIZE),
    "timeline": Door(timeline, sound_timeline, SIZE),
    "checkpoint": Door(checkpoint, sound_checkpoint, SIZE),
    "site data": Door(site, sound_site, 250_000),
}
"""The doors that refuse; an account snapshot is foreign, and refused for its outermost shape."""
ALL = heavy_texts(SIZE)
SOME = ("brackets closed", "one name", "numbers of one hash")


def cases() -> Iterator[Any]:
    for name, door in DOORS.items():
        texts = ALL if name == "window" else dict.fromkeys(SOME)
        yield from (pytest.param(door, text, id=f"{name}-{text}") for text in texts)


class TestHeavyTexts:
    @pytest.mark.parametrize(("door", "text"), tuple(cases()))
    def test_are_refused_cheaply(self, door: Door, text: str) -> None:
        refused, accepted = heavy_texts(door.size)[text], door.sound(door.size)
        assert len(refused) <= door.size == len(accepted)
        assert not door.takes(refused)
        assert door.takes(accepted)
        check_cheap(door, refused)

    @pytest.mark.parametrize("text", SOME)
    def test_are_refused_cheaply_as_an_account_snapshot(self, text: str) -> None:
        """What is broken is refused; what is JSON of another shape as well."""
        refused = heavy_texts(SIZE)[text]
        if refused.startswith(b"{"):
            refused = b"[" + refused + b"]"
        assert not account(refused)
        assert_cheap(account, refused, sound_account(len(refused)))


class TestHeavyNumbers:
    """Whatever number stands in a body as often as there is room, refused or accepted."""

    @pytest.mark.parametrize("number", HEAVY_NUMBERS)
    def test_cost_no_more_in_a_list(self, number: str) -> None:
        refused = f"[{f'{number},' * (SIZE // (len(number) + 1) - 2)}1]".encode()
        assert not window(refused)
        assert_cheap(window, refused, sound_window(SIZE))

    @pytest.mark.parametrize("number", HEAVY_NUMBERS)
    def test_cost_no_more_in_a_member_that_may_be_a_number(self, number: str) -> None:
        """The last one counts, and is sound."""
        body = in_load(number, SIZE)
        assert len(body) <= SIZE
        assert window(body)
        assert_cheap(window, body, sound_window(SIZE))


class TestHeavyMembers:
    """Numbers of one hash, 260,000 bad items, 80,000 times one name, in each list and map."""

    @pytest.mark.parametrize("name", ["window", "snapshot", "site data"])
    def test_are_refused_cheaply(self, name: str) -> None:
        door = DOORS[name]
        sound = door.sound(16_384) if door.sound is not sound_site else body_of(1)
        for refused in in_members(sound, door.size - 12_288).values():
            assert len(refused) <= door.size
            check_cheap(door, refused)


def check_cheap(door: Door, refused: bytes) -> None:
    """Compare a refusal with what the door, or that of batches, accepts."""
    if door.sound is sound_site:
        assert_cheap(door.takes, refused, sound_site(door.size))
    else:
        accepted = sound_window(door.size)
        assert_cheap(
            lambda data: window(data) if data is accepted else door.takes(data), refused, accepted
        )


TABLES: dict[str, Callable[[int], bytes]] = {
    "an open quote": lambda size: b'"' + b"x" * size,
    "quotes": lambda size: b'"' * size,
    "quoted quotes": lambda size: b'""' * (size // 2),
    "open quotes": lambda size: b'"x\n' * (size // 3),
    "quotes within": lambda size: b'x"' * (size // 2),
    "one cell": lambda size: b"x" * size,
    "commas": lambda size: b"," * size,
    "line ends": lambda size: b"\n" * size,
    "carriage returns": lambda size: b"\r" * size,
    "NUL": lambda size: b"\0" * size,
    "blanks": lambda size: b" " * size,
    "no UTF-8": lambda size: b"2026-01-01,1\n" * (size // 13) + b"\xff",
    "days that are none": lambda size: b"2026-02-30,1\n" * (size // 13),
    "one day": lambda size: b"2026-01-01,1\n" * (size // 13),
    "numbers that are none": lambda size: b"2026-01-01,x\n" * (size // 13),
    "different texts": lambda size: b"".join(b"x%d,y%d\n" % (n, n) for n in range(size // 16)),
    "digits": lambda size: b"2026-01-01," + b"9" * size,
    "many digits": lambda size: (b"2026-01-01," + b"9" * 4301 + b"\n") * (size // 4313),
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
        return not read_rows(data, table).findings.rejected_rows
    except DataError:
        return False


def _days() -> Iterator[tuple[int, int, int]]:
    return (
        (year, month, day)
        for year in range(1700, 2026)
        for month in range(1, 13)
        for day in range(1, 29)
    )
