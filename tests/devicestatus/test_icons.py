"""The icon manifest and the look-up of app names."""

from typing import Any

import pytest

from devicestatus.icons import (
    IconIndex,
    check_manifest,
    index_icons,
    parse_manifest,
)
from status_contracts.json_text import encode


def icon(**members: object) -> dict[str, Any]:
    """Return a valid icon entry."""
    icon_id = members.get("id", "editor")
    return {
        "id": icon_id,
        "app": "Editor",
        "aliases": ["Text Editor"],
        "imageUrl": f"/api/icons/{icon_id}.png",
        "source": "installed-app",
        "credit": "drawn for a test",
        "sourceUrl": None,
    } | members


def manifest(*icons: dict[str, Any], **members: object) -> dict[str, Any]:
    return {"version": 1, "icons": list(icons)} | members


def index(*icons: dict[str, Any]) -> IconIndex:
    found = parse_manifest(encode(manifest(*icons)))
    assert found is not None
    return index_icons(found)


class TestManifest:
    @pytest.mark.parametrize(
        "value", [{}, [], {"version": 2, "icons": []}, {"version": 1}, manifest(more=1)]
    )
    def test_the_manifest_itself_is_closed(self, value: object) -> None:
        assert check_manifest(value)
        assert parse_manifest(encode(value)) is None

    @pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 5000 + b"]" * 5000])
    def test_what_is_not_json_is_no_manifest(self, body: bytes) -> None:
        assert parse_manifest(body) is None


class TestLookUp:
    def test_a_name_longer_than_any_app_name_is_left_out(self) -> None:
        """Folding costs the square of the combining marks: 40,000 of them took seconds."""
        found = index(icon(app="a" + "\u0301\u0323" * 200_000))
        assert found.describe("text editor").icon_url == "/app-icons/editor.png"
