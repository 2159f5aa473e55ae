"""Tables for notebooks in which every word is text."""

import re

from status_contracts.html_table import MAX_TEXT, html_table
from support.checks.html_tables import texts


def plain(table: str) -> str:
    """Return a table without its styles."""
    return re.sub(' style="[^"]*"', "", table)


def test_a_table_has_a_caption_names_and_rows() -> None:
    assert plain(html_table("C", ("a", "b"), [("1", "2"), ("3", "4")])) == (
        '<table><caption>C</caption><thead><tr><th scope="col">a</th><th scope="col">b</th></tr>'
        '</thead><tbody><tr><th scope="row">1</th><td>2</td></tr>'
        '<tr><th scope="row">3</th><td>4</td></tr></tbody></table>'
    )


def test_fields_are_rows() -> None:
    assert plain(html_table("C", (), [("a", "1")])) == (
        '<table><caption>C</caption><tbody><tr><th scope="row">a</th><td>1</td></tr></tbody>'
        "</table>"
    )


def test_nothing_in_it_is_markup() -> None:
    word = "<img src=x onerror=alert(1)>&amp;\"'\x00"
    for table in (html_table(word, [word], [[word]]), html_table(word, (), [(word, word)])):
        assert "<img" not in table
        assert texts(table) == [word.replace("\x00", "\ufffd")] * 3


def test_a_table_may_have_no_rows() -> None:
    assert html_table("", (), ()).endswith("<tbody></tbody></table>")


def test_the_number_of_rows_that_are_left_out_is_stated() -> None:
    table = html_table("C", ("a", "b"), [("1", "2")], more=1234)
    assert texts(table)[-1] == "and 1,234 more"
    assert '<td colspan="2">' in plain(table)


def test_long_texts_are_cut() -> None:
    table = html_table("c" * 10_000, (), [("n" * 10_000, "x" * 10_000), ("a", "y" * MAX_TEXT)])
    assert [len(text) for text in texts(table)] == [MAX_TEXT, MAX_TEXT, MAX_TEXT, 1, MAX_TEXT]
    assert texts(table)[2].endswith("x…")


def test_it_has_no_colours_of_its_own() -> None:
    table = html_table("C", ("a",), [("1",)], more=1)
    assert "color" not in table
    assert "background" not in table
