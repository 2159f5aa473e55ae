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

import devicestatus
import healthapi
import sitedata
from devicestatus import record
from devicestatus import strategies as device
from devicestatus.models import Snapshot, Window
from devicestatus.music_urls import ITUNES
from devicestatus.parsing import check_snapshot, check_window, parse_snapshot, parse_window
from healthapi import strategies as health
from healthapi.models import ActivityRow, HrvRow, RhrRow
from healthapi.profile import load
from healthapi.redaction import clean
from healthapi.rows.mapping import NATIVE, FileDataset
from healthapi.rows.reading import read_rows
from healthapi.snapshot import SNAPSHOT_FILE, read_snapshot
from sitedata import strategies as site
from sitedata.models import parse_instant
from status_contracts import json_text
from status_contracts.days import parse_day
from status_contracts.findings import pointer
from status_contracts.structuring.cases import DROPPED
from status_contracts.structuring.converter import unstructure
from support.sitedata.site_examples import plain as plain_site
from support.vectors.cases import example

SNAPSHOT = json.loads(example("devicestatus/parsing", "a-complete-snapshot"))
WINDOW = json.loads(example("devicestatus/parsing", "a-complete-window"))
NOON = 1_767_268_800_000
STAMP = "2026-01-31T12:00:00"
MOST = 8


def is_read_back(dataset: FileDataset) -> Callable[[Any], None]:
    """Return the check that rows in a CSV file of a table are read as they were."""
    table = NATIVE.tables[dataset]

    def check(rows: Any) -> None:
        read, findings = read_rows(health.csv_file(rows, table), dataset, table)
        assert (list(read), findings.total) == (rows, 0)

    return check


def is_as_parsed(parse: Callable[..., Any]) -> Callable[[Any], None]:
    """Return the check that parsing the body of a model returns an equal one, types included."""

    def check(model: Any) -> None:
        parsed = parse(json_text.encode(unstructure(model)), received_at=NOON)
        assert repr(attrs.astuple(parsed)) == repr(attrs.astuple(model))

    return check


def is_small(window: Window) -> None:
    assert check_window(window, received_at=NOON) == ()
    assert (len(window.events) <= 2, len(window.gaps) <= 1) == (True, True)


def is_stored(drawn: record.Record) -> None:
    again = record.decode_record(record.encode_record(drawn), ITUNES)
    assert again is not None
    assert repr(attrs.astuple(again)) == repr(attrs.astuple(drawn))


def are_days(days: list[str]) -> None:
    assert days == sorted({date.fromisoformat(day).isoformat() for day in days})
    assert len(days) <= 60


def is_profile(files: dict[str, bytes]) -> None:
    profile = load("anna", files, generated_at=STAMP)
    assert all(findings.total == 0 for findings in profile.findings.values())
    assert (profile.snapshot is not None) == (SNAPSHOT_FILE in files)
    assert profile.snapshot is None or profile.snapshot.dropped_entries == 0


def is_account(value: dict[str, Any]) -> None:
    endpoints = value["endpoints"]
    assert list(read_snapshot(json_text.encode(value)).endpoints) == list(endpoints)
    (endpoints.get("profile") or {}).get("data", {}).get("user", {}).pop("fullName", None)
    assert clean(endpoints) == endpoints, "it has a secret"


def is_site(snapshot: sitedata.Snapshot) -> None:
    assert sitedata.parse(sitedata.encode(snapshot)) == snapshot


def loses_nothing(body: bytes) -> None:
    found = sitedata.encode(sitedata.parse(body))
    assert json.loads(found) == json.loads(body.removeprefix(b"\xef\xbb\xbf"))


PROMISES: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], object]]] = {
    "snapshots": (device.snapshots(received_at=NOON), is_as_parsed(parse_snapshot)),
    "windows": (device.windows(received_at=NOON), is_as_parsed(parse_window)),
    "small windows": (device.windows(received_at=NOON, max_events=2, max_gaps=1), is_small),
    "bodies of snapshots": (
        device.snapshot_bodies(),
        lambda drawn: parse_snapshot(drawn.body, received_at=drawn.received_at),
    ),
    "bodies of windows": (
        device.window_bodies(),
        lambda drawn: parse_window(drawn.body, received_at=drawn.received_at),
    ),
    "records": (device.records(), is_stored),
    "activity": (health.rows(ActivityRow, MOST), is_read_back("activity")),
    "sleep": (health.sleep_logs(MOST), is_read_back("sleep")),
    "hrv": (health.rows(HrvRow, MOST), is_read_back("hrv")),
    "rhr": (health.rows(RhrRow, MOST), is_read_back("rhr")),
    "days": (health.days(), are_days),
    "profiles": (health.profile_files(MOST), is_profile),
    "accounts": (health.snapshots(), is_account),
    "site data": (site.snapshots(), is_site),
    "bodies of site data": (site.bodies(), loses_nothing),
    "times": (site.times(), parse_instant),
    "days of a calendar": (site.days(), parse_day),
}


@pytest.mark.parametrize("name", PROMISES)
def test_drawn_values_are_what_the_documentation_says(name: str) -> None:
    strategy, holds = PROMISES[name]

    @settings(max_examples=20)
    @given(strategy)
    def check(value: Any) -> None:
        holds(value)

    check()


@pytest.mark.parametrize(
    "model",
    [
        *(devicestatus.Battery, devicestatus.Music, Snapshot, devicestatus.System, Window),
        *(devicestatus.WindowChanges, healthapi.Profile, sitedata.Problem, sitedata.Snapshot),
    ],
)
@settings(max_examples=3)
@given(data=st.data())
def test_a_model_is_drawn_by_its_type(model: type, data: st.DataObject) -> None:
    assert isinstance(data.draw(st.from_type(model)), model)


@pytest.mark.check
@pytest.mark.parametrize("name", ["windows", "invalid_windows", "window_bodies"])
def test_of_windows_at_most_one_draw_in_twenty_is_rejected(name: str) -> None:
    drawn = getattr(device, name)()
    counts = Counter[str]()

    @settings(max_examples=200, derandomize=True, phases=[Phase.generate])
    @given(st.data())
    def count(data: st.DataObject) -> None:
        counts["begun"] += 1
        data.draw(drawn)
        counts["done"] += 1

    count()
    assert counts["begun"] - counts["done"] <= counts["begun"] / 20


def test_integers_of_a_column_with_gaps_are_written_as_decimals() -> None:
    """As producers do."""
    rows = [RhrRow(date="2026-01-01", rhr=61), RhrRow(date="2026-01-02", rhr=None)]
    assert NATIVE.rhr is not None
    assert b"\n2026-01-01,61.0\n2026-01-02,\n" in health.csv_file(rows, NATIVE.rhr)
    assert b"\n2026-01-01,61\n" in health.csv_file(rows[:1], NATIVE.rhr)


def check_site(value: object) -> Any:
    return sitedata.check(value).errors


@pytest.mark.parametrize(
    ("cases", "model", "check", "valid"),
    [
        (device.CASES, Snapshot, check_snapshot, SNAPSHOT),
        (device.CASES, Window, check_window, {**WINDOW, "events": WINDOW["events"][1:]}),
        (site.CASES, sitedata.Snapshot, check_site, plain_site()),
    ],
    ids=["snapshot", "window", "site data"],
)
def test_each_case_has_its_verdict(cases: Any, model: type, check: Any, valid: Any) -> None:
    """Invariant *one fault, one rule*: of every member, at both sides of each limit."""
    for case in cases.of(model):
        if case.at and not depends_on_another_member(case):
            found = check(cases.place(model, valid, case))
            expected = [(pointer(case.path), case.rule)] if case.rule else []
            assert [(finding.path, finding.rule) for finding in found] == expected, case


def depends_on_another_member(case: Any) -> bool:
    """Check whether a valid value depends on rules that constraints do not state."""
    is_only_change = case.at[-2:] == ("changes", "active_app") and case.value is DROPPED
    return not case.rule and (case.at[-1] in {"artwork_url", "track_url"} or is_only_change)


def rules_of_site(faulty: Any) -> set[str]:
    return {finding.rule for finding in check_site(faulty.body)}


def rules_of(check: Callable[..., Any]) -> Callable[[Any], set[str]]:
    return lambda faulty: {
        finding.rule for finding in check(faulty.value, received_at=faulty.received_at)
    }


FAULTS: list[tuple[str, Any, Callable[[Any], set[str]]]] = [
    *((rule, device.invalid_snapshots, rules_of(check_snapshot)) for rule in device.SNAPSHOT_RULES),
    *((rule, device.invalid_windows, rules_of(check_window)) for rule in device.WINDOW_RULES),
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
        assert (faulty.rule, judge(faulty)) == (rule, {rule})

    check()


def test_a_rule_between_members_is_not_drawn() -> None:
    assert {*device.SNAPSHOT_RULES} < {*device.WINDOW_RULES}
    with pytest.raises(KeyError):
        device.invalid_windows("gaps.order")


@pytest.mark.check
def test_the_examples_of_the_documentation_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = Path(__file__).parents[1] / "docs/reference/testing.md"
    monkeypatch.chdir(tmp_path)  # an example makes a repository
    script = tmp_path / "page.py"
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    text = "\n".join(blocks)
    script.write_text(text, "utf-8")
    names = runpy.run_path(str(script))
    ran = [name for name, value in names.items() if name.startswith("test_") and not value()]
    assert len(ran) == text.count("\ndef test_")
