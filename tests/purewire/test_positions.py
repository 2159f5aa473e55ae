import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from purewire.findings import pointer
from purewire.json.positions import find_positions

TEXT = b"""\
{"a": 1,
 "list": [10, {"b": "x,]}"}, []],
 "a/b~c": {"\\u0061": null,
    "deep": [[true]]}, "a": 2}
"""


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ("", (1, 1)),
        ("/list", (2, 10)),
        ("/list/0", (2, 11)),
        ("/list/1", (2, 15)),
        ("/list/1/b", (2, 21)),
        ("/list/2", (2, 30)),
        ("/a~1b~0c", (3, 11)),
        ("/a~1b~0c/a", (3, 22)),
        ("/a~1b~0c/deep/0/0", (4, 15)),
    ],
)
def test_values_are_found(path: str, position: tuple[int, int]) -> None:
    assert find_positions(TEXT, [path]) == {path: position}


def test_of_repeated_members_the_last_one_counts() -> None:
    assert find_positions(TEXT, ["/a"]) == {"/a": (4, 29)}


def test_an_absent_value_has_the_position_of_what_is_around_it() -> None:
    paths = ["/absent", "/list/9", "/list/1/c/d", "/list/0/x"]
    assert list(find_positions(TEXT, paths).values()) == [(1, 1), (2, 10), (2, 15), (2, 11)]


def test_a_byte_order_mark_has_no_column_and_columns_are_code_points() -> None:
    body = '\ufeff{"🎵é": 1}'.encode()
    assert find_positions(body, ["", "/🎵é"]) == {"": (1, 1), "/🎵é": (1, 8)}


@pytest.mark.parametrize(
    "body", [b"", b"}", b"]]", b",:", b"\xff", b'{"\\x": 1}', b'{"a" 1}', b'"', b"[1,", b"{{"]
)
def test_text_that_is_no_json_has_positions_as_well(body: bytes) -> None:
    assert find_positions(body, ["/a/0"])["/a/0"][0] == 1


def test_the_part_before_a_fault_counts() -> None:
    assert find_positions(b'{"a": [1,\n2}, "b": 3', ["/a/1"]) == {"/a/1": (2, 1)}


def test_deep_values_have_the_position_of_what_is_around_them() -> None:
    depth = 200_000
    body = b"[" * depth + b"1" + b"]" * depth
    assert find_positions(body, ["/0" * 63, "/0" * 1000]) == {
        "/0" * 63: (1, 64),
        "/0" * 1000: (1, 65),
    }


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    ),
    st.sampled_from([None, 1]),
)
def test_every_value_starts_where_its_position_says(value: object, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if "\r" in text or len({*paths_of(value)}) < len(paths_of(value)):
        return
    lines = text.split("\n")
    positions = find_positions(
        text.encode("utf-8", "replace"), [path for path, _ in paths_of(value)]
    )
    for path, expected in paths_of(value):
        line, column = positions[path]
        assert lines[line - 1][column - 1 :].startswith(expected)


def paths_of(value: object, steps: tuple[str | int, ...] = ()) -> list[tuple[str, str]]:
    """Return the pointer of each value, and the start of its text."""
    inner: list[tuple[str | int, object]] = []
    start = json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        inner, start = list(value.items()), "{"
    elif isinstance(value, list):
        inner, start = list(enumerate(value)), "["
    return [
        (pointer(steps), start),
        *(found for step, item in inner for found in paths_of(item, (*steps, step))),
    ]
