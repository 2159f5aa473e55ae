"""The state of a client: every status, the next request, freshness (RFC 9111) and storage."""

import json

import pytest

from sitedata import SiteDataError, parse
from sitedata.client import CacheState, Outcome
from sitedata.limits import MAX_BYTES
from support.checks.costs import assert_linear
from support.sitedata.site_versions import body_of

NOW = 1_767_268_800_000
TAG = ("ETag", '"one"')
DATED = ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
FRESH = ("Cache-Control", "max-age=300")
FIRST = CacheState()


def receive(
    state: CacheState, status: int, *fields: tuple[str, str], body: bytes = b"", now: int = NOW
) -> tuple[CacheState, Outcome]:
    return state.received(status, fields, body, now=now)


def known_state(*fields: tuple[str, str], number: int = 1) -> CacheState:
    """Return the state after a valid response."""
    state, outcome = receive(FIRST, 200, *(fields or (TAG, DATED, FRESH)), body=body_of(number))
    assert outcome.kind == "replaced"
    return state


class TestOk:
    @pytest.mark.parametrize(
        ("body", "rule"),
        [(b"<html>sign in</html>", "json.text"), (body_of(2) + b" " * MAX_BYTES, "body.size")],
        ids=["page", "large"],
    )
    def test_an_invalid_body_keeps_the_last_valid_snapshot_and_has_findings(
        self, body: bytes, rule: str
    ) -> None:
        """Invariant *never worse*."""
        fields = ("ETag", '"bad"'), ("Cache-Control", "max-age=9")
        state, outcome = receive(known_state(), 200, *fields, body=body)
        assert (outcome.kind, outcome.status) == ("invalid", 200)
        assert [finding.rule for finding in outcome.findings] == [rule]
        assert state == known_state()

    def test_a_body_of_the_greatest_size_is_read(self) -> None:
        whole = body_of(2) + b" " * (MAX_BYTES - len(body_of(2)))
        assert receive(known_state(), 200, body=whole)[1].kind == "replaced"


class TestStorage:
    def test_unknown_members_are_restored_too(self) -> None:
        body = body_of(1).replace(b'"ratings":', b'"extra":[1,{"a":null}],"ratings":')
        state, _ = receive(FIRST, 200, body=body)
        snapshot = CacheState.load(state.dump()).snapshot
        assert snapshot is not None
        assert snapshot.extra == {"extra": [1, {"a": None}]}
        assert snapshot == parse(body)

    def test_the_state_of_another_url_is_not_loaded(self) -> None:
        state = known_state()
        kept = state.dump(source="a")
        assert CacheState.load(kept, source="a") == CacheState.load(kept) == state
        assert CacheState.load(state.dump(), source="a") == state
        assert CacheState.load(kept, source="b") == CacheState()

    def test_any_other_bytes_are_refused(self) -> None:
        data = known_state().dump()
        value = json.loads(data)
        others = [
            b"",
            b"{}",
            b"null",
            data[:-5],
            json.dumps(value["state"]).encode(),
            json.dumps({**value, "version": 2}).encode(),
            json.dumps({**value, "more": 1}).encode(),
            *(
                json.dumps({**value, "state": {**value["state"], name: bad}}).encode()
                for name, bad in (
                    ("etag", "one"),
                    ("etag", '"a\r\nb"'),
                    ("last_modified", "soon"),
                    ("fresh_until", 5),
                    ("fresh_until", "2026-01-01"),
                    ("no_store", None),
                    ("snapshot", {}),
                    ("cookie", "x"),
                )
            ),
        ]
        for other in others:
            with pytest.raises(SiteDataError):
                CacheState.load(other)


def seconds(*fields: tuple[str, str]) -> float:
    """Return for how many seconds a response is fresh."""
    return (known_state(TAG, *fields).fresh_until - NOW) / 1000


def caching(field: str) -> float:
    return seconds(("Cache-Control", field))


class TestFreshness:
    @pytest.mark.parametrize(
        ("field", "fresh"),
        [
            ("max-age=300", 300),
            ('max-age="300"', 300),
            ("  max-age=300\t,public", 300),
            ("max-age=86400", 86_400),
            ("max-age=86401", 86_400),
            (f"max-age={'9' * 5000}", 86_400),
            ("s-maxage=10, MAX-AGE=20", 20),
            ('max-age=20, immutable, x="a"', 20),
            ("max-age=20,,", 20),
            *((field, 0) for field in (
                *("", "public", "s-maxage=300", "max-age", "max-age=", "max-age = 300"),
                *("max-age=-1", "max-age=1.5", "max-age=5m", 'max-age=""', 'max-age="300'),
                *("max-age='300'", "max-age=300 seconds", "max-age=300; public", "max-age=３００"),
                *("max-age=300, max-age=10", "max-age=300, (x)", "max-age=300, a b"),
                *('max-age=300, no-cache="Set-Cookie"', 'max-age=300, x="a, b"'),
                "max-age=300, No-Store",
            )),
        ],
    )  # fmt: skip
    def test_max_age_is_the_lifetime_and_other_values_are_stale(
        self, field: str, fresh: int
    ) -> None:
        """Invariant *stale when in doubt*."""
        assert caching(field) == fresh

    def test_lines_are_one_list(self) -> None:
        assert seconds(("Cache-Control", "public"), ("cache-control", "max-age=9")) == 9
        assert seconds(("Cache-Control", "no-cache"), ("cache-control", "max-age=9")) == 0

    @pytest.mark.parametrize(
        ("ages", "fresh"),
        [
            (["0"], 300),
            (["100"], 200),
            (["300"], 0),
            (["9" * 99], 0),
            (["100, 5"], 200),
            (["10", "200"], 290),
            *(([text], 300) for text in ("", "x", "-1", "1.5", "x, 100")),
        ],
    )
    def test_the_first_age_is_subtracted_if_it_is_one(self, ages: list[str], fresh: int) -> None:
        assert seconds(FRESH, *(("Age", age) for age in ages)) == fresh

    def test_other_headers_set_no_lifetime(self) -> None:
        dates = ("Date", "Thu, 01 Jan 2026 11:00:00 GMT"), ("Expires", "Fri, 02 Jan 2026 00:00:00")
        assert seconds(*dates, ("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT")) == 0
        assert seconds(*dates, FRESH) == 300

    def test_no_store_is_noticed_beside_what_cannot_be_read(self) -> None:
        assert known_state(("Cache-Control", '"unfinished, no-store')).no_store

    @pytest.mark.parametrize("piece", [" ", ",", '"', 'a="', '"a, ', "a=b ", "a="])
    def test_the_time_is_linear(self, piece: str) -> None:
        assert_linear(caching, lambda size: piece * (size // len(piece)), 100_000)
