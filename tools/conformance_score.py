"""Write the pages of the broken servers that the conformance checks notice.

`python tools/conformance_score.py` checks that the page of device status is that of the servers;
`--write` writes it, and the table of site data, for which all its servers are run.
`tests/devicestatus/test_broken_servers.py` and `tests/sitedata/test_site_broken_servers.py` prove
what they say.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "conformance-score.md"
SITE_PAGE: Final = ROOT / "docs" / "reference" / "conformance-read-only.md"
sys.path.insert(0, str(ROOT / "tests"))

from support.devicestatus.broken_servers import SERVERS  # noqa: E402 - after the path
from support.sitedata import broken_servers_score as site  # noqa: E402 - after the path

_INTRODUCTION: Final = """\
# Score of the conformance checks

How well [`devicestatus conformance`](conformance.md) finds faults: it notices all of these
{count} servers, which have one fault each.
They are the reference service behind faulty middleware, on a faulty store, or with a second service
that answers some of the requests. `tests/support/devicestatus/broken_servers/` has them.
The rules are those that the fault breaks.
"""


def page() -> str:
    """Return the page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION.format(count=len(SERVERS))
    for chapter in dict.fromkeys(each.chapter for each in SERVERS.values()):
        yield f"## {chapter}\n"
        yield "| server | fault | rules |"
        yield "| --- | --- | --- |"
        for each in SERVERS.values():
            if each.chapter == chapter:
                title = each.title.replace("|", "\\|")
                yield f"| `{each.name}` | {title} | {', '.join(each.rules)} |"
        yield ""


def main() -> int:
    """Write the page, or check it; return the exit code."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), "utf-8")
        before, heading, _ = SITE_PAGE.read_text("utf-8").partition(site.HEADING)
        SITE_PAGE.write_text(f"{before}{heading}{site.section(site.notices())}", "utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text("utf-8") == page():
        return 0
    sys.stderr.write(f"{PAGE.name} is not that of the servers: run with --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
