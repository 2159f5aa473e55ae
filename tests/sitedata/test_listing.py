"""HTML tables of problems for notebooks."""

from sitedata.views.listing import listing
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, problem


class TestListing:
    def test_a_row_for_each_problem(self) -> None:
        html = listing(SNAPSHOT)._repr_html_()
        assert "<caption>1 problems</caption>" in html
        assert (
            "<tr><td>AtCoder</td><td>A</td><td>Python</td><td>2026-01-31T12:00:00+01:00</td>"
            f"<td>{PROBLEM.path}</td></tr>"
        ) in html

    def test_an_unknown_time_is_an_empty_cell(self) -> None:
        assert "<td></td>" in listing([problem()])._repr_html_()

    def test_all_text_is_escaped(self) -> None:
        """Invariant *escaped*."""
        word = "<script>&'\""
        hostile = problem(word, platform=word, title=word, language=word, problem_url=word)
        html = listing([hostile])._repr_html_()
        assert "<script>" not in html
        assert "<a" not in html
        assert html.count("&lt;script&gt;&amp;&#39;&quot;") == 4

    def test_the_number_of_rows_is_limited(self) -> None:
        """Invariant *bounded*."""
        many = listing([problem("x" * 500)] * 1000, max_rows=3)
        html = many._repr_html_()
        assert "<caption>1000 problems, 3 shown</caption>" in html
        assert html.count("<tr>") == 4
        assert f"<td>{'x' * 79}…</td>" in html

    def test_it_is_a_list_of_problems(self) -> None:
        found = listing(iter([PROBLEM, problem("a")]))
        assert list(found) == [PROBLEM, problem("a")]
        assert len(found) == 2
        assert repr(found) == "<Listing of 2 problems>"
