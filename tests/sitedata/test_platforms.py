"""Platforms: layouts and folders."""

import pytest

from sitedata.building.names import folder_key
from sitedata.building.platforms import (
    Layout,
    Platform,
    PlatformIndex,
    Statement,
    platforms_by_folder,
)
from support.sitedata.statements import statements

URL = "https://example.org/{contest}/{index:upper}"
LAYOUT = Layout(
    "(?P<contest>[0-9]++)/(?P<index>[a-z])(?:-(?P<title>.++))?", "{contest}{index}", URL
)


def statement(platform: Platform, *path: str) -> Statement | None:
    return statements("/".join(("x", *path)), platforms=[platform])[0]


class TestLayout:
    @pytest.mark.parametrize("above", [(), ("2026", "div2")])
    def test_a_matching_path_has_title_and_url_below_any_folders(self, above: list[str]) -> None:
        platform = Platform("x", ["x"], (LAYOUT,))
        assert statement(platform, *above, "12", "a") == ("12a", "https://example.org/12/A")

    @pytest.mark.parametrize("path", [("a",), ("12", "ab"), ("x", "a"), ("12", "a", "b"), ("12a",)])
    def test_a_path_that_does_not_match_has_no_statement(self, path: tuple[str, ...]) -> None:
        assert statement(Platform("x", ["x"], (LAYOUT,)), *path) is None

    def test_the_first_matching_layout_is_used(self) -> None:
        other = Layout("(?P<id>.++)", "other {id}", "https://example.org/other/{id}")
        assert statement(Platform("x", ["x"], (LAYOUT, other)), "12", "a") == (
            "12a",
            "https://example.org/12/A",
        )
        found = statement(Platform("x", ["x"], (other, LAYOUT)), "12", "a b")
        assert found == ("other a b", "https://example.org/other/a%20b")

    def test_an_incomplete_url_is_none(self) -> None:
        """Invariant *complete or nothing*."""
        layout = Layout("(?P<a>x)?(?P<b>y)?(?P<c>z)?", "{a}", "https://example.org/{b}")
        platform = Platform("x", ["x"], (layout,))
        assert statement(platform, "xy") == ("x", "https://example.org/y")
        for half in ("x", "y", "z", ""):
            assert statement(platform, half) is None


class TestFolders:
    @pytest.mark.parametrize(
        "name", ["Project Euler", "project_euler", "PROJECT-EULER", "project.euler", "ProjectEuler"]
    )
    def test_case_and_separators_are_ignored(self, name: str) -> None:
        assert folder_key(name) == "projecteuler"

    def test_the_first_platform_with_a_folder_name_is_used(self) -> None:
        first, second = Platform("a", ["x", "Y"], ()), Platform("b", ["y", "z"], ())
        assert platforms_by_folder([first, second]) == {"x": first, "y": first, "z": second}


@pytest.mark.rule("SD-SETTINGS-10")
class TestPlatformIndex:
    INDEX = PlatformIndex(
        [
            Platform("top", ["python"], ()),
            Platform("nested", ["Python/Leet-Code", "a/b/c"], ()),
            Platform("root", ["."], ()),
        ]
    )

    @pytest.mark.parametrize(
        ("parent", "name", "folders"),
        [
            ("python", "top", []),
            ("Python/x", "top", ["x"]),
            ("python/leetcode", "nested", []),
            ("PYTHON/leet code/easy/1", "nested", ["easy", "1"]),
            ("a/b", "root", ["a", "b"]),
            ("a/b/c/d", "nested", ["d"]),
            ("c++", "root", ["c++"]),
            ("_", "root", ["_"]),
            ("x/python", "root", ["x", "python"]),
        ],
    )
    def test_the_deepest_known_folder_counts(
        self, parent: str, name: str, folders: list[str]
    ) -> None:
        found = self.INDEX.find(parent)
        assert found is not None
        assert (found[0].name, found[1]) == (name, folders)

    def test_a_folder_may_have_no_platform(self) -> None:
        assert PlatformIndex([Platform("top", ["python"], ())]).find("cpp") is None
        assert PlatformIndex([]).find("cpp") is None
