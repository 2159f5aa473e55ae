"""Fault rates: the chances of every fault of the network, the store and the machine."""

from typing import Final

import attrs


@attrs.frozen
class FaultRates:
    """Faults of the network and of the store.

    Attributes:
        loss: a message is lost; requests and responses alike.
        duplicate: a message arrives twice, the second time later.
        slow: a message takes up to `slowest_ms`, so that others overtake it.
        slowest_ms: the longest delay.
        read_fault: the store does not read.
        write_fault: the store reports a failed write; it may have written.
        write_lost: the store reports success, and no read shows the write.
        staleness_ms: until when a write may not be read in other places.
        most_bytes: what a proxy before the service lets through; None for anything.
        outage: every message is lost.

    """

    loss: float = 0.0
    duplicate: float = 0.0
    slow: float = 0.0
    slowest_ms: int = 20_000
    read_fault: float = 0.0
    write_fault: float = 0.0
    write_lost: float = 0.0
    staleness_ms: int = 60_000
    most_bytes: int | None = None
    outage: bool = False


@attrs.frozen
class EventRates:
    """What happens to the device and its agent, per hour, and how its readings are.

    Attributes:
        steps: the wall clock is set, by seconds up to years, either way.
        kills: the agent is killed, and starts again from its last checkpoint.
        rules: the privacy rules change.
        bursts: many changes within a moment, with long texts.
        others: writes of others on the same account, per hour.
        locked: the service's token changes for a while: the agent stops until somebody comes.
        failed: chance that a reading fails.
        invalid: chance that a reading breaks the contract.

    """

    steps: float = 0.0
    kills: float = 0.0
    rules: float = 0.0
    bursts: float = 0.0
    others: float = 0.0
    locked: float = 0.0
    failed: float = 0.0
    invalid: float = 0.0


@attrs.frozen
class Scenario:
    """The faults and habits of one simulated life."""

    name: str
    normal: FaultRates = FaultRates()
    severe: FaultRates = FaultRates()
    event_rates: EventRates = EventRates()
    sample_ms: int = 20_000
    awake_hours: float = 4.0
    asleep_hours: float = 0.0
    open_hours: float = 0.0
    closed_hours: float = 1.0
    players: int = 2


CALM: Final = FaultRates()
_MILD: Final = FaultRates(loss=0.01, duplicate=0.01, slow=0.02, read_fault=0.01, write_fault=0.01)
_FOUL: Final = FaultRates(
    loss=0.25,
    duplicate=0.2,
    slow=0.3,
    slowest_ms=110_000,
    read_fault=0.2,
    write_fault=0.3,
    write_lost=0.2,
)

_ALL: Final = (
    Scenario("quiet"),
    Scenario(
        "weeks",
        _MILD,
        _FOUL,
        EventRates(steps=0.3, kills=0.2, rules=0.05, failed=0.02, invalid=0.01),
        sample_ms=25_000,
        awake_hours=3.0,
        asleep_hours=6.0,
        open_hours=0.5,
        closed_hours=2.0,
        players=1,
    ),
    Scenario(
        "laptops",
        _MILD,
        FaultRates(outage=True),
        EventRates(kills=0.1, failed=0.02),
        awake_hours=1.5,
        asleep_hours=1.5,
        open_hours=0.5,
    ),
    Scenario("storms", _MILD, _FOUL, EventRates(kills=0.2), open_hours=3.0),
    Scenario(
        "clocks",
        _MILD,
        _FOUL,
        EventRates(steps=3.0, kills=0.7, failed=0.05),
        awake_hours=1.0,
        asleep_hours=0.2,
    ),
    Scenario("secrets", _MILD, _FOUL, EventRates(kills=0.5, rules=1.0, failed=0.1, invalid=0.1)),
    Scenario("rules", _FOUL, _FOUL, EventRates(rules=8.0)),
    Scenario(
        "crowds",
        _MILD,
        FaultRates(most_bytes=150_000, loss=0.05),
        EventRates(bursts=4.0, kills=0.3, invalid=0.02),
        sample_ms=2_000,
        players=1,
    ),
    Scenario(
        "quotas", _MILD, _FOUL, EventRates(others=60.0, locked=0.4, kills=0.2), open_hours=1.0
    ),
    Scenario(
        "everything",
        _MILD,
        attrs.evolve(_FOUL, most_bytes=200_000),
        EventRates(1.5, 0.8, 0.4, 0.5, 10.0, 0.05, 0.05, 0.02),
        awake_hours=1.0,
        asleep_hours=0.5,
        open_hours=0.7,
        players=3,
    ),
)
SCENARIOS: Final = {scenario.name: scenario for scenario in _ALL}
