"""Write the pages that say which check notices which broken server.

    python tools/conformance_score.py            # check that the page is that of the servers
    python tools/conformance_score.py --write    # write it, and the table of site data
    python tools/conformance_score.py --score    # find the checks of device status anew before

Both run servers, `--score` some minutes.  `tests/data/conformance_score.json` has the checks of
device status; `tests/devicestatus/test_broken_servers.py` and
`tests/sitedata/test_site_broken_servers.py` prove what the pages say.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "conformance-score.md"
SITE_PAGE: Final = ROOT / "docs" / "reference" / "conformance-read-only.md"
SCORE: Final = ROOT / "tests" / "data" / "conformance_score.json"
sys.path.insert(0, str(ROOT / "tests"))

from support.devicestatus.broken_servers import DERIVED, SERVERS, BrokenServer  # noqa: E402
from support.sitedata import broken_servers_score as site  # noqa: E402

_MOST: Final = 4
_INTRODUCTION: Final = """\
# Score of the conformance checks

How well [`devicestatus conformance`](conformance.md) finds faults: it notices all of these
{count} servers, which have one fault each.
They are the reference service behind a faulty layer, on a faulty store, or with a second service
that answers some of the requests. `tests/support/devicestatus/broken_servers/` has them.

- {derived} are derived: each constraint of each member dropped or moved, each header of each path
  and status left out, each unsupported method and each similar path answered, each pair of checks
  of a write in the wrong order.
- {other} are written by hand, because no table has their fault: what a response shows, when it is
  shown, and how texts and stores are mishandled.

A server counts as noticed if a check fails that cites a rule which the server breaks.
"""


def page(noticed_by: dict[str, str]) -> str:
    """Return the page, from the name of each server to the check that notices it."""
    return "\n".join(_lines(noticed_by))


def _lines(noticed_by: dict[str, str]) -> Iterator[str]:
    derived = sum(each.chapter in DERIVED for each in SERVERS.values())
    numbers = {"derived": derived, "other": len(SERVERS) - derived}
    yield _INTRODUCTION.format(count=len(SERVERS), **numbers)
    for chapter in dict.fromkeys(each.chapter for each in SERVERS.values()):
        servers = [each for each in SERVERS.values() if each.chapter == chapter]
        yield f"## {chapter}\n"
        rows = _rules(servers, noticed_by) if chapter in DERIVED else _rows(servers, noticed_by)
        yield from rows
        yield ""


def _rules(servers: list[BrokenServer], noticed_by: dict[str, str]) -> Iterator[str]:
    yield "| rule | servers | for example | noticed by |"
    yield "| --- | --- | --- | --- |"
    for rule in sorted({each.rules[0] for each in servers}):
        found = [each for each in servers if each.rules[0] == rule]
        checks = Counter(noticed_by.get(each.name, "") for each in found)
        names = [f"`{check}`" for check, _ in checks.most_common(_MOST)]
        more = f" and {len(checks) - _MOST} more" if len(checks) > _MOST else ""
        example = found[0].title.replace("|", "\\|")
        yield f"| {rule} | {len(found)} | {example} | {', '.join(names)}{more} |"


def _rows(servers: list[BrokenServer], noticed_by: dict[str, str]) -> Iterator[str]:
    yield "| server | fault | rules | noticed by |"
    yield "| --- | --- | --- | --- |"
    for each in servers:
        title = each.title.replace("|", "\\|")
        check = noticed_by.get(each.name, "")
        yield f"| `{each.name}` | {title} | {', '.join(each.rules)} | `{check}` |"


def main() -> int:
    """Write the page, or check it; return the exit code."""
    if "--score" in sys.argv[1:]:
        from support.devicestatus.broken_servers.score import noticed_by  # noqa: PLC0415 - slow

        score = {name: noticed_by(name) for name in SERVERS}
        text = json.dumps(score, indent=0, ensure_ascii=True)
        SCORE.write_text(f"{text}\n", "utf-8")
    expected = page(json.loads(SCORE.read_text("utf-8")))
    if {"--write", "--score"} & {*sys.argv[1:]}:
        PAGE.write_text(expected, "utf-8")
        before, heading, _ = SITE_PAGE.read_text("utf-8").partition(site.HEADING)
        SITE_PAGE.write_text(f"{before}{heading}{site.section(site.notices())}", "utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text("utf-8") == expected:
        return 0
    sys.stderr.write(f"{PAGE.name} is not that of the servers: run with --score\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
