"""The page of fields has every member of every model, in order, and no other."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import attrs
import pytest

from healthapi.account.person import Person
from healthapi.account.snapshot import SNAPSHOT_FILE, build_snapshot_status, read_snapshot
from healthapi.catalog_keys import TABLES
from healthapi.derived.cards import Card, Trend
from healthapi.derived.statistics import Correlation
from healthapi.http.resources import build_dashboard
from healthapi.profile import Profile, load
from healthapi.rows.records import ActivityRow, HrvRow, PeriodRow, RhrRow, SleepRow
from healthapi.views.catalog import Catalog, CoreMetric, DomainEntry, Source
from healthapi.views.overview import Coverage, Overview
from healthapi.views.sections import Section, SectionCard, Summary
from purewire.json import codec
from support.healthapi.health_snapshots import snapshot_value

PAGE = (Path(__file__).parents[2] / "docs/reference/health-fields.md").read_text("utf-8")
BYTES = codec.encode(snapshot_value())

MODELS: dict[str, type[attrs.AttrsInstance]] = {
    "The profile object": Person,
    "catalog": Catalog,
    "A domain": DomainEntry,
    "A core metric": CoreMetric,
    "A source": Source,
    "overview": Overview,
    "coverage": Coverage,
    "metrics": Card,
    "A trend": Trend,
    "correlations": Correlation,
    "activity": ActivityRow,
    "sleep": SleepRow,
    "hrv": HrvRow,
    "rhr": RhrRow,
    "weekly and monthly": PeriodRow,
    "sections": Section,
    "A summary": Summary,
    "A section card": SectionCard,
}


def names_of(section: str) -> list[str]:
    """Return the names that the first list of members in a section describes."""
    found = re.search(r"(?:^- `.*\n)+", section, re.MULTILINE)
    items = re.findall(r"^- (`[^:]*):", found[0], re.MULTILINE) if found else []
    return [name for item in items for name in re.findall(r"`(\w+)`", item)]


def named(heading: str) -> list[str]:
    """Return the members that a section describes."""
    return names_of(PAGE.split(f"# {heading}\n", 1)[1].split("\n#", 1)[0])


COMMON = {*names_of(PAGE.split("## Members of one meaning\n", 1)[1])}
"""Members that are described once for all sections."""


@cache
def whole() -> Profile:
    return load("anna", {SNAPSHOT_FILE: BYTES}, generated_at="2026-01-31T12:00:00")


def own(names: Iterable[str]) -> list[str]:
    """Return the names that their own section has to describe."""
    return [name for name in names if name not in COMMON and not name.endswith("_label")]


@pytest.mark.parametrize("heading", MODELS)
def test_models_are_described_member_by_member(heading: str) -> None:
    assert named(heading) == own(field.name for field in attrs.fields(MODELS[heading]))


@pytest.mark.parametrize("key", TABLES)
def test_tables_are_described_column_by_column(key: str) -> None:
    columns = {table.key: table.columns for table in whole().tables}
    assert named(f"table {key}") == own(columns[key])


def test_values_without_a_model_are_described_as_published() -> None:
    snapshot = read_snapshot(BYTES)
    assert named("dashboard") == own(build_dashboard(whole()))
    assert named("snapshot") == own(snapshot.public("anna"))
    assert named("snapshot-status") == own(build_snapshot_status(snapshot))
    assert named("An entry") == own(snapshot.endpoints["profile"].plain())
    assert named("snapshot-endpoints") == own([*snapshot.index()[0], "href"])


def test_every_section_card_is_described_with_its_unit() -> None:
    cards = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (\S+) \|", PAGE, re.MULTILINE)
    assert cards == [
        (section.section, card.key, card.unit)
        for section in whole().sections
        for card in section.summary.metrics
    ]
