"""Snapshots, field by field: at the limit accepted, one past it refused, by both entry points.

Source: device-status specification, "Snapshot (v1 record)", "Battery", "System", "Music".
"""

from itertools import product
from typing import Any

import attrs
import pytest

from devicestatus.models.snapshot import SENSITIVE_APP, Battery, Music, Snapshot, System
from devicestatus.validation.parse import parse_snapshot
from purewire.absent import ABSENT
from purewire.structuring.to_builtins import to_builtins
from support.devicestatus.entry_points import drop, put, snapshot_faults
from support.devicestatus.examples import COVERED_SONG, NOON, body, plain, snapshot

SNAPSHOT = plain(snapshot())
COVERED = plain(snapshot(music=COVERED_SONG))
ASTRAL = "\U0001f3b5"
CONTROLS = [*range(0x20), 0x7F]
ALLOWED = (
    "\u0080",
    "\u0085",
    "\u009f",
    "\u00a0",
    "\u00ad",
    "\u2028",
    "\u2029",
    "\u200e",
    "\u202e",
    "\u2066",
    "\ufeff",
    "\ufffe",
    "\uffff",
    "\U0010ffff",
    "e\u0301",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    " ",
    '"\\/',
)
LENGTHS = {"active_app": 200, "music/track": 500, "music/artist": 500}
TEXTS = tuple(LENGTHS)
NOT_TEXT: list[Any] = [0, 1.5, True, False, [], {}, ["Editor"]]
NOT_NUMBERS: list[Any] = ["50", "", True, False, [], {}, [50]]
NOT_OBJECTS: list[Any] = [None, 0, True, "", "{}", [], [{}]]


def accepts(value: dict[str, Any]) -> bool:
    return not snapshot_faults(value)


def read(value: dict[str, Any]) -> Snapshot:
    return parse_snapshot(body(value), received_at=NOON)


class TestMembers:
    def test_every_member_but_running_apps_is_required(self) -> None:
        for name in SNAPSHOT:
            assert snapshot_faults(drop(SNAPSHOT, name)) == [(f"/{name}", "required")]

    def test_running_apps_may_be_left_out(self) -> None:
        assert read(SNAPSHOT).running_apps is ABSENT

    @pytest.mark.parametrize("place", ["", "battery/", "system/", "music/"])
    @pytest.mark.parametrize("name", ["updated_at", "expires_at", "ttl", "", "Battery", "__doc__"])
    def test_an_unknown_member_is_refused_at_every_level(self, place: str, name: str) -> None:
        """As are members that only the server sets."""
        faults = snapshot_faults(put(SNAPSHOT, f"{place}{name}", None))
        assert faults == [(f"/{place}{name}", "unknown")]

    @pytest.mark.parametrize("name", ["battery", "system", "music"])
    @pytest.mark.parametrize("value", NOT_OBJECTS, ids=repr)
    def test_a_category_is_an_object(self, name: str, value: object) -> None:
        assert snapshot_faults(put(SNAPSHOT, name, value)) == [(f"/{name}", "type")]

    @pytest.mark.parametrize("place", ["battery", "system", "music"])
    def test_every_member_of_a_category_but_the_urls_is_required(self, place: str) -> None:
        """Battery, System: all fields required; Music: all but the two URLs."""
        for name in SNAPSHOT[place]:
            assert snapshot_faults(drop(SNAPSHOT, f"{place}/{name}")) == [
                (f"/{place}/{name}", "required")
            ]

    def test_the_order_of_members_does_not_matter(self) -> None:
        backwards = dict(reversed(SNAPSHOT.items()))
        assert read(backwards) == read(SNAPSHOT)

    @pytest.mark.parametrize(
        "value", [1.5, *(value for value in NOT_OBJECTS if not isinstance(value, str))], ids=repr
    )
    def test_a_snapshot_is_an_object(self, value: object) -> None:
        assert snapshot_faults(value) == [("", "type")]


class TestSchemaVersion:
    @pytest.mark.parametrize("version", [1, 1.0], ids=repr)
    def test_one_is_the_version_however_it_is_written(self, version: float) -> None:
        assert accepts(put(SNAPSHOT, "schema_version", version))

    @pytest.mark.parametrize("version", [0, 2, -1, 1.5, "1", True, None, [1], {}], ids=repr)
    def test_anything_else_is_refused(self, version: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "schema_version", version))
        assert faults == [("/schema_version", "constant")]


class TestCollectedAt:
    @pytest.mark.parametrize(
        "text",
        [
            "2026-01-01T12:00:00Z",
            "2026-01-01T12:00:00.0Z",
            "2026-01-01T12:00:00.00Z",
            "2026-01-01T12:00:00.000Z",
        ],
    )
    def test_the_fraction_has_no_digits_or_one_to_three(self, text: str) -> None:
        assert read(put(SNAPSHOT, "collected_at", text)).collected_at == NOON

    @pytest.mark.parametrize(("digits", "ms"), [("1", 100), ("12", 120), ("123", 123)])
    def test_fractional_digits_are_decimal_places(self, digits: str, ms: int) -> None:
        value = put(SNAPSHOT, "collected_at", f"2026-01-01T12:00:00.{digits}Z")
        assert read(value).collected_at == NOON + ms

    @pytest.mark.parametrize("text", ["2026-01-01T12:00:00.0000Z", "2026-01-01T12:00:00.Z", ""])
    def test_other_fractions_are_refused(self, text: str) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "collected_at", text))
        assert faults == [("/collected_at", "time.format")]

    @pytest.mark.parametrize("value", [None, NOON, float(NOON), True, [], {}], ids=repr)
    def test_it_is_text(self, value: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "collected_at", value))
        assert faults == [("/collected_at", "type")]


class TestText:
    """The app, the track and the artist: text or null, counted in code points, no controls."""

    @pytest.mark.parametrize(("path", "most"), list(LENGTHS.items()))
    @pytest.mark.parametrize("character", ["x", "\u00e9", "\u6f22", ASTRAL, "\u0301"])
    def test_lengths_are_code_points(self, path: str, most: int, character: str) -> None:
        """An emoji of four bytes, or two UTF-16 units, counts as one."""
        assert accepts(put(SNAPSHOT, path, character))
        assert accepts(put(SNAPSHOT, path, character * most))
        assert snapshot_faults(put(SNAPSHOT, path, character * (most + 1))) == [
            (f"/{path}", "text.length")
        ]

    @pytest.mark.parametrize("path", TEXTS)
    def test_empty_text_is_refused(self, path: str) -> None:
        assert snapshot_faults(put(SNAPSHOT, path, "")) == [(f"/{path}", "text.length")]

    @pytest.mark.parametrize("path", TEXTS)
    def test_null_is_accepted(self, path: str) -> None:
        assert accepts(put(SNAPSHOT, path, None))

    @pytest.mark.parametrize("path", TEXTS)
    @pytest.mark.parametrize("value", NOT_TEXT, ids=repr)
    def test_nothing_is_turned_into_text(self, path: str, value: object) -> None:
        assert snapshot_faults(put(SNAPSHOT, path, value)) == [(f"/{path}", "type")]

    def test_ascii_controls_are_refused(self) -> None:
        failures = []
        base = put(SNAPSHOT, "running_apps", ["Editor"])
        for path, code in product([*TEXTS, "running_apps/0"], CONTROLS):
            found = snapshot_faults(put(base, path, f"a{chr(code)}b"))
            if found != [(f"/{path}", "text.control")]:
                failures.append((path, hex(code), found))
        assert not failures, failures

    def test_c1_separators_bidirectional_marks_and_emoji_are_text(self) -> None:
        failures = []
        for path, text in product(TEXTS, ALLOWED):
            value = put(SNAPSHOT, path, text)
            if snapshot_faults(value) or to_builtins(read(value)) != value:
                failures.append((path, ascii(text)))
        assert not failures, failures

    def test_text_is_not_normalised(self) -> None:
        """Composed and decomposed text are two different names."""
        apps = ["\u00e9", "e\u0301", "\u212b", "\u00c5"]
        assert read(put(SNAPSHOT, "running_apps", apps)).running_apps == tuple(apps)

    def test_the_sensitive_name_is_a_name(self) -> None:
        assert read(put(SNAPSHOT, "active_app", "System")).active_app == SENSITIVE_APP


class TestRunningApps:
    def test_absent_and_empty_are_two_things(self) -> None:
        assert read(put(SNAPSHOT, "running_apps", [])).running_apps == ()
        assert read(SNAPSHOT).running_apps is ABSENT

    def test_null_is_neither(self) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", None))
        assert faults == [("/running_apps", "type")]

    def test_64_are_accepted_and_65_refused(self) -> None:
        apps = [f"App {number}" for number in range(65)]
        assert accepts(put(SNAPSHOT, "running_apps", apps[:64]))
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", apps))
        assert faults == [("/running_apps", "items.count")]

    def test_a_name_of_1_to_200_code_points_is_accepted(self) -> None:
        assert accepts(put(SNAPSHOT, "running_apps", ["x", ASTRAL * 200]))
        assert snapshot_faults(put(SNAPSHOT, "running_apps", ["x", "", ASTRAL * 201])) == [
            ("/running_apps/1", "text.length"),
            ("/running_apps/2", "text.length"),
        ]

    def test_a_name_that_stands_twice_is_refused(self) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", ["a", "b", "a", "a"]))
        assert faults == [
            ("/running_apps/2", "items.unique"),
            ("/running_apps/3", "items.unique"),
        ]

    def test_case_and_blanks_make_names_different(self) -> None:
        assert accepts(put(SNAPSHOT, "running_apps", ["a", "A", "a ", " a"]))

    def test_a_faulty_name_is_no_repetition(self) -> None:
        """What is faulty twice is two faults of its own."""
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", ["", ""]))
        assert {rule for _, rule in faults} == {"text.length"}

    @pytest.mark.parametrize("value", [None, 1, True, [], {}], ids=repr)
    def test_an_item_is_text(self, value: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", ["a", value]))
        assert faults == [("/running_apps/1", "type")]

    @pytest.mark.parametrize("value", [0, True, "", "ab", {}, {"0": "a"}], ids=repr)
    def test_a_list_is_a_list(self, value: object) -> None:
        """Text is not taken for a list of characters, nor an object for its names."""
        faults = snapshot_faults(put(SNAPSHOT, "running_apps", value))
        assert faults == [("/running_apps", "type")]


class TestNumbers:
    @pytest.mark.parametrize(
        ("path", "most"),
        [
            ("battery/percent", 100),
            ("system/load_1m", 100_000),
            ("system/load_5m", 100_000),
            ("system/load_15m", 100_000),
        ],
    )
    def test_the_limits_are_included(self, path: str, most: int) -> None:
        for value in (0, 0.0, -0.0, 5e-324, 0.1, most / 3, most, float(most), None):
            assert accepts(put(SNAPSHOT, path, value))
        for value in (-5e-324, -1, most + 1, most + 1e-9, 1e308, 10**300, -(10**300)):
            assert snapshot_faults(put(SNAPSHOT, path, value)) == [(f"/{path}", "number.range")]

    @pytest.mark.parametrize("path", ["battery/percent", "system/load_1m", "system/load_15m"])
    @pytest.mark.parametrize("value", NOT_NUMBERS, ids=repr)
    def test_nothing_is_turned_into_a_number(self, path: str, value: object) -> None:
        assert snapshot_faults(put(SNAPSHOT, path, value)) == [(f"/{path}", "type")]

    def test_integral_values_are_held_as_int(self) -> None:
        """Invariant *canonical numbers*: `50.0`, `5e1` and `50` are one value."""
        value = put(put(SNAPSHOT, "battery/percent", 50.0), "system/load_1m", -0.0)
        model = read(value)
        assert repr((model.battery.percent, model.system.load_1m)) == "(50, 0)"

    def test_fractions_are_kept_exactly(self) -> None:
        for value in (0.1, 99.99999999999999, 5e-324, 33.333333333333336):
            assert read(put(SNAPSHOT, "battery/percent", value)).battery.percent == value


class TestBattery:
    @pytest.mark.parametrize("value", [True, False, None])
    def test_charging_is_a_boolean_or_null(self, value: object) -> None:
        assert read(put(SNAPSHOT, "battery/charging", value)).battery.charging is value

    @pytest.mark.parametrize("value", [0, 1, 1.0, "true", "", [], {}], ids=repr)
    def test_nothing_is_turned_into_a_boolean(self, value: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "battery/charging", value))
        assert faults == [("/battery/charging", "type")]

    @pytest.mark.parametrize("word", ["ac", "battery", "unknown"])
    @pytest.mark.parametrize("charging", [True, False, None])
    def test_mains_power_does_not_imply_charging(self, word: str, charging: object) -> None:
        value = put(SNAPSHOT, "battery/power_source", word)
        assert accepts(put(value, "battery/charging", charging))

    @pytest.mark.parametrize("word", ["", "AC", "ac ", "usb", None, 0, True, ["ac"], {}], ids=repr)
    def test_other_power_sources_are_refused(self, word: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "battery/power_source", word))
        assert faults == [("/battery/power_source", "constant")]


class TestMusic:
    @pytest.mark.parametrize("state", ["playing", "paused", "stopped", "unavailable"])
    @pytest.mark.parametrize("track", ["Song", None])
    def test_state_and_metadata_are_independent(self, state: str, track: str | None) -> None:
        music = {"state": state, "track": track, "artist": None}
        assert accepts(put(SNAPSHOT, "music", music))

    @pytest.mark.parametrize("state", ["", "Playing", "off", None, 1, True, [], {}], ids=repr)
    def test_other_states_are_refused(self, state: object) -> None:
        faults = snapshot_faults(put(SNAPSHOT, "music/state", state))
        assert faults == [("/music/state", "constant")]

    def test_absent_null_and_given_urls_are_three_things(self) -> None:
        absent = read(SNAPSHOT).music
        null = read(put(put(SNAPSHOT, "music/artwork_url", None), "music/track_url", None)).music
        assert (absent.artwork_url, absent.track_url) == (ABSENT, ABSENT)
        assert (null.artwork_url, null.track_url) == (None, None)
        assert read(COVERED).music == COVERED_SONG
        assert absent != null

    @pytest.mark.parametrize("name", ["artwork_url", "track_url"])
    def test_a_url_has_at_most_2048_code_points(self, name: str) -> None:
        base = COVERED["music"][name].split("?")[0]
        assert accepts(put(COVERED, f"music/{name}", f"{base}?{ASTRAL}".ljust(2048, "\u00e9")))
        faults = snapshot_faults(put(COVERED, f"music/{name}", base.ljust(2049, "x")))
        assert faults == [(f"/music/{name}", "text.length")]

    @pytest.mark.parametrize("name", ["artwork_url", "track_url"])
    @pytest.mark.parametrize("value", NOT_TEXT, ids=repr)
    def test_a_url_is_text(self, name: str, value: object) -> None:
        faults = snapshot_faults(put(COVERED, f"music/{name}", value))
        assert faults == [(f"/music/{name}", "type")]

    @pytest.mark.parametrize("name", ["artwork_url", "track_url"])
    def test_a_url_has_no_ascii_control(self, name: str) -> None:
        """URL parsing strips tabs and line ends; the rule comes before the parser."""
        text: str = COVERED["music"][name]
        failures = []
        for control in map(chr, CONTROLS):
            for url in (text + control, control + text, text[:9] + control + text[9:]):
                found = snapshot_faults(put(COVERED, f"music/{name}", url))
                if found != [(f"/music/{name}", "text.control")]:
                    failures.append((url, found))
        assert not failures, failures

    @pytest.mark.parametrize("name", ["artwork_url", "track_url"])
    def test_an_empty_url_is_no_url(self, name: str) -> None:
        faults = snapshot_faults(put(COVERED, f"music/{name}", ""))
        assert faults == [(f"/music/{name}", "url.parse")]

    def test_a_url_is_kept_unchanged(self) -> None:
        """Never the parser's normal form."""
        url = "HTTPS://MUSIC.Apple.com:0443/a/../b/%7e c\\d#f"
        assert read(put(COVERED, "music/track_url", url)).music.track_url == url


class TestModels:
    def test_models_are_values(self) -> None:
        assert snapshot() == snapshot()
        assert hash(snapshot()) == hash(snapshot())
        assert snapshot() != snapshot(active_app=None)

    @pytest.mark.parametrize("model", [Snapshot, Battery, System, Music])
    def test_models_are_frozen(self, model: type[attrs.AttrsInstance]) -> None:
        name = attrs.fields(model)[-1].name
        value = read(COVERED)
        held = {Snapshot: value, Battery: value.battery, System: value.system, Music: value.music}
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(held[model], name, None)

    def test_models_check_nothing_when_they_are_built(self) -> None:
        """The entry points check."""
        members: dict[str, Any] = {"percent": "full", "charging": 1, "power_source": "sun"}
        assert attrs.asdict(Battery(**members)) == members

    def test_the_schema_version_is_there_without_being_given(self) -> None:
        assert snapshot().schema_version == 1

    def test_a_round_trip_through_bytes_returns_the_equal_model(self) -> None:
        for value in (SNAPSHOT, COVERED, put(SNAPSHOT, "running_apps", [])):
            assert to_builtins(read(value)) == value
