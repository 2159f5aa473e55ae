"""Models are values: frozen, comparable, and unchecked until they are validated.

What each member may be is in `vectors/devicestatus/parsing.json`, which `test_parse` runs.
"""

from typing import Any, get_args, get_type_hints

import attrs

from devicestatus.models import (
    Snapshot,
    WindowChanges,
    WindowPolicy,
)
from devicestatus.parsing import parse_snapshot, parse_window
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure
from support.devicestatus.entry_points import put
from support.devicestatus.examples import (
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


def test_absent_and_null_and_empty_are_three_things() -> None:
    assert read(SNAPSHOT).running_apps is ABSENT
    assert read(put(SNAPSHOT, "running_apps", [])).running_apps == ()
    absent = read(SNAPSHOT).music
    null = read(put(put(SNAPSHOT, "music/artwork_url", None), "music/track_url", None)).music
    assert (absent.artwork_url, absent.track_url) == (ABSENT, ABSENT)
    assert (null.artwork_url, null.track_url) == (None, None)
    assert changes_of({"active_app": None}) == WindowChanges(active_app=None)
    assert changes_of({"running_apps": []}).active_app is ABSENT


def test_the_order_of_members_does_not_matter() -> None:
    assert read(dict(reversed(SNAPSHOT.items()))) == read(SNAPSHOT)


def test_the_policy_is_typed_by_its_values() -> None:
    assert unstructure(WindowPolicy()) == {
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
