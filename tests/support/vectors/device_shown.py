"""Vectors of device status: badge text, icons, manifests and conditional requests."""

# ruff: noqa: E501 # tables of cases

import json
from collections.abc import Iterator
from typing import Any, Final

from devicestatus import parse_snapshot
from devicestatus.icons import check_manifest, index_icons, parse_manifest
from devicestatus.rendering.badge import status_text
from purewire.http.conditional import is_unmodified
from purewire.http.messages import Request
from purewire.json import codec
from support.devicestatus.examples import NOON
from support.vectors.device_bodies import DROP, SNAPSHOT, Edits, edited
from support.vectors.device_times import MANIFEST
from support.vectors.topics import Case, Json, Topic

__all__ = ["BADGES", "CONDITIONAL", "ICONS", "MANIFESTS"]

# Badge text

_SILENT: Final = {"state": "stopped", "track": None, "artist": None}
_BADGES: Final[tuple[tuple[str, str, Edits | None, str], ...]] = (
    ("a playing song", "DS-BADGE-02 DS-BADGE-03", {}, "\u266b Song \u2014 Band"),
    ("a playing song without an artist", "DS-BADGE-03", {"music.artist": None}, "\u266b Song"),
    ("playing without a track", "DS-BADGE-02 DS-MUSIC-10", {"music.track": None}, "Editor"),
    ("a blank track", "DS-BADGE-03", {"music.track": " "}, "\u266b   \u2014 Band"),
    ("paused music", "DS-BADGE-02 DS-MUSIC-10", {"music.state": "paused"}, "Editor"),
    ("stopped music with a track", "DS-MUSIC-10", {"music.state": "stopped"}, "Editor"),
    ("an app", "DS-BADGE-02", {"music": _SILENT}, "Editor"),
    ("a private app", "DS-BADGE-10 DS-APP-03", {"music": _SILENT, "active_app": "System"}, "Private app"),
    ("neither song nor app", "DS-BADGE-02", {"music": _SILENT, "active_app": None}, "online"),
    ("no status", "DS-BADGE-01", None, "offline"),
    ("64 code points", "DS-BADGE-04", {"music": _SILENT, "active_app": "x" * 64}, "x" * 64),
    ("65 code points", "DS-BADGE-04", {"music": _SILENT, "active_app": "x" * 65}, "x" * 61 + "\u2026"),
    ("64 emoji", "DS-BADGE-04 DS-TEXT-01", {"music": _SILENT, "active_app": "\U0001f600" * 64}, "\U0001f600" * 64),
    ("65 emoji", "DS-BADGE-04 DS-TEXT-01", {"music": _SILENT, "active_app": "\U0001f600" * 65}, "\U0001f600" * 61 + "\u2026"),
    ("a long song", "DS-BADGE-04 DS-BADGE-03", {"music.track": "x" * 50, "music.artist": "y" * 10}, f"\u266b {'x' * 50} \u2014 {'y' * 6}\u2026"),
    ("markup stays text", "DS-BADGE-05", {"music": _SILENT, "active_app": "<b>&\"'"}, "<b>&\"'"),
)  # fmt: skip


def _badge_cases() -> Iterator[Case]:
    for title, rules, edits, shown in _BADGES:
        state = None if edits is None else edited(SNAPSHOT, edits)
        yield Case(title, rules, {"state": state}, {"text": shown})


def _run_badge(given: Json) -> Json:
    state = given["state"]
    if state is None:
        return {"text": status_text(None)}
    snapshot = parse_snapshot(json.dumps(state).encode(), received_at=NOON)
    return {"text": status_text(snapshot)}


BADGES: Final = Topic(
    "devicestatus", "badges", "text of the badge for a state", _badge_cases, _run_badge
)

# Icons

_NAMES: Final[tuple[tuple[str, str, str, str | None], ...]] = (
    ("the name of an app", "DS-ICON-12 DS-SLICE-08", "Editor", "editor"),
    ("an alias", "DS-ICON-12", "Code Editor", "editor"),
    ("another case", "DS-ICON-12", "eDITOR", "editor"),
    ("blanks around a name", "DS-ICON-12", "  Editor ", "editor"),
    ("white space within a name", "DS-ICON-12", "Code \u2003\tEditor", "editor"),
    ("full-width letters in the manifest", "DS-ICON-12", "Editor Pro", "editor"),
    ("a compatibility form in the name", "DS-ICON-12", "\u1d31ditor", "editor"),
    ("a name that two icons have", "DS-ICON-12", "editor", "editor"),
    ("an app of the second icon", "DS-ICON-12", "files", "files-2"),
    ("an ideographic space within a name", "DS-ICON-12", "code\u3000 \u00a0EDITOR", "editor"),
    ("a full-width letter in the name", "DS-ICON-12", "\uff25ditor", "editor"),
    ("a zero-width space in the name", "DS-ICON-12", "e\u200bditor", None),
    ("a longer name", "DS-ICON-12 DS-SLICE-09", "Editors", None),
    ("an unknown app", "DS-SLICE-09", "Browser", None),
    ("a part of a name", "DS-ICON-12 DS-SLICE-09", "Edit", None),
    ("no blank between words", "DS-ICON-12", "CodeEditor", None),
    ("the private app, though an alias names it", "DS-ICON-13 DS-SLICE-09", "System", None),
    ("the private app in another form", "DS-ICON-13", " \uff33YSTEM ", None),
    ("the id of an icon", "DS-ICON-12", "files-2", None),
    ("a Kelvin sign", "DS-ICON-12", "\u212aernel", None),
)  # fmt: skip


def _icon_cases() -> Iterator[Case]:
    for title, rules, name, icon in _NAMES:
        yield Case(title, rules, {"manifest": MANIFEST, "name": name}, {"icon": icon})


def _run_icon(given: Json) -> Json:
    manifest = parse_manifest(codec.encode(given["manifest"]))
    assert manifest is not None
    found = index_icons(manifest).describe(given["name"])
    assert found.name == given["name"]
    prefix, suffix = "/api/icons/", ".png"
    url = found.icon_api_url
    return {"icon": None if url is None else url.removeprefix(prefix).removesuffix(suffix)}


ICONS: Final = Topic(
    "devicestatus", "icons", "the icon of an app name in a manifest", _icon_cases, _run_icon
)

# Manifests

_MANIFESTS: Final[tuple[tuple[str, str, Edits, str], ...]] = (
    ("a manifest of two icons", "DS-MANIFEST-01 DS-MANIFEST-02", {}, ""),
    ("a manifest without icons", "DS-MANIFEST-01", {"icons": []}, ""),
    ("manifest version 2", "DS-MANIFEST-01", {"version": 2}, "/version constant"),
    ("an unknown member of a manifest", "DS-MANIFEST-02", {"updated": 1}, "/updated unknown"),
    ("an unknown member of an icon", "DS-MANIFEST-02", {"icons.0.size": 64}, "/icons/0/size unknown"),
    ("an icon without a credit", "DS-MANIFEST-02", {"icons.0.credit": DROP}, "/icons/0/credit required"),
    ("an icon with an empty credit", "DS-MANIFEST-03", {"icons.0.credit": ""}, "/icons/0/credit text.length"),
    ("an icon without aliases", "DS-MANIFEST-03", {"icons.0.aliases": []}, "/icons/0/aliases items.count"),
    ("an empty alias", "DS-MANIFEST-03", {"icons.0.aliases": [""]}, "/icons/0/aliases/0 text.length"),
    ("an id with a capital letter", "DS-ICON-04", {"icons.0.id": "Editor"}, "/icons/0/id text.pattern"),
    ("an id with two hyphens in a row", "DS-ICON-04", {"icons.1.id": "files--2"}, "/icons/1/id text.pattern"),
    ("an id with a line feed at its end", "DS-ICON-04", {"icons.0.id": "editor\n"}, "/icons/0/id text.pattern"),
    ("an image URL of another id", "DS-MANIFEST-04", {"icons.0.imageUrl": "/api/icons/files-2.png"}, "/icons/0/imageUrl icons.image-url"),
    ("a static image URL", "DS-MANIFEST-04", {"icons.0.imageUrl": "/app-icons/editor.png"}, "/icons/0/imageUrl icons.image-url"),
    ("another source", "DS-MANIFEST-05", {"icons.0.source": "web"}, "/icons/0/source constant"),
    ("an http source URL", "DS-MANIFEST-06", {"icons.1.sourceUrl": "http://example.org/"}, "/icons/1/sourceUrl icons.source-url"),
    ("a source URL that is none", "DS-MANIFEST-06", {"icons.1.sourceUrl": "example.org"}, "/icons/1/sourceUrl icons.source-url"),
    ("a missing source URL", "DS-MANIFEST-02", {"icons.0.sourceUrl": DROP}, "/icons/0/sourceUrl required"),
    ("an id of one digit", "DS-ICON-04", {"icons.0.id": "7", "icons.0.imageUrl": "/api/icons/7.png"}, ""),
    ("an id that begins with a hyphen", "DS-ICON-04", {"icons.0.id": "-a"}, "/icons/0/id text.pattern"),
    ("an id that ends in a hyphen", "DS-ICON-04", {"icons.0.id": "a-"}, "/icons/0/id text.pattern"),
    ("an empty id", "DS-ICON-04", {"icons.0.id": ""}, "/icons/0/id text.pattern"),
    ("an empty app name", "DS-MANIFEST-03", {"icons.0.app": ""}, "/icons/0/app text.length"),
    ("an alias twice", "DS-MANIFEST-03", {"icons.0.aliases": ["a", "a"]}, ""),
    ("a source URL with a port", "DS-MANIFEST-06", {"icons.1.sourceUrl": "https://example.org:8443/icon?x=1"}, ""),
    ("an empty source URL", "DS-MANIFEST-06", {"icons.1.sourceUrl": ""}, "/icons/1/sourceUrl icons.source-url"),
    ("a manifest without a list", "DS-MANIFEST-01", {"icons": DROP}, "/icons required"),
    ("a digest in capitals", "DS-MANIFEST-07", {"icons.1.sha256": "A" * 64}, "/icons/1/sha256 text.pattern"),
    ("a digest of 63 digits", "DS-MANIFEST-07", {"icons.1.sha256": "0" * 63}, "/icons/1/sha256 text.pattern"),
    ("a digest that is null", "DS-MANIFEST-07", {"icons.1.sha256": None}, "/icons/1/sha256 type"),
)  # fmt: skip


def _manifest_cases() -> Iterator[Case]:
    for title, rules, edits, finding in _MANIFESTS:
        path, _, rule = finding.rpartition(" ")
        findings = [{"path": path, "rule": rule}] if finding else []
        expected = {"valid": not finding, "findings": findings}
        yield Case(title, rules, {"manifest": edited(MANIFEST, edits)}, expected)


def _run_manifest(given: Json) -> Json:
    findings = check_manifest(given["manifest"])
    is_valid = parse_manifest(codec.encode(given["manifest"])) is not None
    found = [{"path": each.path, "rule": each.rule} for each in findings]
    return {"valid": is_valid, "findings": found}


MANIFESTS: Final = Topic(
    "devicestatus",
    "manifests",
    "icon manifests: valid, or findings",
    _manifest_cases,
    _run_manifest,
)

# Conditional requests

TAG: Final = '"abc"'
MODIFIED: Final = "Tue, 03 Feb 2026 04:05:06 GMT"
_CONDITIONAL: Final[tuple[tuple[str, str, Json, Json, int], ...]] = (
    ("no condition", "DS-ICON-11", {}, {}, 200),
    ("a listed tag matches", "DS-ICON-11", {"if_none_match": ['"abc"']}, {}, 304),
    ("another tag", "DS-ICON-11", {"if_none_match": ['"abd"']}, {}, 200),
    ("a weak tag sent for a strong one", "DS-ICON-11", {"if_none_match": ['W/"abc"']}, {}, 304),
    ("a strong tag sent for a weak one", "DS-ICON-11", {"if_none_match": ['"abc"']}, {"etag": 'W/"abc"'}, 304),
    ("both tags weak", "DS-ICON-11", {"if_none_match": ['W/"abc"']}, {"etag": 'W/"abc"'}, 304),
    ("a star", "DS-ICON-11", {"if_none_match": ["*"]}, {}, 304),
    ("a star for a resource without a tag", "DS-ICON-11", {"if_none_match": ["*"]}, {"etag": None}, 304),
    ("a list with the tag", "DS-ICON-11", {"if_none_match": ['"x", "y" ,"abc"']}, {}, 304),
    ("a list without the tag", "DS-ICON-11", {"if_none_match": ['"x", "y"']}, {}, 200),
    ("empty members of a list", "DS-ICON-11", {"if_none_match": [', ,"abc"']}, {}, 304),
    ("two lines", "DS-ICON-11", {"if_none_match": ['"x"', '"abc"']}, {}, 304),
    ("a comma inside of a tag", "DS-ICON-11", {"if_none_match": ['"a,b"']}, {"etag": '"a,b"'}, 304),
    ("the parts of a tag with a comma", "DS-ICON-11", {"if_none_match": ['"a", "b"']}, {"etag": '"a,b"'}, 200),
    ("a tag in another case", "DS-ICON-11", {"if_none_match": ['"ABC"']}, {}, 200),
    ("a star in quotes", "DS-ICON-11", {"if_none_match": ['"*"']}, {}, 200),
    ("a tag without quotes", "DS-ICON-11", {"if_none_match": ["abc"]}, {}, 200),
    ("another tag and a later date", "DS-ICON-11", {"if_none_match": ['"x"'], "if_modified_since": "Wed, 04 Feb 2026 00:00:00 GMT"}, {}, 200),
    ("the tag and an earlier date", "DS-ICON-11", {"if_none_match": ['"abc"'], "if_modified_since": "Mon, 02 Feb 2026 00:00:00 GMT"}, {}, 304),
    ("the same date", "DS-ICON-11", {"if_modified_since": MODIFIED}, {}, 304),
    ("a later date", "DS-ICON-11", {"if_modified_since": "Tue, 03 Feb 2026 04:05:07 GMT"}, {}, 304),
    ("an earlier date", "DS-ICON-11", {"if_modified_since": "Tue, 03 Feb 2026 04:05:05 GMT"}, {}, 200),
    ("a date of the form of RFC 850", "DS-ICON-11", {"if_modified_since": "Tuesday, 03-Feb-26 04:05:06 GMT"}, {}, 304),
    ("a date of the form of asctime", "DS-ICON-11", {"if_modified_since": "Tue Feb  3 04:05:06 2026"}, {}, 304),
    ("a date of another form", "DS-ICON-11", {"if_modified_since": "2026-02-03T04:05:06Z"}, {}, 200),
    ("a date that does not exist", "DS-ICON-11", {"if_modified_since": "Mon, 30 Feb 2026 04:05:06 GMT"}, {}, 200),
    ("a date for a resource without one", "DS-ICON-11", {"if_modified_since": MODIFIED}, {"last_modified": None}, 200),
    ("HEAD with the tag", "DS-ICON-11 DS-HTTP-14", {"method": "HEAD", "if_none_match": ['"abc"']}, {}, 304),
    ("HEAD with an earlier date", "DS-ICON-11 DS-HTTP-14", {"method": "HEAD", "if_modified_since": "Tue, 03 Feb 2026 04:05:05 GMT"}, {}, 200),
)  # fmt: skip


def _conditional_cases() -> Iterator[Case]:
    sent: Json = {"method": "GET", "if_none_match": None, "if_modified_since": None}
    stored: Json = {"etag": TAG, "last_modified": MODIFIED}
    for title, rules, request, resource, status in _CONDITIONAL:
        given = {"request": sent | request, "resource": stored | resource}
        yield Case(title, rules, given, {"status": status})


def _run_conditional(given: Json) -> Json:
    request, resource = given["request"], given["resource"]
    headers = [(b"if-none-match", line.encode()) for line in request["if_none_match"] or ()]
    since: Any = request["if_modified_since"]
    if since is not None:
        headers.append((b"if-modified-since", since.encode()))
    conditions = Request(request["method"], b"/", tuple(headers)).conditions()
    unmodified = is_unmodified(conditions, resource["etag"], resource["last_modified"])
    return {"status": 304 if unmodified else 200}


CONDITIONAL: Final = Topic(
    "devicestatus",
    "conditional",
    "conditional requests of an icon: 200 or 304",
    _conditional_cases,
    _run_conditional,
)
