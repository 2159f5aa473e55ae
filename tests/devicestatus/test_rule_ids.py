"""Rule ids: the documentation shows the mapping, and every id has words of its own."""

import ast
import re
from pathlib import Path

import pytest

from devicestatus.validation.cross_field import RULES
from devicestatus.validation.parse import check_snapshot
from purewire.structuring import constraints

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/rules.md").read_text("utf-8")
SOURCES = (
    "purewire/structuring/validator.py",
    "devicestatus/validation/cross_field.py",
    "devicestatus/validation/music_urls.py",
    "devicestatus/validation/parse.py",
    "devicestatus/icons.py",
)


def test_the_documentation_shows_the_table() -> None:
    assert "\ndevicestatus.validation.cross_field:RULES\n" in PAGE


@pytest.mark.parametrize("rule", RULES)
def test_an_id_is_lower_case_words_with_dots_and_hyphens(rule: str) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z]+(-[a-z]+)*)?", rule)


def test_the_messages_differ() -> None:
    assert len(set(RULES.values())) == len(RULES)


def test_the_message_states_no_more_than_a_table_can_hold() -> None:
    assert not [words for words in RULES.values() if "|" in words or "\n" in words]


def test_the_vocabulary_of_shapes_is_part_of_it() -> None:
    assert constraints.RULES.items() <= RULES.items()


def test_every_id_is_used_in_the_core_and_every_used_id_is_listed() -> None:
    texts = {
        node.value
        for name in SOURCES
        for node in ast.walk(ast.parse((ROOT / "src" / name).read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    } | {constraints.Pattern.rule}  # beside the table of all rules of shapes
    assert RULES.keys() - texts == set()
    families = {rule.split(".")[0] for rule in RULES if "." in rule}
    looks = re.compile(rf"({'|'.join(sorted(families))})\.[a-z-]+")
    assert {text for text in texts if looks.fullmatch(text)} - RULES.keys() == set()


def test_the_example_of_the_page_runs() -> None:
    assert check_snapshot({"schema_version": 1})[0].rule == "required"
    assert check_snapshot({"schema_version": 1})[0].path == "/collected_at"
