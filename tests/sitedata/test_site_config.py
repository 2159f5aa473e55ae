"""Settings of a build as TOML text."""

from pathlib import Path

import pytest

from sitedata.adapters.files import RULES, read_config
from sitedata.building.settings import CONFIG_FILE_BYTES, BuildSettings
from status_contracts.structuring.decoder import SettingsError


def errors(data: bytes | str) -> list[tuple[str, str]]:
    with pytest.raises(SettingsError) as caught:
        read_config(data)
    return [(finding.path, finding.rule) for finding in caught.value.findings]


class TestReading:
    @pytest.mark.parametrize("data", [b"", "", b"\xef\xbb\xbf", b"# nothing\r\n"])
    def test_an_empty_file_is_valid(self, data: bytes | str) -> None:
        assert read_config(data) == BuildSettings()

    @pytest.mark.parametrize(
        "data", ['zone = "Europe/Berlin"', b'\xef\xbb\xbfzone = "Europe/Berlin"']
    )
    def test_text_and_bytes_are_read(self, data: bytes | str) -> None:
        assert read_config(data).zone == "Europe/Berlin"


@pytest.mark.rule("SD-SETTINGS-02")
class TestErrors:
    @pytest.mark.parametrize(
        "data", [b"a", b"\xff", "a = '\ud800'"], ids=["bare", "latin-1", "surrogate"]
    )
    def test_invalid_toml_is_one_finding(self, data: bytes | str) -> None:
        """Invariant *one error*."""
        assert errors(data) == [("", "config.toml")]

    def test_a_file_that_is_too_large_is_refused(self) -> None:
        assert errors(b"#\n" * (CONFIG_FILE_BYTES // 2) + b"#") == [("", "config.size")]
        assert read_config(b"#\n" * (CONFIG_FILE_BYTES // 2)) == BuildSettings()

    @pytest.mark.parametrize("value", ["2026-01-01", "inf", "nan", "12:00:00", "true", "{}"])
    def test_types_that_json_lacks_are_findings(self, value: str) -> None:
        assert errors(f"zone = {value}") == [("/zone", "type")]
        assert errors(f"[ignore]\nroots = {value}")[0][0] == "/ignore/roots"

    def test_errors_have_their_paths_and_lines(self) -> None:
        text = "dates = 'never'\n[repository]\nhost = 'x y'\n[platforms.uva]\nfolders = ['']"
        with pytest.raises(SettingsError) as caught:
            read_config(text)
        assert [
            (each.path, each.rule, each.message.partition(":")[0]) for each in caught.value.findings
        ] == [
            ("/dates", "constant", "line 1"),
            ("/repository/host", "settings.name", "line 3"),
            ("/platforms/uva/folders/0", "text.length", "line 5"),
        ]

    def test_every_rule_has_a_description(self) -> None:
        assert set(RULES) == {"config.size", "config.toml"}


class TestDocumentation:
    PAGE = Path(__file__).parents[2] / "docs" / "reference" / "site-data-rules.md"

    def test_every_rule_is_on_the_page(self) -> None:
        page = self.PAGE.read_text("utf-8")
        assert [
            name
            for name in ("adapters.files", "building.settings_file", "building.history")
            if f"{name}:RULES\n" not in page
        ] == []
        assert "tree:EXPECTED_RULES\n" in page
