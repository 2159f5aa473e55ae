"""The published strategies: what is drawn as valid is accepted, what is drawn as faulty refused.

Invariants *as parsed*, *one rule* and *one fault, one rule*.
"""

import json
import re
import runpy
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import sitedata
from devicestatus import limits, record
from devicestatus import strategies as device
from devicestatus import strategies as faults
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES, CatalogHosts, artwork_fault, track_fault
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from healthapi import strategies as health
from healthapi.errors import DataError
from healthapi.models import ActivityRow, HrvRow, RhrRow
from healthapi.profile import load
from healthapi.redaction import clean
from healthapi.rows.mapping import NATIVE
from healthapi.rows.reading import read_rows
from healthapi.snapshot import SNAPSHOT_FILE, read_snapshot
from sitedata import strategies as site
from sitedata.models import parse_instant
from status_contracts import json_text
from status_contracts.days import parse_day
from status_contracts.findings import pointer
from status_contracts.primitives import ABSENT
from status_contracts.structuring.cases import DROPPED
from status_contracts.structuring.converter import unstructure
from support.sitedata.site_examples import plain as plain_site
from support.vectors.cases import example

SNAPSHOT = json.loads(example("devicestatus/parsing", "a-complete-snapshot"))
WINDOW = json.loads(example("devicestatus/parsing", "a-complete-window"))
FEW = settings(max_examples=6)
NOON = 1_767_268_800_000
STAMP = "2026-01-31T12:00:00"
MOST = 8
OWN = CatalogHosts("img.example", {"music.example"})


def is_read_back(table: Any) -> Callable[[Any], None]:
    """Return the check that rows in a CSV file of a table are read as they were."""

    def check(rows: Any) -> None:
        read, findings = read_rows(health.csv_file(rows, table), table)
        assert (list(read), findings.total) == (rows, 0)
        dates = [row.date for row in rows]
        assert dates == sorted(dates)
        if table is NATIVE.sleep:
            assert len({row.log_id for row in rows}) == len(rows)
            assert all(dates.count(day) <= 3 for day in dates)
        else:
            assert len(set(dates)) == len(dates)

    return check


def is_same(one: Any, other: Any) -> bool:
    """Return whether two models are equal, and so are the types of their numbers."""
    return repr(attrs.astuple(one)) == repr(attrs.astuple(other))


def is_stored(value: bytes) -> None:
    stored = record.decode_record(value, OWN)
    assert stored is not None
    assert stored.received_at == NOON
    assert is_same(record.decode_record(record.encode_record(stored), OWN), stored)


def is_accepted(value: Any) -> None:
    check = check_snapshot if isinstance(value, Snapshot) else check_window
    assert check(value, received_at=NOON, catalog=OWN) == ()


def has_one_event(value: dict[str, Any]) -> None:
    assert check_window(value, received_at=NOON) == ()
    assert len(value["events"]) <= 1


def is_small(window: Window) -> None:
    is_accepted(window)
    assert (len(window.events) <= 2, len(window.gaps) <= 1) == (True, True)


def is_crowded(window: Window) -> None:
    assert check_window(window, received_at=NOON) == ()
    assert len(window.events) == limits.WINDOW_EVENTS or len(window.gaps) == limits.WINDOW_GAPS


def are_days(days: list[str]) -> None:
    assert days == sorted({date.fromisoformat(day).isoformat() for day in days})
    assert len(days) <= 60


def is_profile(files: dict[str, bytes]) -> None:
    profile = load("anna", files, generated_at=STAMP)
    assert all(findings.total == 0 for findings in profile.findings.values())
    assert (profile.snapshot is not None) == (SNAPSHOT_FILE in files)
    assert profile.snapshot is None or profile.snapshot.dropped_entries == 0


def is_account(value: dict[str, Any]) -> None:
    found = read_snapshot(json_text.encode(value))
    assert list(found.endpoints) == list(value["endpoints"])
    assert (found.granted_scopes, found.saved_at) == (
        tuple(value["token_scope"]),
        value["saved_at"],
    )
    endpoints = value["endpoints"]
    (endpoints.get("profile") or {}).get("data", {}).get("user", {}).pop("fullName", None)
    assert clean(endpoints) == endpoints, "it has a secret"


def is_site(snapshot: sitedata.Snapshot) -> None:
    assert sitedata.parse(sitedata.encode(snapshot)) == snapshot


def loses_nothing(body: bytes) -> None:
    found = sitedata.encode(sitedata.parse(body))
    assert json.loads(found) == json.loads(body.removeprefix(b"\xef\xbb\xbf"))


def is_publishable(snapshot: sitedata.Snapshot) -> None:
    report = sitedata.check(sitedata.encode(snapshot))
    assert (report.snapshot, report.findings) == (snapshot, ())


def is_problem(problem: sitedata.Problem) -> None:
    assert (problem.instant is None) == (problem.submitted_at is None)


PROMISES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], object]]] = {
    "snapshots": (device.snapshots(received_at=NOON, catalog=OWN), is_accepted),
    "bodies of snapshots": (
        device.snapshot_bodies(),
        lambda drawn: parse_snapshot(drawn.body, received_at=drawn.received_at),
    ),
    "bodies of windows": (
        device.window_bodies(),
        lambda drawn: parse_window(drawn.body, received_at=drawn.received_at),
    ),
    "plain windows": (device.plain_windows(received_at=NOON, max_events=1), has_one_event),
    "small windows": (
        device.windows(received_at=NOON, catalog=OWN, max_events=2, max_gaps=1),
        is_small,
    ),
    "crowded windows": (device.crowded_windows(received_at=NOON), is_crowded),
    "stored windows": (
        device.records(received_at=NOON, catalog=OWN, kinds="window").map(record.encode_record),
        is_stored,
    ),
    "activity": (health.rows(ActivityRow, MOST), is_read_back(NATIVE.activity)),
    "sleep": (health.sleep_logs(MOST), is_read_back(NATIVE.sleep)),
    "hrv": (health.rows(HrvRow, MOST), is_read_back(NATIVE.hrv)),
    "rhr": (health.rows(RhrRow, MOST), is_read_back(NATIVE.rhr)),
    "days": (health.days(), are_days),
    "profiles": (health.profile_files(MOST), is_profile),
    "accounts": (health.snapshots(), is_account),
    "site data": (site.snapshots(), is_site),
    "bodies of site data": (site.bodies(), loses_nothing),
    "publishable site data": (site.publishable_snapshots(), is_publishable),
    "problems": (site.problems(), is_problem),
    "JSON values": (site.json_values(), json_text.broken_rule),
    "times": (site.times(), parse_instant),
    "days of a calendar": (site.days(), parse_day),
}


@pytest.mark.parametrize("name", PROMISES)
def test_drawn_values_are_what_the_documentation_says(name: str) -> None:
    strategy, holds = PROMISES[name]

    @settings(max_examples=3 if "crowded" in name else 15)
    @given(strategy)
    def check(value: Any) -> None:
        holds(value)

    check()


class TestDeviceStatus:
    @pytest.mark.parametrize(
        ("strategy", "parse"), [(device.snapshots, parse_snapshot), (device.windows, parse_window)]
    )
    def test_models_are_as_parsed_at_their_receive_time(self, strategy: Any, parse: Any) -> None:
        """Invariant *as parsed*."""

        @settings(max_examples=15)
        @given(st.data(), device.instants())
        def check(data: Any, received_at: int) -> None:
            model = data.draw(strategy(received_at=received_at))
            body = json_text.encode(unstructure(model))
            assert is_same(parse(body, received_at=received_at), model)

        check()

    @FEW
    @given(device.records(), device.changes(), device.music(CatalogHosts("", ())))
    def test_records_read_back_and_changes_change_something(
        self, value: Any, changes: Any, music: Any
    ) -> None:
        assert is_same(record.decode_record(record.encode_record(value), ITUNES), value)
        assert unstructure(changes) != {}
        assert music.artwork_url in {None, ABSENT}, "without hosts there are no URLs"

    @given(device.artwork_urls() | device.artwork_urls(OWN), device.track_urls(OWN))
    def test_urls_are_of_the_catalog(self, artwork: str, track: str) -> None:
        assert None in {artwork_fault(artwork, ITUNES), artwork_fault(artwork, OWN)}
        assert track_fault(track, OWN) is None


@pytest.mark.parametrize(
    "name", ["windows()", "invalid_windows()", "window_bodies()", "crowded_windows()"]
)
def test_of_windows_at_most_one_draw_in_twenty_is_rejected(name: str) -> None:
    drawn = getattr(device, name.removesuffix("()"))()
    counts = Counter[str]()

    @settings(max_examples=200, derandomize=True, phases=[Phase.generate])
    @given(st.data())
    def count(data: st.DataObject) -> None:
        counts["begun"] += 1
        data.draw(drawn)
        counts["done"] += 1

    count()
    assert counts["begun"] - counts["done"] <= counts["begun"] / 20


def test_a_time_that_its_offset_moves_out_of_the_years_is_not_drawn() -> None:
    assert site._is_time("0001-01-01T00:00:00-00:01")
    assert not site._is_time("0001-01-01T00:00:00+00:01")


def test_integers_of_a_column_with_gaps_are_written_as_decimals() -> None:
    """As producers do."""
    rows = [RhrRow(date="2026-01-01", rhr=61), RhrRow(date="2026-01-02", rhr=None)]
    assert NATIVE.rhr is not None
    assert b"\n2026-01-01,61.0\n2026-01-02,\n" in health.csv_file(rows, NATIVE.rhr)
    assert b"\n2026-01-01,61\n" in health.csv_file(rows[:1], NATIVE.rhr)


def check_site(value: object) -> Any:
    return sitedata.check(value).errors


class TestCases:
    """Invariant *one fault, one rule*: of every member, at both sides of each limit."""

    @pytest.mark.parametrize(
        ("cases", "model", "check", "valid"),
        [
            (faults.CASES, Snapshot, check_snapshot, SNAPSHOT),
            (faults.CASES, Window, check_window, {**WINDOW, "events": WINDOW["events"][1:]}),
            (site.CASES, sitedata.Snapshot, check_site, plain_site()),
        ],
        ids=["snapshot", "window", "site data"],
    )
    def test_each_case_has_its_verdict(
        self, cases: Any, model: type, check: Any, valid: Any
    ) -> None:
        for case in cases.of(model):
            if case.at and not self._depends_on_another_member(case):
                found = check(cases.place(model, valid, case))
                expected = [(pointer(case.path), case.rule)] if case.rule else []
                assert [(finding.path, finding.rule) for finding in found] == expected, case

    def _depends_on_another_member(self, case: Any) -> bool:
        """Check whether a valid value depends on rules that constraints do not state."""
        is_only_change = case.at[-2:] == ("changes", "active_app") and case.value is DROPPED
        return not case.rule and (case.at[-1] in {"artwork_url", "track_url"} or is_only_change)

    def test_every_rule_of_members_can_be_drawn(self) -> None:
        assert {*faults.SNAPSHOT_RULES, *faults.WINDOW_RULES} == {
            case.rule
            for model in (Snapshot, Window)
            for case in faults.CASES.of(model)
            if case.rule
        }
        with pytest.raises(KeyError):
            faults.invalid_snapshots("gaps.order")


def rules_of_profile(faulty: Any) -> set[str]:
    try:
        profile = load("anna", faulty.files, generated_at=STAMP)
    except DataError as error:
        found = error.findings
        assert [each.path for each in found] == [f"/{faulty.file}"]
        return {each.rule for each in found}
    listed = [each for findings in profile.findings.values() for each in findings.listed]
    assert {each.file for each in listed} == {faulty.file}
    return {each.rule for each in listed}


def rules_of_site(faulty: Any) -> set[str]:
    with pytest.raises(sitedata.SiteDataError):
        sitedata.parse(faulty.body)
    return {finding.rule for finding in sitedata.check(faulty.body).errors}


FAULTS: list[tuple[str, Any, Callable[..., Any]]] = [
    *((rule, faults.invalid_snapshots, check_snapshot) for rule in faults.SNAPSHOT_RULES),
    *((rule, faults.invalid_windows, check_window) for rule in faults.WINDOW_RULES),
    *((rule, health.faulty_files, rules_of_profile) for rule in health.ROW_RULES),
    *((rule, health.faulty_files, rules_of_profile) for rule in health.FILE_RULES),
    *((rule, site.faulty_bodies, rules_of_site) for rule in site.FAULTY_RULES),
]


@pytest.mark.parametrize(
    ("rule", "strategy", "judge"), FAULTS, ids=[f"{each[1].__name__}-{each[0]}" for each in FAULTS]
)
def test_a_drawn_fault_breaks_its_rule_only(rule: str, strategy: Any, judge: Any) -> None:
    """Invariant *one fault, one rule*."""

    @settings(max_examples=3)
    @given(strategy(rule))
    def check(faulty: Any) -> None:
        if judge in {check_snapshot, check_window}:
            assert faulty.rule == rule
            found = judge(faulty.value, received_at=faulty.received_at)
            assert {finding.rule for finding in found} == {rule}
        else:
            assert judge(faulty) == {rule}

    check()


@pytest.mark.check
class TestPage:
    """The examples of the documentation run."""

    PAGE = Path(__file__).parents[1] / "docs/reference/testing.md"

    def test_the_examples_run(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # an example makes a repository
        script = tmp_path / "page.py"
        blocks = re.findall(r"```python\n(.*?)```", self.PAGE.read_text("utf-8"), re.DOTALL)
        text = "\n".join(blocks)
        script.write_text(text, "utf-8")
        names = runpy.run_path(str(script))
        ran = [name for name, value in names.items() if name.startswith("test_") and not value()]
        assert len(ran) == text.count("\ndef test_")
