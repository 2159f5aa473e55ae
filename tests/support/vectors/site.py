"""What the engine of site data returns for the inputs of its vectors."""

from typing import Any, Final

from sitedata import (
    CacheState,
    Outcome,
    SiteDataError,
    Streak,
    calendar_of,
    check,
    encode,
    ordered,
    parse,
)
from sitedata.models import Problem
from status_contracts.adapters.contract import body_bytes
from status_contracts.days import parse_day
from support.vectors.cases import Json, Results


def file_result(given: Json) -> Json:
    body = body_bytes(given["body"])
    try:
        snapshot = parse(body)
    except SiteDataError as error:
        return {"valid": False, "error": error.code, "findings": _plain(error.findings)}
    warnings = _plain(check(body).warnings)
    return {"valid": True, "warnings": warnings, "encoded": encode(snapshot).decode()}


def _plain(findings: Any) -> list[Json]:
    return [{"path": each.path, "rule": each.rule} for each in findings]


def order_result(given: Json) -> Json:
    problems = [
        Problem(each["path"], "p", "l", str(number), "u", "u", "u", each["submittedAt"])
        for number, each in enumerate(given["problems"])
    ]
    found = ordered(problems, newest_first=given["newest_first"])
    return {"order": [int(problem.title) for problem in found]}


def _streak(streak: Streak | None) -> Json | None:
    if streak is None:
        return None
    return {"first": str(streak.first), "last": str(streak.last), "days": streak.days}


def calendar_result(given: Json) -> Json:
    counts = {parse_day(day): count for day, count in given["counts"].items()}
    calendar = calendar_of(counts, until=given["until"] and parse_day(given["until"]))
    return {
        "first": calendar.first and str(calendar.first),
        "last": calendar.last and str(calendar.last),
        "total": calendar.total,
        "active_days": calendar.active_days,
        "streaks": [*map(_streak, calendar.streaks)],
        "longest": _streak(calendar.longest),
        "current": {day: _streak(calendar.current(parse_day(day))) for day in given["days"]},
        "weeks": [
            {"year": int(week[:4]), "number": int(week[-2:]), "counts": [*counts]}
            for week, counts in calendar.weeks().items()
        ],
        "months": [
            {"name": month, "total": sum(counts), "active_days": len(counts)}
            for month, counts in calendar.months().items()
        ],
    }


def cache_result(given: Json) -> Json:
    state, results = CacheState(), []
    for response in given["responses"]:
        state, outcome = state.received(
            response["status"],
            [(name, value) for name, value in response["headers"]],
            body_bytes(response["body"]),
            now=response["now"],
        )
        results.append(_after(state, outcome, response["now"]))
    return {"results": results}


def _after(state: CacheState, outcome: Outcome, now: int) -> Json:
    return {
        "outcome": outcome.kind,
        "has_snapshot": state.snapshot is not None,
        "request": dict(state.request()),
        "fresh_ms": state.fresh_until - now if state.is_fresh(now) else 0,
        "stored": CacheState.load(state.dump()).snapshot is not None,
    }


RESULTS: Final[Results] = {
    "files": file_result,
    "order": order_result,
    "calendar": calendar_result,
    "cache": cache_result,
}
