"""A table in which every word is text."""

from purewire.html_table import html_table


def test_a_table_has_a_caption_names_and_rows() -> None:
    assert html_table("C", ("a", "b"), [("1", "2"), ("3", "4")]) == (
        '<table><caption>C</caption><thead><tr><th scope="col">a</th><th scope="col">b</th></tr>'
        "</thead><tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table>"
    )


def test_nothing_in_it_is_markup() -> None:
    word = "<img src=x onerror=alert(1)>&amp;\"'\x00"
    table = html_table(word, [word], [[word]])
    assert "<img" not in table
    assert table.count("&lt;img src=x onerror=alert(1)&gt;&amp;amp;&quot;&#39;\ufffd") == 3


def test_a_table_may_have_no_rows() -> None:
    assert html_table("", (), ()).endswith("<tbody></tbody></table>")
