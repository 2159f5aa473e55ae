# make_repository.py
"""Make a repository `practice` with made-up solutions of four weeks."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which

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
REPOSITORY = Path("practice")
AUTHOR = ("-c", "user.name=Ada Example", "-c", "user.email=ada@example.org")


def git(*arguments: str, at: str = "") -> None:
    """Run git in the repository, at a time."""
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    command = ["git", "-C", str(REPOSITORY), *AUTHOR, *arguments]
    subprocess.run(command, check=True, env=os.environ | dates)


if which("git") is None:
    sys.exit("git is needed: install it, then run this again")
if REPOSITORY.exists():
    sys.exit("there is a `practice` here already: run this in another folder")
REPOSITORY.mkdir()
git("init", "--quiet", "--initial-branch", "main")
start = datetime.now(UTC) - timedelta(days=25)
for number, name in enumerate(SOLVED):
    at = (start + timedelta(days=number * number // 9)).isoformat(timespec="seconds")
    path = REPOSITORY / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"solution {number}\n")
    git("add", name, at=at)
    git("commit", "--quiet", "-m", f"Solve {path.stem}", at=at)
