"""The recorder compared with its goals: a day of a busy desktop, and encoding a full batch.

- observations recorded and batches made, doubled and doubled again: linear is a ratio of 2;
- a full batch of 2048 events, against pydantic's `model_dump_json` of the same data: at most 0.4;
- a checkpoint, what a resumed recorder takes, and what a recorder holds.
"""

import json
import random
from functools import partial
from itertools import pairwise

import attrs
from device_data import PWindow
from measuring import compare, memory_of, show

from devicestatus.agent.privacy import PrivacyRules
from devicestatus.agent.recorder import Batch, Recorder
from devicestatus.models import Battery, Music, Snapshot, System
from devicestatus.parsing import parse_window
from status_contracts import json_text as codec
from status_contracts.structuring.converter import unstructure

SESSION = "0f8fad5b-d9cb-469f-a165-70867728950e"
NOON = 1_767_268_800_000
MOST = 100_000
BATCHES = 300
STEP_MS = 864  # a day in 100,000 steps
RULES = PrivacyRules(names=frozenset({"Secret"}), patterns=frozenset({"*bank*"}))

_APPS = tuple(f"Application {number}" for number in range(24))


def samples(count: int, seed: int = 1) -> list[Snapshot]:
    """Return invented samples; each differs from the previous one in one or two members."""
    source = random.Random(seed)  # noqa: S311 - data for measuring
    state = Snapshot(
        NOON,
        _APPS[0],
        Battery(80, None, "battery"),
        System(1.5, 1.2, 1),
        Music("playing", "Song", "Band"),
        _APPS[:8],
    )
    found = []
    for number in range(count):
        state = attrs.evolve(state, active_app=_APPS[number % len(_APPS)])
        if number % 5 == 0:
            state = attrs.evolve(state, system=System(source.randint(0, 400) / 100, 1.2, 1))
        if number % 40 == 0:
            start = source.randint(0, 12)
            state = attrs.evolve(
                state,
                running_apps=_APPS[start : start + 12],
                battery=Battery(source.randint(1, 100), None, "battery"),
                music=Music("playing", f"Song {number}", "Band"),
            )
        found.append(state)
    return found


def record(samples_seen: list[Snapshot], batches: int, step_ms: int = STEP_MS) -> Recorder:
    """Record samples with a new recorder, and create a number of batches meanwhile."""
    recorder = Recorder(SESSION, RULES)
    every = max(1, len(samples_seen) // batches)
    for number, sample in enumerate(samples_seen):
        now = NOON + number * step_ms
        recorder.observe(sample, wall_ms=now, monotonic_ms=number * step_ms)
        if number % every == every - 1:
            batch_at(recorder, now)
    return recorder


def batch_at(recorder: Recorder, now_ms: int) -> Batch:
    """Return the batch of an instant at which one exists."""
    batch = recorder.batch(now_ms=now_ms)
    if not isinstance(batch, Batch):
        raise TypeError(batch.reason)
    return batch


def recording() -> None:
    """Measure observations and batches, and their growth."""
    samples_seen = samples(MOST)
    sizes = [MOST >> shift for shift in (3, 2, 1, 0)]
    measured = compare(
        {
            f"{size:>7,} observations, {size * BATCHES // MOST:>3} batches": partial(
                record, samples_seen[:size], size * BATCHES // MOST
            )
            for size in sizes
        },
        rounds=2,
    )
    show("recording, a change every 0.9 s (linear: ratios 1, 2, 4, 8)", measured)
    for one, other in pairwise(measured):
        print(f"  {other.name}: best {other.best / one.best:.2f} times the half's")
    print(f"  an observation: {measured[-1].best / MOST * 1e6:.1f} us, batches included")
    burst = compare({"a burst": lambda: record(samples_seen, 1, step_ms=0)}, rounds=1)[0]
    print(f"  {MOST:,} changes at one instant: {burst.median:.2f} s")


def encoding() -> None:
    """Measure encoding a full batch."""
    samples_seen = samples(2049)
    recorder = record(samples_seen, 1, step_ms=400)
    now = NOON + 2048 * 400
    batch = batch_at(recorder, now)
    if len(batch.window.events) != len(samples_seen) - 1:
        raise ValueError("the batch is not full")
    same = PWindow.model_validate(unstructure(batch.window))
    text = same.model_dump_json(exclude_unset=True)
    if json.loads(text) != json.loads(batch.body):
        raise ValueError("the texts are not of the same data")
    show(
        f"a full batch of {len(batch.window.events)} events, {len(batch.body):,} bytes (goal: 0.4)",
        compare(
            {
                "pydantic: model_dump_json": partial(same.model_dump_json, exclude_unset=True),
                "status_contracts: encode(unstructure(window))": lambda: codec.encode(
                    unstructure(batch.window)
                ),
                "devicestatus: recorder.batch, window and body": lambda: batch_at(recorder, now),
            },
            rounds=25,
        ),
    )
    saved = recorder.checkpoint(now_ms=now)
    show(
        "the same recorder",
        compare(
            {
                "checkpoint": lambda: recorder.checkpoint(now_ms=now),
                "resume": lambda: Recorder.resume(saved, RULES, now_ms=now),
                "what a service does: parse_window": lambda: parse_window(
                    batch.body, received_at=now
                ),
            },
            rounds=9,
        ),
    )


def memory() -> None:
    """Measure the memory of a recorder after few and after many observations."""
    samples_seen = samples(MOST)
    for size in (MOST // 10, MOST):
        few = samples_seen[:size]
        held, _ = memory_of(partial(record, few, 1))
        print(f"  after {size:>7,} observations a recorder holds {held:>9,} bytes")


if __name__ == "__main__":
    recording()
    encoding()
    print("\nmemory")
    memory()
