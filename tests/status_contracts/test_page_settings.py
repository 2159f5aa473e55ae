"""Settings of a page: their rules, the file that holds them, and the header built from them."""

from pathlib import Path

import pytest

from status_contracts.adapters.page_files import load_page_settings
from status_contracts.cli.exit_codes import Failed
from status_contracts.cli.files import page_settings
from status_contracts.pages.page import header_html
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.structuring.decoder import SettingsError

WHOLE = """
name = "Ada Example"
line = "Builds small tools"
artwork = true

[links]
Code = "https://git.example.org/ada"

[pages]
Now = "/"
Health = "../health/"
"""


class TestLinks:
    @pytest.mark.parametrize(
        "url", ["https://example.org", "mailto:ada@example.org", "/health/", "../a.html"]
    )
    def test_a_link_is_a_url_of_the_web_or_mail_or_a_path(self, url: str) -> None:
        assert Link("x", url).url == url

    @pytest.mark.parametrize(
        "url",
        [
            *("javascript:alert(1)", "java\tscript:alert(1)", "//example.org", ""),
            *(" https://a.b", "https:///x"),
        ],
    )
    def test_other_text_is_no_link(self, url: str) -> None:
        with pytest.raises(ValueError, match="must be an https"):
            Link("x", url)


class TestFile:
    def test_a_file_sets_every_member(self, tmp_path: Path) -> None:
        (tmp_path / "page.toml").write_text(WHOLE, "utf-8")
        assert load_page_settings(tmp_path / "page.toml") == PageSettings(
            "Ada Example",
            "Builds small tools",
            (Link("Code", "https://git.example.org/ada"),),
            (Link("Now", "/"), Link("Health", "../health/")),
            artwork=True,
        )

    def test_an_empty_file_sets_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "page.toml").write_bytes(b"")
        assert load_page_settings(tmp_path / "page.toml") == PageSettings()

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("nam = 'x'\nline = 1", [("/line", "type"), ("/nam", "unknown")]),
            ("[links]\nx = 'javascript:1'", [("/links/x", "page.link")]),
        ],
    )
    def test_each_fault_is_a_finding(
        self, tmp_path: Path, text: str, expected: list[tuple[str, str]]
    ) -> None:
        (tmp_path / "page.toml").write_text(text, "utf-8")
        with pytest.raises(SettingsError) as caught:
            load_page_settings(tmp_path / "page.toml")
        assert sorted((each.path, each.rule) for each in caught.value.findings) == expected

    def test_a_missing_file_and_one_that_is_too_long_are_reported(self, tmp_path: Path) -> None:
        (tmp_path / "long.toml").write_text("#" * (64 * 1024 + 1))
        for name, reason in (("none", "it does not"), ("long", "it has more than 65536 bytes")):
            with pytest.raises(Failed, match=f"cannot read .*{name}.toml: {reason}"):
                page_settings(str(tmp_path / f"{name}.toml"))

    def test_a_command_fails_with_a_line_per_fault(self, tmp_path: Path) -> None:
        file = tmp_path / "page.toml"
        file.write_text("name = 'x'\n\nlinks = 1\nlien = 'a'", "utf-8")
        with pytest.raises(Failed) as caught:
            page_settings(str(file))
        assert tuple(map(str, caught.value.lines)) == (
            f"{file}:3 /links: must be an object [type]",
            f"{file}:4 /lien: is not a setting; did you mean line? [unknown]",
        )
        file.write_text("name = = 'x'")
        with pytest.raises(Failed) as caught:
            page_settings(str(file))
        assert tuple(map(str, caught.value.lines)) == (
            f"{file}:1:8: must be TOML text [config.toml]",
        )

    def test_a_command_without_a_file_uses_the_defaults(self) -> None:
        assert page_settings(None) == PageSettings()


class TestHeader:
    def test_the_texts_of_the_owner_are_escaped(self) -> None:
        header = header_html(
            PageSettings("<b>", "<i>", links=(Link("<u>", "https://a.b/?x&y"),)), "Title"
        )
        assert "<b>" not in header
        assert "<i>" not in header
        assert "<u>" not in header
        assert "?x&amp;y" in header

    def test_the_title_stands_in_for_a_missing_name(self) -> None:
        assert '<p class="owner-name">Title</p>' in header_html(PageSettings(), "Title")
