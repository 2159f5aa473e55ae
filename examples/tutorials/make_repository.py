# make_repository.py
"""Make a repository `practice` with made-up solutions of a year."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from math import sin
from pathlib import Path
from random import Random
from shutil import which

PROBLEMS = {
    "leetcode": """
        0001-two-sum 0020-valid-parentheses 0021-merge-two-sorted-lists 0053-maximum-subarray
        0070-climbing-stairs 0088-merge-sorted-array 0104-maximum-depth-of-binary-tree
        0121-best-time-to-buy-and-sell-stock 0125-valid-palindrome 0136-single-number
        0141-linked-list-cycle 0169-majority-element 0200-number-of-islands 0217-contains-duplicate
        0226-invert-binary-tree 0242-valid-anagram 0268-missing-number 0283-move-zeroes
        0322-coin-change 0347-top-k-frequent-elements 0704-binary-search 0733-flood-fill
        0994-rotting-oranges 0206-reverse-linked-list""",
    "codeforces": """
        1A 4A 41A 50A 58A 59A 69A 71A 96A 110A 112A 116A 118A 122A 131A 136A 148A 155A 158A 200B
        231A 236A 263A 266A 266B 271A 281A 282A 339A 344A 467A 486A 546A 617A 677A 734A 977A""",
    "cses": """
        1068 1069 1070 1071 1072 1083 1084 1090 1091 1092 1094 1617 1618 1619 1621 1622 1623 1629
        1640 1643 1754 1755 2165 2205""",
}
SHARE = 0.4  # of commits that solve a problem; the others improve a solution
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
random = Random(7)
new = [f"{platform}/{name}" for platform in PROBLEMS for name in PROBLEMS[platform].split()]
random.shuffle(new)
solved: list[str] = []
for number in range(360):
    when = datetime.now(UTC) - timedelta(days=360 - number)
    effort = sin(number / 9) + random.uniform(-1.3, 1.8)  # busy and quiet weeks
    for _ in range(round(effort)):
        is_new = not solved or (new and random.random() < SHARE)
        if is_new:
            solved.append(f"{new.pop()}.{random.choice(('py', 'py', 'cpp', 'cpp', 'rs'))}")
        name = solved[-1] if is_new else random.choice(solved[-4:])
        path = REPOSITORY / name
        path.parent.mkdir(exist_ok=True)
        with path.open("a") as file:
            file.write(f"solution at {when:%d %B}\n")
        git("add", name)
        verb = "Solve" if is_new else "Improve"
        git("commit", "--quiet", "-m", f"{verb} {path.stem}", at=when.isoformat(timespec="seconds"))
