"""Documents as blocks, written as Markdown and as a page."""

import re
from base64 import b64encode
from hashlib import sha256
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from healthapi.http.api_docs.markup import (
    POLICY,
    Block,
    BulletList,
    Code,
    Heading,
    Paragraph,
    Table,
    html,
    markdown,
)
from healthapi.http.api_docs.page_style import STYLE
from support.checks.xml_reading import read_xml

TITLE = Heading(1, "Title", "top")
HOSTILE = "</code><script>alert(1)</script>&\"'"


def page(*blocks: Block) -> str:
    return html((TITLE, *blocks))


class TestMarkdown:
    def test_each_block_in_its_own_way(self) -> None:
        text = markdown(
            (
                TITLE,
                Paragraph("Say `x`."),
                BulletList(("one", "two")),
                Code("ls", "sh"),
                Table("caption", ("a", "b"), (("1", "2|3"),)),
            )
        )
        assert text == (
            "# Title\n\nSay `x`.\n\n- one\n- two\n\n```sh\nls\n```\n\n"
            "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |\n"
        )


class TestHtml:
    def test_inline_marks_become_elements(self) -> None:
        text = page(Paragraph("See `a<b` and [the list](docs?a=1&b)."))
        assert "<p>See <code>a&lt;b</code> and " in text
        assert '<a href="docs?a=1&amp;b">the list</a>.</p>' in text

    def test_headings_of_level_two_are_the_contents(self) -> None:
        text = page(Heading(2, "Two", "two"), Heading(3, "Three", "three"))
        assert '<li><a href="#two">Two</a></li>' in text
        assert 'href="#three"' not in text
        assert '<h3 id="three">Three</h3>' in text

    def test_code_keeps_its_lines(self) -> None:
        assert "<code>a\n  b\tc</code>" in page(Code("a\n  b\tc", "sh")).replace("&#9;", "\t")

    def test_paths_and_urls_break_between_their_parts_only(self) -> None:
        path = "<code>/api/<wbr/>v1/<wbr/>{profile_id}/<wbr/>snapshot-status</code>"
        assert path in page(Paragraph("See `/api/v1/{profile_id}/snapshot-status`."))
        assert "/a/<wbr/>b</a>" in page(Paragraph("See [/a/b](#a)."))
        lines = page(Code('x = "https://h/a?b=1&c=d"\na / b', "js"))
        assert "https://h/<wbr/>a<wbr/>?b=1<wbr/>&amp;c=d" in lines
        assert "a / b</code></pre>" in lines
        assert "white-space: pre-wrap" in STYLE  # long lines are wrapped, not cut

    def test_a_table_scrolls_in_a_region_of_its_own(self) -> None:
        text = page(Table("What", ("a", "b"), (("1", "2"),)))
        assert '<div class="scroll" role="region" aria-label="What" tabindex="0">' in text
        assert '<tr><th scope="row">1</th><td>2</td></tr>' in text

    def test_a_page_without_a_title_raises(self) -> None:
        with pytest.raises(TypeError):
            html((Paragraph("text"),))

    def test_the_policy_allows_this_style_and_nothing_else(self) -> None:
        style = page().partition("<style>")[2].partition("</style>")[0]
        assert style == STYLE
        digest = b64encode(sha256(style.encode()).digest()).decode()
        assert (
            f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none';"
            " form-action 'none'; frame-ancestors 'none'"
        ) == POLICY

    def test_the_icon_is_in_the_page(self) -> None:
        (link,) = re.findall(r"<link [^>]*>", page())
        icon = re.fullmatch(r'<link rel="icon" href="data:image/svg\+xml,([^"]+)">', link)
        assert icon is not None
        assert read_xml(unquote(icon[1]).encode())[0].name == "svg"

    def test_the_style_refers_to_nothing_outside(self) -> None:
        assert "url(" not in STYLE
        assert "@import" not in STYLE
        assert "</" not in STYLE

    def test_it_supports_phones_and_dark_mode(self) -> None:
        text = page()
        assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in text
        assert "prefers-color-scheme: dark" in text

    @given(st.text(max_size=40) | st.just(HOSTILE))
    def test_text_stays_text(self, text: str) -> None:
        """Invariant *text stays text*: the page has the elements of its blocks only."""
        plain = page(
            Paragraph("x"), BulletList(("x",)), Code("x", ""), Table("x", ("x",), (("x",),))
        )
        given = page(
            Paragraph(text), BulletList((text,)), Code(text, ""), Table(text, ("x",), ((text,),))
        )
        allowed = {"code", "a", "wbr"}
        assert [name for name in elements(given) if name not in allowed] == [
            name for name in elements(plain) if name not in allowed
        ]


def elements(text: str) -> list[str]:
    """Return the names of the elements of the body, which is well-formed XML."""
    body = text.partition("<body>")[2].partition("</body>")[0]
    return [element.name for element in read_xml(f"<body>{body}</body>".encode())]
