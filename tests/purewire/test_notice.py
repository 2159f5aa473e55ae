"""The block that stands where a page has nothing to show."""

from purewire.pages.notice import Notice, notice_html
from purewire.pages.settings import Link


def test_it_says_what_happened_what_to_do_and_where_to_go_on() -> None:
    notice = Notice("missing", "No <profile>", "Look at the list.", Link("All & more", "../"))
    assert notice_html(notice, "none") == (
        '<div class="notice" id="none" role="status" data-kind="missing">'
        '<p class="notice-title">No &lt;profile&gt;</p><p>Look at the list.</p>'
        '<p class="notice-actions"><a href="../">All &amp; more</a></p></div>'
    )


def test_what_is_not_given_is_left_out() -> None:
    assert notice_html(Notice("empty", "Nothing yet")).count("<p") == 1


def test_without_content_it_is_hidden_for_a_script() -> None:
    assert notice_html(None) == '<div class="notice" id="notice" role="status" hidden></div>'
