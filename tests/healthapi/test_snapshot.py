import json

import pytest

from healthapi import limits, snapshot
from healthapi.errors import DataError
from healthapi.redaction import PrivacySettings
from healthapi.snapshot import (
    AccountResponse,
    Snapshot,
    build_snapshot_status,
    data_of,
    read_snapshot,
)
from status_contracts import json_text
from support.healthapi.account_data import snapshot_of, whole_snapshot
from support.healthapi.health_snapshots import (
    ENDPOINT_KEYS,
    FAILED,
    REQUESTED_SCOPES,
    SAVED_AT,
    SCOPES,
    SKIPPED,
    snapshot_value,
)


def rule_of(data: bytes) -> str:
    with pytest.raises(DataError) as caught:
        read_snapshot(data)
    (finding,) = caught.value.findings
    assert finding.path == "/cache/fitbit_profile_snapshot.json"
    assert caught.value.code == "service_unavailable"
    return finding.rule


def nested(depth: int) -> bytes:
    """Nest lists below an endpoint so that the whole snapshot has this depth."""
    inner = b"[" * (depth - 3) + b"]" * (depth - 3)
    return b'{"endpoints":{"meals":{"ok":true,"data":' + inner + b"}}}"


@pytest.mark.rule(
    "HA-FILE-09", "HA-SNAPSHOT-01", "HA-SNAPSHOT-02", "HA-SNAPSHOT-03", "HA-SNAPSHOT-05"
)
class TestReadingTheFile:
    NOT_JSON = (b"", b"{", b"\xff\xfe{\x00}\x00", b'{"saved_at":NaN}', b'{"a":"\\ud800"}', b"{}{}")
    OTHER = (b"[]", b"null", b"7", b'"{}"', b'{"endpoints":[]}', b'{"endpoints":null}')

    @pytest.mark.parametrize(("rule", "texts"), [("json", NOT_JSON), ("shape", OTHER)])
    def test_what_is_not_json_or_has_another_outer_shape_is_rejected(
        self, rule: str, texts: tuple[bytes, ...]
    ) -> None:
        assert {rule_of(data) for data in texts} == {f"snapshot.{rule}"}

    @pytest.mark.parametrize("depth", [limits.SNAPSHOT_DEPTH + 1, 5000, 200_000])
    def test_nesting_beyond_the_limit_is_rejected(self, depth: int) -> None:
        assert rule_of(nested(depth)) == "snapshot.depth"

    def test_nesting_up_to_the_limit_is_read(self) -> None:
        assert data_of(read_snapshot(nested(limits.SNAPSHOT_DEPTH)), "meals") is not None

    def test_a_file_beyond_the_limit_is_rejected(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(limits, "SNAPSHOT_FILE_BYTES", 2)
        assert read_snapshot(b"{}").endpoints == {}
        assert rule_of(b"{ }") == "file.size"

    @pytest.mark.parametrize("number", ["1e999", "-1e999", "9" * 5000])
    def test_numbers_that_no_double_holds_are_missing(self, number: str) -> None:
        """Invariant *strict JSON*: every number of a snapshot is finite."""
        found = read_snapshot(b'{"endpoints":{"meals":{"ok":true,"data":[%s]}}}' % number.encode())
        assert data_of(found, "meals") == [None]


@pytest.mark.rule("HA-PERSON-15", "HA-SNAPSHOT-04", "HA-SNAPSHOT-06", "HA-SNAPSHOT-13")
class TestMembers:
    def test_a_producers_snapshot_is_read_whole(self) -> None:
        assert whole_snapshot().saved_at == SAVED_AT
        assert whole_snapshot().requested_scopes == REQUESTED_SCOPES
        assert whole_snapshot().granted_scopes == SCOPES
        assert whole_snapshot().missing_scopes == ("temperature",)
        assert (whole_snapshot().ok_count, whole_snapshot().total_count) == (29, 31)
        assert tuple(whole_snapshot().endpoints) == ENDPOINT_KEYS
        assert whole_snapshot().dropped_entries == 0

    @pytest.mark.parametrize("summary", [{}, {"ok": -1, "total": -1}, {"ok": "all", "total": []}])
    def test_without_a_summary_the_entries_are_counted(self, summary: object) -> None:
        entries = {"meals": {"ok": True}, "badges": {"ok": False}}
        found = snapshot_of(entries, fetch_summary=summary)
        assert (found.ok_count, found.total_count) == (1, 2)

    def test_entries_that_are_no_objects_are_dropped_and_counted(self) -> None:
        found = snapshot_of({"meals": {}, "badges": [], "devices": None})
        assert list(found.endpoints) == ["meals"]
        assert found.dropped_entries == 2

    @pytest.mark.parametrize(
        ("reason", "published"),
        [
            ("missing_scope:temperature", "missing_scope:temperature"),
            ("missing_scope: sleep", "missing_scope: sleep"),
            ("Access token expired: abc", None),
            ("hunter2", None),
            ("missing_scope:sleep token abc", None),
            *((text, None) for text in (None, "", "Too many requests", "missing_scope:a b")),
        ],
    )
    @pytest.mark.parametrize("is_skipped", [True, False])
    def test_a_reason_is_a_missing_scope_or_none(
        self, reason: str | None, published: str | None, *, is_skipped: bool
    ) -> None:
        """The account writes what it likes into `error`, and producers copy it."""
        entry = {"ok": False, "status": 429, "error": "Too many requests", "reason": reason}
        found = snapshot_of({"meals": {**entry, "skipped": is_skipped}})
        expected = AccountResponse("meals", status=429, reason=published).plain()
        assert found.public("anna")["endpoints"]["meals"] == expected

    def test_members_of_other_types_are_missing(self) -> None:
        found = snapshot_of({}, saved_at=7, requested_scopes=7, range=[], fetch_summary="all")
        assert found == Snapshot(None, (), (), {}, {}, {})

    @pytest.mark.rule("HA-PERSON-16")
    def test_without_a_request_the_ten_scopes_were_asked_for(self) -> None:
        found = snapshot_of({}, token_scope=["sleep"])
        assert found.requested_scopes == ()
        assert found.missing_scopes == tuple(
            scope for scope in REQUESTED_SCOPES if scope != "sleep"
        )

    def test_without_granted_scopes_the_missing_ones_are_unknown(self) -> None:
        found = snapshot_of({}, requested_scopes=["a", "b"], token_scope=[])
        assert (found.missing_scopes, found.missing_count) == (None, None)
        assert build_snapshot_status(found)["missing_scopes"] == []


@pytest.mark.rule("HA-PERSON-18")
class TestEntry:
    @pytest.mark.parametrize("ok", [1, "true", None, [True]])
    def test_only_true_is_ok(self, ok: object) -> None:
        """Invariant *ok is true*."""
        found = snapshot_of({"meals": {"ok": ok, "data": {"meals": []}}})
        assert not found.endpoints["meals"].ok
        assert data_of(found, "meals") is None

    @pytest.mark.parametrize(
        ("given", "status"),
        [(200, 200), (200.0, 200), (200.5, None), (True, None), ([], None), (10**400, None)],
    )
    def test_a_status_is_an_integer_or_missing(self, given: object, status: int | None) -> None:
        found = snapshot_of({"meals": {"status": given}})
        assert found.endpoints["meals"].status == status

    def test_members_that_are_no_text_are_missing(self) -> None:
        members = dict.fromkeys(("fetched_at", "label", "group", "scope", "reason"), 7)
        assert snapshot_of({"meals": members}).endpoints["meals"] == AccountResponse("meals")

    @pytest.mark.parametrize(
        ("entry", "state"),
        [
            (AccountResponse("meals", ok=True), "cached"),
            (AccountResponse("meals", reason="missing_scope:sleep", skipped=True), "missing_scope"),
            (AccountResponse("meals", reason="not today", skipped=True), "skipped"),
            (AccountResponse("meals", status=500), "failed"),
        ],
    )
    def test_the_outcome_is_the_reason_for_a_missing_response(
        self, entry: AccountResponse, state: str
    ) -> None:
        assert entry.outcome == state

    def test_the_missing_scope_is_that_of_the_reason_or_of_the_entry(self) -> None:
        assert AccountResponse("meals", reason="missing_scope: sleep").missing_scope == "sleep"
        assert (
            AccountResponse("meals", reason="missing_scope:", scope="sleep").missing_scope
            == "sleep"
        )


class TestPublicForm:
    def test_a_snapshot_is_published_under_the_id_of_its_profile(self) -> None:
        public = whole_snapshot().public("me")
        assert list(public) == [
            "profile_id",
            "saved_at",
            "requested_scopes",
            "granted_scopes",
            "range",
            "fetch_summary",
            "endpoints",
        ]
        assert public["profile_id"] == "me"
        assert public["range"] == snapshot_value()["range"]
        assert public["fetch_summary"] == snapshot_value()["fetch_summary"]

    def test_the_error_of_a_failed_endpoint_is_not_published(self) -> None:
        assert "Too many" not in json.dumps(whole_snapshot().public("me"))
        assert whole_snapshot().endpoints[FAILED].plain()["status"] == 429
        assert whole_snapshot().endpoints[SKIPPED].plain()["reason"] == "missing_scope:temperature"

    @pytest.mark.parametrize("name", ["height", "weight"])
    def test_a_measure_of_the_profile_is_published_only_if_the_owner_does(self, name: str) -> None:
        user, log = {"height": 170, "weight": 70}, {"weight": [{"weight": 70}]}
        answers = {"profile": {"user": user}, "weight_log_recent": log}
        data = json_text.encode(
            {"endpoints": {key: {"data": each} for key, each in answers.items()}}
        )
        found = read_snapshot(data, PrivacySettings(**{name: True}))
        (hidden,) = {"height", "weight"} - {name}
        assert found.endpoints["profile"].data == {"user": {name: user[name]}}
        assert found.endpoints["weight_log_recent"].data == log
        assert found.removed_members == {hidden: 1}


class TestStatus:
    def test_a_snapshot_is_described(self) -> None:
        assert build_snapshot_status(whole_snapshot()) == {
            "has_snapshot": True,
            "saved_at": SAVED_AT,
            "has_profile": True,
            "has_sleep_goal": True,
            "scopes": list(SCOPES),
            "requested_scopes": list(REQUESTED_SCOPES),
            "missing_scopes": ["temperature"],
            "fetch_summary": snapshot_value()["fetch_summary"],
        }

    def test_without_a_snapshot_nothing_is_known(self) -> None:
        assert build_snapshot_status(None) == {
            "has_snapshot": False,
            "saved_at": None,
            "has_profile": False,
            "has_sleep_goal": False,
            "scopes": [],
            "requested_scopes": list(snapshot.REQUESTED_SCOPES),
            "missing_scopes": [],
            "fetch_summary": None,
        }
        assert data_of(None, "profile") is None

    @pytest.mark.parametrize("name", ["profile", "sleep_goal"])
    def test_an_endpoint_with_data_is_there(self, name: str) -> None:
        for ok, data, is_there in (
            (True, {"a": 1}, True),
            (True, {}, False),
            (False, {"a": 1}, False),
        ):
            found = snapshot_of({name: {"ok": ok, "data": data}})
            assert build_snapshot_status(found)[f"has_{name}"] is is_there
