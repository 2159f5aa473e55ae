"""Findings of a file as they are noted.  Invariant *nothing is dropped silently*."""

from healthapi.limits import FINDINGS_LISTED
from healthapi.rows.findings import FindingLog, RowRule

Cells = dict[tuple[int, str], RowRule]
RaggedRows = dict[int, RowRule]


def listed(log: FindingLog) -> list[tuple[int, str | None, str]]:
    return [(found.line, found.column, found.rule) for found in log.findings().listed]


class TestFindingLog:
    def test_an_empty_log_has_no_findings(self) -> None:
        found = FindingLog("csv/a.csv").findings()
        assert (found.listed, found.total) == ((), 0)
        assert (found.rejected_rows, found.unreadable_cells) == (0, 0)

    def test_findings_of_a_block_are_sorted_by_line(self) -> None:
        log = FindingLog("csv/a.csv")
        log.add_header("column.missing", "steps")
        cells: Cells = {
            (2, "b"): "number.form",
            (2, "a"): "number.range",
            (0, "a"): "number.form",
        }
        log.add_rows([7, 8, 10], {1: "date.form"}, {2: "row.short"}, cells, "date")
        assert listed(log) == [
            (1, "steps", "column.missing"),
            (7, "a", "number.form"),
            (8, "date", "date.form"),
            (10, None, "row.short"),
            (10, "b", "number.form"),
            (10, "a", "number.range"),
        ]
        found = log.findings()
        assert (found.total, found.rejected_rows, found.unreadable_cells) == (6, 1, 3)

    def test_a_finding_has_the_message_of_its_rule(self) -> None:
        log = FindingLog("csv/a.csv")
        log.add_header("column.missing", "steps")
        assert str(log.findings().listed[0]) == (
            "csv/a.csv:1 steps: the header must have this column; its values are missing"
        )

    def test_only_the_first_are_listed_but_all_are_counted(self) -> None:
        log = FindingLog("csv/a.csv")
        lines = range(2, 2 + FINDINGS_LISTED)
        for _ in range(2):
            log.add_rows(lines, dict.fromkeys(range(FINDINGS_LISTED), "date.form"), {}, {}, "date")
        assert len(log.findings().listed) == FINDINGS_LISTED
        assert log.findings().total == log.findings().rejected_rows == 2 * FINDINGS_LISTED

    def test_repetitions_are_sorted_among_the_others(self) -> None:
        log = FindingLog("csv/a.csv")
        log.add_rows(range(2, 2 + FINDINGS_LISTED), {}, {0: "row.long", 9: "row.long"}, {}, "date")
        log.add_repetitions([5, 6])
        assert [line for line, _, _ in listed(log)] == [2, 5, 6, 11]
        log = FindingLog("csv/a.csv")
        ragged_rows: RaggedRows = dict.fromkeys(range(FINDINGS_LISTED), "row.long")
        log.add_rows(range(2, 2 + FINDINGS_LISTED), {}, ragged_rows, {}, "date")
        log.add_repetitions([5])
        assert listed(log)[4] == (5, None, "row.repeated")
        assert len(listed(log)) == FINDINGS_LISTED
        assert log.findings().rejected_rows == 1
