"""HTML tables of problems for notebooks."""

from sitedata.views.selecting import listing
from support.checks.html_tables import texts
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, problem


class TestListing:
    def test_a_row_for_each_problem(self) -> None:
        html = listing(SNAPSHOT)._repr_html_()
        assert texts(html) == [
            *("Problems: 1", "title", "platform", "language", "submitted at", "path"),
            *("Two Sums", "AtCoder", "Python", "2026-01-31T12:00:00+01:00", PROBLEM.path),
        ]

    def test_an_unknown_time_is_named(self) -> None:
        assert texts(listing([problem()])._repr_html_())[-2] == "unknown"

    def test_all_text_is_escaped(self) -> None:
        """Invariant *escaped*."""
        word = "<script>&'\""
        hostile = problem(word, platform=word, title=word, language=word, problem_url=word)
        html = listing([hostile])._repr_html_()
        assert "<script>" not in html
        assert "<a" not in html
        assert html.count("&lt;script&gt;&amp;&#x27;&quot;") == 4

    def test_the_number_of_rows_is_limited(self) -> None:
        """Invariant *bounded*."""
        many = listing([problem("x" * 500)] * 1000, max_rows=3)
        html = many._repr_html_()
        assert texts(html)[0] == "Problems: 1,000"
        assert texts(html)[-2:] == ["x" * 199 + "…", "and 997 more"]
        assert html.count("<tr>") == 5

    def test_it_is_a_list_of_problems(self) -> None:
        found = listing(iter([PROBLEM, problem("a")]))
        assert list(found) == [PROBLEM, problem("a")]
        assert len(found) == 2
        assert repr(found) == "<Listing of 2 problems>"
