"""What the engine of health data returns for the inputs of its vectors."""

from typing import Any, Final

from healthapi import DataError, Profile, clean, load
from healthapi import limits as health_limits
from healthapi.endpoints import first_values, normalize, parse_integer, parse_metrics, parse_theme
from status_contracts.adapters.contract import body_bytes
from status_contracts.structuring.converter import unstructure
from support.vectors.cases import Json, Results

GENERATED_AT: Final = "2026-02-01T12:00:00"


def profile_of(given: Json) -> Profile:
    """Return the profile of the files of an input."""
    files = {name: body_bytes(parts) for name, parts in given["files"].items()}
    return load("example", files, generated_at=GENERATED_AT)


_CUT: Final = 1000


def rows_result(given: Json) -> Json:
    dataset = given["dataset"]
    try:
        profile = profile_of(given)
    except DataError as error:
        return {"unreadable": [finding.rule for finding in error.findings]}
    found = profile.findings[dataset]
    rows = [_digested(row) for row in profile.rows(dataset).plain()]
    findings = [
        {"line": each.line, "column": each.column, "rule": each.rule} for each in found.listed
    ]
    return {"rows": rows, "findings": findings}


def _digested(row: Json) -> Json:
    """Return a row without nulls; long text as its length."""
    return {
        name: {"length": len(value)} if isinstance(value, str) and len(value) > _CUT else value
        for name, value in row.items()
        if value is not None
    }


def nights_result(given: Json) -> Json:
    profile = profile_of(given)
    days = [_digested(row) for row in profile.daily.plain()]
    return {
        "nights": [_digested(row) for row in profile.sleep.plain()],
        "daily": days,
        "rejected_rows": profile.findings["sleep"].rejected_rows,
    }


def periods_result(given: Json) -> Json:
    profile = profile_of(given)
    names: tuple[Any, ...] = ("weekly", "monthly")
    return {name: profile.rows(name).plain() for name in names} | {
        "partial": {name: list(profile.partial_periods(name)) for name in names}
    }


def cards_result(given: Json) -> Json:
    profile = profile_of(given)
    shown = ("label", "unit", "tone")
    cards = [unstructure(card) for card in profile.cards]
    correlations = [unstructure(each) for each in profile.correlations]
    return {
        "cards": [{name: card[name] for name in card if name not in shown} for card in cards],
        "correlations": [
            {name: each[name] for name in ("key", "points", "coefficient", "strength")}
            for each in correlations
        ],
        "recovery": {
            "score": profile.overview.recovery_score,
            "status": profile.overview.recovery_status,
        },
    }


_RANGES: Final = {
    "dataset_limit": health_limits.DATASET_LIMIT,
    "table_limit": health_limits.TABLE_LIMIT,
    "points_limit": health_limits.POINTS_LIMIT,
    "offset": health_limits.OFFSET,
    "width": health_limits.CHART_WIDTH,
    "height": health_limits.CHART_HEIGHT,
}


def query_result(given: Json) -> Json:
    text = given["text"]
    value: Any
    match given["kind"]:
        case "integer":
            value = parse_integer(text, _RANGES[given["range"]])
        case "query":
            value = dict(first_values(text.encode()))
        case "metrics":
            value = list(parse_metrics(text))
        case "theme":
            value = parse_theme(text)
        case _:
            value = normalize(text)
    return {"value": value}


RESULTS: Final[Results] = {
    "rows": rows_result,
    "nights": nights_result,
    "days": lambda given: {"daily": profile_of(given).daily.plain()},
    "periods": periods_result,
    "cards": cards_result,
    "queries": query_result,
    "redaction": lambda given: {"value": clean(given["value"])},
}
