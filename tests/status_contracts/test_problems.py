"""Problems of files: one form, their places, their colours, and few that are alike."""

import io

import pytest

from status_contracts.cli.problems import Problem, described, problems_of, refused, shortened
from status_contracts.findings import Finding, locate
from support.status_contracts.terminal import Terminal

BODY = b"""\xef\xbb\xbf{"a": [1,
  {"b/c": "x, [y]", "d": []}
], "long": "0123456789012345678901234567890123456789",
"a": null}
"""


@pytest.mark.parametrize(
    ("path", "message", "line"),
    [
        ("/a", "must be 1", "x.json /a: must be 1 [r]"),
        ("", "must be 1", "x.json: must be 1 [r]"),
        ("/a", "line 4: must be 1", "x.json:4 /a: must be 1 [r]"),
        ("", "line 4, column 2: no", "x.json:4:2: no [r]"),
        ("", "line 4, column 2 (byte 9): no", "x.json:4:2: no [r]"),
    ],
)
def test_a_problem_has_file_line_and_place(path: str, message: str, line: str) -> None:
    assert [*map(str, problems_of("x.json", [Finding(path, "r", message)]))] == [line]


def test_values_of_json_text_have_their_lines_and_of_equal_names_the_last_counts() -> None:
    paths = {"", "/a", "/a/0", "/a/1", "/a/1/b~1c", "/a/1/d", "/long"}
    assert locate(BODY, paths) == {
        "": (1, ""),
        "/a": (4, "null"),
        "/a/0": (1, "1"),
        "/a/1": (2, ""),
        "/a/1/b~1c": (2, '"x, [y]"'),
        "/a/1/d": (2, ""),
        "/long": (3, '"0123456789012345678901234567890123456789"'),
    }


@pytest.mark.parametrize(
    ("path", "rule", "line"),
    [
        ("/a/1/b~1c", "text", 'x:2 /a/1/b~1c: "x, [y]": bad [text]'),
        ("/a/1/d", "type", "x:2 /a/1/d: bad [type]"),
        ("/a/1/e", "required", "x:2 /a/1/e: bad [required]"),
        ("/z", "required", "x:1 /z: bad [required]"),
        ("/a", "unknown", "x:4 /a: bad [unknown]"),
        ("/long", "text", f'x:3 /long: "{("0123456789" * 4)[:38]}…: bad [text]'),
    ],
)
def test_a_problem_quotes_how_a_value_begins_and_what_lacks_one_has_its_line(
    path: str, rule: str, line: str
) -> None:
    (problem,) = problems_of("x", [Finding(path, rule, "bad")], BODY)
    assert str(problem) == line


def test_a_problem_has_colours_by_its_parts_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = Problem("a: b", 4, "/c\x1b", "r", "low: [r] d", "1", is_error=False)
    text = "a: b:4 /c\ufffd: warning: 1: low: [r] d [r]"
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "xterm")
    assert problem.shown(io.StringIO()) == text
    assert problem.shown(Terminal()) == (
        "\33[1ma: b:4 /c\ufffd:\33[0m \33[33mwarning:\33[0m 1: low: [r] d \33[2m[r]\33[0m"
    )
    monkeypatch.setenv("NO_COLOR", "1")
    assert problem.shown(Terminal()) == text


def test_a_folded_problem_has_the_same_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "12")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    problem = Problem("file.json", 4, "/c/d", "r", "low", is_error=False)
    assert problem.shown(Terminal()) == (
        "\33[1mfile.json:4\n    /c/d:\33[0m\n    \33[33mwarning:\33[0m\n    low \33[2m[r]\33[0m"
    )


def test_problems_stand_by_line_and_of_those_alike_the_first_with_the_hint_at_their_end() -> None:
    alike = [Problem("f", 9 - n, "/p/1", "r", "no; do so") for n in range(5)]
    other = Problem("f", 6, "/q", "s", "one; hint")
    assert [*map(str, shortened([Problem("e", None, "", "s", "e"), *alike, other]))] == [
        "e: e [s]",
        "f:5 /p/1: no [r]",
        "f:6 /p/1: no [r]",
        "f:6 /q: one; hint [s]",
        "f:7 /p/1: no; do so [r]",
        "f: and 2 more [r] (--json has all)",
    ]


def test_items_of_a_list_are_alike_and_columns_are_not() -> None:
    items = [Problem("f", 1, f"/p/{n}/q", "r", "m") for n in range(9)]
    assert len(shortened(items)) == 3 + 1
    assert len(shortened([Problem("f", 1, f"c{n}", "r", "m") for n in range(9)])) == 9


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"[]", "a JSON array"),
        (b"1", "a JSON value that is no object"),
        (b"{}", "an empty JSON object"),
        (b'{"b": 1}', "a JSON object with b"),
        (b'{"1":0,"2":0,"3":0,"4":0,"5":0,"6":0}', "a JSON object with 1, 2, 3 and 3 more"),
        (b'{"a": 1}', ""),
        (b"{", ""),
    ],
)
def test_a_file_of_another_kind_is_described(body: bytes, text: str) -> None:
    assert described(body, {"a"}) == text


def test_an_invalid_file_is_refused_by_its_problem_or_by_their_number_and_a_command() -> None:
    one = Problem("a b", 1, "", "r", "m")
    assert refused("a b", "bad", [one], "x check").lines == (one,)
    assert refused("a b", "bad", [one, one], "x check").lines == (
        *("a b: bad: to list them, run", "    x check 'a b'"),
    )
