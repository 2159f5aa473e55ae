"""Tables for people."""

from purewire.adapters.commands.terminal import format_table


class TestTable:
    def test_columns_stand_under_each_other(self) -> None:
        assert list(format_table(("a", "long name"), [("wide cell", "x"), ("", "y")])) == [
            "a          long name",
            "wide cell  x",
            "           y",
        ]

    def test_without_rows_there_is_no_table(self) -> None:
        assert list(format_table(("a", "b"), [])) == []

    def test_wide_and_combining_signs_count_as_a_terminal_shows_them(self) -> None:
        first, second, third = format_table(("name", "x"), [("題目", "1"), ("e\u0301e\u0301", "2")])
        assert (first, second, third) == ("name  x", "題目  1", "e\u0301e\u0301    2")
