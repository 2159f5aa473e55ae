"""The pages of the site show where a reader is, and fit a phone."""

import json
import re
from importlib.resources import files
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Final

import pytest
from jinja2 import DictLoader, Environment

from support.servers.webdriver import Session

ENTRY: Final = re.compile(r"(?m)^- \[([^]]+)\]\(([^)#]+\.md)\)")
DOCS: Final = Path(__file__).parents[2] / "docs"
LIST: Final = """<!doctype html><script src="{script}"></script>
<div class="sidebar-scroll" style="height: 300px; overflow: auto; position: relative">
<p style="height: 1200px">Pages</p><p class="current-page">This page</p>
</div><article><p style="width: 100px; overflow: auto"><a><img style="padding: 99px"></a></p>
<link rel="stylesheet" href="{style}"><div class="highlight-sh"><pre>pip</pre></div>
<div class="highlight"><button></button><pre style="width: 9px; overflow: auto">text</pre></div>
<div class="announcement" style="display: flex">
<div class="announcement-content products" style="min-width: 100%">
<a style="margin-right: 9999px">A</a><a aria-current="true">B</a></div></div>"""
CODE: Final = run_path(str(DOCS / "code_pages.py"))
CONF: Final = run_path(str(DOCS / "conf.py"))
PICTURE: Final = """<picture>
  <source media="(prefers-color-scheme: dark)" srcset="../images/{name}-dark.svg">
  <img alt="It" src="../images/{name}.svg" width="900">
</picture>"""


@pytest.mark.check
def test_lists_are_scrolled_and_code_can_be_read(session: Session, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    script, style = ((DOCS / f"_static/reading.{kind}").as_uri() for kind in ("js", "css"))
    page.write_text(LIST.format(script=script, style=style), "utf-8")
    session.open(page.as_uri())
    end = "document.querySelector('.current-page').getBoundingClientRect().bottom"
    assert 0 < session.ask(end) < 300  # the list is the first thing of the page
    assert session.ask("document.querySelector('article p').tabIndex") == 0  # it scrolls
    assert session.ask("getComputedStyle(document.querySelector('pre')).whiteSpace") == "pre-wrap"
    assert session.ask("document.querySelector('button + pre').clientHeight") > 60  # below it
    bar = "document.querySelector('.announcement')"
    assert session.ask(f"{bar}.scrollLeft") > 0
    assert session.ask(f"({bar}.scrollLeft = 0, {bar}.querySelector('a').offsetLeft)") >= 0


def test_a_copied_command_has_all_its_lines(session: Session) -> None:
    script = (files("sphinx_copybutton") / "_static/copybutton_funcs.js").read_text("utf-8")
    prompt, end = CONF["copybutton_prompt_text"], CONF["copybutton_line_continuation_character"]
    values = ["$ draw \\\n  it\nwritten", prompt, True, True, True, True, end]
    called = f"{script.replace('export ', '')}; return formatCopyText(...{json.dumps(values)})"
    assert session.ask(f"(() => {{ {called} }})()") == "draw \\\n  it"


def test_a_picture_has_a_file_for_phones_or_leads_to_its_own() -> None:
    shown = [PICTURE.format(name="timeline") + PICTURE.format(name="card")]
    CONF["_follow_the_theme"](None, "how-to/embed", shown)
    for theme, end in (("light", ""), ("dark", "-dark")):
        assert f"![It](../images/timeline-narrow{end}.svg){{.only-{theme} .narrow}}" in shown[0]
        assert f'<a class="only-{theme}" href="../_images/card{end}.svg">![' in shown[0]


def test_the_bar_marks_the_product_of_a_page() -> None:
    own = (DOCS / "_templates/page.html").read_text("utf-8")
    pages = {"!page.html": "{% block announcement %}{% endblock %}", "page.html": own}
    page = Environment(loader=DictLoader(pages), autoescape=True).get_template("page.html")
    caption = '<p><span class="caption-text">{}</span>'
    tree = f"{caption}{caption}<li class='current-page'>Fields".format("Health data", "Reference")
    shown = page.render(root_doc="index", pathto=str, furo_navigation_tree=tree)
    assert shown.count("aria-current") == shown.count('aria-current="true">Health data<') == 1
    search = page.render(root_doc="index", pathto=str, furo_navigation_tree=tree.replace("cur", ""))
    assert "aria-current" not in search


def test_the_first_page_names_pages_by_titles_that_have_a_meaning_alone() -> None:
    entries = ENTRY.findall((DOCS / "index.md").read_text("utf-8"))
    assert len(entries) > 30
    texts = {page: "\n" + (DOCS / page).read_text("utf-8") for _, page in entries}
    titles = {page: text.split("\n# ", 1)[1].split("\n", 1)[0] for page, text in texts.items()}
    assert {page: name for name, page in entries} == titles
    assert [title for title in titles.values() if " " not in title or " it" in title] == []


def test_the_sections_of_the_first_page_are_in_the_bar_and_lists_have_the_reference_apart() -> None:
    source = [(DOCS / "index.md").read_text("utf-8")]
    bar = (DOCS / "_templates/page.html").read_text("utf-8")
    CONF["_list_pages"](SimpleNamespace(config=SimpleNamespace(root_doc="index")), "index", source)
    lists = re.findall(r":caption: (.+)\n:hidden:\n\n(\S+)", source[0])
    captions = re.findall(r'"([^"]+)"', bar[bar.index(" in [") : bar.index("] %}")])
    assert captions == [caption for caption, _ in lists if caption != "Reference"]
    assert lists[1] == ("Reference", "reference/agent-settings")


def test_the_search_shows_guides_before_reference_before_contracts(session: Session) -> None:
    script = (DOCS / "search_order.js").read_text("utf-8")
    scores = ".map((page) => Scorer.score([page, '', '', null, 5]))"
    pages = ["how-to/a", "reference/b", "reference/api/c", "contract/d"]
    found = session.ask(f"(() => {{ {script}; return {pages}{scores} }})()")
    assert found == sorted({*found}, reverse=True)


def test_a_signature_shows_no_long_default_and_no_path_of_a_machine() -> None:
    long = "at=PosixPath('/home/me/files/of/the/package'), ids={'one': 1, 'two': 2, 'three': 3}"
    text = f"(a, *, b=1, run=<function work>, key=<function <lambda>>, c=<Map of x>, {long})"
    shown = CONF["_shorten_defaults"](None, "", "", None, None, text, None)[0]
    assert shown == "(a, *, b=1, run=work, key=..., c=Map(...), at=PosixPath(...), ids={...})"
    CONF["_separate_invariants"](None, "module", "", None, None, lines := ["A", "Invariant *b*"])
    assert lines == ["A", "", "Invariant *b*"]


def test_the_api_reference_has_attributes_links_and_no_long_value() -> None:
    nodes, desc_annotation = CONF["nodes"], CONF["desc_annotation"]
    fields = nodes.field_list("", nodes.field("", nodes.field_name("", "Variables")))
    values = [desc_annotation("", f" = {'1' * length}") for length in (9, 999)]
    tree = nodes.paragraph("", "", fields, *values)
    CONF["_name_fields"](None, tree)
    CONF["_leave_out_long_values"](None, tree)
    assert tree.astext().split() == ["Attributes", "=", "1" * 9]
    names = ["sitedata.checks.check", "status_contracts.load"]
    asked = [("load", "sitedata"), ("check", "sitedata"), ("check", "sitedata.a")]
    assert [CONF["_described"](*name, names) for name in asked] == [names[1], names[0], None]


def test_the_reader_waits_for_what_starts_before_the_next_block_is_copied() -> None:
    pages = "".join(page.read_text("utf-8") for page in DOCS.rglob("*.md"))
    blocks = re.findall(r"(?ms)^```console\n(.*?)^```", pages)
    commands = [re.findall(r"(?m)^\$ (.+)", block) for block in blocks]
    assert sum(found[-1].endswith(" &") for found in commands) > 5
    assert [line for found in commands for line in found[:-1] if line.endswith(" &")] == []


def test_the_help_of_a_command_is_text_that_wraps_and_leads_to_subcommands() -> None:
    tree = CODE["nodes"].section("", *CODE["_help_nodes"](CODE["_help"]("sitedata"), "sitedata"))
    targets = {link["refid"] for link in tree.findall(CODE["nodes"].reference)}
    assert {"sitedata-build", "sitedata-show"} < targets
    assert all(it[0].startswith("$ ") for it in tree.findall(CODE["nodes"].literal_block))
