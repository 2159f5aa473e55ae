"""The pages of the site show where a reader is: in the list of pages, and in the bar."""

from pathlib import Path
from typing import Final

import pytest
from jinja2 import DictLoader, Environment

from support.servers.webdriver import Session

DOCS: Final = Path(__file__).parents[2] / "docs"
LIST: Final = """<!doctype html><script src="{script}"></script>
<div class="sidebar-scroll" style="height: 300px; overflow: auto; position: relative">
<p style="height: 1200px">Pages</p><p class="current-page">This page</p>
</div>"""


@pytest.mark.check
def test_the_list_of_pages_is_scrolled_to_the_current_one(session: Session, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(LIST.format(script=(DOCS / "_static/reading.js").as_uri()), "utf-8")
    session.open(page.as_uri())
    end = "document.querySelector('.current-page').getBoundingClientRect().bottom"
    assert 0 < session.ask(end) < 300  # the list is the first thing of the page


def test_the_bar_marks_the_product_of_a_page() -> None:
    own = (DOCS / "_templates/page.html").read_text("utf-8")
    files = {"!page.html": "{% block announcement %}{% endblock %}", "page.html": own}
    page = Environment(loader=DictLoader(files), autoescape=True).get_template("page.html")
    tree = '<p><span class="caption-text">Health data</span><li class="current-page">Fields</li>'
    shown = page.render(root_doc="index", pathto=str, furo_navigation_tree=tree)
    assert shown.count("aria-current") == shown.count('aria-current="true">Health<') == 1
