"""Scenarios of playback, computed by the Python engine: each response, and each view."""

import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final, get_args

import attrs

from devicestatus.engine.deadlines import window_deadline
from devicestatus.engine.projection import NoData, PreparedWindow, prepare
from devicestatus.models import Battery, GapReason, Music, Snapshot, System, Window, WindowGap
from devicestatus.player.player import Accepted, Player, View, parse_timeline
from devicestatus.responses import SnapshotTimelineStatus, WindowStatus
from purewire.instants import MINUTE_MS, SECOND_MS, format_instant
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.examples import COVERED_SONG, NOON, SESSION, event, gap, snapshot, window

Json = dict[str, Any]

OTHER_SESSION: Final = "9b2d7c1e-0000-4000-8000-000000000001"
ERROR: Final = '{"error":"service_unavailable"}'
OFFLINE: Final = '{"status":"offline"}'
REASONS: Final[tuple[GapReason, ...]] = get_args(GapReason)
UNKNOWN: Final = ("later", "error")
"""Names of members that a response with a record does not have yet."""
NONSENSE: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1.5, 2, 1e300, 2**53, "x", [], {}, [None], {"x": 1}),
    *("2026-01-01T12:00:00.000Z", "2026-02-30T12:00:00.000Z", "2026-01-01T24:00:00.000Z"),
    *("2026-01-01T12:00:60.000Z", "0000-01-01T00:00:00.000Z", "2026-01-01T12:00:00Z"),
    *("2026-01-01T12:00:00.000+00:00", "2026-01-01t12:00:00.000z", "20260101T120000Z"),
)


def window_text(data: Window, *, now: int, updated_at: int | None = None, **members: Any) -> str:
    """Return the text of a response with a window; it is received where it was made by default."""
    received_at = data.generated_at if updated_at is None else updated_at
    response = WindowStatus(
        server_time=now,
        updated_at=received_at,
        expires_at=window_deadline(data.window_end),
        window=data,
    )
    return json.dumps(to_builtins(response) | members)


def snapshot_text(data: Snapshot, *, now: int, expires_at: int, **members: Any) -> str:
    """Return the text of a response with a v1 record that was received when it was collected."""
    fields = {field.name: getattr(data, field.name) for field in attrs.fields(Snapshot)}
    response = SnapshotTimelineStatus(
        **fields, server_time=now, updated_at=data.collected_at, expires_at=expires_at
    )
    return json.dumps(to_builtins(response) | members)


def _gap(value: WindowGap | None) -> Json | None:
    return None if value is None else attrs.asdict(value)


def _snapshot(value: Snapshot | None) -> Json | None:
    return None if value is None else to_builtins(value) | {"collected_at": value.collected_at}


def view_members(view: View) -> Json:
    """Return a view by the names of the page's player."""
    return {
        "state": view.state,
        "reason": view.reason,
        "gap": _gap(view.gap),
        "snapshot": _snapshot(view.snapshot),
        "mode": view.mode,
        "serverTime": view.server_time,
        "at": view.at,
        "delaySeconds": view.delay_seconds,
        "bufferedSeconds": view.buffered_seconds,
        "warmUpSeconds": view.warm_up_seconds,
        "lost": None if view.lost is None else attrs.asdict(view.lost),
        "nextChangeAt": view.next_change_at,
        "lastSeen": view.last_seen,
    }


def intervals(prepared: PreparedWindow) -> Iterator[Json]:
    """Generate the intervals of a window between its changes."""
    stages = prepared.projections[1:]
    for (start, end), stage in zip(pairwise(prepared.changes), stages, strict=False):
        if isinstance(stage, NoData):
            yield {"start": start, "end": end, "gap": _gap(stage.gap)}
        else:
            yield {"start": start, "end": end, "snapshot": _snapshot(stage)}


@attrs.define
class Scenario:
    """A scenario under construction: the Python engine computes each step at once."""

    name: str
    steps: list[Json] = attrs.field(factory=list)
    _player: Player = attrs.field(factory=Player)

    def accept(self, text: str, at: int) -> "Scenario":
        """Add a response."""
        outcome = self._player.accept(text.encode(), at)
        if isinstance(outcome, Accepted):
            gives: Json = {"accepted": outcome.mode}
        else:
            gives = {"refused": outcome.reason}
        self.steps.append({"accept": text, "at": at, "gives": gives})
        if gives == {"accepted": "window"}:
            response = parse_timeline(text.encode(), self._player.catalog)
            assert isinstance(response, WindowStatus)
            self.steps.append(
                {"intervals": True, "gives": list(intervals(prepare(response.window)))}
            )
        return self

    def view(self, *instants: int) -> "Scenario":
        """Add the views at the instants."""
        for instant in instants:
            gives = view_members(self._player.view(instant))
            self.steps.append({"view": instant, "gives": gives})
        return self

    def at_changes(self, start: int, until: int) -> "Scenario":
        """Add the views at each change up to an instant, and just before it."""
        moment = self._player.view(start).next_change_at
        self.view(start)
        while moment is not None and moment <= until:
            self.view(moment - 1, moment)
            moment = self._player.view(moment).next_change_at
        return self.view(until)

    @property
    def gives(self) -> list[str]:
        """State and reason of its views, each change once."""
        views = [step["gives"] for step in self.steps if "view" in step]
        words = [":".join(filter(None, (view["state"], view["reason"]))) for view in views]
        return [word for n, word in enumerate(words) if n == 0 or words[n - 1] != word]


def batch(number: int, *, start: int | None = None, end: int, **members: Any) -> Window:
    """Return a batch, with an event every 20 s that its window has."""
    first = max(NOON, end - 15 * MINUTE_MS) if start is None else start
    moments = range(NOON, end + 1, 20 * SECOND_MS)
    events = tuple(event(n, at) for n, at in enumerate(moments, 1) if at >= first)
    filled = {"batch_seq": number, "window_start": first, "window_end": end, "events": events}
    return window(**(filled | members))


def minutes(count: float) -> int:
    return round(count * MINUTE_MS)


# ---- scenarios by hand


def _whole_life() -> Scenario:
    """The first batch of a session, warm-up, play, a gap, an outage, and on to the end."""
    scenario = Scenario("warm-up, play, gap, outage and resume").view(0)
    holes = (gap(NOON + minutes(4), NOON + minutes(5), "sleep"),)
    first = batch(1, end=NOON + minutes(5), gaps=holes[:0])
    scenario.accept(window_text(first, now=NOON + minutes(5)), 1_000).at_changes(1_000, minutes(3))
    second = batch(2, end=NOON + minutes(10), gaps=holes)
    scenario.accept(window_text(second, now=NOON + minutes(10)), 1_000 + minutes(5))
    scenario.at_changes(1_000 + minutes(5), minutes(15))
    scenario.accept(ERROR, minutes(16)).view(minutes(16), minutes(17), minutes(18))
    third = batch(3, end=NOON + minutes(15), gaps=holes)
    scenario.accept(window_text(third, now=NOON + minutes(19)), minutes(14.5))
    return scenario.at_changes(minutes(14.5), minutes(30))


def _loss() -> Scenario:
    scenario = Scenario("the window moved on while nothing was read")
    scenario.accept(window_text(batch(1, end=NOON + minutes(10)), now=NOON + minutes(10)), 0)
    scenario.view(0, minutes(2))
    late = batch(5, end=NOON + minutes(30))
    scenario.accept(window_text(late, now=NOON + minutes(31)), minutes(21)).view(minutes(21))
    later = batch(6, end=NOON + minutes(35))
    scenario.accept(window_text(later, now=NOON + minutes(36)), minutes(26))
    scenario.at_changes(minutes(26), minutes(31))
    fresh = batch(1, start=NOON + minutes(36), end=NOON + minutes(41), session_id=OTHER_SESSION)
    return scenario.accept(window_text(fresh, now=NOON + minutes(42)), minutes(32)).view(
        minutes(32)
    )


def _losses() -> Scenario:
    """An outage after which each response comes sooner than the last, and a later loss."""
    scenario, number, end = Scenario("losses that are one, and one of its own"), 0, NOON
    for number, late in enumerate((0, 58_000, 36_000, 14_000, 2_000, 0), 1):
        end = NOON if number == 1 else NOON + minutes(60) + number * 302_000
        data = batch(number, start=end - minutes(15), end=end, events=())
        at = end - NOON + late
        scenario.accept(window_text(data, now=end + late), at).view(at, at + 300_000)
    for length in (899_999, 900_000, 900_000):
        number, start = number + 1, end + 1
        end = start + length
        at = end - NOON + minutes(60) * (number - 6)  # when all before has been played
        data = batch(number, start=start, end=end, events=())
        scenario.accept(window_text(data, now=end), at).view(at)
    return scenario


def _given_back() -> Scenario:
    scenario = Scenario("in warm-up a window gives back what was lost")
    for number, begins in enumerate((0, 90, 30, 60, 100, -10, 20), 1):
        data = batch(number, start=NOON + 1000 * begins, end=NOON + minutes(2), events=())
        scenario.accept(window_text(data, now=NOON + minutes(2)), 0).view(0)
    return scenario.view(minutes(8))


def _new_session() -> Scenario:
    scenario = Scenario("a new session starts anew, the old one does not come back")
    old = batch(3, end=NOON + minutes(12))
    scenario.accept(window_text(old, now=NOON + minutes(13)), 0).view(0, 10_000)
    fresh = batch(1, start=NOON + minutes(13), end=NOON + minutes(14), session_id=OTHER_SESSION)
    text = window_text(fresh, now=NOON + minutes(14.5))
    scenario.accept(text, minutes(1.5)).view(minutes(1.5), minutes(9))
    scenario.accept(window_text(old, now=NOON + minutes(15)), minutes(2)).view(minutes(2))
    back = attrs.evolve(old, generated_at=old.window_end + 20_000)
    text = window_text(back, now=NOON + minutes(15), updated_at=NOON + minutes(14))
    scenario.accept(text, minutes(2)).view(minutes(2))
    copy = attrs.evolve(old, generated_at=old.window_end + 30_000)
    text = window_text(copy, now=NOON + minutes(15), updated_at=NOON + minutes(14.4))
    return scenario.accept(text, minutes(2)).view(minutes(2))


def _stale_and_repeated() -> Scenario:
    scenario = Scenario("stale, repeated and rewound responses")
    two = batch(2, end=NOON + minutes(11))
    scenario.accept(window_text(two, now=NOON + minutes(12)), 5_000).view(5_000)
    scenario.accept(window_text(two, now=NOON + minutes(13)), 65_000).view(65_000)
    one = batch(1, end=NOON + minutes(6))
    scenario.accept(window_text(one, now=NOON + minutes(12.5)), 66_000).view(66_000)
    late = attrs.evolve(one, generated_at=one.window_end + 30_000)
    text = window_text(late, now=NOON + minutes(13.5), updated_at=NOON + minutes(8))
    scenario.accept(text, 70_000)
    received = two.generated_at + SECOND_MS
    smaller = attrs.evolve(two, batch_seq=1)
    scenario.accept(window_text(smaller, now=received + 1, updated_at=received), 71_000)
    shorter = batch(3, end=NOON + minutes(10.5), generated_at=NOON + minutes(11))
    scenario.accept(window_text(shorter, now=received + 1, updated_at=received), 72_000)
    earlier = window_text(two, now=NOON + minutes(12))  # a server time that stands still
    return scenario.accept(earlier, 130_000).view(129_000, 130_000, 131_000, 5_000, 0)


def _offline_and_back() -> Scenario:
    scenario = Scenario("offline and back").accept(OFFLINE, 0).view(0, 10_000)
    one = batch(1, end=NOON + minutes(10))
    scenario.accept(window_text(one, now=NOON + minutes(11)), 20_000).view(20_000, 30_000)
    scenario.accept(OFFLINE, 40_000).view(40_000, 90_000)
    scenario.accept(OFFLINE, 50_000).view(90_000)
    scenario.accept(window_text(batch(1, end=NOON), now=NOON + minutes(1)), 91_000).view(91_000)
    two = batch(2, end=NOON + minutes(15))
    scenario.accept(window_text(two, now=NOON + minutes(16)), 100_000)
    return scenario.at_changes(100_000, minutes(12))


def _snapshots() -> Scenario:
    scenario = Scenario("v1 snapshots")
    plain = snapshot(running_apps=("Editor", "Terminal"), music=COVERED_SONG)
    text = snapshot_text(plain, now=NOON + 500, expires_at=NOON + minutes(3))
    scenario.accept(text, 7).view(0, 7, 60_000).at_changes(7, minutes(4))
    later = snapshot(collected_at=NOON + minutes(5), active_app=None)
    text = snapshot_text(later, now=NOON + minutes(5), expires_at=NOON + minutes(6))
    scenario.accept(text, minutes(4.5)).view(minutes(5))
    scenario.accept(snapshot_text(plain, now=NOON + 9_000, expires_at=NOON + 10_000), minutes(5))
    buffered = batch(1, start=NOON + minutes(5), end=NOON + minutes(9))
    scenario.accept(window_text(buffered, now=NOON + minutes(9)), minutes(8)).view(minutes(8))
    again = snapshot(collected_at=NOON + minutes(10))
    text = snapshot_text(again, now=NOON + minutes(10), expires_at=NOON + minutes(13))
    scenario.accept(text, minutes(9)).view(minutes(9))
    more = batch(2, start=NOON + minutes(5), end=NOON + minutes(11))
    text = window_text(more, now=NOON + minutes(12))
    scenario.accept(text, minutes(10)).at_changes(minutes(10), minutes(12))
    return scenario.accept(OFFLINE, minutes(13)).view(minutes(13))


def _reasons() -> Scenario:
    scenario = Scenario("every reason of a gap, some touching, one at each end")
    ends = [NOON + minutes(n) for n in range(11)]
    spans = zip((3, 4, 6, 8, 9), (4, 5, 7, 9, 10), REASONS, strict=True)
    holes = tuple(gap(ends[first], ends[last], reason) for first, last, reason in spans)
    data = batch(1, start=ends[3], end=ends[-1], gaps=holes)
    scenario.accept(window_text(data, now=ends[-1]), 0).at_changes(0, minutes(8))
    touching = (gap(ends[4], ends[5]), gap(ends[5], ends[6]), gap(ends[6], ends[7], "clock"))
    fresh = attrs.evolve(data, session_id=OTHER_SESSION, events=(), gaps=touching)
    return scenario.accept(window_text(fresh, now=ends[-1]), 1).at_changes(1, minutes(8))


def _one_instant() -> Scenario:
    scenario = Scenario("events of one instant, at both ends, and a window without length")
    battery, system = Battery(100, True, "ac"), System(None, None, 0)
    music = Music("stopped", None, None)
    events = (
        event(3, NOON, active_app=None),
        event(4, NOON, battery=battery, running_apps=()),
        event(7, NOON + 10, system=system, music=music),
        event(8, NOON + 10, active_app="System"),
        event(9, NOON + 5_000, music=COVERED_SONG),
        event(2**53 - 1, NOON + 10_000),
    )
    data = window(window_end=NOON + 10_000, events=events)
    scenario.accept(window_text(data, now=NOON + minutes(7)), 0).at_changes(0, 11_000)
    point = window(batch_seq=2, window_start=NOON + 10_000, window_end=NOON + 10_000)
    return scenario.accept(window_text(point, now=NOON + minutes(7.5)), 12_000).view(12_000)


def _clocks() -> Scenario:
    scenario = Scenario("a viewer's clock that goes back, and one that starts below zero")
    text = window_text(batch(1, end=NOON + minutes(8)), now=NOON + minutes(9))
    scenario.accept(text, -5_000).view(-6_000, -5_000, 0)
    two = window_text(batch(2, end=NOON + minutes(9)), now=NOON + minutes(10))
    return scenario.accept(two, -50_000).view(-50_000, 0, minutes(10))


def _changing(data: Window, now: int, changes: Json) -> str:
    """Return a response whose first event changes only this."""
    response = json.loads(window_text(data, now=now))
    response["window"]["events"][0]["changes"] = changes
    return json.dumps(response)


def _nonsense() -> Scenario:
    """Return each violation of the contract on its own; playback goes on unchanged."""
    scenario = Scenario("nonsense").accept("", 0).view(0)
    now, end = NOON + minutes(10), NOON + minutes(10)
    good = batch(1, end=end, gaps=(gap(NOON, NOON + 1), gap(NOON + 1, NOON + 2, "clock")))
    scenario.accept(window_text(good, now=now), 0)
    texts = ["null", "[]", "7", '"offline"', "{}", "nothing", '{"status":"asleep"}', "{", ERROR]
    texts += ['{"status":"online"}', '{"status":"online","mode":"snapshot"}', "[" * 10_000]
    texts += ['{"status":"offline","error":"x"}', '{"status":"online","status":"offlin"}']
    texts += [window_text(good, now=now).replace('"batch_seq": 1', '"batch_seq": 1e999')]
    texts += [window_text(good, now=now).replace('"batch_seq": 1', '"batch_seq": 1.0')]
    texts += [window_text(good, now=now, server_time=format_instant(end - 1))]
    texts += [window_text(good, now=now, expires_at=format_instant(end + 1))]
    texts += [window_text(good, now=now + minutes(10))]
    unknown: list[Json] = [{name: {"is": "passed over"}} for name in UNKNOWN]
    texts += [window_text(good, now=now, **members) for members in unknown]
    texts += [_changing(good, now, changes) for changes in ({}, {"later": 1})]
    longest, empty = end - 15 * MINUTE_MS, {"events": (), "gaps": ()}
    lists: list[Json] = [
        {"events": (event(2, NOON), event(2, NOON))},
        {"events": (event(1, NOON + 2), event(2, NOON + 1))},
        {"events": (event(1, NOON - 1),)},
        {"events": (event(1, end + 1),)},
        {"gaps": (gap(NOON - 1, NOON + 1),)},
        {"gaps": (gap(NOON, end + 1),)},
        {"gaps": (gap(NOON + 1, NOON + 1),)},
        {"gaps": (gap(NOON, NOON + 9), gap(NOON + 8, NOON + 10))},
        {"gaps": (gap(NOON + 20, NOON + 30), gap(NOON, NOON + 10))},
        {"baseline": snapshot(collected_at=NOON + 1)},
        {"window_start": NOON - 1, "baseline": snapshot(collected_at=NOON)},
        {"window_start": longest - 1, "baseline": snapshot(collected_at=longest - 1)},
        {"window_start": longest, "baseline": snapshot(collected_at=longest)},
        {"window_start": end + 1, "baseline": snapshot(collected_at=end + 1), **empty},
        {"batch_seq": 2**53},
        {"baseline": snapshot(battery=Battery(100.5, None, "ac"))},
        {"baseline": snapshot(battery=Battery(-0.5, None, "ac"))},
        {"generated_at": end - 1},
        {"generated_at": end + 30_001},
        {"baseline": snapshot(running_apps=("Twice", "Twice"))},
        {"events": tuple(event(n, NOON) for n in range(1, 2_050))},
        {"gaps": tuple(gap(NOON + n, NOON + n + 1) for n in range(129))},
    ]
    texts += [window_text(attrs.evolve(good, **changed), now=now + 40_000) for changed in lists]
    for skew in (120_000, 120_001):
        texts.append(window_text(good, now=now + skew, updated_at=now + skew))
    midnight = NOON + minutes(12 * 60)
    text = snapshot_text(snapshot(collected_at=midnight), now=midnight, expires_at=midnight + 1)
    texts.append(text.replace("2026-01-02T00:00:00.000", "2026-01-01T24:00:00.000"))
    first_year = NOON - 2025 * 365 * 24 * 60 * MINUTE_MS
    text = snapshot_text(snapshot(collected_at=first_year), now=first_year, expires_at=NOON)
    texts.append(re.sub(r'"0\d{3}-', '"0000-', text))
    for text in texts:
        scenario.accept(text, 60_000)
    return scenario.view(60_000, minutes(8)).accept("\ufeff" + OFFLINE, minutes(9)).view(minutes(9))


def written_scenarios() -> list[Scenario]:
    """Return the named scenarios."""
    makers: tuple[Callable[[], Scenario], ...] = (
        *(
            _whole_life,
            _loss,
            _losses,
            _given_back,
            _new_session,
            _stale_and_repeated,
            _offline_and_back,
        ),
        *(_snapshots, _reasons, _one_instant, _clocks, _nonsense),
    )
    return [teller() for teller in makers]


# ---- random scenarios


@attrs.define
class _Device:
    """A service and the device behind it, as they may be at some server time."""

    draw: random.Random
    session: str = SESSION
    since: int = NOON
    batches: int = 0

    def window(self, now: int) -> Window:
        """Return the next batch, made at some time before `now`."""
        draw = self.draw
        if draw.random() < 0.07:
            numbers = draw.getrandbits(32), draw.getrandbits(48)
            self.session = f"{numbers[0]:08x}-0000-4000-8000-{numbers[1]:012x}"
            self.since, self.batches = now - draw.randrange(minutes(3)), 0
        self.batches += 1
        made = now - draw.choice((0, 500, 20_000, 60_000))
        end = max(self.since, made - draw.randrange(30_001))
        start = max(self.since, end - draw.choice((0, 900_000, 900_000, 300_000)))
        made = max(made, end)
        count = draw.choice((0, 1, 5, 30))
        moments = sorted(draw.choices((start, end, *range(start, end + 1, 977)), k=count))
        events = tuple(event(n, at, **self._changes()) for n, at in enumerate(moments, 1))
        return window(
            session_id=self.session,
            batch_seq=self.batches,
            generated_at=made,
            window_start=start,
            window_end=end,
            events=events,
            gaps=self._gaps(start, end),
        )

    def _gaps(self, start: int, end: int) -> tuple[WindowGap, ...]:
        if end - start < 10:
            return ()
        cuts = sorted(self.draw.sample(range(start, end + 1), 2 * self.draw.randrange(4)))
        ends = zip(cuts[::2], cuts[1::2], strict=True)
        return tuple(gap(low, high, self.draw.choice(REASONS)) for low, high in ends)

    def _changes(self) -> Json:
        draw = self.draw
        all_changes: Json = {
            "active_app": draw.choice((None, "Editor", "Ünï", "System")),
            "running_apps": draw.choice(((), ("A", "B"))),
            "battery": draw.choice((Battery(7.5, None, "unknown"), Battery(None, True, "ac"))),
            "system": System(draw.choice((0, 1e5)), None, 0.25),
            "music": draw.choice((Music("stopped", None, None), COVERED_SONG)),
        }
        names = draw.sample(sorted(all_changes), draw.randrange(1, 6))
        return {name: all_changes[name] for name in names}


def _spots(value: object) -> Iterator[tuple[Any, Any]]:
    """Return every place in a plain value, as its parent and its key there, except music's URLs."""
    if isinstance(value, dict):
        keys: list[Any] = [key for key in value if not key.endswith("_url")]
    elif isinstance(value, list):
        keys = list(range(len(value)))
    else:
        return
    for key in keys:
        yield value, key
        yield from _spots(value[key])


def _broken(text: str, draw: random.Random) -> str:
    """Return a response with one place that is gone, or other than it was, or unknown."""
    response = json.loads(text)
    parent, key = draw.choice(list(_spots(response)))
    what = draw.random()
    if what < 0.3:
        del parent[key]
    elif what < 0.8:
        parent[key] = draw.choice(NONSENSE)
    elif isinstance(parent, dict):
        parent["of_a_later_version"] = draw.choice(NONSENSE)
    return json.dumps(response)


def _drawn(seed: int) -> Scenario:
    draw = random.Random(seed)  # noqa: S311 - to be the same each time
    scenario, device = Scenario(f"drawn {seed}"), _Device(draw)
    clock, now = draw.randrange(-minutes(5), minutes(5)), NOON + draw.randrange(minutes(20))
    kept: list[str] = []
    for _ in range(draw.randrange(4, 14)):
        passed = draw.choice((1_000, 60_000, 60_000, 300_000, 900_000))
        clock, now = clock + passed, now + passed + draw.choice((0, 0, -900, 900, 5_000))
        kind = draw.random()
        if kind < 0.55 or not kept:
            data = device.window(now)
            kept.append(window_text(data, now=now, updated_at=draw.choice((None, now))))
            text = kept[-1]
        elif kind < 0.65:
            data_v1 = snapshot(collected_at=now - draw.choice((0, 5_000)))
            ends = now + draw.choice((1, 60_000, 180_000))
            text = snapshot_text(data_v1, now=now, expires_at=ends)
        elif kind < 0.75:
            text = draw.choice(kept)
        elif kind < 0.9:
            text = _broken(draw.choice(kept), draw)
        else:
            text = draw.choice((OFFLINE, ERROR, "gone"))
        scenario.accept(text, clock - draw.choice((0, 0, 0, 30_000)))
        scenario.view(*(clock + draw.choice((0, -1, 1, 9_999, 61_000, 420_000)) for _ in range(3)))
    return scenario


def drawn_scenarios(count: int) -> Iterator[Scenario]:
    """Return random scenarios, the same each time."""
    return map(_drawn, range(count))


def as_json(scenarios: list[Scenario]) -> str:
    """Return scenarios as the JSON text that engines in other languages are tested with."""
    return json.dumps([{"name": scenario.name, "steps": scenario.steps} for scenario in scenarios])


if __name__ == "__main__":
    DRAWN: Final = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    sys.stdout.write(as_json([*written_scenarios(), *drawn_scenarios(DRAWN)]))
