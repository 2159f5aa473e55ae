"""Values on a linear scale of whole px."""

from purewire.svg.axis import Scale


class TestScale:
    def test_first_and_last_day_lie_at_the_ends(self) -> None:
        assert Scale(10, 20, 0, 908).places([10, 20]) == [0, 908]

    def test_days_lie_in_proportion(self) -> None:
        assert Scale(10, 20, 0, 100).places([10, 11, 15, 20]) == [0, 10, 50, 100]

    def test_a_day_lies_at_the_nearest_step(self) -> None:
        assert Scale(0, 3, 0, 10).places([0, 1, 2, 3]) == [0, 3, 7, 10]

    def test_between_two_steps_the_later_is_taken(self) -> None:
        assert Scale(0, 2, 0, 5).places([1]) == [3]

    def test_a_single_day_lies_in_the_middle(self) -> None:
        assert Scale(10, 10, 0, 9).places([10, 10]) == [4, 4]

    def test_places_count_from_the_start(self) -> None:
        scale = Scale(10, 20, 96, 196)
        assert scale.places([10, 15, 20]) == [96, 146, 196]
        assert scale.place(15) == 146
        assert Scale(10, 10, 96, 196).place(10) == 146

    def test_a_span_covers_at_least_one_column(self) -> None:
        scale = Scale(0, 1000, 96, 196)
        assert scale.columns(100, 300) == range(106, 126)
        assert scale.columns(100, 101) == range(106, 107)
        assert scale.columns(1000, 1000) == range(195, 196)
        assert scale.columns(1000, 1000, least=2) == range(194, 196)
