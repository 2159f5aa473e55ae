"""How a page is built: marks and policy."""

import hashlib
import re
from base64 import b64encode
from pathlib import Path

import attrs
import pytest

from status_contracts.pages.page import PageParts, build_page
from status_contracts.pages.settings import Link, PageSettings

SCRIPTS = sorted((Path(__file__).parents[2] / "src").glob("*/page_files/*.js"))


@pytest.fixture
def parts() -> PageParts:
    return PageParts(
        "<main><p><!--own--></p></main>\n",
        "Title",
        "<svg/>",
        "About.",
        style="  p {}",
        script="  // A comment.\n\n  // Another\n  log();\n",
        marks={"<!--own-->": "<!--script-->"},
    )


class TestContent:
    def test_the_policy_allows_the_style_and_the_script(self, parts: PageParts) -> None:
        page = build_page(parts, PageSettings())
        for kind, text in (("style", b"p{}"), ("script", b"log();")):
            assert b"<%b>%b</%b>" % (kind.encode(), text, kind.encode()) in page.body
            digest = b64encode(hashlib.sha256(text).digest()).decode()
            assert f"{kind}-src 'sha256-{digest}'" in page.policy

    def test_what_a_mark_inserts_is_not_searched_for_marks(self, parts: PageParts) -> None:
        assert b"<p><!--script--></p>" in build_page(parts, PageSettings()).body

    def test_without_scripts_there_is_none(self, parts: PageParts) -> None:
        page = build_page(attrs.evolve(parts, script=""), PageSettings())
        assert b"<script" not in page.body
        assert "script-src 'none'" in page.policy

    def test_the_navigation_brings_its_script_also_to_a_page_without_scripts(
        self, parts: PageParts
    ) -> None:
        settings = PageSettings(pages=(Link("Now", "/"),))
        page = build_page(attrs.evolve(parts, script=""), settings)
        scripts = re.findall("<script>(.+?)</script>", page.body.decode(), re.DOTALL)
        digests = [b64encode(hashlib.sha256(each.encode()).digest()).decode() for each in scripts]
        assert f"script-src 'sha256-{digests[0]}';" in page.policy
        assert len(digests) == 1

    def test_images_come_from_the_named_origins_too(self, parts: PageParts) -> None:
        page = build_page(attrs.evolve(parts, image_origins=["https://*.a.b"]), PageSettings())
        assert "img-src 'self' data: https://*.a.b;" in page.policy

    def test_a_file_has_the_policy_without_the_rule_for_frames(self, parts: PageParts) -> None:
        file = build_page(parts, PageSettings()).as_file().decode()
        assert '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy"' in file
        assert "default-src &#x27;none&#x27;" in file
        assert "frame-ancestors" not in file


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_text_of_a_script_spans_lines(script: Path) -> None:
    """Indentation, line breaks and lines of comments, which a page leaves out, are no content."""
    for line in script.read_text("utf-8").splitlines():
        assert line.count("`") % 2 == 0, line
