"""One simulation: a seed, a scenario, some hours of it, and then 45 minutes without faults.

Everything random comes from one `random.Random(seed)`, all time from one calendar; so a seed
repeats the same simulation, to the last line of its journal.  After the scenario all faults
stop, and 45 minutes later every player must show the true state.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Final

import attrs

from simulation import invariants
from simulation.agent import Agent, Disk, Odds
from simulation.clock import HOUR_MS, MIDNIGHT, SteppedClock
from simulation.context import Context
from simulation.fault_rates import CALM, Scenario
from simulation.invariants import Broken
from simulation.kvstore import EventualStore
from simulation.machine import RULES, Machine
from simulation.network import Network
from simulation.players import Viewer
from simulation.server import Registry, SentResponse, Server
from status_contracts.instants import MINUTE_MS, SECOND_MS
from status_contracts.messages import Request, Response

_PLACES: Final = 3
_CALM_MS: Final = 45 * MINUTE_MS
_LOOK_MS: Final = 10 * SECOND_MS
_VISIT_MS: Final = 11 * MINUTE_MS
_RATES_MS: Final = (5 * MINUTE_MS, 90 * MINUTE_MS)
_DOWN_MS: Final = (SECOND_MS, 20 * SECOND_MS, 3 * MINUTE_MS, 20 * MINUTE_MS)
_DAY_MS: Final = 24 * HOUR_MS
_STEPS_MS: Final = (
    *(1_000, 3_000, 4_900, 5_100, 15_000, 45_000, 100_000, 119_000),
    *(150_000, 400_000, 2_000_000, HOUR_MS, _DAY_MS, 40 * 365 * _DAY_MS, 9_000 * 365 * _DAY_MS),
)
_EDGE_MS: Final = (118_000, 124_000)
_MOST_OFF_MS: Final = 100 * 365 * _DAY_MS  # further years have no timestamp, and no batch
_LATE_TO_BE_MENDED_MS: Final = range(118_000, 124_000)
"""A clock that is off by so much is refused only now and then; the agent puts it right when it is,
which may be any time and makes a gap: for the end, a person sets it before."""
_RUSHES: Final = (3, 30, 150, 800)
_TOO_LARGE: Final = Response(413, (), b"<h1>413 Request Entity Too Large</h1>")


class SimulationFailed(AssertionError):
    """A simulation in which an invariant failed; the text has the command that repeats it."""


@attrs.frozen
class Outcome:
    """The result of a simulation.

    Attributes:
        digest: of every line of its journal.
        lines: number of lines.
        hours: of true time.
        shown: how often players were seen in each state.
        writes: of each UTC day.
        actions: number of actions, by the first word of the journal's lines.

    """

    digest: str
    lines: int
    hours: float
    shown: dict[str, int]
    writes: dict[int, int]
    actions: Counter[str]


class Simulator:
    """A device, its agent, a network, a service with its store, and players."""

    def __init__(self, seed: int, scenario: Scenario, hours: float) -> None:
        self.seed = seed
        self.scenario = scenario
        self.hours = hours
        self.context = Context()
        self.calendar = self.context.calendar
        self._random = Random(seed)  # noqa: S311 - a seed is the point
        self._registry = Registry(private=(b"Zq7",))
        self._network = Network(self.calendar, self._stream())
        self.store = EventualStore(self.calendar, self._stream(), _PLACES)
        self._servers = [self._server(place) for place in range(_PLACES)]
        clock = SteppedClock(self.calendar, self._random.randrange(-60_000, 60_000), MIDNIGHT)
        self._machine = Machine(clock, self._stream())
        self._disk = Disk()
        self._waited: dict[str, int] = {}
        self._agent: Agent | None = None
        self._life = 0
        self._wakes = 0
        self._ends = self.calendar.now + round(hours * HOUR_MS)
        self.players = [self._player(f"player {n}") for n in range(scenario.players)]

    def _stream(self) -> Random:
        return Random(self._random.getrandbits(64))  # noqa: S311 - a seed is the point

    def _server(self, place: int) -> Server:
        return Server(place, self.context, self._stream(), self.store, self._registry)

    def _player(self, name: str) -> Viewer:
        return Viewer(name, self.context, self._stream(), self._ask, _PLACES)

    def run(self) -> Outcome:
        """Run the hours of the scenario, then the calm; raise SimulationFailed."""
        try:
            self._begin()
            self.calendar.run(self._ends)
            self._calm()
            self.calendar.run(self._ends + _CALM_MS)
        except Exception as fault:
            raise SimulationFailed(self._story(fault)) from fault
        return self._outcome()

    def _outcome(self) -> Outcome:
        shown: dict[str, int] = {}
        for player in self.players:
            for state, times in player.shown.items():
                shown[state] = shown.get(state, 0) + times
        self._note(f"ends: {sorted(shown.items())}")
        hours = (self.calendar.now - MIDNIGHT) / HOUR_MS
        writes = dict(self.store.writes_of_day)
        journal = self.context.journal
        return Outcome(journal.digest, journal.lines, hours, shown, writes, journal.actions)

    def _story(self, fault: Exception) -> str:
        message = f"{fault}" if isinstance(fault, Broken) else f"{type(fault).__name__}: {fault}"
        again = (
            f"--scenario {self.scenario.name} --seeds {self.seed}:{self.seed + 1} "
            f"--hours {self.hours}"
        )
        return (
            f"seed {self.seed}, {self.calendar.now}: {message}\n"
            f"{self.context.journal.tail}\nagain: python tests/simulation/campaign.py {again}"
        )

    # Messages

    def _send(self, request: Request, body: bytes, land: Callable[[SentResponse], object]) -> None:
        """Carry an upload to a random server, through a proxy."""
        most = self._network.fault_rates.most_bytes

        def reply(answered: SentResponse) -> None:
            self._network.carry(answered, land)

        def arrive(message: bytes) -> None:
            if most is not None and len(message) > most:
                reply(SentResponse(_TOO_LARGE, "Sun, 06 Nov 1994 08:49:37 GMT"))
            else:
                self._random.choice(self._servers).handle(request, message, reply)

        self._network.carry(body, arrive)

    def _ask(self, place: int, request: Request, take: Callable[[SentResponse], object]) -> None:
        """Carry a request of a player to a place."""

        def reply(answered: SentResponse) -> None:
            self._network.carry(answered, take)

        self._network.carry(b"", lambda body: self._servers[place].handle(request, body, reply))

    def _visit(self) -> None:
        """Request `/api/now`; the server checks the response."""
        now = Request("GET", b"/api/now")
        self._random.choice(self._servers).handle(now, b"", lambda _: None)
        self.calendar.after(_VISIT_MS, self._visit)

    # What happens

    def _begin(self) -> None:
        self._start()
        self._wake()
        self._visit()
        for player in self.players:
            player.open()
            self._attend(player)
        self._change_rates(severe=False)
        life = self.scenario.event_rates
        for rate, happen in (
            (life.steps, self._step),
            (life.kills, self._kill),
            (life.rules, self._change_rules),
            (life.bursts, self._rush),
            (life.others, self.store.consume),
            (life.locked, self._lock),
        ):
            self._often(rate, happen, first=True)

    def _often(self, rate: float, happen: Callable[[], object], *, first: bool = False) -> None:
        """Repeat an event at a rate per hour, until the calm."""
        if self._is_calm or not rate:
            return
        if not first:
            happen()
        wait = round(self._random.expovariate(rate) * HOUR_MS)
        self.calendar.after(wait, lambda: self._often(rate, happen))

    @property
    def _is_calm(self) -> bool:
        return self.calendar.now >= self._ends

    def _about(self, hours: float) -> int:
        return round(self._random.expovariate(1 / hours) * HOUR_MS)

    def _change_rates(self, *, severe: bool) -> None:
        if self._is_calm:
            return
        fault_rates = self.scenario.severe if severe else self.scenario.normal
        self._network.fault_rates = self.store.fault_rates = fault_rates
        self._note("severe fault rates" if severe else "normal fault rates")
        wait = self._random.randrange(*_RATES_MS)
        self.calendar.after(wait, lambda: self._change_rates(severe=not severe))

    def _attend(self, player: Viewer) -> None:
        """Open and close a player."""
        if self._is_calm or not self.scenario.open_hours:
            return
        is_open, life = player.is_open, self.scenario
        wait = self._about(life.open_hours if is_open else life.closed_hours)
        self.calendar.after(wait, lambda: self._turn(player))

    def _turn(self, player: Viewer) -> None:
        if self._is_calm:
            return
        if player.is_open:
            player.close()
        else:
            player.open()
        self._attend(player)

    def _wake(self) -> None:
        self._machine.is_awake = True
        self._wakes += 1
        self._tick(self._wakes)
        if self.scenario.asleep_hours and not self._is_calm:
            wait, wakes = self._about(self.scenario.awake_hours), self._wakes
            self.calendar.after(wait, lambda: self._sleep(wakes))

    def _sleep(self, wakes: int) -> None:
        if self._is_calm or wakes != self._wakes:
            return
        self._machine.is_awake = False
        self._wakes += 1
        self._note("sleeps")
        wakes = self._wakes
        self.calendar.after(
            self._about(self.scenario.asleep_hours),
            lambda: self._wake() if wakes == self._wakes else None,
        )

    def _tick(self, wakes: int) -> None:
        if wakes != self._wakes:
            return
        if self._agent is not None:
            self._agent.tick()
        usual = self.scenario.sample_ms
        self.calendar.after(
            self._random.randrange(usual * 9 // 10, usual), lambda: self._tick(wakes)
        )

    def _start(self) -> None:
        self._life += 1
        self._agent = Agent(self._machine, self._disk, self.context, self._stream(), self._send)
        if not self._is_calm:
            life = self.scenario.event_rates
            self._agent.odds = Odds(life.failed, life.invalid)

    def _end(self) -> None:
        if self._agent is not None:
            self._agent.kill()
        self._agent = None

    def _kill(self) -> None:
        self._end()
        self._note("agent killed")
        if self._random.random() < 0.3:
            self._machine.clock.booted = self.calendar.now
            self._note("machine boots")
        self._life += 1
        life = self._life
        wait = self._random.randrange(self._random.choice(_DOWN_MS)) + 1
        self.calendar.after(wait, lambda: self._start() if life == self._life else None)

    def _step(self) -> None:
        clock = self._machine.clock
        side = self._random.choice((-1, 1))
        chance = self._random.random()
        if chance < 0.4:
            clock.offset = 0
        elif chance < 0.5:
            clock.offset = side * self._random.randrange(*_EDGE_MS)
        else:
            clock.offset += side * self._random.choice(_STEPS_MS)
        self._note(f"clock set to an offset of {clock.offset} ms")

    def _change_rules(self) -> None:
        self._machine.policy = self._random.choice(RULES)
        if self._agent is not None:
            self._agent.change_rules()

    def _rush(self) -> None:
        if self._agent is not None and self._machine.is_awake:
            changes = self._random.choice(_RUSHES)
            self._note(f"{changes} changes at once")
            self._agent.rush(changes)

    def _lock(self) -> None:
        self._note("another token")
        for server in self._servers:
            server.is_locked = True
        self.calendar.after(self._about(0.5), lambda: None if self._is_calm else self._unlock())

    def _unlock(self) -> None:
        """Correct the token and restart the agent, as a user would."""
        for server in self._servers:
            server.is_locked = False
        self._end()
        self._start()

    def _calm(self) -> None:
        self._note("calm")
        self._network.fault_rates = self.store.fault_rates = CALM
        self.store.has_quota = False
        clock = self._machine.clock
        off = abs(clock.offset + self._disk.correction_ms)
        if off > _MOST_OFF_MS or off in _LATE_TO_BE_MENDED_MS:
            clock.offset, self._disk.correction_ms = 0, 0
        self._unlock()
        self._wake()
        for player in self.players:
            if not player.is_open:
                player.open()
        self._look_around()

    def _look_around(self) -> None:
        calm_ms = self.calendar.now - self._ends
        for player in self.players:
            view = player.look().view
            if calm_ms >= invariants.SETTLED_MS and view.state == "buffering":
                self._waited[player.name] = self._waited.get(player.name, 0) + _LOOK_MS
            waited = self._waited.get(player.name, 0)
            invariants.players_recover_after_the_faults(player.name, view, calm_ms, waited)
        self.calendar.after(_LOOK_MS, self._look_around)

    def _note(self, what: str) -> None:
        self.context.note("world", what)


def simulate(seed: int, scenario: Scenario, hours: float) -> Outcome:
    """Run one simulation; raise SimulationFailed."""
    return Simulator(seed, scenario, hours).run()
