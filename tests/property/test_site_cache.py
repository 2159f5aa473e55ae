"""Properties of the client's cache state, over any sequence of responses."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sitedata import SiteDataError, Snapshot, parse
from sitedata.serving.cache import CacheState, Outcome
from support.sitedata.site_versions import body_of

DAY = 86_400_000
BODIES = {number: body_of(number, problems=2) for number in range(1, 4)}
good = st.sampled_from(list(BODIES.values()))
bad = st.sampled_from([b"", b"{}", b"<html>", BODIES[1][:-2], b"[" * 5000]) | st.binary(max_size=20)
jitters = st.floats(0, 1, exclude_max=True)
fields = st.lists(
    st.one_of(
        st.tuples(st.just("ETag"), st.sampled_from(['"a"', 'W/"b"', "bad", '"\r\n"', ""])),
        st.tuples(
            st.just("Last-Modified"),
            st.sampled_from(["Thu, 01 Jan 2026 00:00:00 GMT", "soon"]),
        ),
        st.tuples(
            st.just("Cache-Control"),
            st.sampled_from(["max-age=300", "no-cache", "no-store", "max-age=99999999", "?"]),
        ),
        st.tuples(st.just("Retry-After"), st.sampled_from(["0", "7", "99999999999", "x"])),
        st.tuples(st.sampled_from(["Age", "Date", "Expires", "X"]), st.text(max_size=5)),
    ),
    max_size=5,
)


class Client(RuleBasedStateMachine):
    """A state that receives responses, and its invariants."""

    def __init__(self) -> None:
        super().__init__()
        self.state = CacheState()
        self.now = 0
        self.newest: Snapshot | None = None
        self.has_validator = False

    @initialize(now=st.integers(DAY, 4_000_000_000_000))
    def initialize_state(self, now: int) -> None:
        self.now = now

    @rule(wait=st.integers(-DAY, 3 * DAY))
    def advance_clock(self, wait: int) -> None:
        self.now = max(0, self.now + wait)

    @rule(body=good, sent=fields, jitter=jitters)
    def respond_with_snapshot(
        self, body: bytes, sent: list[tuple[str, str]], jitter: float
    ) -> None:
        outcome = self._receive(200, sent, body, jitter)
        assert outcome.kind == "replaced"
        assert not outcome.findings
        self.newest = parse(body)
        self.has_validator = bool(self.state.request())
        assert self.state.failures == 0

    @rule(body=bad, sent=fields, jitter=jitters)
    def respond_with_invalid_body(
        self, body: bytes, sent: list[tuple[str, str]], jitter: float
    ) -> None:
        failures = self.state.failures
        outcome = self._receive(200, sent, body, jitter)
        assert outcome.kind == "invalid"
        assert outcome.findings
        assert self.state.failures == failures + 1

    @rule(sent=fields, jitter=jitters)
    def respond_not_modified(self, sent: list[tuple[str, str]], jitter: float) -> None:
        before = self.state
        outcome = self._receive(304, sent, b"", jitter)
        if self.newest is None:
            assert outcome.kind == "again"
            assert (self.state.next_try_at == self.now) == (before.failures == 0)
        else:
            assert outcome.kind == "reused"
            assert self.state.failures == 0

    @rule(
        status=st.integers(100, 599).filter(lambda status: status not in {200, 304}),
        body=good | bad,
        sent=fields,
        jitter=jitters,
    )
    def respond_with_error(
        self, status: int, body: bytes, sent: list[tuple[str, str]], jitter: float
    ) -> None:
        failures = self.state.failures
        outcome = self._receive(status, sent, body, jitter)
        assert outcome.kind == "kept"
        assert self.state.failures == failures + 1
        assert self.state.next_try_at > self.now

    @rule(jitter=jitters)
    def lose_response(self, jitter: float) -> None:
        failures = self.state.failures
        self.state, outcome = self.state.no_response(now=self.now, jitter=jitter)
        assert outcome.kind == "kept"
        most = min(15_000 * 2**failures, 3_600_000)
        assert most // 2 <= self.state.next_try_at - self.now <= most

    @rule()
    def dump_and_load(self) -> None:
        again = CacheState.load(self.state.dump())
        assert again.dump() == self.state.dump()
        if self.state.no_store:
            assert again.snapshot is None
        else:
            assert again == self.state
            self.state = again

    def _receive(
        self, status: int, sent: list[tuple[str, str]], body: bytes, jitter: float
    ) -> Outcome:
        self.state, outcome = self.state.received(status, sent, body, now=self.now, jitter=jitter)
        assert self.now <= self.state.next_try_at <= self.now + DAY
        return outcome

    @invariant()
    def the_snapshot_is_the_newest_valid_one(self) -> None:
        """Invariant *never worse*."""
        assert self.state.snapshot == self.newest

    @invariant()
    def conditions_are_sent_with_a_snapshot_and_a_validator(self) -> None:
        """Invariant *conditional*."""
        asked = self.state.request()
        assert bool(asked) == (self.newest is not None and self.has_validator)
        assert all("\r" not in value and "\n" not in value for _, value in asked)

    @invariant()
    def only_a_snapshot_is_fresh(self) -> None:
        assert not self.state.is_fresh(self.now) or self.newest is not None

    @invariant()
    def the_next_request_is_due_within_a_day(self) -> None:
        """Invariant *bounded waits*."""
        assert self.state.is_due(self.now) or self.state.is_due(self.now + DAY)


TestClient = Client.TestCase
TestClient.settings = settings(max_examples=40, stateful_step_count=25)


def test_the_invalid_bodies_are_invalid() -> None:
    """Otherwise the state machine would test nothing."""
    for body in (b"", b"{}", b"<html>", BODIES[1][:-2], b"[" * 5000):
        try:
            parse(body)
        except SiteDataError:
            continue
        raise AssertionError(body)
