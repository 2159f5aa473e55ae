# make_repository.py
"""Commit made-up solutions over four weeks to the repository `practice`."""

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

SOLVED = [
    "leetcode/0001-two-sum.py",
    "leetcode/0020-valid-parentheses.py",
    "leetcode/0704-binary-search.cpp",
    "leetcode/0217-contains-duplicate.py",
    "codeforces/4A.cpp",
    "codeforces/71A.py",
    "codeforces/158A.py",
    "codeforces/231A.cpp",
    "kattis/hello.py",
    "kattis/carrots.py",
    "kattis/twostones.py",
    "cses/1068.cpp",
    "cses/1083.cpp",
    "cses/1069.py",
    "leetcode/0206-reverse-linked-list.py",
    "leetcode/0121-best-time-to-buy-and-sell-stock.py",
]


def git(*arguments: str, at: str) -> None:
    """Run git in the repository, at a time."""
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    subprocess.run(["git", "-C", "practice", *arguments], check=True, env=os.environ | dates)


start = datetime.now(UTC) - timedelta(days=25)
for number, name in enumerate(SOLVED):
    at = (start + timedelta(days=number * number // 9)).isoformat(timespec="seconds")
    path = Path("practice", name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"solution {number}\n")
    git("add", name, at=at)
    git("commit", "--quiet", "-m", f"Solve {path.stem}", at=at)
