"""Models are values: frozen, comparable, and unchecked until they are validated.

What each member may be is in `vectors/devicestatus/parsing.json`, which `test_parse` runs.
"""

from typing import Any, get_args, get_type_hints

import attrs
import pytest

from devicestatus.models import (
    Battery,
    Music,
    PlaybackInfo,
    Snapshot,
    System,
    WindowChanges,
    WindowPolicy,
)
from devicestatus.validation.parse import parse_snapshot, parse_window
from purewire.primitives import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.entry_points import put
from support.devicestatus.examples import (
    COVERED_SONG,
    NOON,
    RECEIVED_AT,
    body,
    event,
    plain,
    snapshot,
    window,
)

SNAPSHOT = plain(snapshot())
WINDOW = plain(window(events=(event(1, NOON), event(2, NOON + 1))))


def read(value: dict[str, Any]) -> Snapshot:
    return parse_snapshot(body(value), received_at=NOON)


def changes_of(changes: dict[str, Any]) -> WindowChanges:
    value = put(WINDOW, "events/1/changes", changes)
    return parse_window(body(value), received_at=RECEIVED_AT).events[1].changes


def test_models_are_values() -> None:
    for make in (snapshot, window):
        assert make() == make()
        assert hash(make()) == hash(make())
    assert snapshot() != snapshot(active_app=None)


@pytest.mark.parametrize("model", [Snapshot, Battery, System, Music])
def test_models_are_frozen(model: type[attrs.AttrsInstance]) -> None:
    value = snapshot(music=COVERED_SONG)
    held = {Snapshot: value, Battery: value.battery, System: value.system, Music: value.music}
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(held[model], attrs.fields(model)[-1].name, None)


def test_models_check_nothing_when_they_are_built() -> None:
    """The entry points check."""
    members: dict[str, Any] = {"percent": "full", "charging": 1, "power_source": "sun"}
    assert attrs.asdict(Battery(**members)) == members


def test_absent_and_null_and_empty_are_three_things() -> None:
    assert read(SNAPSHOT).running_apps is ABSENT
    assert read(put(SNAPSHOT, "running_apps", [])).running_apps == ()
    absent = read(SNAPSHOT).music
    null = read(put(put(SNAPSHOT, "music/artwork_url", None), "music/track_url", None)).music
    assert (absent.artwork_url, absent.track_url) == (ABSENT, ABSENT)
    assert (null.artwork_url, null.track_url) == (None, None)
    assert changes_of({"active_app": None}) == WindowChanges(active_app=None)
    assert changes_of({"running_apps": []}).active_app is ABSENT


def test_numbers_are_canonical() -> None:
    """Invariant *canonical numbers*: `50.0`, `5e1` and `50` are one value; fractions are exact."""
    model = read(put(put(SNAPSHOT, "battery/percent", 50.0), "system/load_1m", -0.0))
    assert repr((model.battery.percent, model.system.load_1m)) == "(50, 0)"
    for value in (0.1, 99.99999999999999, 5e-324, 33.333333333333336):
        assert read(put(SNAPSHOT, "battery/percent", value)).battery.percent == value


def test_the_order_of_members_does_not_matter() -> None:
    assert read(dict(reversed(SNAPSHOT.items()))) == read(SNAPSHOT)


def test_the_policy_is_typed_by_its_values() -> None:
    assert to_builtins(WindowPolicy()) == {
        "upload_interval_seconds": 300,
        "window_seconds": 900,
        "playback_delay_seconds": 420,
        "poll_interval_seconds": 60,
        "sample_interval_seconds": 2,
        "metrics_interval_seconds": 30,
    }
    types = get_type_hints(WindowPolicy)
    assert {name: get_args(types[name]) for name in types} == {
        name: (value,) for name, value in attrs.asdict(WindowPolicy()).items()
    }


def test_playback_is_delayed_by_420_seconds() -> None:
    assert to_builtins(PlaybackInfo(NOON, NOON + 1)) == {
        "mode": "delayed",
        "delay_seconds": 420,
        "at": "2026-01-01T12:00:00.000Z",
        "window_end": "2026-01-01T12:00:00.001Z",
    }
