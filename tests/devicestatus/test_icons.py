"""What the vectors of the icon manifest cannot state."""

import pytest

from devicestatus.icons import index_icons, parse_manifest
from status_contracts.json_text import encode


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[]", b"[" * 5000 + b"]" * 5000])
def test_what_is_not_json_or_no_object_is_no_manifest(body: bytes) -> None:
    assert parse_manifest(body) is None


def test_a_name_longer_than_any_app_name_is_left_out() -> None:
    """Folding costs the square of the combining marks: 40,000 of them took seconds."""
    icon = {
        "id": "editor",
        "app": "a" + "\u0301\u0323" * 200_000,
        "aliases": ["Text Editor"],
        "imageUrl": "/api/icons/editor.png",
        "source": "installed-app",
        "credit": "drawn for a test",
        "sourceUrl": None,
    }
    manifest = parse_manifest(encode({"version": 1, "icons": [icon]}))
    assert manifest is not None
    found = index_icons(manifest).describe("text editor")
    assert found.icon_url == "/app-icons/editor.png"
