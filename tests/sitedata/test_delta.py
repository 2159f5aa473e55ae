"""Differences between two snapshots."""

from sitedata.views.delta import Change, Delta, delta
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, problem, snapshot

A, B, C = problem("a"), problem("b"), problem("c")
NEW_A = problem("a", title="new", extra={"more": 1})


class TestDelta:
    def test_added_and_removed_problems(self) -> None:
        assert delta([A, B], [C, B]) == Delta(added=(C,), removed=(A,))

    def test_a_changed_problem(self) -> None:
        found = delta([A, B], [B, NEW_A])
        assert found == Delta(changed=(Change(A, NEW_A),))
        assert found.changed[0].members == ("title", "extra")

    def test_order_is_no_change(self) -> None:
        assert delta([A, B, C], [C, A, B]) == Delta()

    def test_snapshots_are_compared_by_their_problems(self) -> None:
        newer = snapshot(problems=(PROBLEM, A), commit_count=9)
        assert delta(SNAPSHOT, newer) == Delta(added=(A,))
        assert delta(newer, [A]) == Delta(removed=(PROBLEM,))

    def test_one_path_twice_is_compared_one_by_one(self) -> None:
        assert delta([A, A], [A, NEW_A]) == Delta(changed=(Change(A, NEW_A),))
        assert delta([A], [A, A]) == Delta(added=(A,))
        assert delta([A, NEW_A, B], [A]) == Delta(removed=(NEW_A, B))

    def test_another_text_of_the_same_time_is_a_change(self) -> None:
        times = "2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00"
        old, new = (problem(time=time) for time in times)
        assert delta([old], [new]).changed[0].members == ("submitted_at",)

    def test_it_is_true_if_anything_changed(self) -> None:
        assert not delta([A], [A])
        assert delta([A], [])
        assert delta([], [A])
        assert delta([A], [NEW_A])

    def test_its_repr_has_the_counts(self) -> None:
        assert repr(delta([A, B], [NEW_A, C])) == "<Delta: 1 added, 1 removed, 1 changed>"
