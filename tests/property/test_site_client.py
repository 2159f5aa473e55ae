"""Properties of the state of a client, over any sequence of responses."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from sitedata import Snapshot, parse
from sitedata.client import CacheState, Outcome
from support.sitedata.site_versions import body_of

DAY = 86_400_000
BODIES = {number: body_of(number, problems=2) for number in range(1, 4)}
BAD = (b"", b"{}", b"<html>", BODIES[1][:-2], b"[" * 5000)
good = st.sampled_from(list(BODIES.values()))
bad = st.sampled_from(BAD) | st.binary(max_size=20)
fields = st.lists(
    st.one_of(
        st.tuples(st.just("ETag"), st.sampled_from(['"a"', 'W/"b"', "bad", '"\r\n"', ""])),
        st.tuples(
            st.just("Last-Modified"), st.sampled_from(["Thu, 01 Jan 2026 00:00:00 GMT", "soon"])
        ),
        st.tuples(
            st.just("Cache-Control"),
            st.sampled_from(["max-age=300", "no-cache", "no-store", "max-age=99999999", "?"]),
        ),
        st.tuples(st.sampled_from(["Age", "X"]), st.text(max_size=5)),
    ),
    max_size=5,
)


class Client(RuleBasedStateMachine):
    """A state that receives responses, and its invariants."""

    def __init__(self) -> None:
        super().__init__()
        self.state = CacheState()
        self.now = 1_767_268_800_000
        self.newest: Snapshot | None = None
        self.has_validator = False

    @rule(wait=st.integers(-DAY, 3 * DAY))
    def advance_clock(self, wait: int) -> None:
        self.now = max(0, self.now + wait)

    @rule(body=good, sent=fields)
    def respond_with_snapshot(self, body: bytes, sent: list[tuple[str, str]]) -> None:
        assert self._receive(200, sent, body).kind == "replaced"
        self.newest = parse(body)
        self.has_validator = bool(self.state.request())

    @rule(body=bad, sent=fields)
    def respond_with_invalid_body(self, body: bytes, sent: list[tuple[str, str]]) -> None:
        before = self.state
        outcome = self._receive(200, sent, body)
        assert (outcome.kind, bool(outcome.findings)) == ("invalid", True)
        assert self.state == before

    @rule(sent=fields)
    def respond_not_modified(self, sent: list[tuple[str, str]]) -> None:
        kind = "again" if self.newest is None else "reused"
        assert self._receive(304, sent, b"").kind == kind

    @rule(
        status=st.integers(100, 599).filter(lambda status: status not in {200, 304}),
        body=good | bad,
        sent=fields,
    )
    def respond_with_error(self, status: int, body: bytes, sent: list[tuple[str, str]]) -> None:
        before = self.state
        assert self._receive(status, sent, body).kind == "kept"
        assert self.state == before

    @rule()
    def dump_and_load(self) -> None:
        again = CacheState.load(self.state.dump())
        assert again.dump() == self.state.dump()
        assert again == (CacheState(no_store=True) if self.state.no_store else self.state)

    def _receive(self, status: int, sent: list[tuple[str, str]], body: bytes) -> Outcome:
        self.state, outcome = self.state.received(status, sent, body, now=self.now)
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
    def only_a_snapshot_is_fresh_and_for_at_most_a_day(self) -> None:
        """Invariant *bounded*."""
        assert not self.state.is_fresh(self.now) or self.newest is not None
        assert not self.state.is_fresh(self.now + DAY) or self.state.fresh_until > self.now + DAY


TestClient = Client.TestCase
TestClient.settings = settings(max_examples=40, stateful_step_count=25)
