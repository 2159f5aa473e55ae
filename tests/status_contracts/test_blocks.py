"""Blocks, written as Markdown and as the content of a page."""

import re

from hypothesis import given
from hypothesis import strategies as st

from status_contracts.pages.blocks import (
    Block,
    BulletList,
    Code,
    Notice,
    Section,
    Table,
    html,
    markdown,
    notice_html,
)
from status_contracts.pages.settings import Link
from support.checks.xml_reading import read_xml

HOSTILE = "</code><script>alert(1)</script>&\"'"


def page(*blocks: Block) -> str:
    return html(Section("Title", "top", blocks))


class TestMarkdown:
    def test_each_block_in_its_own_way(self) -> None:
        blocks = (
            "Say `x`{#type-x}.",
            BulletList(("one", "two")),
            Code("ls", "sh"),
            Code("{}", "json", "Example"),
            Section("Two", "two", (Section("/a", "a", (), "GET", "What it does"),)),
            Table("caption", ("a", "b"), (("1", "2|3"),)),
        )
        assert markdown(Section("Title", "top", blocks)) == (
            "# Title\n\nSay `x`.\n\n- one\n- two\n\n```sh\nls\n```\n\n"
            "Example:\n\n```json\n{}\n```\n\n## Two\n\n### `GET /a`\n\nWhat it does.\n\n"
            "caption:\n\n| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n"
        )


class TestHtml:
    def test_inline_marks_become_elements(self) -> None:
        text = page("See `a<b` and [the list](docs?a=1&b).")
        assert "<p>See <code>a&lt;b</code> and " in text
        assert '<code id="type-A">A</code>: b' in page("`A`{#type-A}: b")
        assert '<a href="docs?a=1&amp;b">the list</a>.</p>' in text

    def test_sections_of_level_two_and_endpoints_are_the_contents(self) -> None:
        endpoint = Section("/a", "a", (), "GET", "What it does, or nothing")
        text = page(Section("Two", "two", (Section("Three", "three", ()), endpoint)))
        inner = '<ul><li><a href="#a"><code>a</code></a></li></ul>'
        assert f'<ul><li><a href="#two">Two</a>{inner}</li></ul></div></nav>' in text
        assert 'href="#three"' not in text
        assert '<h3 id="three">Three</h3>' in text

    def test_sections_and_endpoints_are_elements_that_end_before_the_next(self) -> None:
        get, post = (Section("/a", name.lower(), (), name, "Go") for name in ("GET", "POST"))
        text = page("start", Section("A", "a", (get, post)), Section("B", "b", ("x",)))
        marks = re.findall(r"</?(?:nav|section|details)|<p>\w+|(?<=<h3>).+?</h3>", text)
        assert "".join(marks) == (
            "<nav</nav<p>start"
            '<section<details<code><span class="method">GET</span> <i>/</i><wbr/>a</code></h3>'
            '</details<details<code><span class="method writes">POST</span> <i>/</i><wbr/>a</code>'
            "</h3></details</section<section<p>x</section"
        )
        for named in ('class="endpoint card" id="post"', 'aria-labelledby="b"', 'class="intro"'):
            assert named in text

    def test_code_with_a_title_and_a_long_table_are_folded(self) -> None:
        text = page(Code("{}", "json", "Example"), Code("x", "sh"))
        assert "<details><summary>Example</summary>" in text
        assert text.count("<details>") == 1
        rows = tuple((str(n),) for n in range(13))
        assert "<details>" not in page(Table("All", ("a",), rows[1:]))
        assert "<details><summary>All</summary><div" in page(Table("All", ("a",), rows))

    def test_code_keeps_its_lines(self) -> None:
        assert "<code>a\n  b\tc</code>" in page(Code("a\n  b\tc", "json")).replace("&#9;", "\t")

    def test_paths_and_urls_break_between_their_parts_only(self) -> None:
        path = "<code>/api/<wbr/>v1/<wbr/>{profile_id}/<wbr/>snapshot-status</code>"
        assert path in page("See `/api/v1/{profile_id}/snapshot-status`.")
        assert "<code>a.<wbr/>b[].<wbr/>c.d_e</code>, <code>c.d_e" in page("`a.b[].c.d_e`, `c.d_e`")
        assert "/a/<wbr/>b</a>" in page("See [/a/b](#a).")
        endpoint = page(Section("/v1/{id}/sections/{key}.svg", "a", (), "GET"))
        assert " <i>/v1/<wbr/>{id}/</i><wbr/>sections/<wbr/>{key}.svg</code>" in endpoint
        code = page(Code('x = "https://h/a?b=1&c=d"\na / b', "js"))
        assert "https://h/a?b=1&amp;c=d" in code

    def test_names_of_members_are_marked_and_the_first_example_of_an_endpoint_is_open(self) -> None:
        code = Code('{"a": "b: \\"c\\":", "d\\"<": ["e", 1]}', "json", "Example")
        text = page(Section("/a", "a", (code, code), "GET"))
        assert re.findall("<b>&quot;(.+?)&quot;</b>: ", text) == ["a", "d\\&quot;&lt;"] * 2
        assert re.findall('<details( open="")?><summary>Ex', text) == [' open=""', ""]

    def test_the_contents_name_what_an_endpoint_has_of_its_own(self) -> None:
        root = "/api/public/v1"
        for shared, name in (("/api", "apps/active"), (root, "all"), (f"{root}/all/{{id}}", "a/b")):
            text = page(Section(f"{shared}/{name}", "a", (), "GET")).replace("<wbr/>", "")
            assert f'<a href="#a"><code>{name}</code></a>' in text
            assert f"<i>{shared}/</i>{name}</code></h2>" in text

    def test_a_table_scrolls_in_a_group_of_its_own(self) -> None:
        text = page(Table("What", ("a", "b"), (("1", "2"),)))
        assert '<div class="scroll" role="group" aria-label="What">' in text
        assert '<tr><th scope="row">1</th><td>2</td></tr>' in text

    @given(st.text(max_size=40) | st.just(HOSTILE))
    def test_text_stays_text(self, text: str) -> None:
        """Invariant *text stays text*: the page has the elements of its blocks only."""
        plain = page("x", BulletList(("x",)), Code("x", ""), Table("x", ("x",), (("x",),)))
        given = page(text, BulletList((text,)), Code(text, ""), Table(text, ("x",), ((text,),)))
        allowed = {"code", "a", "wbr"}
        assert [name for name in elements(given) if name not in allowed] == [
            name for name in elements(plain) if name not in allowed
        ]


def elements(text: str) -> list[str]:
    """Return the names of the elements of the body, which is well-formed XML."""
    return [element.name for element in read_xml(f"<body>{text}</body>".encode())]


class TestNotice:
    """It stands where a page has nothing to show."""

    def test_it_says_what_happened_what_to_do_and_where_to_go_on(self) -> None:
        notice = Notice("missing", "No <profile>", "Look at the list.", Link("All & more", "../"))
        assert notice_html(notice, "none") == (
            '<div class="notice" id="none" role="status" data-kind="missing">'
            '<p class="notice-title">No &lt;profile&gt;</p><p>Look at the list.</p>'
            '<p class="notice-actions"><a href="../">All &amp; more</a></p></div>'
        )

    def test_what_is_not_given_is_left_out(self) -> None:
        assert notice_html(Notice("empty", "Nothing yet")).count("<p") == 1

    def test_without_content_it_is_hidden_for_a_script(self) -> None:
        assert notice_html(None) == '<div class="notice" id="notice" role="status" hidden></div>'
