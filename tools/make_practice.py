"""Create `examples/practice/site-data.json`: a year of practice in a scripted repository.

    python tools/make_practice.py

The repository is created by `git fast-import` in a temporary folder; the file is equal on every
machine.
"""

import subprocess
import tempfile
from pathlib import Path

from sitedata import encode
from sitedata.adapters.git import read_history
from sitedata.building.builder import build
from sitedata.building.settings import BuildSettings
from support.sitedata.repositories import Commit, Rename, Script, Write

PLACE = Path(__file__).parents[1] / "examples" / "practice" / "site-data.json"
BEGIN = 1_736_922_600  # 2025-01-15T06:30:00Z
DAY = 86_400
GENERATED_AT = 1_765_476_000_000  # 2025-12-11T18:00:00Z
OFFSET = 60
FILES = """\
kattis/hello.py kattis/different.py kattis/oddities.cpp kattis/tarifa.py kattis/bijele.rs
cses/1068.cpp cses/1083.cpp cses/1069.cpp cses/1094.cpp cses/1070.cpp cses/1071.cpp
atcoder/abc086/a.py atcoder/abc081/b.py atcoder/abc087/b.py atcoder/abc083/b.rs atcoder/abc088/b.py
cf/4A.cpp cf/71A.cpp cf/231A.cpp cf/158A.cpp cf/50A.py cf/282A.py cf/112A.rs cf/339A.cpp
leetcode/0001-two-sum.py leetcode/0020-valid-parentheses.py leetcode/0704-binary-search.rs
luogu/P1001.cpp luogu/P1000.cpp luogu/P1047.cpp luogu/P1046.py luogu/P1421.py
projecteuler/001.py projecteuler/002.py projecteuler/003.hs projecteuler/005.hs
hdu/1000.c hdu/1001.c spoj/TEST.kt spoj/PRIME1.kt aoj/ITP1_1_A.java aoj/ITP1_1_B.java
uva/100.cpp uva/272.cpp qoj/1.cpp nowcoder/22227.go loj/1.go loj/2.go
"""


def script() -> Script:
    """Return the commits: one or two files a day, streaks and pauses, some files edited again."""
    paths = [name.encode() for name in FILES.split()]
    commits = [Commit(BEGIN, (Write(b"README.md", b"# practice\n"),), offset=OFFSET)]
    day = 0
    for number, path in enumerate(paths):
        day += (1, 1, 3, 1, 0, 16, 6, 1, 1, 45)[number % 10]
        commits.append(Commit(BEGIN + day * DAY + number * 97, (Write(path),), offset=OFFSET))
        if not (number + 4) % 7:
            again = Write(paths[number - 2], b"faster\n")
            commits.append(Commit(BEGIN + day * DAY + number * 97 + 900, (again,), offset=OFFSET))
        if number == 30:  # noqa: PLR2004 - some day in the middle
            moved = Rename(b"cf", b"codeforces")
            paths = [name.replace(b"cf/", b"codeforces/") for name in paths]
            commits.append(Commit(BEGIN + day * DAY + 40_000, (moved,), offset=OFFSET))
    return Script(tuple(commits))


def main() -> None:
    """Write the file."""
    with tempfile.TemporaryDirectory() as folder:
        git = ["git", "-C", folder]
        subprocess.run([*git, "init", "--quiet", "--bare", "-b", "main"], check=True)
        stream = b"".join(script().stream())
        subprocess.run([*git, "fast-import", "--quiet", "--done"], input=stream, check=True)
        history = read_history(folder, "main", dates="first-added", zone="Europe/Berlin")
    settings = BuildSettings(owner="ada", name="practice", host="github.com")
    built = build(history, settings, generated_at=GENERATED_AT)
    PLACE.write_bytes(encode(built.snapshot))


if __name__ == "__main__":
    main()
