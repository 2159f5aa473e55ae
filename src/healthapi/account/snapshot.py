"""The account snapshot: what the wearable account answered, endpoint by endpoint, free of secrets.

Source: health facts, sections 6 and 15; health-data specification, "Authentication"; rulings on the
snapshot.  The file is foreign JSON: beyond its outermost shape nothing of it is taken for granted.

Invariant *clean first*: nothing is kept but what redaction returned, so what is not in the
clean value cannot reach any answer.
Invariant *ok is true*: an endpoint's data count only where its `ok` is literally true; the vital
signs alone take what is there (health facts, section 12).
Invariant *not known is None*: without granted scopes nobody knows which are missing.
Invariant *strict JSON out*: every number of a snapshot is finite; one that is not became None.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

import attrs

from healthapi import limits
from healthapi.account.json_access import integer, number, text, words
from healthapi.errors import DataError
from healthapi.redaction.walk import PRIVATE, PrivacySettings, clean
from purewire.findings import Finding
from purewire.json.codec import JsonDepthError, JsonTextError, decode
from purewire.numbers import is_finite

__all__ = [
    "REQUESTED_SCOPES",
    "SNAPSHOT_FILE",
    "Entry",
    "EntryState",
    "Snapshot",
    "data_of",
    "read_snapshot",
    "status_of",
]

REQUESTED_SCOPES: Final = (
    "activity",
    "heartrate",
    "nutrition",
    "oxygen_saturation",
    "profile",
    "respiratory_rate",
    "settings",
    "sleep",
    "temperature",
    "weight",
)
"""The scopes that a snapshot asks for, where it does not say so itself."""

EntryState = Literal["cached", "missing_scope", "skipped", "failed"]

SNAPSHOT_FILE: Final = "cache/fitbit_profile_snapshot.json"
"""Where the snapshot lies below a profile's folder."""

_MISSING_SCOPE: Final = "missing_scope:"
_REASON: Final = re.compile(r"missing_scope:\s*[A-Za-z_.:/-]{0,100}")
_RULES: Final = {
    "file.size": f"must have at most {limits.SNAPSHOT_FILE_BYTES} bytes",
    "snapshot.json": "must be JSON text in UTF-8",
    "snapshot.depth": f"must not be nested deeper than {limits.SNAPSHOT_DEPTH} levels",
    "snapshot.shape": "must be an object whose `endpoints` is an object",
}


@attrs.frozen(repr=False)
class Entry:
    """What one endpoint of the account answered.

    Attributes:
        key: key of the endpoint.
        ok: whether there is an answer.
        status: HTTP status of the answer; None where none was asked for.
        fetched_at: when it was asked for, as the snapshot has it.
        label: the endpoint in words, as the snapshot has it.
        group: key of the group the endpoint belongs to.
        scope: what the owner has to grant for it.
        reason: why it was skipped: `missing_scope:` and the scope; None for any other text.
        data: the answer, as plain JSON; not to be changed.
        skipped: whether the endpoint was left out on purpose.

    """

    key: str
    ok: bool = False
    status: int | None = None
    fetched_at: str | None = None
    label: str | None = None
    group: str | None = None
    scope: str | None = None
    reason: str | None = None
    data: Any = None
    skipped: bool = False

    @property
    def state(self) -> EntryState:
        """Whether the answer is there, and if not, why."""
        if self.ok:
            return "cached"
        if (self.reason or "").startswith(_MISSING_SCOPE):
            return "missing_scope"
        return "skipped" if self.skipped else "failed"

    @property
    def missing_scope(self) -> str | None:
        """The scope for want of which the endpoint was skipped."""
        if self.state != "missing_scope":
            return None
        return (self.reason or "").removeprefix(_MISSING_SCOPE).strip() or self.scope

    def plain(self) -> dict[str, Any]:
        """Give the entry as it is published."""
        return {
            "ok": self.ok,
            "status": self.status,
            "fetched_at": self.fetched_at,
            "label": self.label,
            "group": self.group,
            "scope": self.scope,
            "reason": self.reason,
            "data": self.data,
        }

    def index(self) -> dict[str, Any]:
        """Give the entry as the index of endpoints lists it."""
        plain = self.plain()
        return {"key": self.key} | {name: plain[name] for name in _INDEXED}

    def __repr__(self) -> str:
        return f"<Entry {self.key}: {self.state}>"


_INDEXED: Final = ("ok", "status", "fetched_at", "label", "group", "scope")


@attrs.frozen(repr=False)
class Snapshot:
    """All that is known of the account; not to be changed.

    Attributes:
        saved_at: when the snapshot was made, as it says itself.
        requested_scopes: the scopes that were asked for; empty where the snapshot does not say.
        granted_scopes: the scopes that the owner granted; empty where the snapshot does not say.
        range: the days the snapshot is about, as plain JSON.
        fetch_summary: how many endpoints were asked, as plain JSON.
        endpoints: the entries by key, in the order of the file.
        dropped_entries: entries that are no objects and are left out.

    """

    saved_at: str | None
    requested_scopes: tuple[str, ...]
    granted_scopes: tuple[str, ...]
    range: Mapping[str, Any]
    fetch_summary: Mapping[str, Any]
    endpoints: Mapping[str, Entry]
    dropped_entries: int = 0

    def data(self, key: str) -> Any:  # noqa: ANN401 # plain JSON of any kind
        """Give what an endpoint answered; None where its answer is not ok or not there."""
        entry = self.endpoints.get(key)
        return entry.data if entry is not None and entry.ok else None

    def answer(self, key: str) -> Any:  # noqa: ANN401 # plain JSON of any kind
        """Return the data of an endpoint whatever its `ok` is; None where it is not there."""
        entry = self.endpoints.get(key)
        return None if entry is None else entry.data

    @property
    def missing_scopes(self) -> tuple[str, ...] | None:
        """The scopes that were asked for and not granted, in the order of the request.

        None where the snapshot names no granted scopes.
        """
        if not self.granted_scopes:
            return None
        asked = dict.fromkeys(self.requested_scopes or REQUESTED_SCOPES)
        granted = set(self.granted_scopes)
        return tuple(scope for scope in asked if scope not in granted)

    @property
    def recent_start(self) -> str | None:
        """The first of the recent days that the snapshot is about."""
        return text(self.range.get("recent_start"))

    @property
    def ok_count(self) -> int:
        """How many endpoints answered, as the summary says, or else counted."""
        counted = self._summed("ok")
        return sum(entry.ok for entry in self.endpoints.values()) if counted is None else counted

    @property
    def total_count(self) -> int:
        """How many endpoints there are, as the summary says, or else counted."""
        counted = self._summed("total")
        return len(self.endpoints) if counted is None else counted

    @property
    def missing_count(self) -> int | None:
        """How many scopes are missing; None where that is not known."""
        missing = self.missing_scopes
        return None if missing is None else len(missing)

    def _summed(self, name: str) -> int | None:
        counted = integer(self.fetch_summary.get(name))
        return None if counted is None or counted < 0 else counted

    def status(self) -> dict[str, Any]:
        """Give the values of the resource `snapshot-status`."""
        return status_of(self)

    def index(self) -> list[dict[str, Any]]:
        """Give the index of endpoints, in the order of the file."""
        return [entry.index() for entry in self.endpoints.values()]

    def public(self, profile_id: str) -> dict[str, Any]:
        """Give the whole snapshot as it is published, under the id of its profile."""
        return {
            "profile_id": profile_id,
            "saved_at": self.saved_at,
            "requested_scopes": list(self.requested_scopes),
            "granted_scopes": list(self.granted_scopes),
            "range": self.range,
            "fetch_summary": self.fetch_summary,
            "endpoints": {key: entry.plain() for key, entry in self.endpoints.items()},
        }

    def __repr__(self) -> str:
        return f"<Snapshot of {self.saved_at}: {self.ok_count} of {self.total_count} endpoints>"


def data_of(snapshot: Snapshot | None, key: str) -> Any:  # noqa: ANN401 # plain JSON of any kind
    """Give what an endpoint answered; None where its answer is not ok, or there is no snapshot."""
    return None if snapshot is None else snapshot.data(key)


def status_of(snapshot: Snapshot | None) -> dict[str, Any]:
    """Give the values of the resource `snapshot-status`, without a snapshot too."""
    requested = snapshot.requested_scopes if snapshot else ()
    return {
        "has_snapshot": snapshot is not None,
        "saved_at": snapshot.saved_at if snapshot else None,
        "has_profile": bool(data_of(snapshot, "profile")),
        "has_sleep_goal": bool(data_of(snapshot, "sleep_goal")),
        "scopes": list(snapshot.granted_scopes) if snapshot else [],
        "requested_scopes": list(requested or REQUESTED_SCOPES),
        "missing_scopes": list((snapshot and snapshot.missing_scopes) or ()),
        "fetch_summary": snapshot.fetch_summary if snapshot else None,
    }


def read_snapshot(data: bytes, disclosure: PrivacySettings = PRIVATE) -> Snapshot:
    """Read the bytes of a snapshot file.

    Args:
        data: the bytes.
        disclosure: what the owner publishes about who they are.

    Raises DataError where the file as a whole cannot be read: rules `file.size`, `snapshot.json`,
    `snapshot.depth` and `snapshot.shape`.

    """
    given = _decoded(data)
    if not isinstance(given, dict) or not isinstance(given.get("endpoints", {}), dict):
        raise _refused("snapshot.shape")
    granted = clean(given.get("token_scope", given.get("granted_scopes")), disclosure)
    value: Any = clean(given, disclosure)
    found = value.get("endpoints", {})
    endpoints = {key: _entry(key, each) for key, each in found.items() if isinstance(each, dict)}
    return Snapshot(
        saved_at=text(value.get("saved_at")),
        requested_scopes=words(value.get("requested_scopes")),
        granted_scopes=words(granted),
        range=_object(value.get("range")),
        fetch_summary=_object(value.get("fetch_summary")),
        endpoints=MappingProxyType(endpoints),
        dropped_entries=len(found) - len(endpoints),
    )


def _decoded(data: bytes) -> object:
    if len(data) > limits.SNAPSHOT_FILE_BYTES:
        raise _refused("file.size")
    try:
        value = decode(data)
    except JsonDepthError:
        raise _refused("snapshot.depth") from None
    except JsonTextError:
        raise _refused("snapshot.json") from None
    for level, containers in enumerate(_levels(value)):
        if level >= limits.SNAPSHOT_DEPTH and containers:
            raise _refused("snapshot.depth")
        for container in containers:
            _drop_infinities(container)
    return value


def _levels(value: object) -> Iterator[list[Any]]:
    """Give the lists and objects of each level of nesting, the outermost first."""
    level = [value] if isinstance(value, dict | list) else []
    while level:
        yield level
        level = [
            child
            for each in level
            for child in (each.values() if isinstance(each, dict) else each)
            if isinstance(child, dict | list)
        ]


def _drop_infinities(container: Any) -> None:  # noqa: ANN401 # a list or an object
    """Put None for every number that no double is near to; the container is ours to change."""
    members = container.items() if isinstance(container, dict) else enumerate(container)
    for key, each in members:  # what it holds changes, not how much
        if isinstance(each, int | float) and not is_finite(each):
            container[key] = None


def _entry(key: str, value: dict[str, Any]) -> Entry:
    status = number(value.get("status"))
    return Entry(
        key=key,
        ok=value.get("ok") is True,
        status=status if isinstance(status, int) else None,
        fetched_at=text(value.get("fetched_at")),
        label=text(value.get("label")),
        group=text(value.get("group")),
        scope=text(value.get("scope")),
        reason=_reason(text(value.get("reason"))),
        data=value.get("data"),
        skipped=value.get("skipped") is True,
    )


def _reason(value: str | None) -> str | None:
    """Return the one reason that is published; others are texts of errors, and may hold secrets."""
    return value if value is not None and _REASON.fullmatch(value) else None


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _refused(rule: str) -> DataError:
    return DataError(findings=(Finding(f"/{SNAPSHOT_FILE}", rule, _RULES[rule]),))
