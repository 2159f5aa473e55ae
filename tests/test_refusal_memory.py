"""Peak memory of a rejection: the findings are capped, and no fault keeps anything else.

The peak is measured by tracemalloc in one process, so it is the same on every machine.  Any JSON
parser keeps the plain values of a text, and small ones are larger than their text: `[{},{}…]` takes
24 times its size.  So the peak of an entry point is compared with the standard library's parser: an
entry point adds at most four times the text.  Text that is nested too deep is not built.
"""

import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final

import pytest

import sitedata
from devicestatus import limits
from devicestatus.errors import ContractError
from devicestatus.validation.parse import check_snapshot, check_window, parse_snapshot, parse_window
from healthapi.account.snapshot import read_snapshot
from healthapi.errors import DataError
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from purewire.structuring.to_builtins import to_builtins
from sitedata.errors import SiteDataError
from support.devicestatus.examples import NOON, RECEIVED_AT, body, event, window
from support.faults.heavy_bodies import heavy_texts, in_members, valid_snapshot, valid_window
from support.sitedata.site_versions import body_of
from test_refusal_costs import TABLES

ABOVE: Final = 4
"""Times its text that an entry point may hold beside the text's plain values."""
CONSTANT: Final = 100_000
"""Bytes that a refusal may hold whatever its text: a hundred findings are some 30,000."""
TEXTS: Final = 500_000
"""Bytes that the cached texts of a table and their values may take."""
SIZE: Final = limits.BATCH_BODY_BYTES // 4
"""A quarter of the largest body: what is held grows with it, and so does the test's time."""

Reader = Callable[[bytes], object]


def refused_window(text: bytes) -> None:
    with pytest.raises(ContractError) as refused:
        parse_window(text, received_at=RECEIVED_AT)
    assert refused.value.findings


def found_in_window(text: bytes) -> None:
    assert check_window(text, received_at=RECEIVED_AT)


def refused_snapshot(text: bytes) -> None:
    with pytest.raises(ContractError) as refused:
        parse_snapshot(text, received_at=NOON)
    assert refused.value.findings


def found_in_snapshot(text: bytes) -> None:
    assert check_snapshot(text, received_at=NOON)


def refused_site(text: bytes) -> None:
    with pytest.raises(SiteDataError) as refused:
        sitedata.parse(text)
    assert refused.value.findings


def found_in_site(text: bytes) -> None:
    assert sitedata.check(text).errors


def refused_account(text: bytes) -> None:
    with pytest.raises(DataError):
        read_snapshot(text)


def peak(read: Reader, text: bytes) -> int:
    """Return the most bytes that are held at once while a text is read, beside the text itself."""
    read(b"[1]")  # what is made once
    tracemalloc.start()
    try:
        read(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def plainly(text: bytes) -> None:
    json.loads(text)


def check_bounded(read: Reader, text: bytes) -> None:
    most = peak(plainly, text) + ABOVE * len(text) + CONSTANT
    assert peak(read, text) < most


def bad_events() -> bytes:
    """Return a window of as many events as fit its list, each wrong in four places."""
    wrong = {"seq": -1, "at": "yesterday", "changes": {"active_app": 7}, "more": []}
    return json.dumps(
        to_builtins(window(events=(event(1, NOON),))) | {"events": [wrong] * 2048}
    ).encode()


def with_more(text: bytes, count: int) -> bytes:
    """Return an object with so many more members, whose names no one knows."""
    return json.dumps(json.loads(text) | {f"more {n}": n for n in range(count)}).encode()


SOME_FLAT: Final = ("exponents", "one name", "numbers of one hash", "long integers")
SOME_DEEP: Final = ("names open", "members below", "brackets closed")
FILLINGS: Final = ("small items", "empty objects", "faulty objects")


def windows() -> Iterator[Any]:
    full = in_members(valid_window(16_384), SIZE - 12_288)
    for name in FILLINGS:
        yield pytest.param(full[f"{name} in events"], id=f"{name} in events")
    for name in ("baseline/running_apps", "gaps"):
        yield pytest.param(full[f"small items in {name}"], id=f"small items in {name}")
    yield pytest.param(bad_events(), id="2,048 bad events")
    yield pytest.param(with_more(body(window()), 25_000), id="25,000 unknown members")
    yield pytest.param(heavy_texts(SIZE)["names"], id="unknown members alone")


class TestWindows:
    @pytest.mark.parametrize("text", tuple(windows()))
    def test_faults_add_little_to_the_values(self, text: bytes) -> None:
        assert len(text) <= limits.BATCH_BODY_BYTES
        check_bounded(refused_window, text)
        check_bounded(found_in_window, text)

    def test_nor_do_260_000_of_them(self) -> None:
        full = in_members(valid_window(16_384), limits.BATCH_BODY_BYTES - 12_288)
        check_bounded(refused_window, full["small items in events"])

    def test_what_is_kept_for_each_fault_would_be_noticed(self) -> None:
        def careless(text: bytes) -> None:
            given = json.loads(text)
            kept = (
                [(number, "type") for number in given.get("events", ())] if text[0] == 123 else ()
            )
            refused_window(text)
            del kept

        with pytest.raises(AssertionError):
            check_bounded(careless, in_members(valid_window(16_384), SIZE)["small items in events"])


class TestSnapshots:
    @pytest.mark.parametrize("filling", FILLINGS)
    def test_faults_add_little_to_the_values(self, filling: str) -> None:
        sound = valid_snapshot(limits.UPDATE_BODY_BYTES)
        for name, text in in_members(sound, limits.UPDATE_BODY_BYTES - 12_288).items():
            if name.startswith(filling):
                check_bounded(refused_snapshot, text)
                check_bounded(found_in_snapshot, text)


class TestAccounts:
    @pytest.mark.parametrize("name", SOME_FLAT)
    def test_faults_add_little_to_the_values(self, name: str) -> None:
        check_bounded(refused_account, b"[" + heavy_texts(4 * SIZE)[name] + b"]")


class TestSites:
    @pytest.mark.parametrize("name", FILLINGS)
    def test_faults_add_little_to_the_values(self, name: str) -> None:
        for place, text in in_members(body_of(1), SIZE // 4).items():
            if place.startswith(name):
                check_bounded(refused_site, text)
                check_bounded(found_in_site, text)


class TestDeepTexts:
    @pytest.mark.parametrize("name", SOME_DEEP)
    def test_refusing_them_is_bounded(self, name: str) -> None:
        for read in (refused_window, refused_site, refused_account):
            assert peak(read, heavy_texts(SIZE)[name]) < ABOVE * SIZE + CONSTANT


class TestTables:
    """Rows that cannot be read take no more than the same number of rows that can."""

    @pytest.mark.parametrize("name", ["numbers that are none", "days that are none", "exponents"])
    def test_faults_add_little_to_the_rows(self, name: str) -> None:
        faulty = b"date,steps\n" + TABLES[name](300_000)
        sound = b"date,steps\n" + b"2026-01-01,1\n" * (faulty.count(b"\n") - 1)
        assert peak(reading, faulty) < peak(reading, sound) + TEXTS

    @pytest.mark.parametrize("name", ["an open quote", "blanks", "line ends"])
    def test_what_is_no_table_takes_little(self, name: str) -> None:
        faulty = b"date,steps\n" + TABLES[name](600_000)
        assert peak(reading, faulty) < ABOVE * len(faulty)


def reading(data: bytes) -> None:
    table = NATIVE.activity
    assert table is not None
    with suppress(DataError):  # its findings are of the file as a whole
        read_rows(data, table)
