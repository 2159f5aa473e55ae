"""The icon manifest and the look-up of app names."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.icons import (
    IconIndex,
    check_manifest,
    index_icons,
    normalize_name,
    parse_manifest,
)
from devicestatus.models.icon_manifest import AppWithIcon
from purewire.absent import ABSENT
from purewire.json.codec import encode


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
        "members",
        [
            {},
            {"id": "a"},
            {"id": "7zip"},
            {"id": "a-b-9"},
            {"sourceUrl": "https://example.org/icon?x=1"},
            {"sourceUrl": "https://example.org:8443/icon"},
            {"sha256": "0123456789abcdef" * 4},
            {"aliases": ["a", "a"]},
        ],
    )
    def test_a_valid_entry_is_read(self, members: dict[str, Any]) -> None:
        value = manifest(icon(**members))
        assert check_manifest(value) == ()
        found = parse_manifest(encode(value))
        assert found is not None
        assert found.icons[0].id == members.get("id", "editor")
        assert found.icons[0].sha256 == members.get("sha256", ABSENT)

    @pytest.mark.parametrize(
        ("members", "path", "rule"),
        [
            ({"id": "Editor"}, "/id", "text.pattern"),
            ({"id": "a--b"}, "/id", "text.pattern"),
            ({"id": "-a"}, "/id", "text.pattern"),
            ({"id": "a-"}, "/id", "text.pattern"),
            ({"id": ""}, "/id", "text.pattern"),
            ({"app": ""}, "/app", "text.length"),
            ({"aliases": []}, "/aliases", "items.count"),
            ({"aliases": [""]}, "/aliases/0", "text.length"),
            ({"credit": ""}, "/credit", "text.length"),
            ({"source": "elsewhere"}, "/source", "constant"),
            ({"sourceUrl": "http://example.org/"}, "/sourceUrl", "icons.source-url"),
            ({"sourceUrl": ""}, "/sourceUrl", "icons.source-url"),
            ({"imageUrl": "/api/icons/other.png"}, "/imageUrl", "icons.image-url"),
            ({"imageUrl": "/app-icons/editor.png"}, "/imageUrl", "icons.image-url"),
            ({"sha256": "A" * 64}, "/sha256", "text.pattern"),
            ({"sha256": None}, "/sha256", "type"),
            ({"extra": 1}, "/extra", "unknown"),
        ],
    )
    def test_each_rule_is_kept(self, members: dict[str, Any], path: str, rule: str) -> None:
        value = manifest(icon(), icon(**members))
        assert [(f.path, f.rule) for f in check_manifest(value)] == [(f"/icons/1{path}", rule)]
        assert parse_manifest(encode(value)) is None

    @pytest.mark.parametrize("name", sorted(icon()))
    def test_every_member_but_the_digest_is_required(self, name: str) -> None:
        value = icon()
        del value[name]
        findings = check_manifest(manifest(value))
        assert [finding.rule for finding in findings] == ["required"]

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
    @pytest.mark.parametrize(
        "name",
        ["Editor", "EDITOR", " editor ", "Text Editor", "text\u3000 \u00a0EDITOR", "Ｅditor"],
    )
    def test_names_and_aliases_compare_folded(self, name: str) -> None:
        """NFKC, white space runs to one space, trimmed, lower case."""
        assert index(icon()).describe(name) == AppWithIcon(
            name, "/app-icons/editor.png", "/api/icons/editor.png"
        )

    @pytest.mark.parametrize("name", ["Edit", "Editors", "TextEditor", "e\u200bditor"])
    def test_an_unknown_name_is_kept_without_icon(self, name: str) -> None:
        assert index(icon()).describe(name) == AppWithIcon(name)

    def test_a_name_longer_than_any_app_name_is_left_out(self) -> None:
        """Folding costs the square of the combining marks: 40,000 of them took seconds."""
        found = index(icon(app="a" + "\u0301\u0323" * 200_000))
        assert found.describe("text editor").icon_url == "/app-icons/editor.png"

    def test_the_first_match_in_manifest_order_wins(self) -> None:
        second = icon(id="second", app="Other", aliases=["editor", "only"])
        found = index(icon(), second)
        assert found.describe("editor").icon_url == "/app-icons/editor.png"
        assert found.describe("only").icon_url == "/app-icons/second.png"
        assert found.ids == {"editor", "second"}

    @pytest.mark.parametrize("name", ["System", "system", "ＳＹＳＴＥＭ", " System "])
    def test_a_name_that_normalises_to_system_never_has_an_icon(self, name: str) -> None:
        assert index(icon(app="System", aliases=["system"])).describe(name) == AppWithIcon(name)

    @given(st.text(max_size=200))
    def test_normalizing_again_changes_nothing_more_than_case_tables_do(self, name: str) -> None:
        assert normalize_name(normalize_name(normalize_name(name))) == normalize_name(
            normalize_name(name)
        )
