"""Messages of findings say what must be; none states its rule as if it held."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from devicestatus.validation.cross_field import RULES as STATUS_RULES
from healthapi.account import snapshot
from healthapi.adapters import column_mapping, profile_files
from healthapi.rows import csv_text, findings
from purewire.structuring import constraints, validator
from sitedata.building import builder
from sitedata.reading import checking

TABLES: Final[dict[str, Mapping[Any, str]]] = {
    "device status": STATUS_RULES,
    "constraints": constraints.RULES,
    "JSON values": validator._JSON_MESSAGES,
    "account data": snapshot._MESSAGE_OF,
    "tables of a profile": csv_text._MESSAGE_OF,
    "rows": findings.MESSAGE_OF,
    "column mappings": column_mapping.MESSAGE_OF,
    "files of a profile": profile_files._MESSAGES,
    "publishing rules": checking.RULES,
    "settings of a build": builder._MESSAGE_OF,
}
FAILURES: Final = {"file.unreadable", "file.changed"}
"""Ids that report what happened: there is no rule that a value breaks."""


@pytest.mark.parametrize("name", TABLES)
def test_a_message_says_what_must_be(name: str) -> None:
    stated = {rule: text for rule, text in TABLES[name].items() if rule not in FAILURES}
    assert stated
    assert [rule for rule, text in stated.items() if "must" not in text.split()] == []
