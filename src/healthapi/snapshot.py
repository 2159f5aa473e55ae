"""Parse the account snapshot: the responses of the wearable account, by endpoint, redacted.

The file is untrusted JSON: only its outermost shape is validated.  The functions at the start read
a member; for a missing or unexpected value they return None, and none of them raises.

Invariant *redacted first*: only the result of redaction is stored, so that no response can contain
removed values.
Invariant *ok is true*: an endpoint's data are used only if its `ok` is literally true; the vital
signs are the exception (health facts, section 12).
Invariant *strict JSON*: every number of a snapshot is finite; other numbers become None.
Invariant *one coercion only*: JSON types are not converted, except that a number may be text
(`"70.5"`), as in some goals of accounts, in the notation of `rows.cells`.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, Literal

import attrs

from healthapi import limits
from healthapi.errors import DataError
from healthapi.redaction import PRIVATE, REMOVED, PrivacySettings, sanitise
from healthapi.rows.cells import Unreadable, decimal
from status_contracts.days import is_day
from status_contracts.findings import Finding
from status_contracts.json_text import JsonDepthError, JsonTextError, decode
from status_contracts.primitives import is_finite
from status_contracts.structuring.fast_decoder import canonical

_DAY_LENGTH: Final = len("YYYY-MM-DD")


def member(value: object, *names: str) -> object:
    """Return the value at a path of member names; None if there is none."""
    for name in names:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def objects(value: object) -> list[dict[str, Any]]:
    """Return the items of a list that are objects; an empty list for other values."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def listed(value: object, name: str) -> list[object] | None:
    """Return a list, or the list in the named member of an object; None if there is none."""
    candidate = member(value, name) if isinstance(value, dict) else value
    return candidate if isinstance(candidate, list) else None


def text(value: object) -> str | None:
    """Return trimmed text; None if it is blank, not text, or redacted as a whole."""
    trimmed = value.strip() if isinstance(value, str) else ""
    return None if trimmed in ("", REMOVED) else trimmed


def words(value: object) -> tuple[str, ...]:
    """Return the texts of a list, or the words of a text."""
    parts = value.split() if isinstance(value, str) else listed(value, "") or ()
    return tuple(part for part in map(text, parts) if part is not None)


def day(value: object) -> str | None:
    """Return the day with which a text begins, as `2026-01-31`; a time may follow."""
    prefix = (text(value) or "")[:_DAY_LENGTH]
    return prefix if is_day(prefix) else None


def number(value: object) -> int | float | None:
    """Return a number, from a JSON number or from text."""
    if isinstance(value, str):
        try:
            value = decimal(value)
        except Unreadable:
            return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return canonical(value) if -limits.LARGEST_NUMBER <= value <= limits.LARGEST_NUMBER else None


def integer(value: object) -> int | None:
    """Return a number rounded half to even."""
    exact = number(value)
    return None if exact is None else round(exact)


def first_number(value: object, *paths: tuple[str, ...]) -> int | float | None:
    """Return the number at the first of some paths that has one."""
    numbers = (number(member(value, *path)) for path in paths)
    return next((amount for amount in numbers if amount is not None), None)


def any_number(value: object) -> int | float | None:
    """Return the first JSON number in a value at any depth, in document order."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            pending.extend(reversed(part.values()))
        elif isinstance(part, list):
            pending.extend(reversed(part))
        elif not isinstance(part, str) and (amount := number(part)) is not None:
            return amount
    return None


REQUESTED_SCOPES: Final = (
    *("activity", "heartrate", "nutrition", "oxygen_saturation", "profile"),
    *("respiratory_rate", "settings", "sleep", "temperature", "weight"),
)
"""The requested scopes, if the snapshot does not list them."""

Outcome = Literal["cached", "missing_scope", "skipped", "failed"]

SNAPSHOT_FILE: Final = "cache/fitbit_profile_snapshot.json"
"""Path of the snapshot below a profile's folder."""

_MISSING_SCOPE: Final = "missing_scope:"
_MESSAGE_OF: Final = {
    "file.size": f"must have at most {limits.SNAPSHOT_FILE_BYTES} bytes",
    "snapshot.json": "must be JSON text in UTF-8",
    "snapshot.depth": f"must not be nested deeper than {limits.SNAPSHOT_DEPTH} levels",
    "snapshot.shape": "must be an object, and so must its `endpoints`, where it has them",
}


@attrs.frozen
class AccountResponse:
    """The response of one endpoint of the account.

    Attributes:
        key: Key of the endpoint.
        ok: Whether the request succeeded.
        status: HTTP status of the response; None if no request was sent.
        fetched_at: When it was requested, as in the snapshot.
        label: Label of the endpoint, as in the snapshot.
        group: Key of the group of the endpoint.
        scope: Scope that the owner must grant for it.
        reason: Why it was skipped: `missing_scope:` and the scope; None for any other text.
        data: The response as plain JSON; do not change it.
        skipped: Whether the endpoint was skipped deliberately.

    """

    key: str
    ok: bool = False
    status: int | None = None
    fetched_at: str | None = None
    label: str | None = None
    group: str | None = None
    scope: str | None = None
    reason: str | None = None
    data: Any = attrs.field(default=None, repr=False)
    skipped: bool = False

    @property
    def outcome(self) -> Outcome:
        """`cached` if there is a response, else the reason why not."""
        if self.ok:
            return "cached"
        if (self.reason or "").startswith(_MISSING_SCOPE):
            return "missing_scope"
        return "skipped" if self.skipped else "failed"

    @property
    def missing_scope(self) -> str | None:
        """The scope for want of which an endpoint with the outcome `missing_scope` was skipped."""
        return (self.reason or "").removeprefix(_MISSING_SCOPE).strip() or self.scope

    def plain(self) -> dict[str, Any]:
        """Return the published entry."""
        return {name: getattr(self, name) for name in (*_INDEX_MEMBERS, "reason", "data")}

    def index(self) -> dict[str, Any]:
        """Return the entry of the index of endpoints."""
        return {name: getattr(self, name) for name in ("key", *_INDEX_MEMBERS)}


_INDEX_MEMBERS: Final = ("ok", "status", "fetched_at", "label", "group", "scope")


@attrs.frozen
class Snapshot:
    """A parsed and redacted account snapshot; do not change it.

    Attributes:
        saved_at: When the snapshot was made, as in the file.
        requested_scopes: The requested scopes; empty if the snapshot does not list them.
        granted_scopes: The granted scopes; empty if the snapshot does not list them.
        range: The days of the snapshot, as plain JSON.
        fetch_summary: Counts of endpoints, as plain JSON.
        endpoints: The entries by key, in the order of the file.
        removed_members: Name of the members that were removed to their number.
        removed_texts: Name of the members whose text was removed to their number.
        dropped_entries: Number of ignored entries that are not objects.

    """

    saved_at: str | None
    requested_scopes: tuple[str, ...]
    granted_scopes: tuple[str, ...]
    range: Mapping[str, Any] = attrs.field(repr=False)
    fetch_summary: Mapping[str, Any] = attrs.field(repr=False)
    endpoints: Mapping[str, AccountResponse] = attrs.field(repr=False)
    removed_members: Mapping[str, int] = attrs.field(factory=dict)
    removed_texts: Mapping[str, int] = attrs.field(factory=dict)
    dropped_entries: int = 0

    @property
    def missing_scopes(self) -> tuple[str, ...] | None:
        """The requested scopes that are not granted, in the order of the request.

        None if the snapshot names no granted scopes.
        """
        if not self.granted_scopes:
            return None
        requested = dict.fromkeys(self.requested_scopes or REQUESTED_SCOPES)
        granted = set(self.granted_scopes)
        return tuple(scope for scope in requested if scope not in granted)

    @property
    def ok_count(self) -> int:
        """Number of endpoints that responded, from the summary, or else counted."""
        return self._count("ok", sum(entry.ok for entry in self.endpoints.values()))

    @property
    def total_count(self) -> int:
        """Number of endpoints, from the summary, or else counted."""
        return self._count("total", len(self.endpoints))

    @property
    def missing_count(self) -> int | None:
        """Number of missing scopes; None if it is unknown."""
        missing = self.missing_scopes
        return None if missing is None else len(missing)

    def _count(self, name: str, counted: int) -> int:
        stated = integer(self.fetch_summary.get(name))
        return counted if stated is None or stated < 0 else stated

    def public(self, profile_id: str) -> dict[str, Any]:
        """Return the published snapshot with the id of its profile."""
        return {
            "profile_id": profile_id,
            "saved_at": self.saved_at,
            "requested_scopes": list(self.requested_scopes),
            "granted_scopes": list(self.granted_scopes),
            "range": self.range,
            "fetch_summary": self.fetch_summary,
            "endpoints": {key: entry.plain() for key, entry in self.endpoints.items()},
        }


def data_of(snapshot: Snapshot | None, key: str, *, needs_ok: bool = True) -> Any:  # noqa: ANN401 # plain JSON of any kind
    """Return the data of an endpoint; None if it is missing, not ok, or there is no snapshot."""
    entry = snapshot.endpoints.get(key) if snapshot else None
    return entry.data if entry and (entry.ok or not needs_ok) else None


def build_snapshot_status(snapshot: Snapshot | None) -> dict[str, Any]:
    """Return the data of the resource `snapshot-status`; the snapshot may be None."""
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


def read_snapshot(data: bytes, privacy: PrivacySettings = PRIVATE) -> Snapshot:
    """Parse and redact a snapshot file.

    Raise DataError if it breaks the rule `file.size`, `snapshot.json`, `snapshot.depth` or
    `snapshot.shape`.
    """
    raw = _decode(data)
    if not isinstance(raw, dict) or not isinstance(raw.get("endpoints", {}), dict):
        raise _error("snapshot.shape")
    if "token_scope" in raw:
        raw["granted_scopes"] = raw.pop("token_scope")
    user = member(raw, "endpoints", "profile", "data", "user")
    own = user if isinstance(user, dict) else {}
    hidden = [one for one in ("height", "weight") if one in own and not getattr(privacy, one)]
    for name in hidden:
        del own[name]
    value, members, texts = sanitise(raw, privacy)
    entries = value.get("endpoints", {})
    endpoints = {
        key: _entry(key, entry) for key, entry in entries.items() if isinstance(entry, dict)
    }
    days, summary = value.get("range"), value.get("fetch_summary")
    return Snapshot(
        saved_at=text(value.get("saved_at")),
        requested_scopes=words(value.get("requested_scopes")),
        granted_scopes=words(value.get("granted_scopes")),
        range=days if isinstance(days, dict) else {},
        fetch_summary=summary if isinstance(summary, dict) else {},
        endpoints=endpoints,
        removed_members=Counter(members) + Counter(hidden),
        removed_texts=texts,
        dropped_entries=len(entries) - len(endpoints),
    )


def _decode(data: bytes) -> object:
    if len(data) > limits.SNAPSHOT_FILE_BYTES:
        raise _error("file.size")
    try:
        value = decode(data)
    except JsonDepthError:
        raise _error("snapshot.depth") from None
    except JsonTextError:
        raise _error("snapshot.json") from None
    depth, level = 0, [value]
    while containers := [container for container in level if isinstance(container, dict | list)]:
        depth += 1
        if depth > limits.SNAPSHOT_DEPTH:
            raise _error("snapshot.depth")
        level = []
        for container in containers:
            # Only values change, so iteration stays valid.
            for key in container if isinstance(container, dict) else range(len(container)):
                child = container[key]
                if isinstance(child, int | float) and not is_finite(child):
                    container[key] = None
                level.append(child)
    return value


def _entry(key: str, value: dict[str, Any]) -> AccountResponse:
    status, reason = number(value.get("status")), text(value.get("reason"))
    texts = {name: text(value.get(name)) for name in ("fetched_at", "label", "group", "scope")}
    return AccountResponse(
        key=key,
        ok=value.get("ok") is True,
        status=status if isinstance(status, int) else None,
        # no other reason is published: it may be an error message of the account
        reason=reason if reason and reason.startswith(_MISSING_SCOPE) else None,
        data=value.get("data"),
        skipped=value.get("skipped") is True,
        **texts,
    )


def _error(rule: str) -> DataError:
    return DataError(Finding(f"/{SNAPSHOT_FILE}", rule, _MESSAGE_OF[rule]))
