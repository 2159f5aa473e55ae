"""Snapshots of any number of problems, equal on every machine."""

import random
from datetime import date, timedelta
from typing import Any

WORDS = (
    *("Two", "Sum", "Shortest", "Path", "Range", "Query", "Segment", "Tree", "Longest", "Grid"),
    *("Binary", "Search", "Knapsack", "Prime", "Factor", "Palindrome", "Bracket", "Sequence"),
    *("Rotation", "Minimum", "Cost", "Flow", "Nearly", "Repeating", "Interval", "Order", "Digit"),
)
PLATFORMS = {"codeforces": 41, "atcoder": 30, "leetcode": 16, "luogu": 10, "cses": 7, "kattis": 3}
LANGUAGES = {"C++": 88, "Python": 9, "Rust": 3}
SUFFIXES = {"C++": "cpp", "Python": "py", "Rust": "rs"}
LAST = date(2026, 11, 22)


def large_snapshot(problems: int, *, days: int = 640, undated: int = 12) -> dict[str, Any]:
    """Return the plain value of a snapshot: bursts and pauses of practice up to `LAST`.

    Args:
        problems: number of problems.
        days: number of days over which they are spread.
        undated: number of problems without a time.

    """
    draw = random.Random(problems)  # noqa: S311 - reproducible
    weights = [_activity(draw, day) for day in range(days)]
    chosen = sorted(draw.choices(range(days), weights, k=problems))
    listed = [_problem(draw, number, days - 1 - day) for number, day in enumerate(chosen)]
    for each in draw.sample(listed, undated):
        each["submittedAt"] = None
    contributions: dict[str, int] = {}
    for day in chosen:
        text = (LAST - timedelta(days=days - 1 - day)).isoformat()
        contributions[text] = contributions.get(text, 0) + 1
    return {
        "repository": {"owner": "ada", "name": "practice", "branch": "main"},
        "generatedAt": f"{LAST.isoformat()}T20:40:00.000Z",
        "sourceRef": "main",
        "commitCount": problems,
        "contributions": contributions,
        "problems": listed,
        "ratings": {},
    }


def _activity(draw: random.Random, day: int) -> float:
    """Return the weight of a day: seasons, and days without practice."""
    season = (day // 60) % 4
    return 0.0 if draw.random() < (0.75, 0.35, 0.9, 0.45)[season] else draw.random() + 0.2


def _problem(draw: random.Random, number: int, days_ago: int) -> dict[str, Any]:
    platform = draw.choices(list(PLATFORMS), list(PLATFORMS.values()))[0]
    language = draw.choices(list(LANGUAGES), list(LANGUAGES.values()))[0]
    words = " ".join(draw.choices(WORDS, k=draw.randint(2, 6)))
    path = f"{platform}/{number:06}.{SUFFIXES[language]}"
    day = (LAST - timedelta(days=days_ago)).isoformat()
    return {
        "path": path,
        "platform": platform,
        "language": language,
        "title": f"{number}. {words}",
        "problemUrl": f"https://judge.example/{platform}/{number}",
        "githubUrl": f"https://github.com/ada/practice/blob/main/{path}",
        "rawUrl": f"https://raw.githubusercontent.com/ada/practice/main/{path}",
        "submittedAt": f"{day}T{draw.randint(8, 22):02}:{draw.randint(0, 59):02}:00+01:00",
    }
