import pickle
from collections.abc import Callable
from copy import copy, deepcopy
from datetime import UTC, datetime
from inspect import signature
from typing import Any

import attrs
import pytest
from hypothesis import given

from healthapi.errors import DataError
from healthapi.keys import DATASETS
from healthapi.profile import Profile, derive, list_files, load
from healthapi.resources import build_dashboard
from healthapi.rows.mapping import NATIVE
from healthapi.snapshot import SNAPSHOT_FILE
from healthapi.strategies import profile_files
from status_contracts import json_text
from support.healthapi.health_snapshots import snapshot_value

STAMP = "2026-01-31T12:00:00"
RHR = b"date,resting_heart_rate\n2026-01-01,60\n2026-01-03,62\n"


class TestLoad:
    def test_no_file_is_an_empty_profile(self) -> None:
        profile = load("me", {}, generated_at=STAMP)
        assert [len(profile.rows(key)) for key in DATASETS] == [0] * 7
        assert profile.snapshot is None
        assert profile.person.id == "me"
        assert repr(profile) == "<Profile me: 0 days>"

    def test_the_content_of_a_file_is_bytes(self) -> None:
        files: Any = {"csv/fitbit_rhr.csv": RHR.decode()}
        with pytest.raises(TypeError, match="bytes are needed, not str: encode the text as UTF-8"):
            load("me", files, generated_at=STAMP)

    def test_bytes_may_be_of_any_type(self) -> None:
        files = {"csv/fitbit_rhr.csv": bytearray(RHR)}
        assert [row.rhr for row in load("me", files, generated_at=STAMP).rhr] == [60, 62]

    @pytest.mark.parametrize("name", ["sleep.csv", "fitbit_sleep.csv", "auth/tokens.json", ""])
    def test_a_file_of_another_name_is_refused_with_the_names(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"use csv/fitbit_activity.csv, csv/") as caught:
            load("me", {name: RHR}, generated_at=STAMP)
        assert str(caught.value).startswith(f"files: {name!r} is not one of a profile")

    @pytest.mark.parametrize(
        ("argument", "value", "remedy"),
        [
            ("profile_id", 1, "not int: pass text"),
            ("files", "people/me", "not str: .*FolderSource reads a folder"),
            ("columns", "native", "not str: pass one such as healthapi.NATIVE"),
            ("privacy", {"weight": True}, r"not dict: pass PrivacySettings\(full_name=True"),
            (
                "generated_at",
                datetime(2026, 1, 31, tzinfo=UTC),
                r"pass local.isoformat\(timespec='seconds'\)",
            ),
            ("generated_at", 1_769_860_800_000, "not int: pass local"),
            ("generated_at", None, "not NoneType: pass local"),
        ],
    )
    def test_another_type_is_refused_with_the_remedy(
        self, argument: str, value: object, remedy: str
    ) -> None:
        given: Any = {"profile_id": "me", "files": {}, "generated_at": STAMP, argument: value}
        with pytest.raises(TypeError, match=f"^{argument}: .*{remedy}"):
            load(**given)

    @pytest.mark.parametrize(
        "time",
        ["", "2026-01-31", "2026-02-30T12:00:00", f"{STAMP}Z", f"{STAMP}.000", "20260131T120000"],
    )
    def test_another_form_of_the_time_is_refused(self, time: str) -> None:
        with pytest.raises(ValueError, match=f"as {STAMP}"):
            load("me", {}, generated_at=time)
        with pytest.raises(ValueError, match=r"^written_at: "):
            derive(load("me", {}, generated_at=STAMP), generated_at=STAMP, written_at=time)

    def test_the_help_of_its_arguments_is_short(self) -> None:
        assert max(len(str(one)) for one in signature(load).parameters.values()) < 120

    @pytest.mark.parametrize("name", list_files(NATIVE))
    def test_a_file_that_cannot_be_read_is_named(self, name: str) -> None:
        with pytest.raises(DataError) as caught:
            load("me", {"csv/fitbit_rhr.csv": RHR, name: b"\xff\xfe\x00"}, generated_at=STAMP)
        assert {finding.path for finding in caught.value.findings} == {f"/{name}"}
        assert caught.value.code == "service_unavailable"
        assert str(caught.value).startswith(f"{name}: ")
        assert pickle.loads(pickle.dumps(caught.value)) == caught.value  # noqa: S301 # our own

    def test_a_dataset_without_a_map_is_empty(self) -> None:
        columns = attrs.evolve(NATIVE, rhr=None)
        assert len(load("me", {}, generated_at=STAMP, columns=columns).rhr) == 0
        with pytest.raises(ValueError, match="is not one of a profile"):
            load("me", {"csv/fitbit_rhr.csv": RHR}, generated_at=STAMP, columns=columns)

    @given(profile_files())
    def test_equal_files_yield_equal_profiles(self, files: dict[str, bytes]) -> None:
        one, other = (load("me", files, generated_at=STAMP) for _ in range(2))
        for key in DATASETS:
            assert one.rows(key) == other.rows(key)
        assert one.cards == other.cards
        assert one.overview == other.overview
        assert one.catalog == other.catalog


class TestCopies:
    """Processes and caches of notebooks pickle and copy what they share."""

    @pytest.mark.parametrize(
        "copied",
        [lambda one: pickle.loads(pickle.dumps(one)), deepcopy, copy],  # noqa: S301 # our own
    )
    def test_a_copy_has_the_same_data(self, copied: Callable[[Profile], Profile]) -> None:
        files = {"csv/fitbit_rhr.csv": RHR, SNAPSHOT_FILE: json_text.encode(snapshot_value())}
        for profile in (load("me", files, generated_at=STAMP) for _ in range(2)):
            found = copied(profile)
            assert build_dashboard(found) == build_dashboard(profile)
            assert build_dashboard(copied(profile)) == build_dashboard(profile)
            assert found.daily == profile.daily


class TestNames:
    """Names that do not exist are refused with those that do."""

    PROFILE = load("me", {"csv/fitbit_rhr.csv": RHR}, generated_at=STAMP)

    def test_text_is_no_list_of_metrics(self) -> None:
        with pytest.raises(TypeError, match=r"pass \['sleep_hours'\]"):
            self.PROFILE.series("daily", "sleep_hours")

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (("series", "daily", ["rhr", "sleep_hour"]), "metric of daily series 'sleep_hour'; ch"),
            (("series", "weekly", ["deep_pct"]), "metric of weekly series 'deep_pct'; choose from"),
            (("series", "day"), "granularity 'day'; choose from daily, weekly, monthly"),
            (("rows", "heart"), "dataset 'heart'; choose from activity, sleep, hrv"),
        ],
    )
    def test_an_unknown_name_is_refused(self, call: tuple[Any, ...], message: str) -> None:
        method, *arguments = call
        with pytest.raises(KeyError, match=f"there is no {message}"):
            getattr(self.PROFILE, method)(*arguments)
