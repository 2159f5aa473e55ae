"""Settings of a file, as plain tables."""

from typing import Any

import pytest

from sitedata.building.platforms import PlatformIndex, platforms_by_folder
from sitedata.building.settings import (
    IGNORED_FILES,
    IGNORED_FOLDERS,
    IGNORED_ROOTS,
    LANGUAGES,
    BuildSettings,
    language_of,
)
from sitedata.building.settings_file import RULES, read_settings
from sitedata.limits import FINDINGS_CAP
from status_contracts.structuring.decoder import SettingsError
from support.sitedata.statements import statements


def errors(value: object) -> list[tuple[str, str]]:
    with pytest.raises(SettingsError) as caught:
        read_settings(value)
    assert all(finding.message for finding in caught.value.findings)
    return [(finding.path, finding.rule) for finding in caught.value.findings]


class TestValues:
    def test_an_empty_file_changes_nothing(self) -> None:
        """Invariant *a file adds*."""
        assert read_settings({}) == BuildSettings()

    def test_plain_values_are_used(self) -> None:
        repository: Any = {
            "owner": "a/b",
            "name": "c",
            "branch": "d/e",
            "host": "git.example:3000",
            "kind": "gitea",
        }
        others: Any = {"dates": "first-added", "zone": "Asia/Tokyo"}
        read = read_settings({**others, "ratings": ["b", "a"], "repository": repository})
        assert read == BuildSettings(ratings=("b", "a"), **others, **repository)

    def test_ignored_names_are_added_and_removed(self) -> None:
        ignore = {"roots": ["Attic"], "folders": ["Old"], "keep": ["Tests", "node_modules"]}
        settings = read_settings({"ignore": ignore})
        assert settings.ignored_roots == (IGNORED_ROOTS | {"attic"}) - {"tests", "node_modules"}
        assert settings.ignored_folders == (IGNORED_FOLDERS | {"old"}) - {"tests", "node_modules"}

    def test_ignored_files_are_added_and_removed(self) -> None:
        ignore = {"files": ["Draft*"], "keep": ["__init__.py", "*_TEST.go"]}
        settings = read_settings({"ignore": ignore})
        kept = {"__init__.py", "*_test.go"}
        assert settings.ignored_files == (IGNORED_FILES | {"draft*"}) - kept

    def test_languages_are_added_replaced_and_removed(self) -> None:
        settings = read_settings({"languages": {"ipynb": "Python", "py": "PyPy", "sh": ""}})
        languages = settings.languages
        assert language_of("ipynb", languages) == "Python"
        assert language_of("PY", languages) == "PyPy"
        assert language_of("sh", languages) is None
        assert len(languages) == len(LANGUAGES)


class TestPlatforms:
    def test_a_built_in_platform_has_more_folders(self) -> None:
        settings = read_settings({"platforms": {"hdu": {"folders": ["h", "Hang Dian"]}}})
        folders = platforms_by_folder(settings.platforms)
        assert folders["h"] is folders["hangdian"] is folders["hdoj"]
        assert settings.platforms[0].name == "hdu"
        assert statements("h/1000.py", platforms=settings.platforms) == [
            ("1000", "https://acm.hdu.edu.cn/showproblem.php?pid=1000")
        ]

    def test_or_is_disabled(self) -> None:
        settings = read_settings({"platforms": {"hdu": {"enabled": False}}})
        assert "hdu" not in platforms_by_folder(settings.platforms)
        assert "hdu" not in settings.rating_keys

    def test_or_named_without_changes(self) -> None:
        settings = read_settings({"platforms": {"hdu": {"enabled": True}}})
        assert set(settings.platforms) == set(BuildSettings().platforms)

    @pytest.mark.parametrize("first", ["codeforces", "kattis"])
    def test_a_folder_that_a_platform_names_belongs_to_it_alone(self, first: str) -> None:
        tables = {"codeforces": {"folders": ["forces"]}, "kattis": {"folders": ["CF"]}}
        settings = read_settings(
            {"platforms": dict(sorted(tables.items(), key=lambda t: t[0] != first))}
        )
        names = {key: found.name for key, found in platforms_by_folder(settings.platforms).items()}
        found = [names[key] for key in ("cf", "forces", "gym")]
        assert found == ["kattis", "codeforces", "codeforces"]

    def test_a_folder_may_be_a_path_or_the_root(self) -> None:
        tables = {"leetcode": {"folders": ["python/leetcode"]}, "kattis": {"folders": ["."]}}
        index = PlatformIndex(read_settings({"platforms": tables}).platforms)
        names = [found[0].name for found in map(index.find, ("python/leetcode", "python")) if found]
        assert names == ["leetcode", "kattis"]


FAULTS: list[tuple[object, list[tuple[str, str]]]] = [
    (None, [("", "type")]),
    ([], [("", "type")]),
    ({"nope": 1}, [("/nope", "unknown")]),
    ({"dates": "newest"}, [("/dates", "constant")]),
    ({"zone": 1}, [("/zone", "type")]),
    ({"zone": "../x"}, [("/zone", "settings.name")]),
    ({"ratings": "a"}, [("/ratings", "type")]),
    ({"ratings": [""]}, [("/ratings/0", "text.length")]),
    ({"repository": {"name": "a/b"}}, [("/repository/name", "settings.name")]),
    ({"repository": {"host": "http://x"}}, [("/repository/host", "settings.name")]),
    ({"repository": {"kind": "cvs"}}, [("/repository/kind", "constant")]),
    ({"repository": {"x": 1}}, [("/repository/x", "unknown")]),
    ({"bulk": {"commits": ["0123456"]}}, [("/bulk", "unknown")]),
    ({"ignore": {"suspect": 500}}, [("/ignore/suspect", "unknown")]),
    ({"ignore": {"roots": [1]}}, [("/ignore/roots/0", "type")]),
    ({"languages": {"a.b": "x"}}, [("/languages/a.b", "settings.extension")]),
    ({"languages": {"": "x"}}, [("/languages/", "settings.extension")]),
    ({"languages": {"x": False}}, [("/languages/x", "type")]),
    ({"platforms": {"x": {}}}, [("/platforms/x", "platform.unknown")]),
    ({"platforms": {"hdu": {"layouts": []}}}, [("/platforms/hdu/layouts", "unknown")]),
    ({"platforms": {"x": {"enabled": "no"}}}, [("/platforms/x/enabled", "type")]),
    (
        {"platforms": {"uva": {"folders": ["a", "b"]}, "loj": {"folders": ["c", "B"]}}},
        [("/platforms/loj/folders/1", "platform.folder")],
    ),
    (
        {"ignore": {"files": ["a", "a/b", ""]}},
        [("/ignore/files/1", "ignore.file"), ("/ignore/files/2", "ignore.file")],
    ),
]


@pytest.mark.rule(
    "SD-SETTINGS-01", "SD-SETTINGS-03", "SD-SETTINGS-04", "SD-SETTINGS-05", "SD-SETTINGS-06"
)
class TestErrors:
    """Invariant *all problems are reported*."""

    @pytest.mark.parametrize(("value", "expected"), FAULTS)
    def test_an_error_has_its_path_and_rule(
        self, value: object, expected: list[tuple[str, str]]
    ) -> None:
        assert errors(value) == expected

    def test_all_errors_are_reported_at_once(self) -> None:
        value = {"zone": "", "ignore": {"roots": 0}, "platforms": {"x": {"folders": 1}}}
        paths = [path for path, _ in errors(value)]
        assert paths == ["/zone", "/ignore/roots", "/platforms/x/folders"]

    def test_the_number_of_findings_is_limited(self) -> None:
        assert len(errors({str(index): 0 for index in range(1000)})) == FINDINGS_CAP
        assert len(errors({"platforms": {str(index): {} for index in range(1000)}})) == FINDINGS_CAP

    def test_findings_quote_no_value(self) -> None:
        with pytest.raises(SettingsError) as caught:
            read_settings({"zone": "se cret", "repository": {"host": "se cret"}})
        assert "cret" not in str([str(finding) for finding in caught.value.findings])

    def test_every_rule_has_its_case(self) -> None:
        seen = {rule for _, expected in FAULTS for _, rule in expected}
        assert set(RULES) <= seen
