"""Windows, field by field: at the limit accepted, one past it refused, by both entry points.

Source: device-status specification, "Window (v2 record, WindowInput)", "Playback", "WindowPolicy".
The rules between fields are tested in `test_cross_field`.
"""

from typing import Any, get_args, get_type_hints

import attrs
import pytest

from devicestatus import limits
from devicestatus.models.window import PlaybackInfo, Window, WindowChanges, WindowPolicy
from devicestatus.validation.parse import parse_window
from purewire.absent import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.entry_points import MAX_INT, drop, put, window_faults
from support.devicestatus.examples import (
    NOON,
    RECEIVED_AT,
    body,
    event,
    gap,
    plain,
    snapshot,
    window,
)

WINDOW = plain(
    window(
        events=(event(1, NOON), event(2, NOON + 1)),
        gaps=(gap(NOON, NOON + 5), gap(NOON + 5, NOON + 9, "clock")),
    )
)
TIMES = (
    "generated_at",
    "window_start",
    "window_end",
    "baseline/collected_at",
    "events/0/at",
    "gaps/0/start_at",
    "gaps/1/end_at",
)
COUNTERS = {"batch_seq": 1, "dropped_events": 0, "events/0/seq": 1}
OTHER: list[Any] = [None, True, "", "1", [], {}, [1]]


def accepts(value: dict[str, Any]) -> bool:
    return not window_faults(value)


def read(value: dict[str, Any]) -> Window:
    return parse_window(body(value), received_at=RECEIVED_AT)


class TestMembers:
    def test_every_member_is_required(self) -> None:
        for name in WINDOW:
            assert (f"/{name}", "required") in window_faults(drop(WINDOW, name))
            assert {rule for _, rule in window_faults(drop(WINDOW, name))} == {"required"}

    @pytest.mark.parametrize("place", ["events/1", "gaps/1"])
    def test_every_member_of_events_and_gaps_is_required(self, place: str) -> None:
        kind, index = place.split("/")
        for name in WINDOW[kind][int(index)]:
            assert window_faults(drop(WINDOW, f"{place}/{name}")) == [
                (f"/{place}/{name}", "required")
            ]

    @pytest.mark.parametrize(
        "place", ["", "baseline/", "baseline/music/", "events/0/", "events/0/changes/", "gaps/0/"]
    )
    @pytest.mark.parametrize("name", ["expires_at", "updated_at", "ttl", "", "Seq"])
    def test_an_unknown_member_is_refused_at_every_level(self, place: str, name: str) -> None:
        faults = window_faults(put(WINDOW, f"{place}{name}", None))
        assert faults == [(f"/{place}{name}", "unknown")]

    @pytest.mark.parametrize("path", ["baseline", "events/0", "events/0/changes", "gaps/0"])
    @pytest.mark.parametrize("value", [None, 0, True, "", "{}", [], [{}]], ids=repr)
    def test_an_object_is_an_object(self, path: str, value: object) -> None:
        assert window_faults(put(WINDOW, path, value)) == [(f"/{path}", "type")]

    @pytest.mark.parametrize("path", ["events", "gaps"])
    @pytest.mark.parametrize("value", [None, 0, True, "", "[]", {}, {"0": {}}], ids=repr)
    def test_a_list_is_a_list(self, path: str, value: object) -> None:
        assert window_faults(put(WINDOW, path, value)) == [(f"/{path}", "type")]

    @pytest.mark.parametrize("value", [None, 0, True, [], [WINDOW]], ids=repr)
    def test_a_window_is_an_object(self, value: object) -> None:
        assert window_faults(value) == [("", "type")]


class TestSchemaVersion:
    @pytest.mark.parametrize("version", [2, 2.0], ids=repr)
    def test_two_is_the_version_however_it_is_written(self, version: float) -> None:
        assert accepts(put(WINDOW, "schema_version", version))

    @pytest.mark.parametrize("version", [1, 3, 2.5, "2", True, None, []], ids=repr)
    def test_anything_else_is_refused(self, version: object) -> None:
        faults = window_faults(put(WINDOW, "schema_version", version))
        assert faults == [("/schema_version", "constant")]

    def test_the_baseline_keeps_the_version_of_a_snapshot(self) -> None:
        assert read(WINDOW).baseline.schema_version == 1
        faults = window_faults(put(WINDOW, "baseline/schema_version", 2))
        assert faults == [("/baseline/schema_version", "constant")]


class TestSessionId:
    @pytest.mark.parametrize(
        "text",
        [
            "00000000-0000-0000-0000-000000000000",
            "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "01234567-89ab-cdef-0123-456789abcdef",
        ],
    )
    def test_a_lower_case_uuid_of_any_version_is_accepted(self, text: str) -> None:
        assert read(put(WINDOW, "session_id", text)).session_id == text

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "0123456789abcdef0123456789abcdef",
            "01234567-89AB-cdef-0123-456789abcdef",
            "01234567-89ab-cdef-0123-456789abcdeg",
            "01234567-89ab-cdef-0123-456789abcde",
            "01234567-89ab-cdef-0123-456789abcdef0",
            "01234567-89abc-def-0123-456789abcdef",
            " 01234567-89ab-cdef-0123-456789abcdef",
            "01234567-89ab-cdef-0123-456789abcdef\n",
            "{01234567-89ab-cdef-0123-456789abcdef}",
            "urn:uuid:01234567-89ab-cdef-0123-456789abcdef",
            "\uff101234567-89ab-cdef-0123-456789abcdef",
            "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667-89ab-cdef-0123-456789abcdef",
        ],
        ids=ascii,
    )
    def test_other_text_is_refused(self, text: str) -> None:
        faults = window_faults(put(WINDOW, "session_id", text))
        assert faults == [("/session_id", "text.pattern")]

    @pytest.mark.parametrize("value", [None, 0, True, [], {}], ids=repr)
    def test_it_is_text(self, value: object) -> None:
        assert window_faults(put(WINDOW, "session_id", value)) == [("/session_id", "type")]


class TestTimes:
    """Every instant of a window has millisecond form, the baseline's too."""

    @pytest.mark.parametrize("path", TIMES)
    @pytest.mark.parametrize(
        "text", ["2026-01-01T12:00:00Z", "2026-01-01T12:00:00.0Z", "2026-01-01T12:00:00.00Z", ""]
    )
    def test_three_fractional_digits_are_required(self, path: str, text: str) -> None:
        assert window_faults(put(WINDOW, path, text)) == [(f"/{path}", "time.format")]

    @pytest.mark.parametrize("path", TIMES)
    @pytest.mark.parametrize("value", [None, 0, NOON, True, [], {}], ids=repr)
    def test_an_instant_is_text(self, path: str, value: object) -> None:
        assert window_faults(put(WINDOW, path, value)) == [(f"/{path}", "type")]


class TestCounters:
    @pytest.mark.parametrize(("path", "least"), list(COUNTERS.items()))
    def test_the_limits_are_included(self, path: str, least: int) -> None:
        base = put(WINDOW, "events", WINDOW["events"][:1])
        for value in (least, MAX_INT):
            assert accepts(put(base, path, value))
        for value in (least - 1, MAX_INT + 1, -1, 2**64, 10**300):
            assert window_faults(put(base, path, value)) == [(f"/{path}", "number.range")]

    @pytest.mark.parametrize("path", COUNTERS)
    def test_an_integral_value_is_an_integer(self, path: str) -> None:
        """`1.0` is the integer 1, and models hold int."""
        base = put(WINDOW, "events", WINDOW["events"][:1])
        for value in (1.0, float(MAX_INT)):
            assert repr(read(put(base, path, value))) == repr(read(put(base, path, int(value))))
        for value in (1.5, 1.0000000000000002, MAX_INT / 2):
            assert window_faults(put(base, path, value)) == [(f"/{path}", "number.integral")]

    def test_a_float_past_the_largest_integer_is_out_of_range(self) -> None:
        faults = window_faults(put(WINDOW, "batch_seq", float(MAX_INT + 1)))
        assert faults == [("/batch_seq", "number.range")]

    def test_minus_zero_is_zero(self) -> None:
        assert repr(read(put(WINDOW, "dropped_events", -0.0)).dropped_events) == "0"

    @pytest.mark.parametrize("path", COUNTERS)
    @pytest.mark.parametrize("value", OTHER, ids=repr)
    def test_nothing_is_turned_into_an_integer(self, path: str, value: object) -> None:
        """True is not 1, and `"1"` is text."""
        assert window_faults(put(WINDOW, path, value)) == [(f"/{path}", "type")]


class TestLists:
    def test_2048_events_are_accepted_and_2049_refused(self) -> None:
        events = [plain(event(seq, NOON)) for seq in range(1, 2050)]
        assert accepts(put(WINDOW, "events", events[:2048]))
        assert window_faults(put(WINDOW, "events", events)) == [("/events", "items.count")]

    def test_128_gaps_are_accepted_and_129_refused(self) -> None:
        gaps = [plain(gap(NOON + n, NOON + n + 1)) for n in range(129)]
        assert accepts(put(WINDOW, "gaps", gaps[:128]))
        assert window_faults(put(WINDOW, "gaps", gaps)) == [("/gaps", "items.count")]

    def test_a_list_that_is_too_long_is_refused_unread(self) -> None:
        """Invariant *bounded findings*: its items are not looked at."""
        faults = window_faults(put(WINDOW, "events", [{}] * 2049))
        assert faults == [("/events", "items.count")]

    def test_empty_lists_are_accepted(self) -> None:
        value = read(put(put(WINDOW, "events", []), "gaps", []))
        assert (value.events, value.gaps) == ((), ())

    def test_equal_events_and_reasons_may_repeat(self) -> None:
        """Only sequence numbers have to differ."""
        events = [plain(event(seq, NOON, active_app="Editor")) for seq in (1, 2, 3)]
        assert accepts(put(WINDOW, "events", events))


class TestChanges:
    def test_an_event_changes_something(self) -> None:
        faults = window_faults(put(WINDOW, "events/1/changes", {}))
        assert faults == [("/events/1/changes", "changes.empty")]

    @pytest.mark.parametrize(
        "changes",
        [
            {"active_app": None},
            {"active_app": "Editor"},
            {"running_apps": []},
            {"battery": plain(snapshot().battery)},
            {"system": plain(snapshot().system)},
            {"music": plain(snapshot().music)},
        ],
        ids=lambda changes: next(iter(changes)),
    )
    def test_each_member_alone_is_enough(self, changes: dict[str, Any]) -> None:
        """And what is absent stays absent: there is no deep merge."""
        value = read(put(WINDOW, "events/1/changes", changes)).events[1].changes
        assert to_builtins(value) == changes

    def test_null_app_and_absent_app_are_two_things(self) -> None:
        null = read(put(WINDOW, "events/1/changes", {"active_app": None})).events[1].changes
        absent = read(put(WINDOW, "events/1/changes", {"running_apps": []})).events[1].changes
        assert null == WindowChanges(active_app=None)
        assert absent.active_app is ABSENT

    @pytest.mark.parametrize("name", ["running_apps", "battery", "system", "music"])
    def test_null_is_no_value_of_the_other_members(self, name: str) -> None:
        faults = window_faults(put(WINDOW, "events/0/changes", {name: None}))
        assert faults == [(f"/events/0/changes/{name}", "type")]

    def test_a_member_is_replaced_as_a_whole(self) -> None:
        """So it is complete, as in a snapshot."""
        faults = window_faults(put(WINDOW, "events/0/changes", {"battery": {"percent": 1}}))
        assert faults == [
            ("/events/0/changes/battery/charging", "required"),
            ("/events/0/changes/battery/power_source", "required"),
        ]

    def test_the_values_have_the_types_and_limits_of_a_snapshot(self) -> None:
        changes = {
            "active_app": "x" * 201,
            "running_apps": ["a", "a"],
            "system": {"load_1m": -1, "load_5m": True, "load_15m": None},
            "music": {"state": "off", "track": "", "artist": "\t"},
        }
        place = "/events/0/changes"
        assert window_faults(put(WINDOW, "events/0/changes", changes)) == [
            (f"{place}/active_app", "text.length"),
            (f"{place}/running_apps/1", "items.unique"),
            (f"{place}/system/load_1m", "number.range"),
            (f"{place}/system/load_5m", "type"),
            (f"{place}/music/state", "constant"),
            (f"{place}/music/track", "text.length"),
            (f"{place}/music/artist", "text.control"),
        ]

    def test_snapshot_members_that_do_not_change_are_unknown(self) -> None:
        faults = window_faults(put(WINDOW, "events/0/changes/collected_at", NOON))
        assert faults == [("/events/0/changes/collected_at", "unknown")]


class TestGaps:
    @pytest.mark.parametrize("reason", ["sleep", "restart", "collection", "overflow", "clock"])
    def test_the_reasons_are_these(self, reason: str) -> None:
        assert accepts(put(WINDOW, "gaps/0/reason", reason))

    @pytest.mark.parametrize("reason", ["", "Sleep", "sleep ", "other", None, 0, []], ids=repr)
    def test_another_reason_is_refused(self, reason: object) -> None:
        assert window_faults(put(WINDOW, "gaps/0/reason", reason)) == [
            ("/gaps/0/reason", "constant")
        ]


class TestBaseline:
    def test_it_is_a_whole_snapshot(self) -> None:
        for name in WINDOW["baseline"]:
            assert window_faults(drop(WINDOW, f"baseline/{name}")) == [
                (f"/baseline/{name}", "required")
            ]

    def test_its_running_apps_may_be_absent(self) -> None:
        assert read(WINDOW).baseline.running_apps is ABSENT
        value = read(put(WINDOW, "baseline/running_apps", []))
        assert value.baseline.running_apps == ()


class TestModels:
    def test_a_round_trip_through_bytes_returns_the_equal_value(self) -> None:
        assert to_builtins(read(WINDOW)) == WINDOW

    def test_a_window_is_a_value(self) -> None:
        assert read(WINDOW) == read(WINDOW)
        assert hash(read(WINDOW)) == hash(read(WINDOW))

    def test_the_policy_holds_the_constants_of_the_specification(self) -> None:
        assert to_builtins(WindowPolicy()) == {
            "upload_interval_seconds": 300,
            "window_seconds": 900,
            "playback_delay_seconds": 420,
            "poll_interval_seconds": 60,
            "sample_interval_seconds": 2,
            "metrics_interval_seconds": 30,
        }

    def test_the_policy_is_typed_by_its_values(self) -> None:
        types = get_type_hints(WindowPolicy)
        assert {name: get_args(types[name]) for name in types} == {
            name: (value,) for name, value in attrs.asdict(WindowPolicy()).items()
        }

    def test_the_policy_agrees_with_the_limits(self) -> None:
        assert WindowPolicy().window_seconds * 1000 == limits.WINDOW_SPAN_MS
        assert WindowPolicy().playback_delay_seconds * 1000 == limits.PLAYBACK_DELAY_MS

    def test_playback_is_delayed_by_420_seconds(self) -> None:
        assert to_builtins(PlaybackInfo(NOON, NOON + 1)) == {
            "mode": "delayed",
            "delay_seconds": 420,
            "at": "2026-01-01T12:00:00.000Z",
            "window_end": "2026-01-01T12:00:00.001Z",
        }
