"""The client's cache state: every status, the next request, freshness (RFC 9111) and waits."""

import json

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitedata import SiteDataError, parse
from sitedata.limits import MAX_BYTES
from sitedata.serving.cache import (
    CacheState,
    Freshness,
    Kind,
    Outcome,
    backoff_ms,
    freshness_of,
    retry_after_ms,
)
from support.checks.costs import assert_linear
from support.sitedata.site_versions import body_of, snapshot_of

NOW = 1_767_268_800_000
MINUTE = 60_000
DAY = 86_400_000
TAG = ("ETag", '"one"')
DATED = ("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
FRESH = ("Cache-Control", "max-age=300")
FIRST = CacheState()


def receive(
    state: CacheState,
    status: int,
    *fields: tuple[str, str],
    body: bytes = b"",
    now: int = NOW,
    jitter: float = 0.5,
) -> tuple[CacheState, Outcome]:
    return state.received(status, fields, body, now=now, jitter=jitter)


def known_state(*fields: tuple[str, str], number: int = 1) -> CacheState:
    """Return the state after a valid response."""
    state, outcome = receive(FIRST, 200, *(fields or (TAG, DATED, FRESH)), body=body_of(number))
    assert outcome.kind == "replaced"
    return state


class TestOk:
    def test_a_valid_snapshot_replaces(self) -> None:
        state = known_state()
        assert state == CacheState(
            snapshot_of(1), TAG[1], DATED[1], fresh_until=NOW + 300_000, next_try_at=NOW + 300_000
        )
        later, outcome = receive(state, 200, ("ETag", 'W/"two"'), body=body_of(2))
        assert outcome == Outcome("replaced", "a new snapshot", 200)
        assert later == CacheState(
            snapshot_of(2), 'W/"two"', None, fresh_until=NOW, next_try_at=NOW
        )

    @pytest.mark.parametrize(
        ("body", "rule"),
        [
            (b"", "json.text"),
            (b"<html>sign in</html>", "json.text"),
            (body_of(2)[:-3], "json.text"),
            (b"[]", "type"),
            (body_of(2).replace(b'"main"', b"7"), "type"),
            (b"[" * 200_000 + b"]" * 200_000, "json.depth"),
        ],
    )
    def test_an_invalid_body_keeps_the_old_snapshot_and_has_findings(
        self, body: bytes, rule: str
    ) -> None:
        state, outcome = receive(known_state(), 200, ("ETag", '"bad"'), body=body)
        assert (outcome.kind, outcome.status) == ("invalid", 200)
        assert [finding.rule for finding in outcome.findings] == [rule]
        assert state.snapshot == snapshot_of(1)
        assert state.request() == known_state().request()
        assert (state.failures, state.next_try_at) == (1, NOW + 11_250)

    def test_a_body_that_is_too_large_is_refused(self) -> None:
        body = body_of(2) + b" " * MAX_BYTES
        state, outcome = receive(known_state(), 200, body=body)
        assert outcome.kind == "invalid"
        assert [finding.rule for finding in outcome.findings] == ["body.size"]
        assert state.snapshot == snapshot_of(1)
        whole = body_of(2) + b" " * (MAX_BYTES - len(body_of(2)))
        assert receive(known_state(), 200, body=whole)[1].kind == "replaced"


class TestNotModified:
    def test_the_snapshot_is_kept(self) -> None:
        state, outcome = receive(known_state(), 304, FRESH, now=NOW + DAY)
        assert outcome == Outcome("reused", "the snapshot is still current", 304)
        assert state == attrs.evolve(
            known_state(), fresh_until=NOW + DAY + 300_000, next_try_at=NOW + DAY + 300_000
        )

    def test_the_validators_are_kept(self) -> None:
        state, _ = receive(known_state(), 304, ("ETag", '"one-gzip"'))
        assert state.request() == known_state().request()

    def test_success_resets_failures(self) -> None:
        state, _ = receive(known_state(), 500)
        assert receive(state, 304)[0].failures == 0


STATUSES: dict[int, Kind] = {200: "replaced", 304: "reused"}


class TestEveryStatus:
    def test_every_status_has_an_outcome(self) -> None:
        before, body = known_state(), body_of(2)
        kept = attrs.evolve(before, next_try_at=NOW + 11_250, failures=1)
        failures = []
        for status in range(100, 600):
            state, outcome = receive(before, status, TAG, body=body)
            kind = STATUSES.get(status, "kept")
            is_expected = (outcome.kind, outcome.status) == (kind, status) and outcome.message
            if not is_expected or (kind == "kept" and state != kept):
                failures.append((status, outcome, state.next_try_at, state.failures))
        assert not failures

    def test_every_status_has_an_outcome_without_a_snapshot(self) -> None:
        failures = []
        for status in range(100, 600):
            state, outcome = receive(FIRST, status, TAG, DATED, body=b"no snapshot")
            kind = {200: "invalid", 304: "again"}.get(status, "kept")
            if outcome.kind != kind or state.request() or state.snapshot or state.failures != 1:
                failures.append((status, outcome, state))
        assert not failures

    @pytest.mark.parametrize("status", [-1, 0, 99, 600, 999, 10**9])
    def test_an_unknown_status_has_an_outcome(self, status: int) -> None:
        assert receive(known_state(), status)[1].message == "an unknown status code"

    @pytest.mark.parametrize("status", [403, 404, 408, 410, 429, 500, 503, 301])
    def test_retry_after_sets_the_next_request(self, status: int) -> None:
        for text, wait in (("120", 120_000), ("0", 1000), ("9" * 20, DAY), ("soon", 11_250)):
            state, _ = receive(known_state(), status, ("Retry-After", text))
            assert state.next_try_at == NOW + wait

    def test_messages_of_common_statuses_differ(self) -> None:
        messages = [
            receive(known_state(), status)[1].message for status in (401, 403, 404, 410, 429, 500)
        ]
        assert len(set(messages)) == 6


class TestNoResponse:
    def test_keeps_the_old_snapshot(self) -> None:
        state, outcome = known_state().no_response(now=NOW, jitter=0.0)
        assert outcome == Outcome("kept", "no response")
        assert state == attrs.evolve(known_state(), next_try_at=NOW + 7_500, failures=1)


class TestJitter:
    @pytest.mark.parametrize("jitter", [-0.1, 1.0, float("nan")])
    @pytest.mark.parametrize("status", [200, 304, 500])
    def test_an_invalid_jitter_is_refused_for_every_status(
        self, status: int, jitter: float
    ) -> None:
        with pytest.raises(ValueError, match="jitter"):
            receive(known_state(), status, body=body_of(2), jitter=jitter)
        with pytest.raises(ValueError, match="jitter"):
            known_state().no_response(now=NOW, jitter=jitter)


class TestRequest:
    def test_the_first_has_no_conditions(self) -> None:
        assert FIRST.request() == ()

    def test_conditions_are_the_received_validators(self) -> None:
        both = ("If-None-Match", TAG[1]), ("If-Modified-Since", DATED[1])
        assert known_state(TAG, DATED).request() == both
        assert known_state(TAG).request() == both[:1]
        assert known_state(DATED).request() == both[1:]
        assert known_state(FRESH).request() == ()

    @pytest.mark.parametrize(
        "tag", ["one", '"one', "", 'w/"x"', '"a"b"', '"a\r\nX: y"', '"\u2028"']
    )
    def test_an_invalid_entity_tag_is_not_sent(self, tag: str) -> None:
        assert known_state(("ETag", tag)).request() == ()

    @pytest.mark.parametrize("text", ["", "yesterday", "2026-01-01T00:00:00Z", f"{DATED[1]}\r\n"])
    def test_an_invalid_date_is_not_sent(self, text: str) -> None:
        assert known_state(("Last-Modified", text)).request() == ()

    def test_a_repeated_validator_is_not_sent(self) -> None:
        assert known_state(TAG, ("etag", '"two"'), DATED, DATED).request() == ()


class TestTime:
    def test_fresh_until_the_lifetime_ends(self) -> None:
        state = known_state()
        assert state.is_fresh(NOW)
        assert state.is_fresh(NOW + 299_999)
        assert not state.is_fresh(NOW + 300_000)

    def test_without_a_snapshot_never_fresh(self) -> None:
        assert not FIRST.is_fresh(0)
        assert not CacheState(fresh_until=NOW + 1).is_fresh(NOW)

    def test_due_at_the_next_try(self) -> None:
        state, _ = known_state().no_response(now=NOW, jitter=0.0)
        assert not state.is_due(NOW)
        assert not state.is_due(NOW + 7_499)
        assert state.is_due(NOW + 7_500)
        assert FIRST.is_due(0)

    def test_a_clock_that_was_set_back_does_not_delay_requests(self) -> None:
        """Invariant *bounded waits*."""
        state, _ = receive(known_state(), 503, ("Retry-After", "86400"))
        assert not state.is_due(NOW)
        assert state.is_due(NOW - 1)
        assert known_state().is_fresh(NOW + 300_000 - DAY)
        assert not known_state().is_fresh(NOW + 299_999 - DAY)

    def test_cache_directives_are_kept(self) -> None:
        assert known_state(("Cache-Control", "must-revalidate")).must_revalidate
        assert known_state(("Cache-Control", "no-store")).no_store
        state, _ = receive(known_state(("Cache-Control", "no-store, must-revalidate")), 304)
        assert (state.no_store, state.must_revalidate) == (False, False)


class TestStorage:
    @pytest.mark.parametrize(
        "state",
        [
            FIRST,
            known_state(),
            known_state(TAG),
            known_state(("Cache-Control", "must-revalidate")),
            receive(known_state(), 500)[0],
            FIRST.no_response(now=NOW, jitter=0.9)[0],
        ],
    )
    def test_a_state_is_restored_unchanged(self, state: CacheState) -> None:
        assert CacheState.load(state.dump()) == state
        assert CacheState.load(state.dump()).dump() == state.dump()

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
        assert CacheState.load(state.dump(), source="b") == state

    def test_a_no_store_snapshot_is_not_stored(self) -> None:
        state = known_state(TAG, DATED, ("Cache-Control", "no-store"))
        kept = CacheState.load(state.dump())
        assert kept == CacheState(next_try_at=NOW, no_store=True)
        assert b"kattis" not in state.dump()
        assert state.snapshot == snapshot_of(1)

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
                    ("next_try_at", 5),
                    ("next_try_at", "2026-01-01"),
                    ("failures", -1),
                    ("failures", True),
                    ("no_store", None),
                    ("snapshot", {}),
                    ("cookie", "x"),
                )
            ),
        ]
        for other in others:
            with pytest.raises(SiteDataError):
                CacheState.load(other)


DATE = "Thu, 01 Jan 2026 12:00:00 GMT"
EARLIER = "Thu, 01 Jan 2026 11:59:00 GMT"
LATER = "Thu, 01 Jan 2026 12:05:00 GMT"
DAY_SECONDS = 86_400
JITTERS = st.floats(0, 1, exclude_max=True)


def seconds(*fields: tuple[str, str]) -> float:
    """Return for how many seconds a response that was received at noon is fresh."""
    return (freshness_of(fields, NOW).until - NOW) / 1000


def caching(field: str) -> float:
    return seconds(("Cache-Control", field))


class TestMaxAge:
    @pytest.mark.parametrize(
        ("field", "fresh"),
        [
            ("max-age=300", 300),
            ('max-age="300"', 300),
            ("  max-age=300\t,public", 300),
            ("max-age=86400", DAY_SECONDS),
            ("max-age=86401", DAY_SECONDS),
            (f"max-age={'9' * 5000}", DAY_SECONDS),
            ("s-maxage=10, max-age=20", 20),
            ('max-age=20, immutable, x="a, no-store"', 20),
            ('max-age=20, x="\\", no-cache"', 20),
            ("max-age=20,,", 20),
        ],
    )
    def test_max_age_is_the_lifetime(self, field: str, fresh: int) -> None:
        assert caching(field) == fresh

    @pytest.mark.parametrize(
        "field",
        [
            "",
            "public",
            "s-maxage=300",
            "max-age",
            "max-age=",
            "max-age = 300",
            "max-age=-1",
            "max-age=1.5",
            "max-age=5m",
            'max-age=""',
            'max-age="300',
            "max-age='300'",
            "max-age=300 seconds",
            "max-age=300; public",
            "max-age=300, max-age=10",
            "max-age=300, (x)",
            "max-age=300, a b",
            'max-age=300, no-cache="Set-Cookie"',
            "max-age=300, No-Store",
        ],
    )
    def test_invalid_values_are_stale(self, field: str) -> None:
        """Invariant *stale when in doubt*."""
        assert caching(field) == 0

    def test_lines_are_one_list(self) -> None:
        assert seconds(("Cache-Control", "public"), ("cache-control", "max-age=9")) == 9
        assert seconds(("Cache-Control", "no-cache"), ("cache-control", "max-age=9")) == 0

    def test_max_age_overrides_expires(self) -> None:
        assert seconds(("Cache-Control", "max-age=9"), ("Expires", LATER)) == 9
        assert seconds(("Cache-Control", "max-age=x"), ("Expires", LATER)) == 0


class TestExpires:
    def test_expires_counts_from_the_date_of_the_response(self) -> None:
        assert seconds(("Expires", LATER)) == 300
        assert seconds(("Expires", LATER), ("Date", DATE)) == 300
        # made a minute ago to live for six
        assert seconds(("Expires", LATER), ("Date", EARLIER)) == 300

    @pytest.mark.parametrize("text", ["0", "-1", "", "soon", EARLIER, DATE])
    def test_a_past_or_invalid_date_is_stale(self, text: str) -> None:
        assert seconds(("Expires", text)) == 0

    def test_a_repeated_value_is_stale(self) -> None:
        assert seconds(("Expires", LATER), ("Expires", LATER)) == 0

    def test_last_modified_is_not_used(self) -> None:
        assert seconds(("Last-Modified", "Thu, 01 Jan 2015 00:00:00 GMT"), ("Date", DATE)) == 0


class TestAge:
    @pytest.mark.parametrize(
        ("text", "fresh"),
        [("0", 300), ("100", 200), ("300", 0), ("9" * 99, 0), ("100, 5", 200)],
    )
    def test_age_is_subtracted(self, text: str, fresh: int) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Age", text)) == fresh

    @pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "x, 100"])
    def test_an_invalid_age_is_ignored(self, text: str) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Age", text)) == 300

    def test_the_first_line_counts(self) -> None:
        fields = ("Cache-Control", "max-age=300"), ("Age", "10"), ("Age", "200")
        assert seconds(*fields) == 290

    def test_an_old_date_counts_as_age(self) -> None:
        fields = ("Cache-Control", "max-age=300"), ("Date", EARLIER)
        assert seconds(*fields) == 240
        assert seconds(*fields, ("Age", "100")) == 200
        assert seconds(*fields, ("Age", "10")) == 240

    def test_a_future_date_is_ignored(self) -> None:
        assert seconds(("Cache-Control", "max-age=300"), ("Date", LATER)) == 300


class TestFreshness:
    def test_has_the_cache_directives(self) -> None:
        found = freshness_of([("Cache-Control", "must-revalidate, max-age=1")], NOW)
        assert found == Freshness(NOW + 1000, must_revalidate=True)
        found = freshness_of([("Cache-Control", "no-store")], NOW)
        assert found == Freshness(NOW, no_store=True)
        found = freshness_of([("Cache-Control", '"unfinished, no-store')], NOW)
        assert found.no_store

    @settings(max_examples=60)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["Cache-Control", "Age", "Date", "Expires"]),
                st.text(max_size=30)
                | st.sampled_from([DATE, EARLIER, LATER, "no-cache", "max-age=5", '"', "a=\\"]),
            ),
            max_size=6,
        ),
        st.integers(0, 10**14),
    )
    def test_is_bounded_for_any_headers(self, fields: list[tuple[str, str]], now: int) -> None:
        """Invariant *bounded*."""
        assert now <= freshness_of(fields, now).until <= now + DAY

    @pytest.mark.parametrize("piece", [" ", ",", '"', 'a="', 'a="\\', '"a, ', "a=b ", "a=", "\\"])
    def test_the_time_is_linear(self, piece: str) -> None:
        """Invariant *linear*."""
        assert_linear(caching, lambda size: piece * (size // len(piece)), 100_000)


class TestBackoff:
    @given(st.integers(1, 50), JITTERS, JITTERS)
    def test_the_range_grows_with_the_failures(
        self, failures: int, one: float, other: float
    ) -> None:
        """Invariant *doubling*."""
        assert 7_500 <= backoff_ms(failures, one) <= 3_600_000
        assert backoff_ms(failures, one) <= 2 * backoff_ms(failures, other)
        assert backoff_ms(failures, one) <= backoff_ms(failures + 1, one)

    def test_after_any_number_of_failures_it_is_at_most_an_hour(self) -> None:
        assert backoff_ms(10**9, 0.0) == 1_800_000

    @pytest.mark.parametrize("jitter", [-0.1, 1.0, 2.0, float("nan"), float("inf")])
    def test_an_invalid_jitter_is_refused(self, jitter: float) -> None:
        with pytest.raises(ValueError, match="jitter"):
            backoff_ms(1, jitter)


class TestRetryAfter:
    @pytest.mark.parametrize(
        ("text", "wait"),
        [
            (" 120 ", 120_000),
            ("86400", DAY),
            ("86401", DAY),
            ("9" * 5000, DAY),
            ("Thursday, 01-Jan-26 12:02:00 GMT", 120_000),
            ("Thu, 01 Jan 2026 11:00:00 GMT", 1000),
            ("Fri, 01 Jan 2027 00:00:00 GMT", DAY),
        ],
    )
    def test_is_limited(self, text: str, wait: int) -> None:
        """Invariant *bounded*."""
        assert retry_after_ms([("Retry-After", text)], NOW) == wait

    @pytest.mark.parametrize("text", ["", "soon", "-5", "1.5", "1h", "2026-01-01T13:00:00Z", "５"])
    def test_an_invalid_value_is_ignored(self, text: str) -> None:
        assert retry_after_ms([("Retry-After", text)], NOW) is None

    def test_a_missing_or_repeated_value_is_ignored(self) -> None:
        assert retry_after_ms([], NOW) is None
        assert retry_after_ms([("Retry-After", "5"), ("retry-after", "6")], NOW) is None

    @given(st.text(max_size=20) | st.integers().map(str), st.integers(0, 10**13))
    def test_any_text_is_parsed(self, text: str, now: int) -> None:
        wait = retry_after_ms([("Retry-After", text)], now)
        assert wait is None or 1000 <= wait <= DAY
