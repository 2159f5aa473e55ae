"""The buffered agent against the real service over sockets; hours pass while it sleeps."""

import asyncio
import json
import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from devicestatus import limits
from devicestatus.adapters.agent import Agent, BufferedAgent, Listener
from devicestatus.adapters.checkpoint_file import CheckpointFile
from devicestatus.adapters.upload_client import Credential, Destination
from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Recorder
from devicestatus.models import SENSITIVE_APP, Battery, Snapshot, Window
from status_agent.cli import AgentLog
from status_contracts.instants import SECOND_MS
from status_contracts.primitives import ABSENT
from support.devicestatus.agent_simulation import (
    RULES,
    TOKEN,
    ProxyHandler,
    Simulation,
    Upload,
    answering,
    by_the_minute,
    hours,
    minutes,
    seconds,
    serve,
)
from support.devicestatus.examples import NOON, SESSION

pytestmark = pytest.mark.check

ROUND = limits.SAMPLE_INTERVAL_SECONDS * SECOND_MS


@pytest.fixture
def simulation() -> Iterator[Simulation]:
    with serve(Simulation()) as simulation:
        yield simulation


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state" / "agent.json"


def times(uploads: list[Upload]) -> list[int]:
    return [each.at for each in uploads]


def gaps(window: Window) -> list[tuple[int, int, str]]:
    """Return the gaps, in ms since the start of the simulation."""
    return [(gap.start_at - NOON, gap.end_at - NOON, gap.reason) for gap in window.gaps]


def app_at(window: Window, elapsed: int) -> str | None:
    """Return the foreground app in a window at a time."""
    app = window.baseline.active_app
    for event in window.events:
        if event.at <= NOON + elapsed and event.changes.active_app is not ABSENT:
            app = event.changes.active_app
    return app


def resumed(place: Path, simulation: Simulation) -> Recorder:
    found = CheckpointFile(place).load()
    assert found is not None
    recorder = Recorder.resume(found, now_ms=simulation.wall())
    assert isinstance(recorder, Recorder)
    return recorder


class TestQuietDay:
    def test_intervals_follow_the_contract(self, simulation: Simulation) -> None:
        """A sample every 2 s, metrics every 30 s, an upload every 300 s, the last 900 s in each.

        Readers see what the machine did 420 s ago.
        """
        until = hours(1)
        seen: list[tuple[int, str]] = []

        def look() -> None:
            now = simulation.proxy.get("/api/now")
            seen.append((simulation.elapsed, now["active_app"]))

        for elapsed in range(minutes(12), until, minutes(7)):
            simulation.at(elapsed, look)
        simulation.run(until=until)

        assert simulation.machine.read_at == list(range(0, until, ROUND))
        assert simulation.machine.metrics_at == list(range(0, until, seconds(30)))
        assert times(simulation.proxy.uploads) == list(range(0, until, seconds(300)))
        windows = simulation.proxy.windows()
        assert len(windows) == len(simulation.proxy.uploads)
        assert [window.batch_seq for window in windows] == list(range(1, len(windows) + 1))
        assert {window.session_id for window in windows} == {windows[0].session_id}
        for window, at in zip(windows, times(simulation.proxy.uploads), strict=True):
            assert window.generated_at == window.window_end == NOON + at
            assert window.window_start == NOON + max(0, at - seconds(900))
            assert not window.gaps
            assert window.dropped_events == 0
        assert set(simulation.events.actions) == {"accepted"}
        assert len(seen) > 5
        for elapsed, app in seen:
            assert app == by_the_minute(elapsed - seconds(420)).active_app


class TestFailures:
    def test_a_wrong_token_ends_it(self, simulation: Simulation, place: Path) -> None:
        """Only a user can help; the session is as it was."""
        agent = simulation.agent(checkpoints=CheckpointFile(place))
        agent.destination = attrs.evolve(agent.destination, credential=Credential("x" * 64))
        simulation.until = hours(1)
        decision = asyncio.run(agent.run())
        assert decision.action == "stop"
        assert [each.status for each in simulation.proxy.uploads] == [401]
        assert simulation.elapsed == ROUND
        assert resumed(place, simulation).session_id == agent.recorder.session_id
        assert resumed(place, simulation).last_observed_at == simulation.now()


class TestSlowAnswers:
    """Invariant *sampling goes on*."""

    def test_an_answer_of_a_minute_holds_no_sample_and_no_second_upload(
        self, simulation: Simulation
    ) -> None:
        given = threading.Event()

        def give_late(request: ProxyHandler) -> None:
            simulation.proxy.responder = ProxyHandler.forward
            assert given.wait(20)
            request.forward()

        def give() -> None:
            simulation.time_passes_in_uploads = False
            given.set()

        simulation.proxy.responder, simulation.time_passes_in_uploads = give_late, True
        simulation.at(seconds(60), give)
        simulation.run(until=minutes(12))
        assert simulation.machine.read_at == list(range(0, minutes(12), ROUND))
        settled = simulation.events.decisions[0][0]
        assert seconds(60) <= settled <= seconds(64)
        assert times(simulation.proxy.uploads)[1:] == [
            settled + seconds(300),
            settled + seconds(600),
        ]
        assert not simulation.proxy.windows()[1].gaps


class TestWrongClock:
    """Invariant *clock correction*."""

    def test_one_that_is_ahead_begins_a_new_session_by_the_right_time(
        self, simulation: Simulation
    ) -> None:
        simulation.clock_off = hours(3)
        simulation.run(until=minutes(6))
        refused, taken, *_ = simulation.proxy.uploads
        assert (refused.status, taken.status) == (400, 200)
        assert 12 * SECOND_MS <= taken.at <= 15 * SECOND_MS + ROUND
        assert taken.window().session_id != refused.window().session_id
        assert abs(taken.window().generated_at - NOON - taken.at) <= seconds(2)
        assert taken.window().window_start - NOON == pytest.approx(ROUND, abs=2000)
        assert simulation.events.actions == ["fix-clock", "accepted", "accepted"]
        assert [at for at, _ in simulation.events.of("clock")] == [ROUND]

    @pytest.mark.parametrize("accepts_first", [True, False])
    def test_what_was_recorded_by_a_frozen_clock_is_a_gap(
        self, simulation: Simulation, *, accepts_first: bool
    ) -> None:
        """A virtual machine that stood still for 5 minutes: its clocks know nothing of them."""

        def freeze() -> None:
            simulation.elapsed += minutes(5)
            simulation.clock_off -= minutes(5)

        steady, awake = simulation.steady, simulation.awake
        agent = simulation.agent(
            steady_clock=lambda: steady() + simulation.clock_off,
            awake_clock=lambda: awake() + simulation.clock_off,
        )
        frozen_at = minutes(4) if accepts_first else 0
        simulation.at(frozen_at, freeze)
        if not accepts_first:
            simulation.clock_off = -minutes(3)
        simulation.run(agent, until=minutes(16))
        assert "fix-clock" in simulation.events.actions
        corrected_at = next(
            at for at, decision in simulation.events.decisions if decision.correction_ms
        )
        last = simulation.proxy.windows()[-1]
        wrong = [
            event
            for event in last.events
            if event.changes.active_app
            and not any(gap.start_at <= event.at < gap.end_at for gap in last.gaps)
            and app_at(last, event.at - NOON) != f"App {(event.at - NOON) // minutes(1)}"
        ]
        assert not wrong
        assert {gap.reason for gap in last.gaps} == {"clock"}
        assert any(gap.end_at - NOON >= corrected_at for gap in last.gaps)


class TestSleep:
    def test_what_was_slept_is_a_gap_and_a_due_upload_follows_in_the_first_round(
        self, simulation: Simulation
    ) -> None:
        asleep = hours(8)
        simulation.at(seconds(130), lambda: simulation.sleep(asleep))
        simulation.run(until=asleep + minutes(4))
        first, second = simulation.proxy.uploads
        woke = seconds(130) + asleep + ROUND
        assert (first.at, second.at) == (0, woke)
        window = second.window()
        assert gaps(window) == [(max(seconds(130), woke - seconds(900)), woke, "sleep")]
        assert window.session_id == first.window().session_id
        assert woke in simulation.machine.metrics_at


class TestSamples:
    @staticmethod
    def broken(elapsed: int) -> Snapshot:
        found = by_the_minute(elapsed)
        if seconds(60) <= elapsed < seconds(120):
            return attrs.evolve(found, battery=Battery(700, False, "battery"))
        return found

    def test_what_breaks_the_contract_is_reported_and_missing(self, simulation: Simulation) -> None:
        simulation.machine.look = self.broken
        simulation.run(until=minutes(6))
        refused = [text for _, text in simulation.events.of("sample")]
        assert len(refused) == 30
        assert all(text.splitlines()[1].startswith("/battery/percent: ") for text in refused)
        assert gaps(simulation.proxy.windows()[1]) == [(seconds(58), seconds(120), "collection")]


class Unreadable(Exception):
    """An exception whose text quotes private data."""


class TestDefaultLog:
    """A repeated event is logged once, and again when it changes."""

    @staticmethod
    def run(simulation: Simulation, **members: Any) -> None:
        simulation.run(simulation.agent(listener=Listener(), **members), until=minutes(4))

    def test_a_reading_that_fails_for_hours_is_one_line_with_its_traceback(
        self, simulation: Simulation, caplog: pytest.LogCaptureFixture
    ) -> None:
        def look(elapsed: int) -> Snapshot:
            if elapsed < minutes(1):
                raise Unreadable(f"the cable is out since {elapsed}")
            if elapsed < minutes(2):
                raise Unreadable("the same error from another line")
            return by_the_minute(elapsed)

        simulation.machine.look = look
        self.run(simulation)
        first, second = caplog.records
        for record, text in ((first, "since 0"), (second, "another line")):
            assert record.getMessage() == "reading: this machine could not be read (Unreadable)"
            assert record.exc_info is not None
            shown = "".join(traceback.format_exception(*record.exc_info))
            assert text in shown
            assert "in look" in shown, "of the caller's function"

    @pytest.mark.parametrize(
        ("sample", "message"),
        [
            (lambda at, _: at // 0, "ZeroDivisionError"),
            (lambda _at, _: asyncio.sleep(0), "not coroutine: make it a plain function"),
            (lambda _at, _: None, "not NoneType')"),
            (lambda _at, _: {}, "not dict')"),
        ],
    )
    def test_both_agents_log_what_is_wrong_with_a_sample(
        self, sample: Any, message: str, simulation: Simulation, caplog: pytest.LogCaptureFixture
    ) -> None:
        destination = Destination.from_url(simulation.proxy.url, TOKEN)
        asyncio.run(Agent(sample, destination, 1000).run_once())
        self.run(simulation, sample=sample)
        assert len(caplog.records) == 2
        assert all(message in repr(record.exc_info) for record in caplog.records)

    @pytest.mark.parametrize(
        ("saved", "reason"),
        [
            (b"{", "it cannot be read"),
            (b"{}", "it is not a valid checkpoint"),
            (Recorder(SESSION, RULES).checkpoint(now_ms=NOON - 900_001), "it is older than 900 s"),
            (Recorder(SESSION, RULES).checkpoint(now_ms=NOON + 1), "it was saved later than now"),
            (
                Recorder(SESSION, PrivacyRules(names=["Diary"])).checkpoint(now_ms=NOON),
                "the privacy rules have changed",
            ),
        ],
    )
    def test_a_checkpoint_that_is_not_resumed_says_why(
        self,
        saved: bytes,
        reason: str,
        simulation: Simulation,
        place: Path,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        CheckpointFile(place).save(saved)
        destination = Destination.from_url(simulation.proxy.url, TOKEN, upload="window")
        agent = BufferedAgent(
            simulation.machine.sample,
            destination,
            RULES,
            checkpoints=CheckpointFile(place),
            clock=simulation.wall,
        )
        assert agent.recorder.batch_seq == 0
        assert caplog.messages == [
            f"checkpoint: a new session: the checkpoint cannot be used, {reason}"
        ]


@pytest.mark.rule("DS-AGENT-17")
class TestReadingsThatFail:
    """Invariant *readings never end it*."""

    @pytest.mark.parametrize("fault", [Unreadable(TOKEN), StopIteration()])
    def test_what_raises_is_reported_by_its_type_and_is_a_collection_gap(
        self, fault: Exception, simulation: Simulation
    ) -> None:
        """A `StopIteration`, too, which no future takes: who waits for it would wait on."""

        def look(elapsed: int) -> Snapshot:
            if seconds(60) <= elapsed < seconds(120):
                raise fault
            return by_the_minute(elapsed)

        simulation.machine.look = look
        simulation.run(until=minutes(6))
        rounds = range(seconds(60), seconds(120), ROUND)
        text = f"this machine could not be read ({type(fault).__name__})"
        assert simulation.events.of("reading") == [(at, text) for at in rounds]
        assert simulation.machine.read_at == list(range(0, minutes(6), ROUND))
        first, second = simulation.proxy.windows()
        assert gaps(second) == [(seconds(58), seconds(120), "collection")]
        assert second.session_id == first.session_id
        assert times(simulation.proxy.uploads) == [0, seconds(300)]

    def once(self, simulation: Simulation, during: Callable[[], object]) -> None:
        """Have something happen during the look at 60 s."""

        def look(elapsed: int) -> Snapshot:
            if elapsed == seconds(60):
                during()
            return by_the_minute(elapsed)

        simulation.machine.look = look

    def test_one_that_takes_too_long_has_no_sample_and_is_a_collection_gap(
        self, simulation: Simulation
    ) -> None:
        """Its values may be as old as its start."""
        self.once(simulation, lambda: setattr(simulation, "elapsed", 90_001))
        simulation.run(until=minutes(6))
        text = "this machine could not be read (TimeoutError)"
        assert simulation.events.of("reading") == [(90_001, text)]
        assert gaps(simulation.proxy.windows()[1]) == [(seconds(58), 90_001, "collection")]
        assert app_at(simulation.proxy.windows()[1], 90_001) == "App 1"

    @pytest.mark.parametrize(
        ("took", "expected"), [(28_000, []), (28_001, [(seconds(58), 88_001, "collection")])]
    )
    def test_one_that_makes_the_silence_too_long_is_no_sleep_and_has_its_sample(
        self, took: int, expected: list[tuple[int, int, str]], simulation: Simulation
    ) -> None:
        """The pause before it counts as well."""
        self.once(simulation, lambda: setattr(simulation, "elapsed", seconds(60) + took))
        simulation.run(until=minutes(6))
        assert not simulation.events.of("reading")
        assert gaps(simulation.proxy.windows()[1]) == expected


class TestCheckpoint:
    def test_it_is_written_down_before_it_is_sent(
        self, simulation: Simulation, place: Path
    ) -> None:
        """Invariant *checkpoint before upload*."""
        found: list[tuple[int, str]] = []

        def look(request: ProxyHandler) -> None:
            kept = json.loads(place.read_bytes())
            found.append((kept["batch_seq"], kept["session_id"]))
            request.forward()

        simulation.proxy.responder = look
        simulation.run(simulation.agent(checkpoints=CheckpointFile(place)), until=minutes(16))
        windows = simulation.proxy.windows()
        assert found == [(window.batch_seq, window.session_id) for window in windows]
        assert len(found) == 4

    def test_a_restart_goes_on_in_the_same_session_with_a_gap(
        self, simulation: Simulation, place: Path
    ) -> None:
        """The checkpoint is at most 30 s old when an agent is killed."""
        checkpoints = CheckpointFile(place)
        kept: list[bytes] = []
        simulation.at(seconds(398), lambda: kept.append(place.read_bytes()))
        simulation.run(simulation.agent(checkpoints=checkpoints), until=seconds(400))
        checkpoints.save(kept[0])  # what a kill leaves
        simulation.sleep(seconds(50))
        again = simulation.agent(checkpoints=checkpoints, recorder=resumed(place, simulation))
        simulation.run(again, until=seconds(600))
        *_, before, after = simulation.proxy.windows()
        assert after.session_id == before.session_id
        assert after.batch_seq == before.batch_seq + 1
        ((start, end, reason),) = gaps(after)
        assert reason == "restart"
        assert seconds(370) <= start <= seconds(400)
        assert end == simulation.proxy.uploads[-1].at
        assert simulation.proxy.uploads[-1].at <= seconds(454)


class TestCancellation:
    @pytest.mark.parametrize("state", ["pausing", "uploading", "reading"])
    def test_it_leaves_nothing_running_and_the_last_checkpoint(
        self, state: str, simulation: Simulation, place: Path
    ) -> None:
        came, gone, go_on = threading.Event(), threading.Event(), threading.Event()

        async def pause(_: float) -> None:
            if simulation.events.actions:
                came.set()
            await asyncio.sleep(0.01)

        def hold(request: ProxyHandler) -> None:
            came.set()
            request.connection.settimeout(20)
            request.rfile.read(1)  # until the agent is gone
            gone.set()

        def look(elapsed: int) -> Snapshot:
            if elapsed > seconds(10):
                came.set()
                assert go_on.wait(20)
            return by_the_minute(elapsed)

        async def work() -> None:
            simulation.time_passes_in_uploads, simulation.until = True, hours(1)
            agent = simulation.agent(checkpoints=CheckpointFile(place))
            if state == "pausing":
                agent.sleep = pause
            elif state == "uploading":
                simulation.proxy.responder = hold
            else:
                simulation.machine.look = look
            task = asyncio.create_task(agent.run())
            assert await asyncio.to_thread(came.wait, 20)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            go_on.set()
            assert asyncio.all_tasks() == {asyncio.current_task()}
            kept = resumed(place, simulation)
            assert kept.batch_seq == agent.recorder.batch_seq == 1
            assert kept.last_observed_at == agent.recorder.last_observed_at

        asyncio.run(work())
        if state == "uploading":
            assert gone.wait(20)


class TestNothingPrivate:
    """Invariant *nothing private is reported*."""

    def test_no_canary_is_anywhere(
        self,
        simulation: Simulation,
        place: Path,
        caplog: pytest.LogCaptureFixture,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        canary = "Diary of a canary"
        rules = PrivacyRules(names={canary, "secret*"})
        caplog.set_level(logging.DEBUG)

        def look(elapsed: int) -> Snapshot:
            found = by_the_minute(elapsed)
            app = canary if elapsed % 4000 else f"Secret canary {elapsed}"
            running = (canary, "Editor", "secret canary")
            if elapsed % 60_000 == 0:
                return attrs.evolve(found, active_app=app + "\x00", running_apps=running)
            return attrs.evolve(found, active_app=app, running_apps=running)

        def refuse(request: ProxyHandler) -> None:
            shown = request.headers["Authorization"].encode()
            simulation.proxy.responder = ProxyHandler.forward
            request.answer(400, b'{"error":"invalid_payload","you":"' + shown + b'"}')

        simulation.machine.look = look
        simulation.proxy.responder = refuse
        # A step back begins a new session.
        simulation.at(minutes(2), lambda: simulation.step_clock(-minutes(1)))
        simulation.at(
            minutes(6),
            lambda: setattr(simulation.proxy, "responder", answering(503, canary.encode())),
        )
        agent = simulation.agent(
            checkpoints=CheckpointFile(place), rules=rules, listener=AgentLog()
        )
        simulation.run(agent, until=minutes(14))
        logged = "".join(record.getMessage() for record in caplog.records)
        captured = capsys.readouterr()
        bodies = b"".join(each.body for each in simulation.proxy.uploads).decode()
        kept = place.read_text()
        shown = "".join(map(repr, (agent, agent.recorder, agent.destination)))
        assert {each.status for each in simulation.proxy.uploads} == {200, 400, 503}
        assert len({window.session_id for window in simulation.proxy.windows()}) == 2
        assert captured.err
        for text in (logged, captured.out, captured.err, kept, bodies, shown):
            assert "canary" not in text.casefold()
            assert TOKEN not in text
        assert SENSITIVE_APP in bodies
        assert rules.fingerprint not in bodies + shown
