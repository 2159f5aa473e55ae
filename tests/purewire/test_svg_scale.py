"""Values on a linear scale of whole px."""

from purewire.svg.scale import positions


class TestPositions:
    def test_first_and_last_day_lie_at_the_ends(self) -> None:
        assert positions([10, 20], 10, 20, 908) == [0, 908]

    def test_days_lie_in_proportion(self) -> None:
        assert positions([10, 11, 15, 20], 10, 20, 100) == [0, 10, 50, 100]

    def test_a_day_lies_at_the_nearest_step(self) -> None:
        assert positions([0, 1, 2, 3], 0, 3, 10) == [0, 3, 7, 10]

    def test_between_two_steps_the_later_is_taken(self) -> None:
        assert positions([1], 0, 2, 5) == [3]

    def test_a_single_day_lies_in_the_middle(self) -> None:
        assert positions([10, 10], 10, 10, 9) == [4, 4]
