"""How a page is built: marks, variables, policy, and what is left out of scripts and styles."""

import hashlib
import re
import subprocess
from base64 import b64encode
from pathlib import Path

import attrs
import pytest

from status_contracts.pages.page import Page, PageParts, build_page
from status_contracts.pages.settings import Link, PageSettings
from support.servers.services import need

SCRIPT = """// A comment.
(() => {
  // Another
  // one.
  const url = "https://example.org"; // stays: it is "quoted"
  const text = "; // no comment";

  console.log(url, text); // gone
})();
"""
SOURCE = Path(__file__).parents[2] / "src"
SCRIPTS = sorted(SOURCE.glob("*/page_files/*.js"))
SHARED = SOURCE / "status_contracts" / "adapters" / "pages"
FOLDERS = sorted({script.parent for script in SCRIPTS} - {SHARED})


@pytest.fixture
def parts() -> PageParts:
    return PageParts(
        "<main><p><!--own--></p></main>\n",
        "Title",
        "<svg/>",
        style="p {\n  margin: 0;\n}\n",
        script=SCRIPT,
        marks={"<!--own-->": "<!--script-->"},
    )


def style_of(page: Page) -> str:
    found = re.search("<style>(.*)</style>", page.body.decode(), re.DOTALL)
    assert found is not None
    return found[1]


def script_of(page: Page) -> str:
    found = re.search("<script>(.*)</script>", page.body.decode(), re.DOTALL)
    assert found is not None
    return found[1]


class TestContent:
    def test_the_policy_allows_the_style_without_its_spaces(self, parts: PageParts) -> None:
        page = build_page(parts, PageSettings())
        assert style_of(page) == "p{margin:0}"
        digest = b64encode(hashlib.sha256(b"p{margin:0}").digest()).decode()
        assert f"style-src 'sha256-{digest}'" in page.policy

    def test_what_a_mark_inserts_is_not_searched_for_marks(self, parts: PageParts) -> None:
        assert b"<p><!--script--></p>" in build_page(parts, PageSettings()).body

    def test_comments_and_indentation_are_left_out_of_a_script(self, parts: PageParts) -> None:
        script = script_of(build_page(parts, PageSettings()))
        assert script.endswith(
            '(() => {\nconst url = "https://example.org"; // stays: it is "quoted"\n'
            'const text = "; // no comment";\nconsole.log(url, text);\n})();\n'
        )

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

    def test_no_site_may_frame_the_page(self, parts: PageParts) -> None:
        assert build_page(parts, PageSettings()).policy.endswith("; frame-ancestors 'none'")

    def test_a_file_has_the_policy_without_the_rule_for_frames(self, parts: PageParts) -> None:
        file = build_page(parts, PageSettings()).as_file().decode()
        assert '<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy"' in file
        assert "default-src &#x27;none&#x27;" in file
        assert "frame-ancestors" not in file


class TestScripts:
    """No text of a script spans lines, so that comments and indentation are no content."""

    @pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
    def test_templates_end_on_their_line(self, script: Path) -> None:
        for line in script.read_text("utf-8").splitlines():
            assert line.count("`") % 2 == 0, line

    @pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.parts[-2])
    def test_without_its_comments_it_is_a_script(
        self, folder: Path, tmp_path: Path, parts: PageParts
    ) -> None:
        script = "".join(path.read_text("utf-8") for path in sorted(folder.glob("*.js")))
        page = build_page(attrs.evolve(parts, script=script), PageSettings())
        path = tmp_path / "built.js"
        path.write_text(script_of(page), "utf-8")
        subprocess.run([need("node", "nodejs"), "--check", path], check=True, timeout=60)
